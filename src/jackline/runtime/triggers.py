"""The triggers of the phases that hooks name in rows, and that lie in what they refuse (contract section 12)."""

from __future__ import annotations

from jackline import system
from jackline.policy import phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.model import HookRun
    from jackline.runtime.outcome import Outcome

TRIGGER = "PHASE_TRIGGER"
"""The kind of a row by which a feature names a trigger; what comes of it is a row of its own."""
AGAIN = "refused_again"
TIMES = 3
"""The same refusal so many times in a turn blocks the task, where a feature that declares `AGAIN` refuses."""
FOLDER = "refused"


def _of_feature(ran: HookRun) -> Iterator[str]:
    """The triggers that one feature named and may name."""
    if ran.spec is None or not ran.spec.triggers or ran.observed:
        return
    for row in ran.action.emit_events:
        if row.get("kind") == TRIGGER:
            data = row.get("data")
            name = str(data.get("trigger", "")) if isinstance(data, dict) else ""
            if name in ran.spec.triggers and name in phases.TRIGGERS:
                yield name


def _counted(outcome: Outcome) -> str:
    """What the same refusals of this turn are counted by; "" where nobody counts this one."""
    verdict = outcome.verdict
    if verdict.decision != "deny" or outcome.place is None or not _moves(outcome):
        return ""
    if not any(one.hook in verdict.by and one.spec is not None and AGAIN in one.spec.triggers for one in outcome.ran):
        return ""
    from jackline.store.ids import digest

    return f"{outcome.turn}.{digest(verdict.reason)}."


def _moves(outcome: Outcome) -> bool:
    """Whether refusals and ends of turns move the phase here."""
    return outcome.table.enforce_phases or bool(outcome.works_with("phases"))


def _is_refused_again(outcome: Outcome) -> bool:
    """Whether one of those who count their refusals gave the same one for the third time in this turn."""
    name, place = _counted(outcome), outcome.place
    if not name or place is None:
        return False
    from jackline.store import exclusive_files

    try:
        return exclusive_files.next_number(place, FOLDER, name) == TIMES
    except OSError:
        return False


def blocking(outcome: Outcome) -> str:
    """What the person is told where this refusal, the third of its kind, blocks the task; "" where it does not.

    Asked before the answer is worded, and so before it is counted.
    """
    core = outcome.state.get("core", {})
    name, place = _counted(outcome), outcome.place
    if not name or place is None or outcome.store.dry or phases.of(core) == "BLOCKED":
        return ""
    if not system.exists_at(place.fd, f"{FOLDER}/{name}{TIMES - 1}") or system.exists_at(
        place.fd, f"{FOLDER}/{name}{TIMES}"
    ):
        return ""
    what = outcome.verdict.reason.partition("\n")[0]
    work = core.get("workId", "w001")
    return f"{work} is BLOCKED: the same was refused three times in this turn ({what}) · your next prompt goes on"


def names(outcome: Outcome) -> list[str]:
    """What hooks and their refusals name, in order."""
    found = [name for one in outcome.ran for name in _of_feature(one)]
    if _moves(outcome):
        if outcome.ended and outcome.event.name != "SubagentStop":  # that ends a sub-agent, and no task
            found.append("attempts_spent")
        if _is_refused_again(outcome):
            found.append(AGAIN)
    return found
