"""The number of a store's format: a Jackline that is older than its store leaves it as it is, and says so.

`init` writes the number. Whoever is about to write asks for it: each command that writes, and the door where it begins
a session or compiles. On every event it need not: the door in a store is of the version that wrote the number.
"""

from __future__ import annotations

from jackline import system

FORMAT = 1
"""Raised with the first record of a store that the version before would read wrongly or write back without loss."""

NAME = "format"
CURE = "update this Jackline"


class Newer(Exception):
    """What an older version says instead of writing."""


def number(store: str) -> int:
    """The format of a store; 0 where it tells none, as stores of the first versions do."""
    try:
        raw = system.read(f"{store}/{NAME}", limit=64).strip()
        return int(raw) if raw.isdigit() else 0
    except (OSError, ValueError):
        return 0


def newer(store: str) -> str:
    """Why this version may not write into a store, "" when it may."""
    found = number(store)
    return f"{store} · written by a newer Jackline (format {found}, this one knows {FORMAT})" if found > FORMAT else ""


def check(store: str) -> None:
    """Refuse to write into the store of a newer version."""
    why = newer(store)
    if why:
        raise Newer(f"{why}: nothing was changed · {CURE}")


def mark(store: str) -> None:
    """Note that this version writes here."""
    if number(store) < FORMAT:
        system.replace(f"{store}/{NAME}", b"%d\n" % FORMAT)
