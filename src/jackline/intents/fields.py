"""Fields of a YAML mapping that a person wrote: texts and lists of texts, and what is wrong, by line and key."""

from __future__ import annotations

from jackline.intents import FILE, PARENT
from jackline.site_paths import open_roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

PLACE = f"{PARENT}/{FILE}"
DEEPEST, MANY = 32, 200
"""Brackets that are open at a time; signs of structure on one line."""


class Fault(NamedTuple):
    """One thing to mend in the file."""

    line: int
    key: str
    expected: str
    got: str = ""
    write: str = ""

    def told(self, where: str = PLACE) -> str:
        what = f"{self.key}: expected {self.expected}" if self.key else f"expected {self.expected}"
        got = f", got {self.got}" if self.got else ""
        write = f" · write: {self.write}" if self.write else ""
        return f"{where}:{self.line} · {what}{got}{write}"


def nearest(word: str, known: Sequence[str]) -> str:
    """The known word that was probably meant, "" when none is near."""
    import difflib

    found = difflib.get_close_matches(word.lower(), [one.lower() for one in known], n=1, cutoff=0.6)
    return next((one for one in known if found and one.lower() == found[0]), "")


def shown(value: Any) -> str:
    """What stands there instead, for a message."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    text = str(value)
    return f'"{text[:60]}"' if isinstance(value, str) else text[:60]


def scalar(value: Any) -> str | None:
    """A scalar as text; None when it is none. A tag with nothing behind it is a text whose quotes were forgotten."""
    tag = getattr(value, "tag", None)
    if tag is not None and hasattr(value, "style") and not isinstance(value, (str, list, dict)):
        inner = str(getattr(value, "value", "") or "")
        told = str(getattr(tag, "value", tag) or "")
        return f"{told} {inner}".strip() if told.startswith("!") else inner
    if value is None or isinstance(value, (list, dict, set, bytes)):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


class Fields:
    """One reading of one intent: fields by key, faults as they are found."""

    def __init__(self, value: Any, path: str, line: int) -> None:
        self.value = value
        self.path = path
        self.line = line
        self.faults: list[Fault] = []

    def at(self, key: str) -> int:
        """The line of a key."""
        try:
            return int(self.value.lc.key(key)[0]) + 1
        except (AttributeError, KeyError, TypeError):
            return self.line

    def fault(self, key: str, expected: str, got: Any, write: str = "", line: int = 0) -> None:
        self.faults.append(Fault(line or self.at(key), f"{self.path}.{key}", expected, shown(got), write))

    def text(self, key: str) -> str:
        value = self.value.get(key)
        if value is None:
            return ""
        text = scalar(value)
        if text is None:
            self.fault(key, "a text", value)
        return text or ""

    def texts(self, key: str, item: Callable[[str], str] = lambda text: "") -> tuple[str, ...]:
        """A list of texts, or one text; `item` says what is wrong with one."""
        value = self.value.get(key)
        if value is None:
            return ()
        rows = value if isinstance(value, list) else [value]
        found = []
        for number, one in enumerate(rows):
            text = scalar(one)
            line = self.item_line(value, number, key)
            if text is None:
                quote = ", in quotes where it begins with `{`, `[` or `*`" if key == "owned_scope" else ""
                self.fault(key, f"a list of texts{quote}", one, '- "…"', line)
            elif item(text):
                self.fault(key, item(text), text, "", line)
            else:
                found.append(text)
        return tuple(found)

    def item_line(self, value: Any, number: int, key: str) -> int:
        try:
            return int(value.lc.item(number)[0]) + 1
        except (AttributeError, KeyError, TypeError):
            return self.at(key)


def _unparsed(error: Exception, text: str) -> Fault:
    """Why the text is no YAML, with a word on the forgotten quotes that are nearly always the reason."""
    mark = getattr(error, "problem_mark", None)
    line = int(mark.line) + 1 if mark is not None else 1
    problem = str(getattr(error, "problem", "") or str(error).split("\n", 1)[0])
    rows = text.split("\n")
    row = rows[line - 1].strip() if line <= len(rows) else ""
    item = row[1:].strip() if row[:1] == "-" else row.partition(":")[2].strip()
    if item[:1] in ("*", "!", "{", "[", "&", "%", "@", "`"):
        lead = "- " if row[:1] == "-" else row.partition(":")[0] + ": "
        return Fault(line, "", "YAML: a glob that begins with a sign stands in quotes", problem, f'{lead}"{item}"')
    return Fault(line, "", "YAML", problem)


def _too_deep(text: str) -> int:
    """The line where lists in lists begin that nobody writes (a parser takes minutes over them); 0 for none."""
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        depth = max(depth + line.count("[") + line.count("{") - line.count("]") - line.count("}"), 0)
        if depth > DEEPEST or line.count("[") + line.count("{") > MANY or line.count("- ") + line.count(": ") > MANY:
            return number
        if len(line) - len(line.lstrip(" ")) > MANY or line.count("? ") > MANY or line.count(",") > 10 * MANY:
            return number
    return 0


def parse(text: str) -> tuple[Any, Fault | None]:
    """The YAML value of a text as the library keeps it (comments, order, places), or why it is none."""
    line = _too_deep(text)
    if line:
        return None, Fault(line, "", "a file that is not nested so deeply")
    open_roots()
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    reader = YAML(typ="rt", pure=True)
    reader.preserve_quotes = True
    try:
        return reader.load(text), None
    except (YAMLError, ValueError, RecursionError, AttributeError, TypeError, KeyError, IndexError) as error:
        return None, _unparsed(error, text)
