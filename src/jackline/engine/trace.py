"""The dispatcher's own trace, one for all sessions of a project: `dispatch.log` beside their folders (contract 3.2).

One line for what a person looks for across sessions: a session's first event, what was decided against the agent, and
what went wrong. Best effort, rotated once.
"""

from __future__ import annotations

from jackline import system
from jackline.store import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.engine.run import Run

NAME = "dispatch.log"
MOST = 1 << 20
"""Bytes after which the log becomes `dispatch.log.1`, in the place of an older one."""


def trace(run: Run, fault: str) -> None:
    """Add the line. A trace that cannot be written is no fault of the event's."""
    if run.place is None:
        return
    said = {
        "v": 1,
        "ts": run.call.now // 1_000_000,
        "event": run.event.name or run.event.native or "unknown",
        "client": run.event.client,
        "session": run.session.sid,
        "decision": run.verdict.decision or "allow",
        "by": list(run.verdict.by),
        "ms": round(run.elapsed(), 2),
        "errors": [one.hook for one in run.ran if one.error],
        "fault": fault or run.fault or run.event.fault,
        "ended": run.ended,
    }
    line = {key: value for key, value in said.items() if value not in ("", [])}
    try:
        at = system.descend(run.place.path.rpartition("/")[0], ())
        try:
            if system.size_at(at, NAME) > MOST:
                system.rename(NAME, NAME + ".1", at=at)
            journal.append(at, NAME, [line])
        finally:
            system.close(at)
    except OSError:
        return


def debug(run: Run, slug: str, level: str, message: str, data: object) -> None:
    """A feature's debug log: `<session>/<feature>/logs/debug.log`, best effort, masked."""
    from jackline.store import journal

    record = {"ts": run.call.now // 1_000_000, "level": level, "message": message, "data": data}
    try:
        at = system.descend(run.place.path if run.place is not None else "", (slug, "logs"), create=True)
        try:
            journal.append(at, "debug.log", [record])
        finally:
            system.close(at)
    except (OSError, ValueError, TypeError):
        return
