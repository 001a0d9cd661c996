"""Locks of a task: one job at a time, by whichever agent or process (`work/<id>/locks/<key>.lock`).

A lock is a file that nobody else could create. It says who has it, as which process, and until when; it is taken over
when that process is gone or its time is past. It is a courtesy among those who ask: nothing else is decided by it.
"""

from __future__ import annotations

import posix

from jackline import file_stat, processes, system
from jackline.jsonio import dumps, loads
from jackline.session_paths import task_parts
from jackline.store.sessions import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

FORMAT = 1
ENDING = ".lock"
GUARD = ".guard"
"""Held by the system for whoever looks at a lock to take it over or to give it back; dies with its process."""
WAIT_MS = 2000
LIMIT = 1 << 14
"""Bytes of a lock's file."""
KEY = 200
"""Characters of a key, and of an owner."""
MINUTES = 24 * 60
"""The longest time a lock is held."""
UNREADABLE_MS = 60_000
"""A lock that says nothing readable is nobody's when it is older than this: its writer was killed, or it is no lock."""


class Here(NamedTuple):
    """Where a process number means what it says: `host` and `boot` of the machine, `space` of its numbers."""

    host: str
    boot: str
    space: str


class Lock(NamedTuple):
    """Who has a lock. `since` and `until`: milliseconds since 1970; `start`: clock ticks since boot."""

    key: str
    owner: str
    pid: int
    start: int
    here: Here
    since: int
    until: int
    token: str

    def is_dead(self, here: Here) -> bool:
        """Whether its process is known to be gone. Nobody knows of one elsewhere, or where none is named (0)."""
        if not self.pid or not self.here.host or self.here.host != here.host:
            return False
        if self.here.boot != here.boot:
            return True
        if self.here.space != here.space:
            return False
        return not (processes.alive(self.pid, self.start) if self.start else processes.running(self.pid))

    def is_free(self, here: Here, now_ms: int) -> bool:
        """Whether it may be taken over."""
        return now_ms >= self.until or self.is_dead(here)


def _line(path: str) -> str:
    try:
        return system.read(path, limit=256).decode("ascii", "replace").strip()
    except OSError:
        return ""


def here(store: str) -> Here:
    """Where this process is."""
    try:
        space = posix.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return Here(_line(store + "/host"), _line("/proc/sys/kernel/random/boot_id"), space)


# --- the file ----------------------------------------------------------------------------------------------------


def name_of(key: str) -> str:
    """The file of a key; a key that can be no file name has a digest for it. ValueError for none, or too long a one."""
    if not key or len(key) > KEY or "\0" in key:
        raise ValueError(f"a lock's key has 1 to {KEY} characters")
    return safe_name(key) + ENDING


def _folder(session: str, work: str, *, create: bool) -> int:
    if work[:1] != "w" or not work[1:].isdigit():
        raise ValueError(f"{work!r} is no task")
    return system.descend(session, task_parts(work, "locks"), create=create)


def _text(lock: Lock) -> bytes:
    told = {"v": FORMAT, "key": lock.key, "owner": lock.owner, "pid": lock.pid, "start": lock.start}
    told |= {"host": lock.here.host, "boot": lock.here.boot, "space": lock.here.space}
    return dumps({**told, "since": lock.since, "until": lock.until, "token": lock.token}).encode("ascii") + b"\n"


def _parsed(told: Any) -> Lock | None:
    if type(told) is not dict or told.get("v") != FORMAT:
        return None
    texts = [told.get(name) for name in ("key", "owner", "host", "boot", "space", "token")]
    numbers = [told.get(name) for name in ("pid", "start", "since", "until")]
    if not all(type(one) is str for one in texts) or not all(type(one) is int and one >= 0 for one in numbers):
        return None
    key, owner, host, boot, space, token = [str(one)[:KEY] for one in texts]
    pid, start, since, until = [int(one or 0) for one in numbers]
    until = min(until, since + MINUTES * 60_000)
    return Lock(key, owner, pid, start, Here(host, boot, space), since, until, token)


def _read(at: int, name: str, key: str = "") -> Lock | None:
    """What a lock's file says; None where there is none. What cannot be read is held by nobody known, for a minute."""
    try:
        found = _parsed(loads(system.read(name, at=at, limit=LIMIT, follow=False).decode()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        found = None
    if found is not None:
        return found
    since = file_stat.modified_ns(at, name) // 1_000_000
    return Lock(key or name, "nobody known", 0, 0, Here("", "", ""), since, since + UNREADABLE_MS, "")


# --- taking and giving back --------------------------------------------------------------------------------------


def _guarded(at: int) -> int:
    held = system.lock(GUARD, WAIT_MS, at=at)
    if held < 0:
        raise OSError(11, "another process decides about this lock", GUARD)
    return held


def take(session: str, work: str, wanted: Lock) -> Lock:
    """Take a lock of a task. Returns the lock that holds from now on: `wanted` itself, or somebody else's.

    `session`: the session's folder. ValueError for a key that can be none, OSError when it cannot be written.
    """
    name = name_of(wanted.key)
    wanted = wanted._replace(owner=wanted.owner[:KEY], until=min(wanted.until, wanted.since + MINUTES * 60_000))
    at = _folder(session, work, create=True)
    try:
        while not system.claim(name, _text(wanted), at=at):
            held = _guarded(at)
            try:
                found = _read(at, name, wanted.key)
                if found is None:  # given back meanwhile
                    continue
                if not found.is_free(wanted.here, wanted.since):
                    return found
                system.replace(name, _text(wanted), at=at)
                return wanted
            finally:
                system.close(held)
        return wanted
    finally:
        system.close(at)


def _change(session: str, work: str, mine: Lock, new: Lock | None) -> bool:
    """Replace or remove a lock that is still ours; whether it was."""
    at = _folder(session, work, create=False)
    try:
        held = _guarded(at)
        try:
            name = name_of(mine.key)
            found = _read(at, name)
            if found is None or found.token != mine.token:
                return False
            if new is None:
                system.unlink(name, at=at)
            else:
                system.replace(name, _text(new), at=at)
            return True
        finally:
            system.close(held)
    finally:
        system.close(at)


def give_back(session: str, work: str, mine: Lock) -> bool:
    """Give a lock back; False when somebody else has taken it over."""
    return _change(session, work, mine, None)


def hand_on(session: str, work: str, mine: Lock, pid: int) -> Lock:
    """Let another process hold our lock, as long as it lives."""
    new = mine._replace(pid=pid, start=processes.start_ticks(pid))
    return new if _change(session, work, mine, new) else mine


def known(session: str, work: str) -> list[Lock]:
    """All locks of a task, those that may be taken over too."""
    try:
        at = _folder(session, work, create=False)
    except OSError:
        return []
    try:
        found = [_read(at, name) for name in system.names(at) if name.endswith(ENDING)]
        return [one for one in found if one is not None]
    finally:
        system.close(at)
