"""The mailbox of a task: what agents offer and ask of each other (blueprint 11.1), as files with an index.

`work/<id>/mailbox/<agent>/{offers,requests}/<entry>.json` and `mailbox/index.jsonl`. Agents may write there, so an
entry is words of an agent and decides nothing. Who has taken a request is a lock of the task, where they may not write.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps
from jackline.services import artifacts, locks, once
from jackline.services.locks import Lock
from jackline.session_paths import task_parts, task_place, task_ref
from jackline.store import journal
from jackline.store.secrets import mask
from jackline.unicode_escape import escape_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, Literal, NamedTuple

    Kind = Literal["offer", "request", "answer"]
    Standing = Literal["open", "taken", "answered"]
else:
    from jackline._record import NamedTuple

FORMAT = 1
FOLDERS = {"offer": "offers", "answer": "offers", "request": "requests"}
"""Where an entry of a kind lies below its agent's folder: an answer is an offer that names its request."""
INDEX = "index.jsonl"
GUARD = ".mailbox"
"""Held by the system while an entry is written, in the folder of locks."""
WAIT_MS = 5000
TAIL = 1 << 20
"""Bytes of the index that are read, from its end."""
CHUNK = 1 << 13
"""Bytes of it that are read at a time by whoever looks for the newest."""
LOOK = 50
"""Entries that are looked at for what an agent does not know yet: older ones it is not told of."""
TITLE, TEXT, REFS = 200, 8000, 50
"""Characters of a title and of a text, and how many places an entry may name."""
ENTRY = 1 << 18
"""Bytes of an entry's file."""
TOLD = 5
"""How many entries an agent is told of when it starts."""


class Refused(Exception):
    """This cannot be done with an entry; the message says why, and what can."""


class Entry(NamedTuple):
    """A line of the index. `ts`: milliseconds; `to`: for this agent, "" for all; `answers`: the id of a request."""

    id: str
    ts: int
    kind: Kind
    agent: str
    ref: str
    hash: str
    title: str
    to: str = ""
    answers: str = ""


# --- reading -----------------------------------------------------------------------------------------------------


def is_id(value: object) -> bool:
    return isinstance(value, str) and len(value) == 10 and not value.strip("0123456789abcdef")


def is_agent(value: object) -> bool:
    """Whether this is the short name of an agent: u00, a01 …"""
    return isinstance(value, str) and 3 <= len(value) <= 6 and value[0] in "ua" and value[1:].isdecimal()


def place(work: str, agent: str, kind: str, name: str) -> str:
    """Where an entry lies, below the session's folder."""
    return task_ref(work, "mailbox", agent, FOLDERS[kind], f"{name}.json")


def _parsed(row: Mapping[str, Any], work: str) -> Entry | None:
    """A line of the index; None for what is none. Where its file lies is not taken from the line."""
    kind, name, agent, ts = row.get("kind"), row.get("id"), row.get("agent"), row.get("ts")
    if kind not in FOLDERS or not is_id(name) or not is_agent(agent) or type(ts) is not int:
        return None
    words = [row.get(key) for key in ("hash", "title", "to", "answers")]
    mark, title, to, answers = [one if isinstance(one, str) else "" for one in words]
    if not title or (kind == "answer") != is_id(answers):
        return None
    to = to if is_agent(to) else ""
    where = place(work, str(agent), kind, str(name))
    return Entry(str(name), ts, kind, str(agent), where, mark[:16], title[:TITLE], to, answers)


def entries(folder: str, work: str) -> list[Entry]:
    """The entries of a task, oldest first; of a very long index the end. A line that stands twice counts once."""
    path = task_place(folder, work, "mailbox", INDEX)
    size = max(system.size_of(path), 0)
    data = system.read_range(None, path, max(size - TAIL, 0), size)
    if size > TAIL:
        data = data[data.find(b"\n") + 1 :]
    found: dict[str, Entry] = {}
    for row in journal.parse(data[: data.rfind(b"\n") + 1])[0]:
        one = _parsed(row, work)
        if one is not None:
            found.setdefault(one.id, one)
    return list(found.values())


def newest(folder: str, work: str) -> Iterator[Entry]:
    """The entries of a task, newest first, read from the end of the index as far as somebody asks."""
    path = task_place(folder, work, "mailbox", INDEX)
    end = max(system.size_of(path), 0)
    floor, seen, rest = max(end - TAIL, 0), set(), None
    while end > floor:
        start = max(end - CHUNK, floor)
        lines = (system.read_range(None, path, start, end) + (rest or b"")).split(b"\n")
        if rest is None:
            lines.pop()  # what stands behind the last line's end is not written yet
        rest = lines.pop(0) if start and lines else b""
        end = start
        for line in reversed(lines):
            one = next((_parsed(row, work) for row in journal.parse(line + b"\n")[0]), None)
            if one is not None and one.id not in seen:
                seen.add(one.id)
                yield one


def body(folder: str, entry: Entry) -> dict[str, Any] | None:
    """The whole entry; None where its file is gone, or is not the one that was posted."""
    if artifacts.hash_of(folder, entry.ref) != entry.hash:
        return None
    found = artifacts.load(folder, entry.ref, ENTRY)
    return found if isinstance(found, dict) else None


def find(known: Sequence[Entry], name: str) -> Entry:
    """An entry by its id, or the beginning of it. `Refused` when it means none, or several."""
    found = [one for one in known if name and one.id.startswith(name)]
    if len(found) != 1:
        what = f"means {len(found)} entries" if found else "is no entry of this task"
        raise Refused(f"{name!r} {what} · jackline mailbox list shows them")
    return found[0]


# --- who has a request -------------------------------------------------------------------------------------------


def key_of(entry: Entry) -> str:
    """The lock of a request."""
    return f"mailbox.{entry.id}"


def standings(
    known: Sequence[Entry], held: Iterable[Lock], here: locks.Here, now_ms: int
) -> dict[str, tuple[Standing, str, int]]:
    """How each request stands: open, taken or answered; by whom; until when (milliseconds; 0 for no time)."""
    answered = {one.answers: one.agent for one in known if one.kind == "answer"}
    taken = {lock.key: lock for lock in held if not lock.is_free(here, now_ms)}
    made: dict[str, tuple[Standing, str, int]] = {}
    for one in known:
        lock = taken.get(key_of(one))
        if one.id in answered:
            made[one.id] = ("answered", answered[one.id], 0)
        elif lock is not None:
            made[one.id] = ("taken", lock.owner, lock.until)
        elif one.kind == "request":
            made[one.id] = ("open", "", 0)
    return made


def take(folder: str, work: str, entry: Entry, wanted: Lock) -> Lock:
    """Take a request: nobody else may until `wanted.until`. `Refused` when it is taken, answered, or no request."""
    if entry.kind != "request":
        raise Refused(f"{entry.id} is an {entry.kind}: there is nothing to take · jackline mailbox show {entry.id}")
    if any(one.answers == entry.id for one in entries(folder, work)):
        raise Refused(f"{entry.id} is answered already · jackline mailbox list")
    found = locks.take(folder, work, wanted._replace(key=key_of(entry)))
    if found.token != wanted.token and found.owner != wanted.owner:
        raise Refused(f"{entry.id} was taken by {found.owner} · take another one: jackline mailbox list --open")
    return found


# --- writing -----------------------------------------------------------------------------------------------------


def _line(text: str, most: int) -> str:
    return mask(" ".join(text.split()))[:most]


def _append(folder: str, work: str, entry: Entry, told: Mapping[str, Any]) -> Entry:
    """Write an entry's file, then its line of the index."""
    data = dumps(told).encode("ascii") + b"\n"
    entry = entry._replace(hash=artifacts.content_hash(data))
    *parents, name = entry.ref.split("/")
    at = system.descend(folder, tuple(parents), create=True)
    try:
        if not system.claim(name, data, at=at):
            raise OSError(17, "an entry of this name is there already", name)
    finally:
        system.close(at)
    row = {"v": FORMAT, "id": entry.id, "ts": entry.ts, "kind": entry.kind, "agent": entry.agent, "ref": entry.ref}
    row |= {"hash": entry.hash, "title": entry.title, "to": entry.to, "answers": entry.answers}
    at = system.descend(folder, task_parts(work, "mailbox"), create=True)
    try:
        system.append(INDEX, dumps(row).encode("ascii") + b"\n", at=at)
    finally:
        system.close(at)
    return entry


def _check(title: str, agent: str, to: str, text: str, refs: Sequence[str]) -> None:
    """`Refused` for words that make no entry."""
    if not title:
        raise Refused("an entry needs a title")
    if not is_agent(agent) or (to and not is_agent(to)):
        raise Refused(f"{to or agent!r} is no agent · u00 is the main one, a01, a02 … are sub-agents")
    if len(text) > TEXT or len(refs) > REFS:
        raise Refused(f"an entry has at most {TEXT} characters and names {REFS} places · put the rest into a file")


def _guard(folder: str, work: str) -> int:
    """The lock that whoever writes into the mailbox holds. OSError when another has it for too long."""
    at = system.descend(folder, task_parts(work, "locks"), create=True)
    try:
        held = system.lock(GUARD, WAIT_MS, at=at)
    finally:
        system.close(at)
    if held < 0:
        raise OSError(11, "another process writes into the mailbox", GUARD)
    return held


def post(
    folder: str,
    work: str,
    kind: Kind,
    agent: str,
    title: str,
    *,
    name: str,
    now_ms: int,
    text: str = "",
    refs: Sequence[str] = (),
    to: str = "",
    answers: str = "",
) -> Entry:
    """Post an entry under a fresh id (`name`). Secrets in it are masked. `Refused` for words that make no entry.

    An answer is refused when its request has one: of several at once one is heard. OSError when it cannot be written.
    """
    title = _line(title, TITLE)
    _check(title, agent, to, text, refs)
    told = {"v": FORMAT, "id": name, "ts": now_ms, "kind": kind, "agent": agent, "work": work, "title": title}
    told |= {"text": mask(text), "refs": [mask(one)[:1000] for one in refs], "to": to, "answers": answers}
    entry = Entry(name, now_ms, kind, agent, place(work, agent, kind, name), "", title, to, answers)
    held = _guard(folder, work)
    try:
        if answers and any(one.answers == answers for one in entries(folder, work)):
            raise Refused(f"{answers} is answered already · jackline mailbox show {answers}")
        return _append(folder, work, entry, told)
    finally:
        system.close(held)


# --- telling -----------------------------------------------------------------------------------------------------


def _is_for(entry: Entry, agent: str) -> bool:
    return entry.agent != agent and entry.to in ("", agent)


def news(folder: str, work: str, agent: str, here: locks.Here, now_ms: int) -> list[Entry]:
    """The newest entries that concern an agent and that it was not told of, newest first; `TOLD` at most.

    An answer stands behind its request: who reads from the end has met it first.
    """
    made: list[Entry] = []
    answers: list[Entry] = []
    held: list[Lock] | None = None
    for count, one in enumerate(newest(folder, work)):
        if len(made) == TOLD or count == LOOK:
            break
        if one.kind == "answer":
            answers.append(one)
        if not _is_for(one, agent):
            continue
        if one.kind == "request":
            held = locks.known(folder, work) if held is None else held
            if standings([one, *answers], held, here, now_ms)[one.id][0] != "open":
                continue
        if once.may_tell(folder, f"mail.{work}.{agent}.{one.id}"):
            made.append(one)
    return made


def line(entry: Entry) -> str:
    """An entry as one line for another agent: its words, quoted, with nothing in them that deceives."""
    words = escape_line(mask(" ".join(entry.title.split())))[:TITLE].replace('"', "'")
    way = f"jackline mailbox take {entry.id}" if entry.kind == "request" else f"jackline mailbox show {entry.id}"
    return f'- {entry.kind} of {entry.agent}: "{words}" ({way})'
