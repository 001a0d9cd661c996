"""`intent_map.md`: a section per intent with what it depends on and the files touched for it; hand-written parts stay.

What is ours stands between two marks in each section, and is made anew; everything else is left as it is.
"""

from __future__ import annotations

from jackline import system
from jackline.intents import PARENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from jackline.intents.intent_index import Said

NAME = "intent_map.md"
BEGIN, END = "<!-- jackline:begin -->", "<!-- jackline:end -->"
HEAD = "# Intents\n"
FILES = 500
LIMIT = 1 << 22


def touched(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """By intent the files that changed for it, each with the day (UTC) it last did."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        intent, ts = row.get("intentId"), row.get("ts")
        if type(intent) is not str or type(ts) is not int or type(row.get("files")) is not list:
            continue
        for one in row["files"]:
            if type(one) is dict and type(one.get("path")) is str and one.get("before") != one.get("after"):
                found.setdefault(intent, {})[one["path"]] = day(ts)
    return found


def day(milliseconds: int) -> str:
    """A date as 2031-05-05 (UTC), reckoned without a calendar module."""
    days = milliseconds // 86_400_000 + 719_468
    era, of_era = divmod(days, 146_097)
    year = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    date = of_year - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return f"{year + era * 400 + (month <= 2):04d}-{month:02d}-{date:02d}"


def _plain(text: str) -> str:
    """Foreign text in Markdown: on one line, with nothing that ends what it stands in."""
    text = "".join([char if char.isprintable() else " " for char in text])
    return text.replace("`", "'").replace("<!--", "<! --").strip()


def block(said: Said, files: Mapping[str, str]) -> str:
    """Our part of a section."""
    lines = [BEGIN, f"Status: {_plain(said.status)}", ""]
    above = [one for one in dict.fromkeys((said.parent, *said.depends)) if one]
    lines.append("Depends on: " + (", ".join([_plain(one) for one in above]) if above else "nothing"))
    lines += ["", "Files touched:" if files else "Files touched: none yet"]
    lines += [""] if files else []
    named = sorted(files.items())
    lines += [f"- `{_plain(path)}` ({when})" for path, when in named[:FILES]]
    if len(named) > FILES:
        lines.append(f"- and {len(named) - FILES} more")
    return "\n".join([*lines, END])


def _section(text: str, name: str) -> tuple[int, int]:
    """Where the section of an intent stands: from its heading to the next one; (-1, -1) without one."""
    at = 0
    begin = -1
    for line in text.splitlines(keepends=True):
        if line.startswith(("## ", "# ")):
            if begin >= 0:
                return begin, at
            words = line[3:].split()
            if line.startswith("## ") and words and words[0].strip(":—-") in (name, name + ":"):
                begin = at
        at += len(line)
    return (begin, at) if begin >= 0 else (-1, -1)


def drawn(text: str, intents: Sequence[Said], files: Mapping[str, Mapping[str, str]]) -> str:
    """The map with our parts made anew. The same input gives the same text."""
    text = text or HEAD
    for one in intents:
        made = block(one, files.get(one.id, {}))
        begin, end = _section(text, one.id)
        if begin < 0:
            title = f"## {_plain(one.id)}" + (f" {_plain(one.name)}" if one.name else "")
            text = text.rstrip("\n") + f"\n\n{title}\n\n{made}\n"
            continue
        section = text[begin:end]
        old, stop = section.find(BEGIN), section.find(END)
        if 0 <= old < stop:
            section = section[:old] + made + section[stop + len(END) :]
        else:
            heading, _, rest = section.partition("\n")
            section = f"{heading}\n\n{made}\n" + (rest if rest.startswith("\n") else "\n" + rest if rest else "")
        text = text[:begin] + section + text[end:]
    return text


def draw(root: str, intents: Sequence[Said], rows: Iterable[Mapping[str, Any]]) -> bool:
    """Write the map where it would change. False where it cannot be written; no link is followed."""
    try:
        at = system.descend(root, (PARENT,))
    except OSError:
        return False
    try:
        try:
            text = system.read(NAME, at=at, limit=LIMIT, follow=False).decode("utf-8")
        except FileNotFoundError:
            text = ""
        made = drawn(text, intents, touched(rows))
        if made != text:
            system.replace(NAME, made.encode("utf-8"), at=at, mode=0o644)
        return True
    except (OSError, ValueError):
        return False
    finally:
        system.close(at)
