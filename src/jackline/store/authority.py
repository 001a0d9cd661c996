"""`authority.jsonl`: what persons allowed, each record bound to the one before it by a hash (design section 4).

Grants, trust, phases, leases, active intents and promoted memories are recorded here; files in a tree only ask.
"""

from __future__ import annotations

from jackline import host, system
from jackline.store.ids import digest, record_id
from jackline.wire import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "authority.jsonl"
FORMAT = 1
FIRST = "0" * 32
"""What the first record is bound to."""
WAIT_MS = 2000


def _sealed(record: Mapping[str, Any]) -> str:
    """Hash of a record without its own `hash`; `prev` is part of it."""
    return digest(dumps({key: value for key, value in sorted(record.items()) if key != "hash"}))


def _records(path: str) -> list[dict[str, Any]]:
    """Every record of the file; a line that was torn when its writer died is none."""
    try:
        data = system.read(path)
    except FileNotFoundError:
        return []
    found = []
    for line in data.split(b"\n"):
        try:
            record = loads(line.decode("utf-8"))
        except ValueError:
            continue
        if isinstance(record, dict):
            found.append(record)
    return found


def append(store: str, kind: str, by: str, data: Mapping[str, Any], *, now: int = 0) -> dict[str, Any]:
    """Record that `by` allowed something. OSError when the store cannot be written, or stays locked."""
    path = f"{store}/{NAME}"
    system.make_dirs(store)
    held = system.lock(path + ".lock", WAIT_MS)
    if held < 0:
        raise OSError(11, "another process holds the lock", path)
    try:
        now = now or host.now()
        before = _records(path)
        record: dict[str, Any] = {
            "v": FORMAT,
            "id": record_id(now, host.entropy()),
            "ts": now // 1_000_000,
            "kind": kind,
            "by": by,
            "data": dict(data),
            "prev": before[-1].get("hash", FIRST) if before else FIRST,
        }
        record["hash"] = _sealed(record)
        system.append(path, dumps(record).encode("ascii") + b"\n")
        return record
    finally:
        system.close(held)


def read(store: str) -> list[dict[str, Any]]:
    """Every record, oldest first; OSError when the file is there and cannot be read."""
    return _records(f"{store}/{NAME}")


def holds(store: str, kind: str, name: str) -> bool:
    """Whether a record of this kind is there for an id, as it was written."""
    return any(
        one.get("kind") == kind
        and isinstance(one.get("data"), dict)
        and one["data"].get("id") == name
        and one.get("hash") == _sealed(one)
        for one in read(store)
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
