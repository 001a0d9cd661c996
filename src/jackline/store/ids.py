"""Identifiers: time-ordered record ids, and names that are safe as file names."""

from __future__ import annotations

SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
HEX = frozenset("0123456789abcdef")


def digest(text: str, size: int = 16) -> str:
    """Hex of BLAKE2b over `text`; `size` is bytes, not digits."""
    from _blake2 import blake2b

    return str(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest())


def safe_name(text: str) -> str:
    """`text` itself where it can stand as a file name, else a digest of it: nothing foreign becomes a path."""
    if text and len(text) <= 80 and text[0] != "-" and SAFE.issuperset(text):
        return text
    return "~" + digest(text)


def slot(root: str) -> str:
    """Name of a worktree's slot in the store: 16 hex of BLAKE2b over its resolved root."""
    return digest(root, 8)


def is_sid(text: str) -> bool:
    return len(text) == 8 and HEX.issuperset(text)


def record_id(now: int, entropy: bytes) -> str:
    """A record id: 128 bits as 32 hex, 48 of time in milliseconds (`now` in nanoseconds), 80 random."""
    return f"{now // 1_000_000 & 0xFFFFFFFFFFFF:012x}{int.from_bytes(entropy[:10], 'big'):020x}"
