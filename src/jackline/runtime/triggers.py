"""The triggers of the phases that hooks name in rows, and that lie in what they refuse (contract section 12)."""

from __future__ import annotations

from jackline.policy import phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.model import Ran
    from jackline.runtime.outcome import Outcome

TRIGGER = "PHASE_TRIGGER"
"""The kind of a row by which a feature names a trigger; what comes of it is a row of its own."""
AGAIN = "refused_again"
TIMES = 3
"""The same refusal so many times in a turn blocks the task, where a feature that declares `AGAIN` refuses."""
FOLDER = "refused"


def _of_feature(ran: Ran) -> Iterator[str]:
    """The triggers that one feature named and may name."""
    if ran.spec is None or not ran.spec.triggers or ran.observed:
        return
    for row in ran.action.emit_events:
        if row.get("kind") == TRIGGER:
            data = row.get("data")
            name = str(data.get("trigger", "")) if isinstance(data, dict) else ""
            if name in ran.spec.triggers and name in phases.TRIGGERS:
                yield name


def _is_refused_again(outcome: Outcome) -> bool:
    """Whether one of those who count their refusals gave the same one for the third time in this turn."""
    verdict, place = outcome.verdict, outcome.place
    if verdict.decision != "deny" or place is None:
        return False
    if not any(one.hook in verdict.by and one.spec is not None and AGAIN in one.spec.triggers for one in outcome.ran):
        return False
    from jackline.store import claims
    from jackline.store.ids import digest

    try:
        return claims.next_number(place, FOLDER, f"{outcome.turn}.{digest(verdict.reason)}.") == TIMES
    except OSError:
        return False


def named(outcome: Outcome) -> list[str]:
    """What hooks and their refusals name, in order."""
    found = [name for one in outcome.ran for name in _of_feature(one)]
    if outcome.wiring.enforce_phases or outcome.works_with("phases"):
        if outcome.ended and outcome.event.name != "SubagentStop":  # that ends a sub-agent, and no task
            found.append("attempts_spent")
        if _is_refused_again(outcome):
            found.append(AGAIN)
    return found
