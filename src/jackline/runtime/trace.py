"""The dispatcher's own trace, one for all sessions of a project: `dispatch.log` beside their folders (contract 3.2).

One line for what a person looks for across sessions: a session's first event, what was decided against the agent, and
what went wrong. Best effort, rotated once.
"""

from __future__ import annotations

from jackline import system
from jackline.store import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome

NAME = "dispatch.log"
MOST = 1 << 20
"""Bytes after which the log becomes `dispatch.log.1`, in the place of an older one."""


def trace(outcome: Outcome, fault: str) -> None:
    """Add the line. A trace that cannot be written is no fault of the event's."""
    if outcome.place is None:
        return
    said = {
        "v": 1,
        "ts": outcome.request.now // 1_000_000,
        "event": outcome.event.name or outcome.event.native or "unknown",
        "client": outcome.event.client,
        "session": outcome.session.sid,
        "decision": outcome.verdict.decision or "allow",
        "by": list(outcome.verdict.by),
        "ms": round(outcome.elapsed(), 2),
        "errors": [one.hook for one in outcome.ran if one.error],
        "fault": fault or outcome.fault or outcome.event.fault,
        "ended": outcome.ended,
    }
    line = {key: value for key, value in said.items() if value not in ("", [])}
    lines = [line]
    try:
        at = system.descend(outcome.place.path.rpartition("/")[0], ())
        try:
            if system.size_at(at, NAME) > MOST:
                system.rename(NAME, NAME + ".1", at=at)
                lines.insert(0, {"v": 1, "ts": line["ts"], "event": "ROTATED", "to": NAME + ".1"})
            journal.append(at, NAME, lines)
        finally:
            system.close(at)
    except OSError:
        return


def debug(outcome: Outcome, slug: str, level: str, message: str, data: object) -> None:
    """A feature's debug log: `<session>/<feature>/logs/debug.log`, best effort, masked."""
    from jackline.store import journal

    record = {"ts": outcome.request.now // 1_000_000, "level": level, "message": message, "data": data}
    try:
        at = system.descend(outcome.place.path if outcome.place is not None else "", (slug, "logs"), create=True)
        try:
            journal.append(at, "debug.log", [record])
        finally:
            system.close(at)
    except (OSError, ValueError, TypeError):
        return
