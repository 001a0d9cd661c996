"""What the escapes behind a backslash stand for: in `$'…'`, for `echo` and for `printf`."""

from __future__ import annotations

ESCAPES = dict(zip("ntrabfveE\\", "\n\t\r\a\b\f\v\x1b\x1b\\", strict=True))
HEX = {"x": 2, "u": 4, "U": 8}
"""How many digits may follow."""


def _digits(text: str, most: int, allowed: str) -> str:
    """The digits with which a text begins, at most so many."""
    return text[: min(most, len(text) - len(text.lstrip(allowed)))]


def _number(text: str, style: str) -> str:
    """The number with which an escape is written, with its letter; "" where it is none."""
    if text[0] in HEX:
        digits = _digits(text[1:], HEX[text[0]], "0123456789abcdefABCDEF")
        return text[0] + digits if digits else ""
    zero = text[0] == "0" and style in ("echo", "%b")
    return _digits(text, 4 if zero else 3, "01234567") if zero or style != "echo" else ""


def unescape(text: str, style: str) -> str | None:
    """What a text stands for, None when we do not know. `style`: `echo`, printf's `format` or `%b`, `$` for a word.

    They differ in octal digits: `echo` wants a zero and three more, a format and a word take three, `%b` takes either.
    """
    out, i = "", 0
    while i < len(text):
        at = text.find("\\", i)
        if at < 0 or at == len(text) - 1:
            return out + text[i:]
        out, char = out + text[i:at], text[at + 1]
        number = _number(text[at + 1 :], style)
        i = at + 1 + max(len(number), 1)
        if number:
            code = int(number[1:], 16) if char in HEX else int(number, 8)
            if not 5 < code < (0xD800 if char in "uU" else 128) or (char in "uU" and style != "$"):
                return None  # bytes of a letter, or one of our own marks, see `shell_state`
            out += chr(code)
        elif char in ESCAPES or (char in "\"'?" and style in ("$", "format")):
            out += ESCAPES.get(char, char)
        elif char in "cxuU" or (char in "\"'?" and style == "%b"):
            return None  # shells differ
        else:
            out += "\\" + char
    return out
