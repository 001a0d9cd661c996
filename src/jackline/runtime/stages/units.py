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
DECIDES: dict[str, Decision] = {"PreToolUse": "ask", "Stop": "block", "SubagentStop": "block"}
"""What an event comes to while a unit holds: asked, or held once."""


def _tell(outcome: Outcome) -> None:
    """Say it at the first event that can, and at every start of a session; the log has it once."""
    place, lines = outcome.place, outcome.wiring.told
    able = capability(outcome.event.client, outcome.event.name)
    if place is None or not lines or not (able.note or able.context):
        return
    from _blake2 import blake2b

    mark = blake2b("\n".join(lines).encode("utf-8", "replace"), digest_size=8).hexdigest()
    is_new = claims.first(place, "once", f"units-{mark}")
    if is_new:
        for kind, where, state, why, _ in outcome.wiring.report()["units"]:
            data = {"kind": kind, "place": where, "state": "holds" if why else state}
            outcome.add("UNIT_STATE", "kernel", data=data)
    if not is_new and outcome.event.name != "SessionStart":
        return
    if able.note:
        outcome.note(*lines)
    else:  # this client shows its person nothing: the model passes it on
        said = f"{len(lines)} hooks of this project are not as the person trusted them: {lines[0]}"
        verdict = outcome.verdict
        outcome.verdict = verdict._replace(context=(*verdict.context, ("jackline", said)))


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
