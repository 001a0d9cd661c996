"""Reports of our own faults: shapes, never payloads, and a word to the person once per session (design section 2)."""

from __future__ import annotations

from jackline import host, system
from jackline.jsonio import dumps
from jackline.store.format import newer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEEP = 50


def stack(error: BaseException, skip: str = "") -> list[str]:
    """`module:line function` per frame, innermost last; no source, no values.

    Functions of the entry point's bundle carry their module's name before their own.
    """
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        name = code.co_filename.rpartition("jackline/")[2] if "jackline/" in code.co_filename else code.co_filename
        if not skip or skip not in name:
            frames.append(f"{name}:{trace.tb_lineno} {code.co_name.rpartition('.')[2]}")
        trace = trace.tb_next
    return frames


def stack_hash(error: BaseException) -> str:
    """8 hex that name the place of a fault (contract section 10)."""
    from jackline.store.ids import digest

    return digest(type(error).__name__ + "\n".join(stack(error)), 4)


def shape(value: Any, depth: int = 0) -> Any:
    """The types of a payload without its content."""
    if isinstance(value, dict) and depth < 4:
        return {str(key)[:40]: shape(item, depth + 1) for key, item in list(value.items())[:40]}
    if isinstance(value, (list, tuple)):
        return [shape(value[0], depth + 1), len(value)] if value and depth < 4 else [len(value)]
    return f"{type(value).__name__}({len(value)})" if isinstance(value, (str, bytes)) else type(value).__name__


def payload_shape(error: BaseException) -> Any:
    """The shape of the payload that a run had in hand when it failed, found in its own frames; None without one."""
    trace = error.__traceback__
    while trace is not None:
        raw = trace.tb_frame.f_locals.get("raw")
        if isinstance(raw, bytes):
            from jackline.jsonio import loads

            try:
                return shape(loads(raw.decode("utf-8")))
            except (ValueError, RecursionError):
                return shape(raw)
        trace = trace.tb_next
    return None


def report(store: str, error: BaseException, where: dict[str, Any], version: str) -> str:
    """Write a report into the store; returns its id, "" when even that fails."""
    mark = stack_hash(error)
    record = {
        "v": 1,
        "ts": host.now() // 1_000_000,
        "id": mark,
        "version": version,
        "error": type(error).__name__,
        "stack": stack(error),
        **where,
    }
    folder = store + "/crash"
    if newer(store):
        return ""
    try:
        system.make_dirs(folder)
        if len(system.names(folder)) < KEEP:
            system.append(f"{folder}/{mark}.jsonl", dumps(record).encode("ascii") + b"\n")
    except (OSError, ValueError, TypeError):
        return ""
    return mark
