"""Run one feature, inline or in a forked child, with a deadline that ends it (design section 2, "Three clocks")."""

from __future__ import annotations

from jackline import system
from jackline.hook_table import handler
from jackline.model import NO_ACTION, Action, HookRun
from jackline.policy.events import CRITICAL_DEADLINE_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.hook_table import HookSpec
    from jackline.model import Event
    from jackline.sdk import Context

AFTER_MS = 100
"""How long after the first cut the prepared answer is written and the process left."""


OverBudget = KeyboardInterrupt
"""Raised inside a feature when its time is up: no `except Exception` of its own can hold it."""


def _checked(returned: object, row: HookSpec) -> Action:
    """An action of ours is one by its types; whatever else a feature returns is looked at closely."""
    if row.origin == "builtin" and isinstance(returned, Action):
        return returned
    from jackline.runners.actions import coerce

    return coerce(returned)


def _forked(row: HookSpec, event: Event, context: Context) -> Action:
    from jackline.runners.fork import run

    return run(row, event, context)


def _fenced(row: HookSpec, event: Event, context: Context) -> object:
    from jackline.runners.isolation import run

    return run(row, event, context)


def run(
    row: HookSpec,
    event: Event,
    context: Context,
    limit_ms: float,
    *,
    hard_ms: float = 0.0,
    stuck: Callable[[HookSpec], None],
    clock: Callable[[], int],
    timers: bool,
) -> HookRun:
    """Run `row` over `event` and report. Never raises.

    `limit_ms` cuts a non-critical feature; a critical one has its own deadline; `hard_ms` is what is left of the entry
    point's own (0 = none). `stuck` is called from the second timer, when the feature did not end: it must leave the
    process.
    `clock`: monotonic nanoseconds. `timers` False where signals cannot be used.
    """
    begun = clock()
    cut = CRITICAL_DEADLINE_MS if row.critical else limit_ms
    if hard_ms:
        cut = max(min(cut, hard_ms - 2 * AFTER_MS), 1.0)
    hits = 0

    def fire() -> None:
        nonlocal hits
        hits += 1
        if hits == 1:
            raise OverBudget
        stuck(row)

    action = NO_ACTION
    error = ""
    raised: tuple[str, ...] = ()
    try:
        try:
            if timers:
                system.alarm(cut / 1000, fire, AFTER_MS / 1000)
            returned: object
            if row.runner == "forked":
                returned = _forked(row, event, context)
            elif row.origin == "builtin":
                returned = handler(row)(event, context)
            else:
                returned = _fenced(row, event, context)
            if returned is not None:
                action = _checked(returned, row)
        finally:
            if timers:
                system.quiet()
    except OverBudget as fault:
        if timers:
            system.quiet()  # it may have fired on the way to the one above
        from jackline.runners.feature_errors import cut_off, describe, place

        error, sentence = "BUDGET_EXCEEDED", f"did not end within {cut:.0f} ms"
        if timers and not hits:  # the feature raised it itself
            error, sentence, raised = describe(fault, row)
        else:
            raised = cut_off(fault, row, sentence)
            at = place(raised)
            sentence += f" at {at}" if at else ""
        action = Action(warnings=(f"{row.slug} {sentence}",))
    except SystemExit as fault:
        from jackline.runners.feature_errors import cut_off

        error, sentence = "EXIT", f"tried to end the process ({fault.code})"
        raised = cut_off(fault, row, sentence)
        action = Action(warnings=(f"{row.slug} {sentence}",))
    except BaseException as fault:  # noqa: BLE001 - the one place that holds a feature's faults
        from jackline.runners.feature_errors import describe

        error, sentence, raised = describe(fault, row)
        action = Action(warnings=(f"{row.slug} {sentence}",))
    return HookRun(
        row.slug,
        action,
        ms=(clock() - begun) / 1e6,
        error=error,
        critical=row.critical,
        observed=row.mode == "observe",
        spec=row,
        raised=raised,
    )
