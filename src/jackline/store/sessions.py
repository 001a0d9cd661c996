"""Which session a call belongs to: its key, its record in the store, its folder (design section 3).

`session_create` makes one at a conversation's first event.
"""

from __future__ import annotations

import marshal

from jackline import system
from jackline.store.ids import SESSIONS, digest, slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from jackline.model import Event
    from jackline.processes import Process
    from jackline.runtime.request import Request
else:
    from jackline._record import NamedTuple

FORMAT = 2
SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
IGNORE = b"*\n"


class Place(NamedTuple):
    """Where a session's files are: a descriptor of the folder, its path, why it is not in the tree ("" if it is)."""

    fd: int
    path: str
    why: str = ""


def _made_in_tree(root: str, sid: str, uid: int) -> int:
    """Make `<root>/.ai/tmp/<sid>`, and what keeps git and search programs out of it; its descriptor."""
    system.close(system.descend(root, (".ai",), uid=uid))
    folder = system.descend(root, (".ai", "tmp"), create=True, uid=uid)
    try:
        system.claim(".gitignore", IGNORE, at=folder)
        system.claim(".ignore", IGNORE, at=folder)
    finally:
        system.close(folder)
    return system.descend(root, (".ai", "tmp", sid), create=True, uid=uid)


def in_tree(root: str, sid: str, uid: int) -> Place:
    """Open `<root>/.ai/tmp/<sid>`, making it.

    OSError when the tree has no `.ai/`, or a link or a foreign owner stands there.
    """
    path = f"{root}/.ai/tmp/{sid}"
    # search programs read `.ignore`, where there is no git too
    if system.may_be(root + "/.ai/tmp/.ignore") and system.may_be(path):
        return Place(system.descend(root, (".ai", "tmp", sid), uid=uid), path)
    return Place(_made_in_tree(root, sid, uid), path)


def in_store(store: str, root: str, sid: str, why: str) -> Place:
    """Open `<store>/repos/<slot>/tmp/<sid>`, making it."""
    parts = ("repos", slot(root), "tmp", sid)
    return Place(system.descend(store, parts, create=True), store + "/" + "/".join(parts), why)


def open_place(store: str, root: str, sid: str, uid: int, mode: str = "") -> Place:
    """Open the session's folder where `mode` says (`tree`, `store`), or find out which of the two it can be."""
    if mode != "store":
        try:
            return in_tree(root, sid, uid)
        except OSError as fault:
            why = "no .ai folder" if not system.exists(root + "/.ai") else f"{fault.strerror or fault}"
    else:
        why = "as this session began"
    return in_store(store, root, sid, why)


class Session:
    """A conversation as the store knows it, with its folder open."""

    def __init__(self, record: dict[str, Any], place: Place, *, fresh: bool, identified: bool) -> None:
        self.sid: str = record["sid"]
        self.root: str = record["root"]
        self.client: str = record["client"]
        self.key: str = record["key"]
        self.mode: str = record["mode"]
        self.repo: str = record["repo"]
        self.host: str = record["host"]
        self.born: int = record["born"]
        self.pid: int = record["pid"]
        self.start: int = record["start"]
        self.slot: str = record["slot"]
        self.places: int = record.get("places", 1)
        self.agent: str = record.get("agent", "")
        self.chain: tuple[int, str] = record.get("chain", (0, ""))
        self.follows: str = record.get("follows", "")  # the session that was cleared before it, or it was forked from
        self.place = place
        self.fresh = fresh
        self.identified = identified


def client_process(request: Request) -> Process | None:
    """The process of the client that opened the entry point."""
    from jackline.processes import opener

    return opener(request.ancestors())


def safe_name(text: str) -> str:
    """`text` itself where it can stand as a file name, else a digest of it: nothing foreign becomes a path."""
    if text and len(text) <= 80 and text[0] != "-" and SAFE.issuperset(text):
        return text
    return "~" + digest(text)


def key_of(request: Request, event: Event) -> tuple[str, bool]:
    """The key of a conversation, and whether the client itself gave one."""
    if event.session:
        return event.session, True
    if event.transcript:
        return "transcript:" + event.transcript, True
    return _unnamed(request)


def _unnamed(request: Request) -> tuple[str, bool]:
    """The key of a conversation whose client gave neither id nor transcript: its process's, else the event's own."""
    process = client_process(request)
    if process is not None:
        return f"process:{process.pid}:{process.start}", True
    return f"event:{request.now}:{request.entropy.hex()}", False


def _record_path(store: str, client: str, key: str) -> str:
    return f"{store}/{SESSIONS}/{client or 'unknown'}~{safe_name(key)}"


def load(store: str, client: str, key: str) -> dict[str, Any] | None:
    """The stored record of a client's session; None when there is none, or it is of another format."""
    try:
        record = marshal.loads(system.read(_record_path(store, client, key), limit=1 << 16))
    except (OSError, ValueError, EOFError, TypeError):
        return None
    if not isinstance(record, dict) or record.get("v") != FORMAT or record.get("key") != key:
        return None
    return record


def save(store: str, record: dict[str, Any]) -> None:
    path = _record_path(store, record["client"], record["key"])
    try:
        system.replace(path, marshal.dumps(record))
    except FileNotFoundError:
        system.make_dirs(f"{store}/{SESSIONS}")
        system.replace(path, marshal.dumps(record))


def resume(store: str, request: Request, event: Event) -> Session | None:
    """The session of a conversation that is known; None at its first event. OSError when nothing can be written."""
    key, identified = key_of(request, event)
    record = load(store, event.client, key)
    if record is None:
        return None
    if "chain" not in record:  # an older version began it
        from jackline.store.chain import key as chain_key

        record |= {"chain": chain_key(store, record["sid"]), "older": True}
        save(store, record)
    place = open_place(store, record["root"], record["sid"], request.uid, record["mode"])
    return Session(record, place, fresh=False, identified=identified)
