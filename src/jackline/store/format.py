"""The number of a store's format: a Jackline that is older than its store leaves it as it is, and says so.

`init` writes the number. Whoever is about to write asks for it: each command that writes, and the entry point where it
begins a session or compiles. On every event it need not: the folder of the sessions is called by the number, so an
older version that knows a session finds none any more, is about to begin one, and asks.
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


def sessions_of(number: int) -> str:
    """What the folder of the sessions is called in a store of this format (`ids.SESSIONS` of the version it is of)."""
    return "sessions" if number < 2 else f"sessions-{number}"


def mark(store: str) -> None:
    """Note that this version writes here, and take over the sessions that older ones began."""
    if number(store) < FORMAT:
        system.replace(f"{store}/{NAME}", b"%d\n" % FORMAT)
    now = f"{store}/{sessions_of(FORMAT)}"
    for older in range(1, FORMAT):
        before = f"{store}/{sessions_of(older)}"
        for name in system.names(before):
            system.make_dirs(now)
            if not system.exists(f"{now}/{name}"):
                system.rename(f"{before}/{name}", f"{now}/{name}")
