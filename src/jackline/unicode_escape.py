"""Characters that could deceive, and how they are shown: by their number. Cold.

All foreign text that reaches a terminal, a page or a model goes through here (design section 4).
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

DECEIVING = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that show nothing, or change how their neighbours are shown: controls, bidi and other format
characters, lone surrogates, private and unassigned ones, line separators."""

BLANKS = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0100, 0xE01EF),
)
"""Letters and marks that show nothing: fillers, joiners, variation selectors."""


@lru_cache(maxsize=4096)
def escape(letter: str) -> str:
    """How one character is shown: itself, or by its number when it could deceive."""
    code = ord(letter)
    if 0x20 <= code < 0x7F:
        return letter
    if letter in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[letter]
    hidden = unicodedata.category(letter) in DECEIVING or any(low <= code <= high for low, high in BLANKS)
    if not hidden:
        return letter
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def escape_line(text: str) -> str:
    """One line of foreign text."""
    return text if text.isascii() and text.isprintable() else "".join(map(escape, text))


def shown_lines(text: str) -> str:
    """Foreign text of several lines: its line ends and tabs stay."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(["\t".join([escape_line(part) for part in line.split("\t")]) for line in lines])
