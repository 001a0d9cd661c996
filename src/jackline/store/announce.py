"""What a person or the time did to a project or store: a record of authority, and a row in the logs it concerns.

Those are the logs of the living sessions, and that of the newest one, which `jackline log` shows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jackline import host, system
from jackline.store import authority, chain, journal, session_index, state
from jackline.store.ids import record_id
from jackline.store.session_index import SessionEntry

EVENTS = {"kernel": "Jackline"}
"""The event of rows that no client's event left, by who left it: a person, who is not blamed for what we find."""


def _concerned(store: str, root: str) -> list[SessionEntry]:
    """The living sessions of a project ("" = of all), and its newest."""
    found = session_index.sessions(Path(store), Path(root) if root else None)
    return [one for at, one in enumerate(found) if one.records and (at == 0 or one.live)]


def _row(session: SessionEntry, core: dict[str, Any], told: dict[str, Any], now: int) -> dict[str, Any]:
    millis, turn = now // 1_000_000, core.get("lastTurnId", 0)
    made = {"v": journal.FORMAT, "id": record_id(now, host.entropy()), "ts": millis, **told}
    made |= {"hookRunId": f"{told['event']}-{turn}-{millis}", "turnId": turn, "workId": core.get("workId", "w001")}
    return made | {"repo": session.repo, "host": session.host}


def _write(store: str, session: SessionEntry, told: dict[str, Any], now: int) -> None:
    at = system.descend(session.folder, ())
    try:
        row = _row(session, state.read(at, session.folder).get("core", {}), told, now)
        journal.append(at, journal.EVENTS, [row], chain.key(store, session.sid))
    finally:
        system.close(at)


def announce(
    store: str, kind: str, by: str, reason: str, data: dict[str, Any], *, root: str = "", now: int = 0
) -> None:
    """Record it, and tell the sessions of `root` ("" = all). A log that cannot be written keeps nothing from it."""
    now = now or host.now()
    authority.append(store, kind, by, data, now=now)
    who = {"event": EVENTS.get(by, "Person"), "producer": "kernel" if by == "kernel" else "person"}
    for session in _concerned(store, root):
        try:
            _write(store, session, {**who, "kind": kind, "reason": reason, "data": {"by": by, **data}}, now)
        except OSError:
            continue
