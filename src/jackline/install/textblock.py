"""A managed block in a text that belongs to somebody else: put it there, find it again, take it out. Pure.

Two lines of their own mark it. Everything around it keeps its bytes: line endings, byte order mark, missing newlines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

START = "<!-- jackline:start -->"
END = "<!-- jackline:end -->"
LIKE = re.compile(r"<!--(\s*)jackline:(start|end)(\s*)-->", re.IGNORECASE)
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


class Put(NamedTuple):
    """A text with the block in it; `gap` is what was put before it, so that taking it out leaves nothing."""

    text: str
    gap: str


def decode(data: bytes) -> str | None:
    """The text of a file, every byte kept; None when it is no text that lines can be put into."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data:
        return None
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def ending(text: str) -> str:
    """How the text's lines end: as the first one does."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def body(parts: Sequence[str]) -> str:
    """Texts one after another, a blank line between; what looks like a mark of ours in them no longer is one."""
    texts = [part.replace("\r\n", "\n").strip("\n") for part in parts]
    return LIKE.sub(r"<!--\1jackline-\2\3-->", "\n\n".join([text for text in texts if text.strip()]))


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _bare(line: str) -> str:
    return line.removeprefix(BOM).strip(" \t\r")


def _blocks(lines: Sequence[str], last: str) -> list[tuple[int, int]]:
    """Where blocks stand: (first line, line behind). Marks in fenced code are somebody's example.

    A block whose end was lost is its first line, and what we wrote behind it (`last`) as far as that still stands.
    """
    found: list[tuple[int, int]] = []
    fence = ""
    at = 0
    while at < len(lines):
        here = FENCE.match(lines[at].removeprefix(BOM))
        if fence:
            closing = here and here[1].startswith(fence) and not lines[at].strip().strip(fence[0])
            fence = "" if closing else fence
        elif here:
            fence = here[1]
        elif _bare(lines[at]) == START:
            behind = _end(lines, at, last)
            found.append((at, behind))
            at = behind
            continue
        elif _bare(lines[at]) == END:  # an end without its beginning
            found.append((at, at + 1))
        at += 1
    return found


def _end(lines: Sequence[str], start: int, last: str) -> int:
    for at in range(start + 1, len(lines)):
        if _bare(lines[at]) == END:
            return at + 1
        if _bare(lines[at]) == START:
            break
    at = start + 1
    for line in _lines(last) if last else ():
        if at >= len(lines) or lines[at].rstrip("\r") != line:
            break
        at += 1
    return at


def has(text: str) -> bool:
    """Whether a block of ours stands in the text."""
    return bool(_blocks(_lines(text), ""))


def _drop(lines: list[str], start: int, behind: int) -> list[str]:
    """The lines without some of them. One that began with the byte order mark hands it on."""
    mark = BOM if lines[start].startswith(BOM) else ""
    rest = [*lines[:start], *lines[behind:]]
    if mark and rest:
        rest[start] = mark + rest[start]
    return rest


def _block(inner: str, end: str) -> str:
    return end.join([START, *_lines(inner), END])


def put(text: str, inner: str, last: str = "") -> Put:
    """The text with one block that holds `inner`: where the first one stood, else at the end."""
    end = ending(text)
    lines = _lines(text)
    found = _blocks(lines, last)
    if not found:
        bare = text.removeprefix(BOM)
        if not bare:
            return Put(text + _block(inner, end) + end, "")
        whole = bare.endswith("\n")
        gap = "" if bare.endswith(end * 2) else end if whole else end * 2
        return Put(text + gap + _block(inner, end) + (end if whole else ""), gap)
    for start, behind in reversed(found[1:]):
        if start and not lines[start - 1].strip(" \t\r") and start > found[0][1]:
            start -= 1
        lines = _drop(lines, start, behind)
    start, behind = found[0]
    mark = BOM if lines[start].startswith(BOM) else ""
    made = mark + _block(inner, end) + ("\r" if end == "\r\n" and behind < len(lines) else "")
    return Put("\n".join([*lines[:start], made, *lines[behind:]]), "")


def take_out(text: str, gap: str, last: str = "") -> str:
    """The text without any block, and without the `gap` that was put before the first."""
    lines = _lines(text)
    found = _blocks(lines, last)
    for number, (start, behind) in reversed(list(enumerate(found))):
        mark = BOM if lines[start].startswith(BOM) else ""
        before = "\n".join([*lines[:start], ""]) if start else mark
        after = "\n".join(lines[behind:])
        if number == 0 and gap and before.endswith(gap):
            rest = before[: -len(gap)]
            before = rest if not after or rest.endswith("\n") or not rest else rest + ending(text)
        lines = _lines(before + after)
    return "\n".join(lines)
