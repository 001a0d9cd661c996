"""What a person can mend in a configuration: where, what was expected and found, and what to write instead."""

from __future__ import annotations

from typing import Any, NamedTuple


class Fault(NamedTuple):
    """One thing that does not compile.

    `where` is a file, with a line where it has one; `path` a key in it as `modules.session.mode`.
    """

    path: str
    expected: str
    got: str
    nearest: str = ""
    write: str = ""
    where: str = ""

    def __str__(self) -> str:
        what = f"expected {self.expected}, got {self.got}"
        parts = [self.where, f"{self.path}: {what}" if self.path else what]
        if self.write:
            parts.append(f"write: {self.write}")
        return " · ".join([part for part in parts if part])


def nearest(word: str, known: list[str]) -> str:
    """The known word that was probably meant, "" when none is near."""
    import difflib

    same = [one for one in known if one.lower() == word.lower()]
    found = same or difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return found[0] if found else ""


def shown(value: Any, limit: int = 60) -> str:
    """A value as JSON on one line, cut: a message is read, not parsed."""
    from jackline.jsonio import dumps

    if isinstance(value, str):
        value = value[:limit]
    elif isinstance(value, dict):
        return f"an object with {len(value)} keys" if value else "{}"
    elif isinstance(value, list) and len(value) > 3:
        return f"a list of {len(value)}"
    text = dumps(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
