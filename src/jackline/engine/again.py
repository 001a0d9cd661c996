"""A rewritten call is judged once more by the critical features: a rewrite must not carry it past a guard."""

from __future__ import annotations

from jackline.kernel.dispatch import refuse_fault
from jackline.kernel.merge import merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.adapters.router import Adapter
    from jackline.engine.run import Run
    from jackline.model import Event, Ran, Verdict
    from jackline.wiring import Row


def judged_again(
    adapter: Adapter,
    run: Run,
    rows: tuple[Row, ...],
    ran: list[Ran],
    verdict: Verdict,
    one: Callable[[Row, Event, float], Ran],
) -> Verdict:
    """Let every enforced critical feature see the new call; it may refuse it, not rewrite it again."""
    if verdict.updated_input is None:
        return verdict
    new = adapter.rewritten(run.event, verdict.updated_input)
    objecting = []
    for row in rows:
        if row.critical and row.hot and row.mode == "enforce" and row.wants(new.tool, new.kind):
            again = refuse_fault(new, one(row, new, run.budget))
            if again.action.decision in ("deny", "ask"):
                ran.append(again._replace(action=again.action._replace(updated_input=None)))
                objecting.append(row.slug)
            if again.action.decision == "deny":
                break
    if not objecting:
        return verdict
    first = merge(run.event, ran, owner=run.wiring.rewrite_owner)
    return first._replace(notes=(*first.notes, f"the rewritten call was judged by {', '.join(objecting)}"))
