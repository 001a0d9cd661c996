"""A conversation's first event: its root is pinned, its short id claimed, its client's process remembered."""

from __future__ import annotations

from jackline import host, system
from jackline.clients.facts import ENTRY_FILES, OWN_FILES, PROJECT_VARIABLES
from jackline.repository import project_root
from jackline.store.ids import digest, slot
from jackline.store.sessions import FORMAT, Place, Session, client_process, key_of, load, open_place, resume, save

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Event
    from jackline.runtime.request import Request


def _host(store: str) -> str:
    try:
        return system.read(store + "/host", limit=64).decode("ascii").strip()
    except (OSError, ValueError):
        made = host.entropy(8).hex()
        if system.claim(store + "/host", made.encode()):
            return made
        return system.read(store + "/host", limit=64).decode("ascii", "replace").strip()


def find_root(request: Request, event: Event) -> str:
    """The root to pin: that of the folder which the client's project variable names, else of cwd."""
    for folder in (request.env.get(PROJECT_VARIABLES.get(event.client, ""), ""), event.cwd):
        if folder.startswith("/") and system.is_dir(folder):
            return project_root(folder, request.home, request.uid)
    return project_root(request.cwd or "/", request.home, request.uid)


def entry_places(root: str, home: str, env: Mapping[str, str], client: str = "") -> int:
    """How many files that a client reads hold an entry of ours. Above one, calls may come twice (design section 6)."""
    found = 0
    for moved, folder, name in OWN_FILES.get(client, ENTRY_FILES):
        base = f"{home if moved else root}/{folder}"
        told = env.get(moved, "") if moved else ""
        try:
            if b"door.py" in system.read(f"{told if told[:1] == '/' else base}/{name}", limit=1 << 20):
                found += 1
        except (OSError, ValueError):
            continue
    return found


PROCESSES = 1000
"""Earlier client processes of a session that are remembered while they live: several may have it open at once. Above
this the oldest stay, so that nobody is forgotten for those who came after."""


def _moved(record: dict[str, Any], request: Request) -> dict[str, Any]:
    """What changes in a session's record when another process of the client has taken it up."""
    process = client_process(request)
    if process is None or (process.pid, process.start) == (record["pid"], record["start"]):
        return {}
    from jackline.processes import alive

    before = [[record["pid"], record["start"]], *record.get("before", [])]
    living = [[pid, start] for pid, start in before if pid > 0 and alive(pid, start)]
    return {"pid": process.pid, "start": process.start, "before": living[-PROCESSES:]}


def recount(store: str, session: Session, request: Request) -> None:
    """At a session's (re)start: entries may have been added or removed since, and its client may be a new process."""
    record = load(store, session.client, session.key)
    if record is not None:
        count = max(
            entry_places(session.root, request.home, request.env, session.client), 2 if record.get("odd") else 0
        )
        changes = _moved(record, request)
        if count != record["places"] or changes:
            session.places = count
            save(store, dict(record, places=count, **changes))


def comes_twice(store: str, session: Session) -> None:
    """An event came from a place or dialect that those files do not tell of: the usual one asks from now on."""
    record = load(store, session.client, session.key)
    if record is not None:
        session.places = max(session.places, 2)
        save(store, dict(record, odd=True, places=session.places))


def _claim_sid(store: str, root: str, full: str, uid: int, mode: str) -> tuple[str, Place]:
    """Take the first 8 hex of the key's digest whose folder is free or already ours; the next 8 on a clash."""
    hexes = digest(full, 64)
    for at in range(0, len(hexes), 8):
        sid = hexes[at : at + 8]
        place = open_place(store, root, sid, uid, mode)
        line = full.encode("utf-8", "surrogatepass")
        if system.claim("key", line, at=place.fd):
            return sid, place
        try:
            if system.read("key", at=place.fd, limit=1 << 16, follow=False) == line:
                return sid, place
        except OSError:
            pass
        system.close(place.fd)
    raise OSError(f"no free session folder for {full[:40]!r}")


def begin(store: str, request: Request, event: Event) -> Session:
    """Make the session of a conversation's first event: pin its root, claim its sid, remember its client's process.

    A sub-agent's own session is its parent's. A host in whose process we are says its root itself, and where its tree
    is left alone. Raises OSError when neither tree nor store can be written.
    """
    from jackline.store.chain import key as chain_key
    from jackline.store.parent_session import before

    key, identified = key_of(request, event)
    if event.parent_session and join(store, event, key):
        resumed = resume(store, request, event)
        if resumed is not None:
            return resumed
    root, mode = request.root or find_root(request, event), request.mode
    sid, place = _claim_sid(store, root, f"{event.client} {key}", request.uid, mode)
    process = client_process(request)
    host = _host(store)
    record = {
        "v": FORMAT,
        "sid": sid,
        "client": event.client,
        "key": key,
        "root": root,
        "mode": "store" if place.why else "tree",
        "slot": slot(root),
        "places": entry_places(root, request.home, request.env, event.client),
        "repo": slot(host + root),
        "host": host,
        "born": request.now,
        "pid": process.pid if process else 0,
        "start": process.start if process else 0,
        "follows": before(store, event, process),
        "chain": chain_key(store, sid),
    }
    if identified:
        save(store, record)
    return Session(record, place, fresh=True, identified=identified)


def join(store: str, event: Event, key: str) -> dict[str, Any] | None:
    """A sub-agent with a session of its own (Copilot) belongs to its parent's (design section 3)."""
    parent = load(store, event.client, event.parent_session)
    if parent is None:
        return None
    record = dict(parent, key=key, agent=event.agent_id or key)
    save(store, record)
    return record


def with_date(state: dict[str, Any], session: Session, *, unplaced: bool) -> dict[str, Any]:
    """A state that could not be kept, with the time since when a file may be this session's: its record's, else any."""
    core = {**state.get("core", {}), "createdTs": 1 if unplaced else session.born // 1_000_000}
    return {**state, "core": core}


def peek(store: str, request: Request, event: Event) -> Session:
    """The session of a call without writing anything: as stored, or as it would become. Its place has no descriptor."""
    key, identified = key_of(request, event)
    record = load(store, event.client, key) or (
        load(store, event.client, event.parent_session) if event.parent_session else None
    )
    if record is None:
        root = find_root(request, event)
        process = client_process(request)
        record = {
            "sid": digest(f"{event.client} {key}", 64)[:8],
            "client": event.client,
            "key": key,
            "root": root,
            "mode": "tree" if system.is_dir(root + "/.ai") else "store",
            "slot": slot(root),
            "repo": slot(root),
            "host": "",
            "born": request.now,
            "pid": process.pid if process else 0,
            "start": process.start if process else 0,
        }
    if record["mode"] == "tree":
        path = f"{record['root']}/.ai/tmp/{record['sid']}"
    else:
        path = f"{store}/repos/{slot(record['root'])}/tmp/{record['sid']}"
    return Session(record, Place(-1, path), fresh=False, identified=identified)
