"""What patches mean: field rules and the fold of a log (contract section 4.2). Pure.

Rules: once, max, newer turn, phase, overwrite. No arrays, no counters.
"""

from __future__ import annotations

from jackline.jsonio import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    State = dict[str, Any]

FORMAT = 1
PATCH = "STATE_PATCH"
WRITTEN = b'"STATE_PATCH"'

RULES: dict[tuple[str, ...], str] = {
    ("core", "sessionId"): "once",
    ("core", "createdTs"): "once",
    ("core", "lastTurnId"): "max",
    ("core", "lastActiveTs"): "max",
    ("core", "lastEventOffset"): "max",
    ("core", "workId"): "max",
    ("core", "workSeq"): "max",
    ("core", "latest", "*"): "max",
    ("cap", "neo4j", "lastCheckTs"): "max",
}
"""Fields that are not simply overwritten. `w001` … compare as texts of one length, then longer wins;
of pointers to artifacts that with the newer id wins."""

INITIAL: State = {"v": FORMAT, "core": {"phase": "UNINITIALIZED", "phaseSeq": 0, "lastTurnId": 0, "workId": "w001"}}


SHARED = ("cap", "rlm", "memory")
"""Parts that every feature may write, as the contract has it: caches and pointers, by which nothing is decided."""
POINTERS = {"plan": ("currentPath", "mtime", "hash")}
"""Of parts that are a feature's own, what every feature may write all the same: where something lies."""


def split(owned: tuple[str, ...], patch: Mapping[str, Any]) -> tuple[State, list[str]]:
    """What of `patch` a feature with these parts of its own may write, and the dropped keys: another's, or an array."""
    kept: State = {}
    dropped = []
    for name, value in patch.items():
        if isinstance(value, dict) and name in POINTERS and name not in owned:
            dropped.extend([f"{name}.{key}" for key in value if key not in POINTERS[name]])
            value = {key: value[key] for key in POINTERS[name] if key in value}
        elif name not in owned or not isinstance(value, dict):
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
    if isinstance(old, dict) and isinstance(new, dict):
        old, new = old.get("id"), new.get("id")
    if isinstance(old, str) and isinstance(new, str):
        return (len(new), new) > (len(old), old)
    try:
        return bool(new > old)
    except TypeError:
        return True


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _phase(core: State, patch: Mapping[str, Any]) -> None:
    """Take a phase when its (workId, phaseSeq) is newer (design section 13, contract 4.2 phase by maximum)."""
    new = (str(patch.get("phaseWork", core.get("workId", ""))), _number(patch.get("phaseSeq")))
    old = (str(core.get("phaseWork", "")), _number(core.get("phaseSeq")))
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


def _rule(*path: str) -> str:
    return RULES.get(path) or RULES.get((*path[:-1], "*"), "")


def _not_older(path: tuple[str, ...], old: Mapping[str, Any], new: Mapping[str, Any]) -> State:
    return {
        key: value
        for key, value in new.items()
        if key not in old or _rule(*path, key) != "max" or _greater(old[key], value)
    }


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
            if isinstance(value, dict) and isinstance(old.get(key), dict):
                value = _not_older((name, key), old[key], value)
            plain[key] = value
        result[name] = merge(old, plain)
    return result


def _patch(record: object) -> State | None:
    """What a record of the log changes, None when it is no patch."""
    if not isinstance(record, dict) or record.get("kind") != PATCH:
        return None
    data = record.get("data")
    patch = data.get("patch") if isinstance(data, dict) else None
    return patch if isinstance(patch, dict) else None


def patches(log: bytes) -> list[State]:
    """The patches in a part of the log, oldest first: no record is parsed but those that could be one.

    Only the writer of the log writes patches, and it writes their kind as it stands here. An unterminated last line is
    not yet a record.
    """
    found = []
    end = log.rfind(b"\n") + 1
    at = log.find(WRITTEN, 0, end)
    while at >= 0:
        stop = log.find(b"\n", at)
        try:
            patch = _patch(loads(log[log.rfind(b"\n", 0, at) + 1 : stop].decode("utf-8")))
        except (ValueError, RecursionError):
            patch = None
        if patch is not None:
            found.append(patch)
        at = log.find(WRITTEN, stop, end)
    return found


def fold_patches(patches: Iterable[State], state: State | None = None) -> State:
    """The state after these patches, from `state` on or from the beginning."""
    if state is None:
        state = dict(INITIAL, core=dict(INITIAL["core"]))
    for patch in patches:
        state = apply(state, patch)
    return state


def fold(records: Iterable[Mapping[str, Any]]) -> State:
    """The state that records mean: that of their patches in order."""
    return fold_patches([patch for patch in map(_patch, records) if patch is not None])
