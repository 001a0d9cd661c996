"""The append-only files of a session: events, prompts, registry. One append is one write; readers skip torn lines."""

from __future__ import annotations

from _imp import source_hash

from jackline import system
from jackline.jsonio import dumps, loads
from jackline.store.secrets import mask, may_hold_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from jackline.store.chain import Key

EVENTS = "events.jsonl"
REGISTRY = "registry.jsonl"
PROMPTS = "prompts.jsonl"
ALIASES = {EVENTS: "e.jsonl", PROMPTS: "p.jsonl"}
"""Older names, read but never written."""

FORMAT = 1
HEAD = 2000
"""Foreign strings in a record are kept to this many characters."""
LARGE = 16 * 1024
"""A payload above this size is logged by its digest and head."""


OWN = frozenset(
    ("v", "id", "ts", "event", "producer", "kind", "hookRunId", "turnId", "workId", "agentId", "repo", "host",
     "toolKind", "decision", "code", "ms", "phase", "outcome", "hash", "typed", "length")
)  # fmt: skip
"""Fields whose values are ours: no foreign text, nothing to mask."""


def _cut(value: Any, depth: int = 0) -> Any:
    """Foreign data for the log: cut, finite. What is secret in it still stands there."""
    if isinstance(value, str):
        return value if len(value) <= HEAD else value[:HEAD] + f"… ({len(value)} characters)"
    if isinstance(value, dict):
        if depth > 6:
            return "…"
        return {str(key)[:200]: _cut(item, depth + 1) for key, item in list(value.items())[:200]}
    if isinstance(value, (list, tuple)):
        if depth > 6:
            return "…"
        return [_cut(item, depth + 1) for item in value[:200]]
    if value is None or isinstance(value, int) or (isinstance(value, float) and value - value == 0):
        return value
    return str(value)[:HEAD]


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {mask(key): _masked(item) for key, item in value.items()}
    return [_masked(item) for item in value] if isinstance(value, list) else value


LAST = '"host":"'
"""In a row of `Outcome.record` our own fields stand before this one, and what is foreign behind it."""


def text(record: Mapping[str, Any]) -> str:
    """One record as the log has it; the one writer that all foreign text passes."""
    clean = {key: value if key in OWN else _cut(value) for key, value in record.items()}
    made = dumps(clean)
    if may_hold_secrets(made[made.find(LAST) + 1 if "host" in record else 0 :]):
        clean = {key: value if key in OWN else _masked(value) for key, value in clean.items()}
        made = dumps(clean)
    return made if len(made) <= LARGE else dumps(_shortened(clean))


def _shortened(clean: dict[str, Any]) -> dict[str, Any]:
    """A record that is too large, its large fields by digest and head."""
    from jackline.store.ids import digest

    if clean.get("kind") == "STATE_PATCH":  # the state is what the log says, so this changes nothing
        clean["kind"] = "PATCH_DROPPED"
    for key, value in clean.items():
        whole = value if isinstance(value, str) else dumps(value)
        if len(whole) > LARGE // 16:
            told = {"digest": digest(whole), "head": whole[: LARGE // 16]}
            clean[key] = told if key == "data" else [told["head"]] if isinstance(value, list) else told["head"]
    return clean


def _rows(tail: bytes, size: int, at: int, given: tuple[Key | None, list[dict[str, Any]]]) -> bytes:
    """The records as the lines that follow a file which ends with `tail`; a line that a dying writer left is closed."""
    key, records = given
    made = "" if tail[-1:] in b"\n" else "\n"
    number, _, digest = tail[tail.rfind(b',"chain":"') + 10 : -3].decode("latin-1").partition("-")
    if key is not None and (len(digest) != 16 or tail[-3:] != b'"}\n' or not number.isdecimal()):
        from jackline.store.chain import begin

        made, number, digest, records = begin(at, EVENTS, size, key, records)
    count = int(number) if key is not None else 0
    for record in records:
        row = text(record)
        if key is not None:
            count += 1
            row = f'{row[:-1]},"chain":"{count}-'
            digest = source_hash(key[0], f"{key[1]}{digest}{row}".encode()).hex()
            row += digest + '"}'
        made += row + "\n"
    return made.encode()


def append(at: int, name: str, records: list[dict[str, Any]], key: Key | None = None) -> tuple[int, int]:
    """Append records with one write; from where to where they stand. OSError when the disk refuses.

    `key`: of a session's log, whose rows are bound each to the one before it.
    """
    size, start, end = system.append_after(at, name, _rows, (key, records))
    if start != size and key is not None:
        from jackline.store.chain import joining_row

        append(at, name, [joining_row(at, name, size, end, key, records[-1])], key)
    return start, end


BEFORE = {
    "OBSERVED": "WOULD_{}",
    "UNBOUNDED_GREP_DENY": "SEARCH_DENY",
    "UNBOUNDED_GREP_WARN": "SEARCH_WARN",
}
"""Kinds of records by their names of before (0.1), and what they are called: `{}` stands for the row's decision."""


def parse(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """The records in `data`, and how many lines were torn. An unterminated last line is not yet a record.

    A record of an older version has the kind of today.
    """
    records = []
    torn = 0
    end = data.rfind(b"\n") + 1
    for raw in data[:end].split(b"\n"):
        if not raw.strip():
            continue
        try:
            record = loads(raw.decode("utf-8"))
        except (ValueError, RecursionError):
            torn += 1
            continue
        if isinstance(record, dict):
            kind = record.get("kind")
            if type(kind) is str and kind in BEFORE:
                record["kind"] = BEFORE[kind].format(str(record.get("decision") or "rewrite").upper())
            records.append(record)
        else:
            torn += 1
    if data[end:].strip():
        torn += 1
    return records, torn


def content(folder: str, name: str = EVENTS) -> bytes:
    """The bytes of a session's file, of the older name where it has that one; none where there is none."""
    for one in (name, ALIASES.get(name, name)):
        try:
            return system.read(f"{folder}/{one}")
        except OSError:
            continue
    return b""


def read(folder: str, name: str = EVENTS) -> tuple[list[dict[str, Any]], int]:
    """All records of a session's file and the number of torn lines."""
    return parse(content(folder, name))


def since(folder: str, cursor: int, name: str = EVENTS) -> tuple[list[dict[str, Any]], int]:
    """Records after byte `cursor`, and the cursor to ask with next time (design section 12)."""
    import posix

    try:
        fd = posix.open(f"{folder}/{name}", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return [], cursor
    try:
        posix.lseek(fd, cursor, 0)
        data = system.drain(fd)
    finally:
        posix.close(fd)
    end = data.rfind(b"\n") + 1
    return parse(data[:end])[0], cursor + end


def follow(folder: str, cursor: int = 0) -> Iterator[dict[str, Any]]:
    """Records as they come, for ever."""
    import time

    while True:
        records, cursor = since(folder, cursor)
        yield from records
        if not records:
            time.sleep(0.2)
