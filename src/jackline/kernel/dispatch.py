"""Run the wired hooks of an event in their declared order, stop where the contract says, report in that order.

Nothing is decided here but who runs; `merge` decides what it means.
"""

from __future__ import annotations

from jackline.kernel.events import STRICTNESS, event_row
from jackline.model import Ran, Skipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jackline.model import Event
    from jackline.wiring import Row

    Run = Callable[[Row, Event, float], Ran]

ASK, DENY = STRICTNESS["ask"], STRICTNESS["deny"]


def dispatch(
    event: Event, rows: Iterable[Row], run: Run, elapsed: Callable[[], float], budget_ms: float
) -> tuple[list[Ran], list[Skipped]]:
    """Run `rows` (already in order) over `event`; `run(row, event, limit_ms)` never raises.

    The first deny stops the features; the first ask stops the non-critical ones; non-critical features share the
    budget, critical ones are never skipped (design section 2).
    """
    stops = event_row(event.name).stops
    ran: list[Ran] = []
    skipped: list[Skipped] = []
    strictest = 0
    for row in rows:
        if event.name == "PreToolUse" and not row.hot:
            skipped.append(Skipped(row.slug, "not hotPathSafe"))
        elif event.tool and not row.wants(event.tool, event.kind):
            skipped.append(Skipped(row.slug, "tool not in its list"))
        elif stops and strictest >= DENY:
            skipped.append(Skipped(row.slug, "denied before it"))
        elif stops and strictest == ASK and not row.critical:
            skipped.append(Skipped(row.slug, "asked before it"))
        else:
            left = budget_ms - elapsed()
            if left <= 0 and not row.critical:
                skipped.append(Skipped(row.slug, "BUDGET_EXCEEDED"))
                continue
            one = run(row, event, left)
            ran.append(one)
            if row.mode == "enforce":
                strictest = max(strictest, STRICTNESS.get(one.action.decision, 0))
    return ran, skipped
