"""Who wrote which file last, and who is about to: one small file a path in the user's store, for all sessions.

Each is changed under one of sixteen locks; whoever gets none within its patience goes on without.
"""

from __future__ import annotations

from jackline import system
from jackline.features.stale_file.memory import key_of
from jackline.wire import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

FOLDER = "writers"
PATIENCE_MS = 250
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


class Entry(NamedTuple):
    wrote: Wrote | None = None
    claim: Claim | None = None


def _entry(path: str, found: object) -> Entry:
    if not isinstance(found, list) or len(found) != 3 or found[0] != path:
        return Entry()
    wrote, claim = found[1], found[2]
    return Entry(
        Wrote(Who(*wrote[0]), str(wrote[1]), int(wrote[2])) if wrote else None,
        Claim(Who(*claim[0]), str(claim[1]), int(claim[2])) if claim else None,
    )


def entry(store: str, path: str) -> Entry:
    """What is known of a path."""
    try:
        return _entry(path, loads(system.read(f"{store}/{FOLDER}/{key_of(path)}", follow=False).decode()))
    except (OSError, ValueError, TypeError, IndexError):
        return Entry()


def _save(store: str, path: str, made: Entry) -> None:
    wrote, claim = made.wrote, made.claim
    row = [
        path,
        [list(wrote.who), wrote.sha, wrote.at] if wrote else None,
        [list(claim.who), claim.call, claim.at] if claim else None,
    ]
    name = key_of(path)
    if wrote is None and claim is None:
        system.unlink(f"{store}/{FOLDER}/{name}")
        return
    system.replace(f"{store}/{FOLDER}/{name}", dumps(row).encode("ascii"))
    if name[:2] == "00":
        _prune(store)


def _prune(store: str) -> None:
    at = system.descend(store, (FOLDER,))
    try:
        names = [name for name in system.names(at) if name[0] != "."]
        if len(names) > MOST:
            names.sort(key=lambda name: system.changed(at, name))
            for name in names[: len(names) - MOST // 2]:
                system.unlink(name, at=at)
    finally:
        system.close(at)


def _locked(store: str, path: str) -> int:
    system.make_dirs(f"{store}/{FOLDER}")
    return system.lock(f"{store}/{FOLDER}/.lock-{key_of(path)[0]}", PATIENCE_MS)


def claim(store: str, path: str, mine: Claim) -> Claim | None:
    """Say that a call is about to write a file; the claim of somebody else who said so before, if there is one."""
    try:
        held = _locked(store, path)
        if held < 0:
            return None
        try:
            found = entry(store, path)
            other = found.claim
            if other is not None and other.who.same != mine.who.same and 0 <= mine.at - other.at < HELD_MS:
                return other
            _save(store, path, found._replace(claim=mine))
        finally:
            system.close(held)
    except OSError:  # a store that cannot be written: the digests are compared all the same
        pass
    return None


def settle(store: str, path: str, mine: Who, call: str = "", wrote: Wrote | None = None) -> None:
    """End one's own claim (only that of `call`, when it is told), and say what was written, if anything was."""
    try:
        held = _locked(store, path)
        if held < 0:
            return
        try:
            found = entry(store, path)
            other = found.claim
            mended = other is not None and other.who.same == mine.same and call in ("", other.call)
            if mended or wrote is not None:
                _save(store, path, Entry(wrote or found.wrote, None if mended else other))
        finally:
            system.close(held)
    except OSError:
        pass


def release(store: str, paths: Iterable[str], mine: Who, call: str = "") -> None:
    for path in paths:
        settle(store, path, mine, call)
