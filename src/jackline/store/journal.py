"""The append-only files of a session: events, prompts, registry. One append is one write; readers skip torn lines."""

from __future__ import annotations

from jackline import system
from jackline.store.secrets import is_suspect, mask
from jackline.wire import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

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


def _clean(value: Any, masked: Callable[[str], str | None], depth: int = 0) -> Any:
    """Foreign data for the log: masked, cut, finite. `masked` gives a text's own form, None where it stays as it is."""
    if isinstance(value, str):
        text = value if len(value) <= HEAD else value[:HEAD] + f"… ({len(value)} characters)"
        return masked(text) or text
    if isinstance(value, dict):
        if depth > 6:
            return "…"
        made = {}
        for key, item in list(value.items())[:200]:
            text = str(key)[:200]
            made[masked(text) or text] = _clean(item, masked, depth + 1)
        return made
    if isinstance(value, (list, tuple)):
        if depth > 6:
            return "…"
        return [_clean(item, masked, depth + 1) for item in value[:200]]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)[:HEAD]


OWN = frozenset(
    ("v", "id", "ts", "event", "producer", "kind", "hookRunId", "turnId", "workId", "agentId", "repo", "host",
     "toolKind", "decision", "code", "ms", "phase", "outcome", "hash", "typed", "length")
)  # fmt: skip
"""Fields whose values are ours: no foreign text, nothing to mask."""


def line(record: Mapping[str, Any]) -> bytes:
    """One record as a line of the log; the one writer that all foreign text passes."""
    texts: list[str] = []
    clean = {key: value if key in OWN else _clean(value, texts.append) for key, value in record.items()}
    if is_suspect("\n".join(texts)):  # all of them are looked at in one go: hardly ever does one hold a secret
        clean = {key: value if key in OWN else _clean(value, mask) for key, value in record.items()}
    text = dumps(clean)
    if len(text) > LARGE:
        text = dumps(_shortened(clean))
    return text.encode("ascii") + b"\n"


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


def append(at: int, name: str, records: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Append records with one write; from where to where they stand, (0, 0) for none. OSError when the disk refuses."""
    data = b"".join([line(record) for record in records])
    if not data:
        return 0, 0
    end = system.append(name, data, at=at)
    return end - len(data), end


def parse(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """The records in `data`, and how many lines were torn. An unterminated last line is not yet a record."""
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
