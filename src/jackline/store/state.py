"""`state.json`: by definition the fold of the log's STATE_PATCH records, kept as a file so that no event reads the log.

Field rules (contract section 4.2, design section 4): once, max, newer turn, phase, overwrite. No arrays, no counters.
"""

from __future__ import annotations

from jackline import system
from jackline.store import journal
from jackline.wire import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    State = dict[str, Any]

NAME = "state.json"
LOCK = "locks/state"
FORMAT = 1
WAIT_MS = 50
"""How long a commit waits for the session lock (design section 1)."""

RULES: dict[tuple[str, str], str] = {
    ("core", "sessionId"): "once",
    ("core", "createdTs"): "once",
    ("core", "lastTurnId"): "max",
    ("core", "lastActiveTs"): "max",
    ("core", "lastEventOffset"): "max",
    ("core", "workId"): "max",
    ("core", "workSeq"): "max",
    ("cap", "lastCheckTs"): "max",
}
"""Fields that are not simply overwritten. `w001` … compare as texts of one length, then longer wins."""

NAMESPACES: dict[str, tuple[str, ...]] = {
    "kernel": ("core", "cap"),
    "session": ("core", "cap"),
    "planGraph-exec": ("plan",),
    "plan-subagent-contract": ("plan",),
    "rlm-work": ("rlm",),
    "memory-journal": ("memory",),
    "memory-activation": ("memory",),
}
"""Which parts of the state a hook may patch; any other hook has a part named like itself."""

INITIAL: State = {"v": FORMAT, "core": {"phase": "UNINITIALIZED", "phaseSeq": 0, "lastTurnId": 0, "workId": "w001"}}


def owned(hook: str) -> tuple[str, ...]:
    return NAMESPACES.get(hook, (hook,))


def split(hook: str, patch: Mapping[str, Any]) -> tuple[State, list[str]]:
    """The part of `patch` that `hook` may write, and the keys that were dropped (foreign namespace or an array)."""
    kept: State = {}
    dropped = []
    for name, value in patch.items():
        if name not in owned(hook) or not isinstance(value, dict):
            dropped.append(name)
            continue
        part, lists = _without_lists(value, name)
        dropped.extend(lists)
        if part:
            kept[name] = part
    return kept, dropped


def _without_lists(value: Mapping[str, Any], path: str) -> tuple[State, list[str]]:
    kept: State = {}
    dropped = []
    for key, item in value.items():
        if isinstance(item, (list, tuple)):
            dropped.append(f"{path}.{key}")
        elif isinstance(item, dict):
            kept[key], below = _without_lists(item, f"{path}.{key}")
            dropped.extend(below)
        else:
            kept[key] = item
    return kept, dropped


def _greater(old: Any, new: Any) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        return (len(new), new) > (len(old), old)
    try:
        return bool(new > old)
    except TypeError:
        return True


def _phase(core: State, patch: Mapping[str, Any]) -> None:
    """Take a phase when its (workId, phaseSeq) is newer (design section 13, contract 4.2 phase by maximum)."""
    new = (str(patch.get("phaseWork", core.get("workId", ""))), patch.get("phaseSeq", 0))
    old = (str(core.get("phaseWork", "")), core.get("phaseSeq", 0))
    if (len(new[0]), new[0], new[1]) > (len(old[0]), old[0], old[1]):
        for key in ("phase", "phasePrevious", "phaseSeq", "phaseWork"):
            if key in patch:
                core[key] = patch[key]


PHASE_KEYS = ("phase", "phasePrevious", "phaseSeq", "phaseWork")


def merge(old: Any, patch: Mapping[str, Any]) -> State:
    """A merge patch (RFC 7396) without rules: null removes, objects go deeper, the rest overwrites."""
    result: State = dict(old) if isinstance(old, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict):
            result[key] = merge(result.get(key), value)
        else:
            result[key] = value
    return result


def apply(state: State, patch: Mapping[str, Any]) -> State:
    """`state` with one patch folded in, by the field rules. Pure; applying a patch twice changes nothing more."""
    result: State = dict(state)
    for name, part in patch.items():
        if not isinstance(part, dict):
            continue
        old = dict(result.get(name) or {}) if isinstance(result.get(name), dict) else {}
        if name == "core" and "phase" in part:
            _phase(old, part)
        plain = {}
        for key, value in part.items():
            if name == "core" and key in PHASE_KEYS:
                continue
            rule = RULES.get((name, key))
            if rule == "once" and key in old:
                continue
            if rule == "max" and key in old and not _greater(old[key], value):
                continue
            plain[key] = value
        result[name] = merge(old, plain)
    return result


def fold(records: Iterable[Mapping[str, Any]]) -> State:
    """The state that a log means: its STATE_PATCH records in order."""
    state: State = dict(INITIAL, core=dict(INITIAL["core"]))
    for record in records:
        if record.get("kind") == "STATE_PATCH":
            data = record.get("data")
            patch = data.get("patch") if isinstance(data, dict) else None
            if isinstance(patch, dict):
                state = apply(state, patch)
    return state


def load(at: int) -> State | None:
    """The stored snapshot; None when it is missing, torn or of a newer format."""
    try:
        value = loads(system.read(NAME, at=at, limit=1 << 24, follow=False).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value.get("v", FORMAT) <= FORMAT else None


def read(at: int, folder: str) -> State:
    """The session's state: the snapshot, or the fold of the log where there is none that can be read."""
    found = load(at)
    if found is not None:
        return found
    return fold(journal.read(folder)[0])


def commit(
    at: int,
    folder: str,
    events: list[dict[str, Any]],
    artifacts: list[dict[str, Any]],
    patch: State,
    record: Mapping[str, Any],
) -> str:
    """Write what an event leaves: events, bus, one STATE_PATCH record, then the snapshot (design section 4).

    Returns what went wrong ("" when nothing did); what could be written is written. When the lock is not to be had
    in time the log still gets everything and the snapshot is left to the next commit.
    """
    if not patch and not artifacts:
        return _append(at, journal.EVENTS, events)
    held = _lock(at)
    try:
        covered = _end(at)
        if artifacts:
            fault = _append(at, journal.EVENTS, events) or _append(at, journal.REGISTRY, artifacts)
            events = []
            if fault:
                return fault
        if patch:
            events = [*events, dict(record, kind="STATE_PATCH", producer="kernel", data={"patch": patch})]
        fault = _append(at, journal.EVENTS, events)
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


def _end(at: int) -> int:
    return system.size_at(at, journal.EVENTS)


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


def _append(at: int, name: str, records: list[dict[str, Any]]) -> str:
    try:
        journal.append(at, name, records)
    except OSError as error:
        return f"{name}: {error.strerror}"
    return ""


def _lock(at: int) -> int:
    held = system.lock(LOCK, WAIT_MS, at=at)
    if held < 0:
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
