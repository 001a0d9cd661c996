"""Artifacts: files that features announce to each other on the bus of a session (`registry.jsonl`).

A feature announces with its answer (`described` makes the entry), a command by `announce`. The newest of a kind is a
pointer in the state: no event reads the bus for it. Whoever wants more follows it by a cursor.
"""

from __future__ import annotations

from _blake2 import blake2b

from jackline import system
from jackline.jsonio import loads
from jackline.store import bus, chain, journal, state
from jackline.store.ids import record_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, NamedTuple

    from jackline.store.session_index import SessionEntry
else:
    from jackline._record import NamedTuple

PART = 1 << 24
"""Bytes of the bus that are read at a time."""
CONTENT = 1 << 26
"""Bytes of a file that are hashed."""
EVENT = "Command"
"""The event of what a command announces, which no client's event did."""
DEPTH = 40
"""Levels of a tree."""


class Pointer(NamedTuple):
    """The newest artifact of a kind: its id, its place below the session's folder, 16 hex of its content or ""."""

    id: str
    ref: str
    hash: str = ""


class Artifact(NamedTuple):
    """One announcement. `ref`: its place below the session's folder; `depends`: ids or places; `ts`: milliseconds."""

    id: str
    kind: str
    ref: str
    work: str
    producer: str = ""
    agent: str = ""
    ts: int = 0
    hash: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()
    supersedes: str = ""


class Branch(NamedTuple):
    """One line of a tree: how deep it stands, what stands there (None: not on the bus), and the words that named it.

    `shown`: it stands above already, with what it was made from.
    """

    depth: int
    artifact: Artifact | None
    name: str
    shown: bool = False


# --- one file ----------------------------------------------------------------------------------------------------


def content_hash(data: bytes) -> str:
    """16 hex of a content, as records have it."""
    return str(blake2b(data, digest_size=8).hexdigest())


def hash_of(folder: str, ref: str) -> str:
    """16 hex of what lies at a place of a session now; "" where there is no file, or a link on the way."""
    if not bus.is_ref(ref):
        return ""
    *parents, name = ref.split("/")
    try:
        at = system.descend(folder, tuple(parents))
    except (OSError, ValueError):
        return ""
    try:
        return content_hash(system.read(name, at=at, limit=CONTENT, follow=False))
    except (OSError, ValueError):  # half a character is in no file's name
        return ""
    finally:
        system.close(at)


def described(
    kind: str,
    ref: str,
    data: bytes,
    *,
    summary: str = "",
    tags: Sequence[str] = (),
    depends: Sequence[str] = (),
    supersedes: str = "",
) -> dict[str, Any]:
    """An announcement, as `Action.register_artifacts` takes it: a place below the session's folder, and its content."""
    made: dict[str, Any] = {"kind": kind, "ref": ref, "hash": content_hash(data)}
    if summary:
        made["summary"] = " ".join(summary.split())[: bus.SUMMARY]
    if tags:
        made["tags"] = list(tags)
    if depends:
        made["dependsOn"] = list(depends)
    if supersedes:
        made["supersedes"] = supersedes
    return made


# --- the newest --------------------------------------------------------------------------------------------------


def newest(known: Mapping[str, Any], kind: str, work: str) -> Pointer | None:
    """The newest artifact of a kind in a task, by the pointer in the session's state; None when there is none."""
    latest = known.get("core", {}).get("latest")
    found = latest.get(kind) if isinstance(latest, dict) else None
    if not isinstance(found, dict) or found.get("work") != work or not bus.is_ref(found.get("ref")):
        return None
    return Pointer(str(found.get("id", "")), found["ref"], str(found.get("hash", "")))


# --- the bus -----------------------------------------------------------------------------------------------------


def _texts(value: object) -> tuple[str, ...]:
    return tuple([one for one in value[: bus.TEXTS] if isinstance(one, str)]) if isinstance(value, list) else ()


def read(record: Mapping[str, Any]) -> Artifact | None:
    """A record as an artifact; None for what is none, or leads out of the session's folder."""
    id_, kind, work = record.get("id"), record.get("kind"), record.get("workId")
    if not (isinstance(id_, str) and isinstance(kind, str) and isinstance(work, str) and bus.is_ref(record.get("ref"))):
        return None
    ts = record.get("ts")
    words = {key: str(record.get(key, "")) for key in ("producer", "agentId", "summary", "supersedes")}
    return Artifact(
        id_[:32],
        kind[: bus.KIND],
        record["ref"],
        work[:16],
        words["producer"],
        words["agentId"],
        ts if type(ts) is int else 0,
        record["hash"] if bus.is_hash(record.get("hash")) else "",
        words["summary"][: bus.SUMMARY],
        _texts(record.get("tags")),
        _texts(record.get("dependsOn")),
        words["supersedes"],
    )


def _is_wanted(one: Artifact, kinds: Iterable[str], work: str) -> bool:
    return (not kinds or one.kind in kinds) and work in ("", one.work)


def follow(folder: str, cursor: int = 0, kinds: Sequence[str] = (), work: str = "") -> tuple[list[Artifact], int]:
    """What was announced after byte `cursor`, oldest first, and the cursor to ask with next time.

    `kinds`: only these; `work`: only this task's. A bus that is shorter than the cursor is another one: read from its
    beginning.
    """
    found: list[Artifact] = []
    size = system.size_of(f"{folder}/{journal.REGISTRY}")
    cursor = 0 if cursor > max(size, 0) else cursor
    while True:
        data = system.read_range(None, f"{folder}/{journal.REGISTRY}", cursor, cursor + PART)
        end = data.rfind(b"\n") + 1
        if not end:
            return found, cursor
        for record in journal.parse(data[:end])[0]:
            one = read(record)
            if one is not None and _is_wanted(one, kinds, work):
                found.append(one)
        cursor += end


def find(known: Sequence[Artifact], name: str) -> Artifact | None:
    """The newest artifact that a word means: an id or its beginning (six digits or more), a place, or a kind."""
    for one in reversed(known):
        if name in (one.id, one.ref):
            return one
    for one in reversed(known):
        if (len(name) >= 6 and one.id.startswith(name)) or one.kind == name:
            return one
    return None


def tree(known: Sequence[Artifact], top: Artifact | None = None) -> list[Branch]:
    """What was made from what, as lines from above: an artifact, and below it those it depends on.

    Without `top` every artifact that no other depends on stands at the left, oldest first. A line that came before is
    not opened again, so cycles end.
    """
    ids = {one.id: one for one in known}
    refs = {one.ref: one for one in known}  # of several at one place the newest
    used = {(ids.get(name) or refs.get(name) or one).id for one in known for name in one.depends} if top is None else ()
    tops = [top] if top is not None else [one for one in known if one.id not in used] or list(known[-1:])
    made: list[Branch] = []
    opened: set[str] = set()
    todo: list[tuple[int, Artifact | None, str]] = [(0, one, one.id) for one in reversed(tops)]
    while todo:
        depth, artifact, name = todo.pop()
        again = artifact is not None and artifact.id in opened
        made.append(Branch(depth, artifact, name, again and bool(artifact and artifact.depends)))
        if artifact is None or again or depth >= DEPTH:
            continue
        opened.add(artifact.id)
        todo += [(depth + 1, ids.get(word) or refs.get(word), word) for word in reversed(artifact.depends)]
    return made


# --- announcing --------------------------------------------------------------------------------------------------


def _maker(session: SessionEntry, core: Mapping[str, Any], producer: str, agent: str, now: int, entropy: bytes) -> Any:
    """What makes a row of the log: its kind, then its fields."""
    millis, turn = now // 1_000_000, core.get("lastTurnId", 0)
    count = int.from_bytes(entropy[:8], "big")

    def make(kind: str, by: str = "", **fields: Any) -> dict[str, Any]:
        nonlocal count
        count += 1
        made = {"v": journal.FORMAT, "id": record_id(now, count.to_bytes(10, "big")), "ts": millis, "event": EVENT}
        made |= {"producer": by or producer, "kind": kind, "hookRunId": f"{EVENT}-{turn}-{millis}", "turnId": turn}
        made |= {"workId": str(core.get("workId", "w001")), "agentId": agent}
        return made | {"repo": session.repo, "host": session.host} | fields

    return make


def announce(
    store: str,
    session: SessionEntry,
    producer: str,
    entries: Sequence[Mapping[str, Any]],
    *,
    now: int,
    entropy: bytes,
    agent: str = "u00",
) -> list[Artifact]:
    """Put artifacts (as `described` makes them) on the bus of a session, outside of an event; what stands there now.

    `now`: nanoseconds. ValueError for a place out of the session's folder, OSError when it cannot be written.
    """
    at = system.descend(session.folder, ())
    try:
        known = state.read(at, session.folder)
        make = _maker(session, known.get("core", {}), producer, agent, now, entropy)
        records, rows = [], []
        for entry in entries:
            kind, fields, fault = bus.artifact_fields(entry)
            if fault:
                raise ValueError(fault)
            record = make(kind, **fields)
            records.append(record)
            rows.append(make("ARTIFACT_REGISTERED", data={"ref": fields["ref"], "kind": kind, "id": record["id"]}))
        patch = bus.pointers(records, known)
        fault = state.commit(at, chain.key(store, session.sid), rows, records, patch, make)
        if fault:
            raise OSError(5, fault, session.folder)
        return [one for one in map(read, records) if one is not None]
    finally:
        system.close(at)


def load(folder: str, ref: str, limit: int = CONTENT) -> Any:
    """The JSON document at a place of a session; None where there is none that can be read, or a link on the way."""
    *parents, name = ref.split("/") if bus.is_ref(ref) else ["", ""]
    try:
        at = system.descend(folder, tuple(parents))
    except (OSError, ValueError):
        return None
    try:
        return loads(system.read(name, at=at, limit=limit, follow=False).decode())
    except (OSError, ValueError, RecursionError):
        return None
    finally:
        system.close(at)
