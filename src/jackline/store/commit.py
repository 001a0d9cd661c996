"""Commit a patch: log first, then the snapshot, under the session's lock (design section 4)."""

from __future__ import annotations

from jackline import system
from jackline.store import journal
from jackline.store.fold import apply, fold
from jackline.store.state import NAME, append, load
from jackline.wire import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    State = dict[str, Any]

LOCK = "locks/state"
WAIT_MS = 50
"""How long a commit waits for the session lock (design section 1)."""


def commit(
    at: int,
    folder: str,
    events: list[dict[str, Any]],
    artifacts: list[dict[str, Any]],
    patch: State,
    record: Mapping[str, Any],
) -> str:
    """Events, bus, one STATE_PATCH record, then the snapshot. Returns what went wrong, "" when nothing did.

    When the lock is not to be had in time the log still gets everything and the snapshot is left to the next commit.
    """
    held = _lock(at)
    try:
        covered = system.size_at(at, journal.EVENTS)
        if artifacts:
            fault = append(at, journal.EVENTS, events) or append(at, journal.REGISTRY, artifacts)
            events = []
            if fault:
                return fault
        if patch:
            events = [*events, dict(record, kind="STATE_PATCH", producer="kernel", data={"patch": patch})]
        fault = append(at, journal.EVENTS, events)
        if fault or not patch or held < 0:
            return fault
        return _snapshot(at, folder, patch, covered)
    finally:
        system.close(held)


def _snapshot(at: int, folder: str, patch: State, covered: int) -> str:
    """Fold `patch` into the snapshot, and whatever the log holds that the snapshot has not seen.

    `core.lastEventOffset` tells how far into the log the snapshot reaches. Somebody who was killed between log and
    snapshot, or who did not get the lock, is so made up for by whoever commits next.
    """
    old = load(at)
    if old is None:
        base = fold(journal.read(folder)[0])
    else:
        base = old
        seen = old.get("core", {}).get("lastEventOffset", 0)
        if isinstance(seen, int) and seen < covered:
            for late in _patches(at, seen, covered):
                base = apply(base, late)
        elif seen != covered:  # the log was cut or replaced
            base = fold(journal.read(folder)[0])
    new = apply(base, patch)
    if new == old:
        return ""
    new["core"] = dict(new.get("core", {}), lastEventOffset=covered)
    try:
        system.replace(NAME, dumps(new).encode("ascii") + b"\n", at=at)
    except OSError as error:
        return f"state: {error.strerror}"
    return ""


def _patches(at: int, start: int, end: int) -> list[State]:
    """The patches in a part of the log, oldest first."""
    found = []
    for raw in system.read_range(at, journal.EVENTS, start, end).split(b"\n"):
        if b'"STATE_PATCH"' in raw:
            try:
                data = loads(raw.decode("utf-8")).get("data")
            except (ValueError, AttributeError, RecursionError):
                continue
            if isinstance(data, dict) and isinstance(data.get("patch"), dict):
                found.append(data["patch"])
    return found


def _lock(at: int) -> int:
    held = system.lock(LOCK, WAIT_MS, at=at)
    if held < 0 and not system.exists_at(at, "locks"):
        try:
            system.close(system.descend_at(at, "locks", create=True))
        except OSError:
            return -1
        held = system.lock(LOCK, WAIT_MS, at=at)
    return held


def rebuild(folder: str) -> State:
    """Fold the whole log and write the snapshot anew. Returns the state."""
    at = system.descend(folder, ())
    try:
        held = _lock(at)
        try:
            state = fold(journal.read(folder)[0])
            system.replace(NAME, dumps(state).encode("ascii") + b"\n", at=at)
            return state
        finally:
            system.close(held)
    finally:
        system.close(at)
