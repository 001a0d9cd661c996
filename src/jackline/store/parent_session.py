"""Which session a new one goes on from: one that was cleared in the same client process, or that it was forked from.

Measured: `/clear` gives a new id in the same process after SessionEnd `clear`; a fork's transcript names its parent
(design section 3). Asked once, at a session's first event.
"""

from __future__ import annotations

from jackline import system
from jackline.store.ids import is_sid
from jackline.store.sessions import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event
    from jackline.processes import Process
    from jackline.store.sessions import Session

FOLDER = "cleared"
PARENTS = (b'"forked_from_id":', b'"requestSessionId":')
"""What stands before the parent's id in a transcript (Codex, Claude Code)."""
HEAD = 1 << 18
"""Bytes of a transcript that are looked at: the parent is named where the copied history begins."""


def note_clear(store: str, session: Session) -> None:
    """Remember at SessionEnd `clear` that whoever comes next in this process goes on from here."""
    if session.pid:
        system.make_dirs(f"{store}/{FOLDER}")
        system.replace(f"{store}/{FOLDER}/{session.pid}-{session.start}", session.sid.encode("ascii"))


def _after_clear(store: str, process: Process | None) -> str:
    if process is None:
        return ""
    path = f"{store}/{FOLDER}/{process.pid}-{process.start}"
    try:
        sid = system.read(path, limit=64).decode("ascii", "replace")
    except OSError:
        return ""
    system.unlink(path)
    return sid if is_sid(sid) else ""


def _fork_of(store: str, event: Event) -> str:
    if not event.transcript.startswith("/"):
        return ""
    try:
        head = system.read(event.transcript, limit=HEAD)
    except (OSError, ValueError):
        return ""
    for mark in PARENTS:
        _, found, rest = head.partition(mark)
        parent = rest.lstrip()[1:].partition(b'"')[0] if found else b""
        record = load(store, event.client, parent.decode("utf-8", "replace")) if parent else None
        if record is not None and record["key"] != event.session:
            return str(record["sid"])
    return ""


def before(store: str, event: Event, process: Process | None) -> str:
    """The short id of the session that this new one goes on from, "" when there is none."""
    return _after_clear(store, process) or _fork_of(store, event)
