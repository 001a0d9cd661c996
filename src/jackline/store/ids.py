"""Identifiers: digests, slots, time-ordered record ids."""

from __future__ import annotations

SESSIONS = "sessions"
"""The folder of a store with a record of each session; called otherwise in a store of a newer format (`format`)."""
HEX = frozenset("0123456789abcdef")


def digest(text: str, size: int = 16) -> str:
    """Hex of BLAKE2b over `text`; `size` is bytes, not digits."""
    from _blake2 import blake2b

    return str(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest())


def slot(root: str) -> str:
    """Name of a worktree's slot in the store: 16 hex of BLAKE2b over its resolved root."""
    return digest(root, 8)


def is_sid(text: str) -> bool:
    return len(text) == 8 and HEX.issuperset(text)


def record_id(now: int, entropy: bytes) -> str:
    """A record id: 128 bits as 32 hex, 48 of time in milliseconds (`now` in nanoseconds), 80 random."""
    return f"{now // 1_000_000 & 0xFFFFFFFFFFFF:012x}{int.from_bytes(entropy[:10], 'big'):020x}"
