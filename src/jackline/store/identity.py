"""Which session a call belongs to: its key, and its record in the store (design section 3). `birth` opens it."""

from __future__ import annotations

import marshal

from jackline import system
from jackline.store.ids import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.model import Event
    from jackline.processes import Process
    from jackline.runtime.request import Request
    from jackline.store.place import Place

FORMAT = 2


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
        self.follows: str = record.get("follows", "")  # the session that was cleared before it, or it was forked from
        self.place = place
        self.fresh = fresh
        self.identified = identified

    def close(self) -> None:
        system.close(self.place.fd)


def client_process(request: Request) -> Process | None:
    """The process of the client that opened the door."""
    from jackline.processes import opener

    return opener(request.ancestors())


def key_of(request: Request, event: Event) -> tuple[str, bool]:
    """The key of a conversation, and whether the client itself gave one."""
    if event.session:
        return event.session, True
    if event.transcript:
        return "transcript:" + event.transcript, True
    process = client_process(request)
    if process is not None:
        return f"process:{process.pid}:{process.start}", True
    return f"event:{request.now}:{request.entropy.hex()}", False


def _record_path(store: str, client: str, key: str) -> str:
    return f"{store}/sessions/{client or 'unknown'}~{safe_name(key)}"


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
        system.make_dirs(store + "/sessions")
        system.replace(path, marshal.dumps(record))
