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
    if text and len(text) <= 80 and SAFE.issuperset(text):
        return text
    return "~" + digest(text)


def slot(root: str) -> str:
    """Name of a worktree's slot in the store: 16 hex of BLAKE2b over its resolved root."""
    return digest(root, 8)


def is_sid(text: str) -> bool:
    return len(text) == 8 and HEX.issuperset(text)


class Ids:
    """Record ids of one event: 128 bits as 32 hex, 48 of time in milliseconds, then a counter after random bits."""

    __slots__ = ("_count", "_head", "_tail")

    def __init__(self, now: int, entropy: bytes) -> None:
        self._head = f"{now // 1_000_000 & 0xFFFFFFFFFFFF:012x}"
        self._tail = int.from_bytes(entropy[:10], "big") & ~0xFFFF
        self._count = 0

    def next(self) -> str:
        self._count += 1
        return f"{self._head}{self._tail + self._count & (1 << 80) - 1:020x}"
