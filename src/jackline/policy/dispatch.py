"""Run the wired hooks of an event in their declared order, stop where the contract says, report in that order.

Nothing is decided here but who runs; `merge` decides what it means.
"""

from __future__ import annotations

from jackline.model import Action, HookRun
from jackline.policy.events import ROWS, UNKNOWN, fault_refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jackline.hook_table import HookSpec
    from jackline.model import Event, Skipped

    Run = Callable[[HookSpec, Event, float], HookRun]


def refuse_fault(event: Event, one: HookRun) -> HookRun:
    """A critical feature that failed refuses where its event can; others lose their outputs (contract 10)."""
    if not one.error:
        return one
    refusal = fault_refusal(event.name) if one.critical else ""
    if not refusal:
        return one._replace(action=Action(warnings=one.action.warnings))
    return one._replace(
        action=Action(
            decision=refusal,  # type: ignore[arg-type]
            reason=f"{one.hook} failed [{one.error}], and a guard that fails refuses",
            rule="critical features do not let pass what they could not judge",
            safer="tell the person; `jackline log` shows the fault",
            code="HOOK_INTERNAL_ERROR",
            warnings=one.action.warnings,
        )
    )


def dispatch(
    event: Event, rows: Iterable[HookSpec], run: Run, clock: Callable[[], int], budget_ms: float, ran: list[HookRun]
) -> list[Skipped]:
    """Run `rows` (already in order) over `event`; `run(row, event, limit_ms)` never raises, `clock`
    tells nanoseconds. Returns who did not run.

    `ran` is filled as they run, for whoever has to leave in the middle.
    The first deny stops the non-critical features; an ask stops nobody, since it must not hide a project's denial.
    Non-critical features share the budget, critical ones are never skipped (design section 2).
    """
    deciding, _, _, stop, _ = ROWS.get(event.name, UNKNOWN)
    begun = clock()  # from here on: waiting and compiling are no feature's fault
    skipped: list[Skipped] = []
    denied = False
    for row in rows:
        if event.name == "PreToolUse" and not row.hot:
            skipped.append((row.slug, "not hotPathSafe"))
        elif event.tool and (row.tools or row.kinds) and not row.wants(event.tool, event.kind):
            skipped.append((row.slug, "tool not in its list"))
        elif stop and denied and not row.critical:
            skipped.append((row.slug, "denied before it"))
        else:
            left = budget_ms - (clock() - begun) / 1e6
            if left <= 0 and not row.critical:
                skipped.append((row.slug, "BUDGET_EXCEEDED"))
                continue
            one = run(row, event, left)
            if one.error:
                one = refuse_fault(event, one)
            if row.mode == "enforce":
                denied = denied or (one.action.decision == "deny" and "deny" in deciding)
            elif row.mode == "warn":
                from jackline.policy.warn_mode import as_warning

                one = as_warning(one)
            ran.append(one)
    return skipped
