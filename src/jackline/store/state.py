"""`state.json`: by definition the fold of the log's STATE_PATCH records, kept as a file so that no event reads the log.

A commit writes the log first, then the snapshot, under the session's lock (design section 4). What a patch means stands
in `reducer`.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps, loads
from jackline.store import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.store.chain import Key

    State = dict[str, Any]

NAME = "state.json"
FORMAT = 1
LOCKS = "locks"
LOCK = "state"
WAIT_MS = 50
"""How long a commit waits for the session lock (design section 1)."""
LAG = 1 << 16
"""Bytes of the log that an unchanged snapshot may be behind: all of them are read by the next commit."""


def load(at: int) -> State | None:
    """The stored snapshot; None when it is missing, torn, of a newer format, or no object of objects."""
    try:
        value = loads(system.read(NAME, at=at, limit=1 << 24, follow=False).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if type(value) is not dict or value.get("v") != FORMAT or "core" not in value:
        return None
    for part in value:
        if part != "v" and type(value[part]) is not dict:
            return None
    return value


def read(at: int, folder: str) -> State:
    """The session's state: the snapshot, or the fold of the log where there is none that can be read."""
    found = load(at)
    if found is not None:
        return found
    from jackline.store.reducer import fold_patches, patches

    return fold_patches(patches(journal.content(folder)))


def commit(
    at: int,
    key: Key,
    events: list[dict[str, Any]],
    artifacts: list[dict[str, Any]],
    patch: State,
    record: Callable[..., dict[str, Any]],
) -> str:
    """Write what an event leaves: events, bus, one STATE_PATCH record, then the snapshot.

    `record` makes a row of the log. Returns what went wrong ("" when nothing did); what could be written is written.
    When the lock is not to be had in time the log still gets everything and the snapshot is left to the next commit.
    """
    try:
        if patch or artifacts:
            return _patched(at, key, events, artifacts, patch, record)
        journal.append(at, journal.EVENTS, events, key)
    except OSError as error:
        return f"{journal.EVENTS}: {error.strerror}"
    return ""


def _patched(
    at: int,
    key: Key,
    events: list[dict[str, Any]],
    artifacts: list[dict[str, Any]],
    patch: State,
    record: Callable[..., dict[str, Any]],
) -> str:
    """The log, the bus, the patch and the snapshot, under the session's lock."""
    held = _lock(at)
    try:
        if artifacts:
            journal.append(at, journal.EVENTS, events, key)
            events = []
            try:
                journal.append(at, journal.REGISTRY, artifacts)
            except OSError as error:
                return f"{journal.REGISTRY}: {error.strerror}"
        if not patch:
            return ""
        events = [*events, record("STATE_PATCH", "kernel", data={"patch": patch})]
        start, end = journal.append(at, journal.EVENTS, events, key)
        return _snapshot(at, start, end) if held >= 0 else ""
    finally:
        system.close(held)


def _snapshot(at: int, start: int, end: int) -> str:
    """Fold the record that stands between `start` and `end` of the log into the snapshot, as it stands there.

    `core.lastEventOffset` tells how far into the log the snapshot reaches: it is the fold of exactly those bytes. What
    somebody left who was killed between log and snapshot, or who did not get the lock, is so made up for in its order.
    """
    from jackline.store.reducer import fold_patches, patches

    old = load(at)
    seen = old.get("core", {}).get("lastEventOffset", 0) if old is not None else 0
    if old is None or not isinstance(seen, int) or not 0 <= seen <= start:  # torn, or the log was cut or replaced
        old, seen = None, 0
    new = fold_patches(patches(system.read_range(at, journal.EVENTS, seen, end)), old)
    if new == old and end - seen < LAG:
        return ""
    return _write(at, new, end)


def _write(at: int, state: State, seen: int) -> str:
    whole = dict(state, core=dict(state.get("core", {}), lastEventOffset=seen))
    try:
        system.replace(NAME, dumps(whole).encode("ascii") + b"\n", at=at)
    except OSError as error:
        return f"state: {error.strerror}"
    return ""


def _lock(at: int) -> int:
    """The session's lock, -1 when it is not to be had in time, or where a link stands in the way."""
    try:
        folder = system.descend_at(at, LOCKS, create=True)
    except OSError:
        return -1
    held = system.lock(LOCK, WAIT_MS, at=folder)
    system.close(folder)
    return held


def rebuild(folder: str) -> State:
    """Fold the whole log and write the snapshot anew. Returns the state."""
    from jackline.store.reducer import fold_patches, patches

    at = system.descend(folder, ())
    try:
        held = _lock(at)
        try:
            log = system.read_range(at, journal.EVENTS, 0, system.size_at(at, journal.EVENTS))
            state = fold_patches(patches(log))
            fault = _write(at, state, log.rfind(b"\n") + 1)
            if fault:
                raise OSError(fault)
            return state
        finally:
            system.close(held)
    finally:
        system.close(at)
