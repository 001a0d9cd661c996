"""What `$'…'` holds: its escapes."""

from __future__ import annotations

from jackline.shell.model import Unreadable

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b"}


def ansi(text: str) -> str:
    """What `$'text'` stands for."""
    out, i, size = "", 0, len(text)
    while i < size:
        char = text[i]
        i += 1
        if char != "\\" or i >= size:
            out += char
            continue
        char = text[i]
        i += 1
        if char in ESCAPES:
            out += ESCAPES[char]
        elif char in "xuU01234567":
            most, octal = {"x": 2, "u": 4, "U": 8}.get(char, 3), char.isdigit()
            i -= octal
            digits = digits_at(text, i, most, "01234567" if octal else "0123456789abcdefABCDEF")
            i += len(digits)
            code = int(digits, 8) & 255 if octal else int(digits or "110000", 16)
            if code > (0x10FFFF if most > 3 else 127) or 0xD800 <= code < 0xE000:
                raise Unreadable("an escape that is no character")
            out += chr(code)
        elif char == "c" and i < size:
            if not text[i].isascii() or not (text[i].isalpha() or text[i] == "_"):
                raise Unreadable("a control character that shells read in different ways")
            out += chr(ord(text[i]) & 31)
            i += 1
        else:
            out += char if char in "\\'\"?" else "\\" + char
    if any(char < "\6" for char in out):  # NUL, and our own marks, see `scene`
        raise Unreadable("a control character in a word")
    return out


def digits_at(text: str, i: int, most: int, allowed: str) -> str:
    """At most so many digits that stand here."""
    end = i
    while end < len(text) and end - i < most and text[end] in allowed:
        end += 1
    return text[i:end]
