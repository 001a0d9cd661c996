"""A feature that would not end even when its time was up: the guards after it judge, the answer is given, and out."""

from __future__ import annotations

from jackline import system
from jackline.engine import commit, worded
from jackline.engine.broker import settle
from jackline.engine.rules import kernel_rules
from jackline.kernel.dispatch import refuse_fault
from jackline.kernel.merge import merge
from jackline.model import Action, Ran

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.adapters.router import Adapter
    from jackline.engine import Emit
    from jackline.engine.run import Run
    from jackline.model import Event
    from jackline.wiring import Row


def leave(
    adapter: Adapter,
    run: Run,
    emit: Emit,
    row: Row,
    rows: tuple[Row, ...],
    one: Callable[[Row, Event, float], Ran],
) -> None:
    """A denial for a critical feature where its event can, else what the other critical ones say; logged; then out.

    Runs inside the timer's handler, on top of the feature that hangs. A hook that never ends disarms no guard.
    """
    event = run.event
    error = "BUDGET_EXCEEDED"
    action = Action(warnings=(f"{row.slug} did not end and was left behind",))
    enforced = row.mode == "enforce"
    run.ran.append(
        refuse_fault(
            event, Ran(row.slug, action, error=error, critical=row.critical and enforced, observed=not enforced)
        )
    )
    behind = [other for other in rows if (other.priority, other.slug) > (row.priority, row.slug)]
    for other in behind:
        if merge(event, run.ran).decision == "deny":
            break
        if other.critical and other.mode == "enforce" and (not event.tool or other.wants(event.tool, event.kind)):
            run.ran.append(refuse_fault(event, one(other, event, 0.0)))
    verdict = kernel_rules(run, merge(event, run.ran, owner=run.wiring.rewrite_owner))
    if verdict.decision != "deny":  # nobody judged a rewritten call again
        verdict = verdict._replace(updated_input=None)
    if verdict.decision == "ask":
        verdict = settle(run, verdict)
    run.verdict = verdict
    run.answered = worded(run, verdict)
    run.answer = adapter.render(event, run.answered)
    emit(run.answer)
    try:
        commit(run)
    finally:
        system.leave(run.answer.exit)
