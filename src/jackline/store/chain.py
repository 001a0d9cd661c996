"""Where a log's chain begins, goes on behind what others left, and joins what came beside it: by a row of its own.

Each row of a session's log ends with its number and a digest over itself and the row before it, made with a key that
only the store has (`journal.append`). What the rows themselves cannot bind is bound by a row of the kind `LOG_CHAIN`:
its data name the bytes before it and their digest. `broken` reads all this again.
"""

from __future__ import annotations

from _imp import source_hash

from jackline import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Record = dict[str, Any]

Key = tuple[int, str]
"""What the digests of one session's log are made with (`key`)."""
BEGIN = b',"chain":"'
"""Before the last field of a row: its number in the chain, and its digest."""
KIND = "LOG_CHAIN"
ANCHOR = "LOG_ANCHOR"
FORGOTTEN = "LOG_FORGOTTEN"
"""What the store's records of authority call an anchor, and a person's removal of logs."""
ANCHOR_MS = 200
"""How long an end of turn waits to anchor; else the next one does."""
MOST = 1 << 20
"""Bytes that one such row binds at most: the last of them."""
IDENTITY = ("v", "id", "ts", "event", "producer", "kind", "hookRunId", "turnId", "workId", "agentId", "repo", "host")
REASONS = {
    "began": "the log had no chain: an older Jackline wrote it",
    "others": "rows without a digest stand before this one: an older Jackline or another program wrote them",
    "torn": "the line before this one was never finished",
    "joined": "these rows came at the same time as the ones before them",
    "emptied": "the log of this session was there and is gone",
}
"""Why there is such a row, and what it tells."""


def key(store: str, sid: str) -> Key:
    """What the rows of a session are bound with: of the store's key, and the same wherever the session's folder is."""
    from jackline.store.keyed_hash import keyed_digest

    drawn = keyed_digest(store, f"log of {sid}")
    return int(drawn[:15], 16), drawn[15:]


def anchor(store: str, at: int, name: str, sid: str, now: int) -> None:
    """Note in the store how many rows a log has, and the digest of the last one: no part of it goes unseen then."""
    from jackline.store import authority

    end = system.size_at(at, name)
    number, digest = seal(system.read_range(at, name, max(end - 64, 0), end).rstrip(b"\n"))
    if number:
        data = {"session": sid, "count": number, "head": digest}
        authority.append(store, ANCHOR, "kernel", data, now=now, wait_ms=ANCHOR_MS)


def mark(key: Key, text: bytes) -> str:
    """The digest of a part of the log."""
    return source_hash(key[0], key[1].encode() + text).hex()


def seal(line: bytes) -> tuple[int, str]:
    """Number and digest of a row, as its line ends; (0, "") for a line without them."""
    number, _, digest = line[line.rfind(BEGIN) + 10 : -2].decode("latin-1").partition("-")
    whole = line[-2:] == b'"}' and len(digest) == 16 and number.isdecimal() and BEGIN in line[-64:]
    return (int(number), digest) if whole else (0, "")


def _row(like: Record, why: str, size: int, part: bytes, key: Key) -> Record:
    """A row that binds `part`, the last bytes of a log of this size."""
    made = {name: like[name] for name in IDENTITY if name in like}
    made |= {"id": f"{str(like.get('id', ''))[:28]:0>28}{0x8000 | size & 0x7FFF:04x}", "producer": "kernel"}
    lines = len([line for line in part.split(b"\n") if line.strip()])
    data = {"why": why, "from": size - len(part), "bytes": len(part), "rows": lines, "digest": mark(key, part)}
    return {**made, "kind": "LOG_CHAIN", "reason": REASONS[why], "data": data}


def begin(at: int, name: str, size: int, key: Key, records: list[Record]) -> tuple[str, str, str, list[Record]]:
    """How to go on behind a log that does not end with a row of the chain.

    Returns what closes its last line, number and digest of the last row of the chain, and the records with one before
    them that binds the rest.
    """
    if not size:
        known = system.exists_at(at, "state.json") or not system.exists_at(at, "key")
        return "", "0", "", [_row(records[0], "emptied", 0, b"", key), *records] if known else records
    end = system.read_range(at, name, max(size - MOST, 0), size)
    lines = end.split(b"\n")
    rest = len(lines)
    number, digest = 0, ""
    while rest and not number:
        rest -= 1
        number, digest = seal(lines[rest])
    part = b"\n".join(lines[rest + 1 :]) if number else end
    torn = lines[-1] and len([line for line in lines[rest + 1 :] if line]) == 1
    why = "began" if not number else "torn" if torn else "others"
    return "\n" if lines[-1] else "", str(number), digest, [_row(records[0], why, size, part, key), *records]


def joining_row(at: int, name: str, start: int, end: int, key: Key, last: Record) -> Record:
    """The row behind rows of ours that binds them and what came beside them."""
    return _row(last, "joined", end, system.read_range(at, name, max(start, end - MOST), end), key)
