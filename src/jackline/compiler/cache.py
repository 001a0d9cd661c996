"""What earlier compiles made of the same bytes: pieces by the digest of all that went into them, beside the hook table.

It saves work and decides nothing: what is asked for is a digest of bytes that were read now, and a file that is damaged
or of another build or interpreter holds nothing. Only what this compile used stays.
"""

from __future__ import annotations

import marshal

from jackline import system
from jackline.compiler.sources import digest
from jackline.hook_table import pack, path_of, unpack
from jackline.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VALUES = 2
"""The version of marshalling in which equal values are equal bytes, whoever else holds them (3.11 to 3.13)."""


def kept_path(store: str, slot: str) -> str:
    return path_of(store, slot).removesuffix("bin") + "parts"


class Kept:
    """Pieces of earlier compiles, and those of this one. A piece is any value that can be marshalled."""

    def __init__(self, before: dict[bytes, bytes] | None = None) -> None:
        self.before = before or {}
        self.used: dict[bytes, bytes] = {}

    def take(self, key: bytes) -> Any:
        """The piece made under this key, None where there is none."""
        found = self.used.get(key) or self.before.get(key)
        if found is None:
            return None
        self.used[key] = found
        return marshal.loads(found)

    def keep(self, key: bytes, piece: Any) -> None:
        try:
            self.used[key] = marshal.dumps(piece)
        except ValueError:  # nested too deep: it is made anew each time
            pass

    @property
    def new(self) -> bool:
        """Whether there is something to write."""
        return self.used.keys() != self.before.keys()


def key(kind: bytes, *parts: Any) -> bytes:
    """The key of a piece: what it is, and everything it is made from."""
    return digest(marshal.dumps((kind, parts), VALUES))


def read(store: str, slot: str, build: str = VERSION) -> Kept:
    """The pieces beside a hook table; none when the file is missing, damaged or foreign."""
    try:
        found = unpack(system.read(kept_path(store, slot)), build)
    except (OSError, ValueError, EOFError, TypeError):
        found = None
    held = found[0][0] if found is not None and found[0] else None
    return Kept(held if isinstance(held, dict) else None)


def write(kept: Kept, store: str, slot: str, build: str = VERSION) -> None:
    """Put the pieces of this compile beside its hook table."""
    system.replace(kept_path(store, slot), pack((dict(sorted(kept.used.items())),), b"", build))
