"""Run one feature, inline or in a forked child, with a deadline that really ends it (design section 2, "Three clocks")."""

from __future__ import annotations

import marshal
import posix

from jackline import system
from jackline.kernel.events import CRITICAL_DEADLINE_MS
from jackline.model import Action, Ran
from jackline.runners.actions import BadAction, coerce
from jackline.wiring import handler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.model import Event
    from jackline.sdk import Context
    from jackline.wiring import Row

AFTER_MS = 100
"""How long after the first cut the prepared answer is written and the process left."""


class OverBudget(BaseException):
    """Raised inside a feature when its time is up; no `except Exception` of its own can hold it."""


def run(
    row: Row,
    event: Event,
    context: Context,
    limit_ms: float,
    *,
    stuck: Callable[[Row], None],
    timers: bool = True,
) -> Ran:
    """Run `row` over `event` and report. Never raises.

    `limit_ms` cuts a non-critical feature; a critical one has its own deadline. `stuck` is called from the second
    timer, when the feature did not end: it must leave the process. `timers` False where signals cannot be used.
    """
    begun = system.clock()
    cut = CRITICAL_DEADLINE_MS if row.critical else limit_ms
    hits = 0

    def fire() -> None:
        nonlocal hits
        hits += 1
        if hits == 1:
            raise OverBudget
        stuck(row)

    action = Action()
    error = ""
    try:
        try:
            if timers:
                system.alarm(cut / 1000, fire, AFTER_MS / 1000)
            action = _forked(row, event, context) if row.runner == "forked" else coerce(handler(row)(event, context))
        finally:
            if timers:
                system.quiet()
    except OverBudget:
        error = "BUDGET_EXCEEDED"
        action = Action(warnings=(f"{row.slug} did not end within {cut:.0f} ms",))
    except BadAction as bad:
        error = "BAD_ACTION"
        action = Action(warnings=(f"{row.slug} returned no valid action: {bad}",))
    except Exception as fault:  # noqa: BLE001 - the one place that holds a feature's faults
        from jackline.store.crash import stack_hash

        error = stack_hash(fault)
        action = Action(warnings=(f"{row.slug} failed: {type(fault).__name__} [{error}]",))
    except SystemExit as fault:
        error = "EXIT"
        action = Action(warnings=(f"{row.slug} tried to end the process ({fault.code})",))
    return Ran(
        row.slug,
        action,
        ms=(system.clock() - begun) / 1e6,
        error=error,
        critical=row.critical,
        observed=row.mode == "observe",
    )


def _forked(row: Row, event: Event, context: Context) -> Action:
    """Run the feature in a child of its own group; what it does to its memory, signals or descriptors stays there."""
    out, into = posix.pipe()
    child = posix.fork()
    if child == 0:
        try:
            posix.close(out)
            posix.setpgid(0, 0)
            action = coerce(handler(row)(event, context))
            system.write_all(into, marshal.dumps(("ok", (*action,))))
        except BadAction as bad:
            system.write_all(into, marshal.dumps(("bad", str(bad))))
        except BaseException as fault:  # noqa: BLE001 - reported to the parent, which holds it
            from jackline.store.crash import stack_hash

            system.write_all(into, marshal.dumps(("fault", f"{type(fault).__name__} [{stack_hash(fault)}]")))
        finally:
            posix._exit(0)
    posix.close(into)
    try:
        data = system.drain(out, 1 << 24)
    finally:
        posix.close(out)
        try:
            posix.kill(child, 9)
            posix.killpg(child, 9)
        except OSError:
            pass
        posix.waitpid(child, 0)
    if not data:
        raise RuntimeError("the forked feature ended without an answer")
    kind, value = marshal.loads(data)
    if kind == "ok":
        return coerce(Action(*value))
    if kind == "bad":
        raise BadAction(value)
    raise RuntimeError(value)
