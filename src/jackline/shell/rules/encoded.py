"""Texts in base 64 and hexadecimal digits: what they stand for."""

from __future__ import annotations


def unpacked(text: str) -> str | None:
    """What base 64 of either alphabet stands for, where it is a text."""
    from base64 import b64decode

    packed = "".join(text.split()).rstrip("=")
    try:
        other = b"-_" if set(packed) & {"-", "_"} else None
        return b64decode(packed + "=" * (-len(packed) % 4), altchars=other).decode()
    except ValueError:
        return None


def unhex(text: str) -> str | None:
    """What pairs of hexadecimal digits stand for, where it is a text."""
    try:
        return bytes.fromhex("".join(text.split())).decode()
    except ValueError:
        return None
