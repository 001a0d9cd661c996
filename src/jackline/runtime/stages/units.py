"""Units that are not as a person trusted them: the person hears of it, and what cannot run as trusted holds (5a)."""

from __future__ import annotations

from jackline.adapters.capabilities import row as capability
from jackline.model import Action, Ran
from jackline.policy.merge import merge
from jackline.store import claims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Decision
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

NAME = "trust"
ONE = "1 hook of this project is not as the person trusted it"
DECIDES: dict[str, Decision] = {"PreToolUse": "ask", "Stop": "block", "SubagentStop": "block"}
"""What an event comes to while a unit holds: asked, or held once."""


def _mark(text: str) -> str:
    from _blake2 import blake2b

    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _tell(outcome: Outcome) -> None:
    """Say of each unit at the first event that can, and of all at every start of a session; the log has each once."""
    place, lines = outcome.place, outcome.wiring.told
    able = capability(outcome.event.client, outcome.event.name)
    if place is None or not lines or not (able.note or able.context):
        return
    starts = outcome.event.name == "SessionStart"
    if not claims.first(place, "once", "units-" + _mark("\n".join(lines))) and not starts:
        return
    units = outcome.wiring.report()["units"]
    fresh = []
    for kind, where, state, why, line in units:
        if claims.first(place, "once", "unit-" + _mark(line)):
            fresh.append(line)
            data = {"kind": kind, "place": where, "state": "holds" if why else state}
            outcome.add("UNIT_STATE", "kernel", data=data)
    said = lines if starts or len(fresh) >= len(lines) else fresh
    if not said:
        return
    if able.note:
        outcome.note(*said)
    else:  # this client shows its person nothing: the model passes it on
        many = f"{len(units)} hooks of this project are not as the person trusted them"
        text = f"{many if len(units) > 1 else ONE}: {said[0]}"
        verdict = outcome.verdict
        outcome.verdict = verdict._replace(context=(*verdict.context, ("jackline", text)))


def _hold(outcome: Outcome) -> None:
    """Ask about the call, or hold the end of the turn once."""
    name = outcome.event.name
    decision = DECIDES.get(name)
    if decision is None or outcome.verdict.decision in ("deny", "block"):
        return
    if decision == "block":
        first = outcome.place is not None and claims.first(outcome.place, "once", f"held-{outcome.turn}")
        if not first or not capability(outcome.event.client, name).cont:
            return
    reason = "\n".join([*outcome.wiring.holds, "a person reads what changed and trusts it: jackline trust --diff"])
    outcome.ran.append(Ran(NAME, Action(decision=decision, reason=reason)))
    outcome.verdict = merge(outcome.event, outcome.ran, owner=outcome.wiring.rewrite_owner)


def run(request: Request, outcome: Outcome) -> None:
    """Tell the person, and hold what a unit would have judged that cannot run."""
    if outcome.wiring.holds:
        _hold(outcome)
    _tell(outcome)
