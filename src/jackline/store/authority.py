"""`authority.jsonl`: what persons allowed, each record bound to the one before it by a hash (design section 4).

Grants, trust, phases, leases, active intents and promoted memories are recorded here; files in a tree only ask.
"""

from __future__ import annotations

from jackline import host, system
from jackline.jsonio import dumps, loads
from jackline.store.ids import digest, record_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "authority.jsonl"
FORMAT = 1
FIRST = "0" * 32
"""What the first record is bound to."""
WAIT_MS = 2000
TAIL = 1 << 14
"""Bytes of the file's end that hold the last record, as records are."""


def _sealed(record: Mapping[str, Any]) -> str:
    """Hash of a record without its own `hash`; `prev` is part of it."""
    return digest(dumps({key: value for key, value in sorted(record.items()) if key != "hash"}))


def _parsed(data: bytes, kinds: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Every record, or those of some kinds; a line that was torn when its writer died is none."""
    found = []
    marks = [f'"kind":"{kind}"'.encode() for kind in kinds]
    for line in data.split(b"\n"):
        if marks and not any(mark in line for mark in marks):
            continue
        try:
            record = loads(line.decode("utf-8"))
        except ValueError:
            continue
        if isinstance(record, dict):
            found.append(record)
    return found


def _content(path: str) -> bytes:
    try:
        return system.read(path)
    except FileNotFoundError:
        return b""


def _last(path: str) -> str:
    """The hash of the last record, by the end of the file where that tells it."""
    size = max(system.size_of(path), 0)
    for length in (TAIL, size):
        end = system.read_range(None, path, max(size - length, 0), size)
        if size and not end:  # who began anew behind records that it could not read would break the chain
            raise OSError(5, "the records of the store cannot be read", path)
        found = _parsed(end)
        if found:
            return str(found[-1].get("hash", FIRST))
    return FIRST


def append(
    store: str, kind: str, by: str, data: Mapping[str, Any], *, now: int = 0, wait_ms: int = WAIT_MS
) -> dict[str, Any]:
    """Record that `by` allowed something. OSError when the store cannot be written, or stays locked."""
    path = f"{store}/{NAME}"
    system.make_dirs(store)
    held = system.lock(path + ".lock", wait_ms)
    if held < 0:
        raise OSError(11, "another process holds the lock", path)
    try:
        now = now or host.now()
        record: dict[str, Any] = {
            "v": FORMAT,
            "id": record_id(now, host.entropy()),
            "ts": now // 1_000_000,
            "kind": kind,
            "by": by,
            "data": dict(data),
            "prev": _last(path),
        }
        record["hash"] = _sealed(record)
        system.append(path, dumps(record).encode("ascii") + b"\n")
        return record
    finally:
        system.close(held)


def read(store: str, *kinds: str) -> list[dict[str, Any]]:
    """Every record, or those of some kinds, oldest first; OSError when the file is there and cannot be read."""
    found = _parsed(_content(f"{store}/{NAME}"), kinds)
    return [one for one in found if one.get("kind") in kinds] if kinds else found


def holds(store: str, kind: str, name: str) -> bool:
    """Whether a record of this kind is there for an id, as it was written."""
    return any(
        isinstance(one.get("data"), dict) and one["data"].get("id") == name and one.get("hash") == _sealed(one)
        for one in read(store, kind)
    )


def verify(store: str) -> tuple[int, str]:
    """How many records are in their chain, and what is wrong with the next one ("" when nothing is)."""
    before = FIRST
    records = read(store)
    for count, record in enumerate(records):
        if record.get("prev") != before:
            return count, f"record {record.get('id', count + 1)} does not follow the one before it"
        if record.get("hash") != _sealed(record):
            return count, f"record {record.get('id', count + 1)} was changed"
        before = record["hash"]
    return len(records), ""
