"""Whether a person let a call pass: what the session's log says of a call that has run by now."""

from __future__ import annotations

from jackline import system
from jackline.store import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Event

TAIL = 1 << 18
"""Bytes of the log in which the call's row is looked for."""


def _asked(row: Mapping[str, Any], feature: str) -> bool:
    """Whether this feature asked about the call, and the answer let it go on: a dialog's yes, or a person's before."""
    data = row.get("data")
    if type(data) is not dict or row.get("decision") not in ("ask", "allow") or "answered" in data:
        return False
    actions = data.get("actions")
    return any(
        type(one) is dict and one.get("feature") == feature and one.get("decision") == "ask"
        for one in (actions if type(actions) is list else ())
    )


def was_approved(session: str, event: Event, feature: str) -> bool:
    """Whether `feature` asked a person about this call before it ran. A call without an id cannot be found again."""
    if not event.tool_use_id or not system.is_dir(session):
        return False
    at = system.descend(session, ())
    try:
        end = system.size_at(at, journal.EVENTS)
        rows, _ = journal.parse(system.read_range(at, journal.EVENTS, max(end - TAIL, 0), end))
    finally:
        system.close(at)
    for row in reversed(rows):
        if row.get("kind") == "TOOL_DECISION" and row.get("toolUseId") == event.tool_use_id:
            return _asked(row, feature)
    return False
