"""A feature that would not end even when its time was up: the prepared answer is given and the process left."""

from __future__ import annotations

from jackline import system
from jackline.adapters.capabilities import degrade
from jackline.engine import records, worded
from jackline.kernel.dispatch import refuse_fault
from jackline.kernel.merge import merge
from jackline.model import Action, Ran
from jackline.store import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.adapters import Adapter
    from jackline.adapters.capabilities import Row as Capability
    from jackline.engine import Emit
    from jackline.engine.run import Run
    from jackline.wiring import Row


def leave(adapter: Adapter, run: Run, able: Capability, emit: Emit, row: Row) -> None:
    """A denial for a critical feature where its event can, else no objection; logged; then out."""
    one = refuse_fault(
        run.event, Ran(row.slug, Action(), error="BUDGET_EXCEEDED", critical=row.critical and row.mode == "enforce")
    )
    verdict = worded(run, degrade(merge(run.event, [one]), run.event, able), able)
    rendered = adapter.render(run.event, verdict)
    emit(rendered)
    if run.place is not None:
        kind = "ERROR_MODULE_CRITICAL" if row.critical else "ERROR_MODULE"
        error = {"module": row.slug, "message": "did not end and was left behind", "stackHash": "BUDGET_EXCEEDED"}
        rows = [run.record(kind, row.slug, error=error), records.of_verdict(run, [one], verdict, verdict)]
        try:
            journal.append(run.place.fd, journal.EVENTS, rows)
        except (OSError, ValueError, TypeError):
            pass
    system.leave(rendered.exit)
