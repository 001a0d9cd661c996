"""What a person switched off for some minutes is said wherever they look."""

from __future__ import annotations

from jackline.runtime.pipeline import TYPES
from jackline.store import pauses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request


def _silenced(outcome: Outcome) -> list[str]:
    """Who would have had a say at this event, or run, and was paused."""
    event, table = outcome.event, outcome.table
    names = [
        row.slug
        for row in table.rows(event.name)
        if outcome.is_paused(row) and (not event.tool or row.wants(event.tool, event.kind))
    ]
    loop = TYPES.get(event.name, "")
    if loop and table.scripted(loop):
        names += [f"script:{one.key}" for one in table.scripts(loop) if outcome.is_silenced(one.key)]
    return names


def run(request: Request, outcome: Outcome) -> None:
    """The event's row says who was paused; a person is told at the session's start and with every prompt."""
    outcome.skipped = [*outcome.skipped, *[(name, "paused") for name in _silenced(outcome)]]
    if outcome.event.name not in ("SessionStart", "UserPromptSubmit"):
        return
    now = request.now // 1_000_000
    told = [pauses.words(one, now) for one in pauses.load(outcome.store.path, now, outcome.session.root)]
    outcome.note(*told)
