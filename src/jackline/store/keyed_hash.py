"""The store's own key: hashes of foreign text that cannot be guessed back without it."""

from __future__ import annotations

from jackline import host, system


def key(store: str) -> bytes:
    """32 bytes made once per store, 0600."""
    path = store + "/key"
    try:
        return system.read(path, limit=64)
    except OSError:
        system.make_dirs(store)
        system.claim(path, host.entropy(32))
        return system.read(path, limit=64)


def keyed_digest(store: str, text: str) -> str:
    """32 hex of BLAKE2b over `text` with the store's key."""
    from _blake2 import blake2b

    return str(blake2b(text.encode("utf-8", "surrogatepass"), key=key(store), digest_size=16).hexdigest())
