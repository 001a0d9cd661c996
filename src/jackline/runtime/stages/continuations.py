"""How often hooks may keep an agent going at the end of a turn (design section 6, Stop)."""

from __future__ import annotations

from jackline.clients.capabilities import row as capability_of
from jackline.model import Verdict
from jackline.policy import continuation
from jackline.runtime.stages.turns import FOLDER, LAST, reason_mark
from jackline.store import exclusive_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

UNCOUNTED = "continuations cannot be counted here; the turn ends"


def run(request: Request, outcome: Outcome) -> None:
    """Let a block at a turn's end count, or end the turn: `ended` says why then."""
    event, verdict, place = outcome.event, outcome.verdict, outcome.place
    if event.name == "Stop" and (event.agent_id or event.background):
        why = "a sub-agent's stop" if event.agent_id else "background tasks still run"
        outcome.verdict = Verdict(context=verdict.context, notes=(*verdict.notes, f"not kept going: {why}"))
        return
    who = outcome.agent if event.name == "SubagentStop" else ""
    try:
        number = exclusive_files.next_number(place, FOLDER, f"b{outcome.turn}.{who}") if place is not None else 0
    except OSError:
        number = 0
    outcome.ended = ""  # whoever was let go before: another one holds on
    if place is None or not number:  # a full disk: the agent is kept going once, the client says that it was
        if event.stop_active:
            _end(outcome, "uncounted", UNCOUNTED)
        return
    cap = capability_of(event.client, event.name).cont
    why = continuation.ends(number, cap)
    if why:
        _end(outcome, continuation.lets_go(cap), why)
    else:
        outcome.effects.append(lambda: exclusive_files.write(place, FOLDER, LAST, reason_mark(verdict.reason)))


def _end(outcome: Outcome, by: str, why: str) -> None:
    """End the turn although hooks block: who lets go of them stands in a row of its own."""
    verdict = outcome.verdict
    outcome.add("CONTINUATION_END", "kernel", reason=why, data={"by": by, "held": list(verdict.by)})
    outcome.verdict, outcome.ended = Verdict(notes=(*verdict.notes, why)), why
