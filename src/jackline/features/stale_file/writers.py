"""Who wrote which file last, and who is about to: two small files a path in the user's store, for all sessions.

A claim is made by an exclusive create, so that of many who want it at once one has it and nobody waits; only one that
outlived its time is taken over under a lock.
"""

from __future__ import annotations

from jackline import file_stat, system
from jackline.features.stale_file.memory import key_of
from jackline.jsonio import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

FOLDER = "writers"
CLAIM = ".claim"
LOCK = ".lock"
PATIENCE_MS = 1000
HELD_MS = 120_000
"""How long a call may be about to write: a person may be asked for it, or it was refused by somebody else."""
MOST = 4_000
"""Paths that are remembered at most; the oldest go first."""


class Who(NamedTuple):
    """An agent of a session, as others are told of it."""

    sid: str
    client: str
    agent: str

    @property
    def same(self) -> tuple[str, str]:
        return self.sid, self.agent


class Wrote(NamedTuple):
    """Who wrote a file, what it was then, and when (milliseconds)."""

    who: Who
    sha: str
    at: int


class Claim(NamedTuple):
    """Who is about to write a file, in which call, and since when."""

    who: Who
    call: str
    at: int


def _read(path: str, name: str) -> list[object]:
    """A file's row, if it is this path's."""
    try:
        found = loads(system.read(name, follow=False).decode())
    except (OSError, ValueError):
        return []
    whole = isinstance(found, list) and len(found) == 4 and found[0] == path and isinstance(found[3], int)
    return found if whole else []


def _place(store: str, path: str) -> str:
    return f"{store}/{FOLDER}/{key_of(path)}"


def _row(path: str, who: Who, what: str, at: int) -> bytes:
    return dumps([path, list(who), what, at]).encode("ascii")


def wrote(store: str, path: str) -> Wrote | None:
    """Who wrote a file last, as far as sessions tell."""
    found = _read(path, _place(store, path))
    return Wrote(_who(found[1]), str(found[2]), int(str(found[3]))) if found else None


def _who(found: object) -> Who:
    parts = [str(one) for one in found] if isinstance(found, list) else []
    return Who(*[*parts, "", "", ""][:3])


def claimed(store: str, path: str) -> Claim | None:
    """Who is about to write a file."""
    found = _read(path, _place(store, path) + CLAIM)
    return Claim(_who(found[1]), str(found[2]), int(str(found[3]))) if found else None


def _over(other: Claim | None, mine: Claim) -> bool:
    """Whether a claim stands in nobody's way: it is one's own, outlived its time, or cannot be read."""
    return other is None or other.who.same == mine.who.same or abs(mine.at - other.at) >= HELD_MS


def claim(store: str, path: str, mine: Claim) -> Claim | None:
    """Say that a call is about to write a file; the claim of somebody else who said so before, if there is one."""
    name = _place(store, path) + CLAIM
    data = _row(path, mine.who, mine.call, mine.at)
    try:
        system.make_dirs(f"{store}/{FOLDER}")
        if system.claim(name, data):
            return None
        other = claimed(store, path)
        if not _over(other, mine):
            return other
        held = system.lock(f"{store}/{FOLDER}/{LOCK}", PATIENCE_MS)
        try:
            other = claimed(store, path)  # another process may have taken it over meanwhile
            if not _over(other, mine):
                return other
            system.replace(name, data)
        finally:
            system.close(held)
    except OSError:  # a store that cannot be written: the digests are compared all the same
        pass
    return None


def release(store: str, path: str, mine: Who, call: str = "") -> None:
    """End one's own claim, only that of `call` when it is told."""
    found = claimed(store, path)
    if found is not None and found.who.same == mine.same and call in ("", found.call):
        system.unlink(_place(store, path) + CLAIM)


def settle(store: str, path: str, made: Wrote, call: str = "") -> None:
    """Say what was written, and end the claim on it."""
    name = _place(store, path)
    try:
        system.make_dirs(f"{store}/{FOLDER}")
        system.replace(name, _row(path, made.who, made.sha, made.at))
        if key_of(path)[:2] == "00":
            _prune(store)
    except OSError:
        pass
    release(store, path, made.who, call)


def _prune(store: str) -> None:
    at = system.descend(store, (FOLDER,))
    try:
        file_stat.thin(at, MOST)
    finally:
        system.close(at)
