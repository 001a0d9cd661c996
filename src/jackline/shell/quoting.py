"""What the escapes behind a backslash stand for: in `$'…'`, and in texts of other languages."""

from __future__ import annotations

ESCAPES = dict(zip("ntrabfveE\\", "\n\t\r\a\b\f\v\x1b\x1b\\", strict=True))
HEX = {"x": 2, "u": 4, "U": 8}
"""How many digits may follow."""


def _number(text: str) -> str:
    """The number with which an escape is written, with its letter; "" where it is none."""
    letter = text[0] if text[0] in HEX else ""
    most, allowed = (HEX[letter], "0123456789abcdefABCDEF") if letter else (3, "01234567")
    rest = text[len(letter) :]
    digits = rest[: min(most, len(rest) - len(rest.lstrip(allowed)))]
    return letter + digits if digits else ""


def unescape(text: str) -> str | None:
    """What the text of a word stands for, None when we do not know."""
    out, i = "", 0
    while i < len(text):
        at = text.find("\\", i)
        if at < 0 or at == len(text) - 1:
            return out + text[i:]
        out, char = out + text[i:at], text[at + 1]
        number = _number(text[at + 1 :])
        i = at + 1 + max(len(number), 1)
        if number:
            code = int(number[1:], 16) if char in HEX else int(number, 8)
            if not 5 < code < (0xD800 if char in "uU" else 128):
                return None  # bytes of a letter, or one of our own marks, see `shell_state`
            out += chr(code)
        elif char in ESCAPES or char in "\"'?":
            out += ESCAPES.get(char, char)
        elif char in "cxuU":
            return None  # shells differ
        else:
            out += "\\" + char
    return out
