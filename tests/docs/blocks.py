"""Fenced blocks of a page, and output compared as the page shows it: `…` stands for whatever comes there."""

from __future__ import annotations

import re
from typing import NamedTuple

FENCE = re.compile(r"^```(\w+)?([^\n`]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ANY = "…"


class Block(NamedTuple):
    """One fenced block: its language, what stands behind it, its text, the line it begins at."""

    language: str
    note: str
    text: str
    line: int


def blocks(page: str, *languages: str) -> list[Block]:
    """The blocks of these languages (all without any), in order."""
    found = [
        Block(one[1] or "", one[2].strip(), one[3], page.count("\n", 0, one.start()) + 1)
        for one in FENCE.finditer(page)
    ]
    return [one for one in found if not languages or one.language in languages]


def _words(text: str) -> str:
    """Text as a pattern; where it has blanks, any number of them."""
    return " +".join(re.escape(word) for word in re.split(" +", text))


def pattern(expected: str) -> re.Pattern[str]:
    """What an output must look like: a line `…` is any lines, `…` within one any text. Columns may be of any width."""
    parts = []
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == ANY:
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(" *" + "[^\n]*?".join(map(_words, line.strip().split(ANY))) + " *\n")
    return re.compile("".join(parts))


def shows(expected: str, output: str) -> bool:
    """Whether `output`, from its first line to its last, is what the page shows."""
    return pattern(expected).fullmatch(output.rstrip("\n") + "\n") is not None
