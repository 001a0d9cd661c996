"""Rows of a session's log that a command writes, with a patch of its state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from jackline import host, system
from jackline.store import chain, state
from jackline.store.ids import record_id
from jackline.store.session_index import SessionEntry

EVENT = "Person"
"""The event of rows that a command of a person writes; an agent's command writes `Agent`."""
AGENT = "Agent"


def announce(
    store: str, session: SessionEntry, kind: str, data: Mapping[str, Any], patch: Mapping[str, Any], *,
    agent: bool = False, work: str = "",
) -> None:  # fmt: skip
    """Append a row and what it patches. ClickException when the log cannot be written."""
    at = system.descend(session.folder, ())
    try:
        core = state.read(at, session.folder).get("core", {})
        now, turn, event = host.now(), core.get("lastTurnId", 0), AGENT if agent else EVENT
        millis = now // 1_000_000

        def record(kind: str, **fields: Any) -> dict[str, Any]:
            made = {"v": 1, "id": record_id(now, host.entropy()), "ts": millis, "event": event, "kind": kind}
            made |= {"producer": "agent" if agent else "person", "hookRunId": f"{event}-{turn}-{millis}"}
            made |= {"workId": work or str(core.get("workId", "w001")), "turnId": turn}
            return made | {"repo": session.repo, "host": session.host} | fields

        row = record(kind, data=dict(data))
        key = chain.key(store, session.sid)
        fault = state.commit(at, key, [row], [], dict(patch), lambda kind, _, **more: record(kind, **more))
        if fault:
            raise click.ClickException(f"{session.folder} · {fault} · the log of the session does not have it")
    finally:
        system.close(at)
