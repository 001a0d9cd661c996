"""A piece of a file, cut anywhere: comments and texts that began before it, or end behind it, are told from code."""

from __future__ import annotations

import re

from jackline.mutation.languages import Language
from jackline.mutation.lexer import NAME, tokens

STARRED = re.compile(r"^[ \t]*\*(?:[ \t].*|/?[ \t]*)$", re.MULTILINE)
"""A line in the middle of a block comment, as most write them."""
TRIPLE = re.compile(r'"""|\'\'\'')
ROWS = {"python": 2, "script": 3, "java": 4, "c": 4}
"""So many plain names in a row no code of the family has; prose has. Families whose comments go over many lines."""


def _prose(line: str, language: Language) -> bool:
    """Whether a line reads as a sentence, not as code."""
    limit = ROWS.get(language.family, 0)
    row = 0
    for token in tokens(line, language) if limit else ():
        row = row + 1 if token.kind == NAME else 0
        if row >= limit:
            return True
    return bool(limit) and line.lstrip().startswith((":param", ":return", ":raises", ".. "))


def _quoted(text: str, language: Language) -> str:
    """Python without the half of a docstring that the piece begins or ends in."""
    marks = list(TRIPLE.finditer(text))
    if len(marks) % 2 == 0:
        return text
    first, last = marks[0], marks[-1]
    behind = text[first.end() :].split("\n")
    ahead = text[: last.start()].split("\n")
    closes = not any(_prose(line, language) for line in behind)
    opens = not any(_prose(line, language) for line in ahead[:-1])
    if closes and not (opens and text[last.end() :].strip() and _prose(text[last.end() :].split("\n")[0], language)):
        return text[first.end() :]
    return text[: last.start()] if opens else text


def code_of(text: str, language: Language) -> str:
    """The piece without what is certainly comment or prose."""
    for start, end in language.block if language.family != "markup" else ():
        closed, opened = text.find(end), text.find(start)
        if closed >= 0 and (opened < 0 or closed < opened):
            text = text[closed + len(end) :]
        opened = text.rfind(start)
        if opened >= 0 and text.find(end, opened) < 0:
            text = text[:opened]
    if language.block:
        text = STARRED.sub("", text) if "/*" not in text else text
    if language.family == "python":
        text = _quoted(text, language)
    if language.family not in ROWS or (language.family == "python" and TRIPLE.search(text)):
        return text
    return "\n".join(line for line in text.split("\n") if not _prose(line, language))
