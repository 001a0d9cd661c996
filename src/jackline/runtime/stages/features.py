"""Features answer the event, each over its own context in the declared order; their actions make one verdict.

Also those behind one that would not end, and the critical ones over a call that was rewritten.
"""

from __future__ import annotations

from jackline.hook_table import trusted_path
from jackline.model import Action, Context, HookRun
from jackline.policy.dispatch import dispatch, refuse_fault
from jackline.policy.merge import merge
from jackline.runners import python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jackline.hook_table import HookSpec
    from jackline.model import Event
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

PACKAGE = __file__.rpartition("/runtime/")[0]


def _roots(outcome: Outcome) -> tuple[str, ...]:
    """Where hooks are looked for: the root's places, and those of other folders that the call leads into."""
    nested = outcome.around.nested if outcome.around is not None else ()
    return (*outcome.table.places, *[f"{one.folder}/{place}" for one in nested for place in one.table.places])


def _context(request: Request, outcome: Outcome, row: HookSpec) -> Context:
    place = outcome.place
    return Context(
        row.slug,
        outcome.ids,
        outcome.session.root,
        place.path if place is not None else outcome.session.place.path,
        outcome.state,
        row.config,
        request.clock,
        request.now // 1_000_000,
        outcome.budget,
        _debugger(outcome) if place is not None else None,
        {
            "store": outcome.store.path,
            "package": PACKAGE,
            "home": request.home,
            "ancestors": request.ancestors,
            "paranoid": outcome.table.paranoid,
            "roots": _roots(outcome),
            "trusted": trusted_path(outcome.store.path, outcome.session.slot),
        },
        row.mode,
        outcome.after if place is not None and not outcome.store.dry else None,
    )


def _debugger(outcome: Outcome) -> Callable[[str, str, str, object], None]:
    def write(slug: str, level: str, message: str, data: object) -> None:
        from jackline.runtime.trace import debug

        debug(outcome, slug, level, message, data)

    return write


def _hear(request: Request, outcome: Outcome, row: HookSpec, event: Event, limit_ms: float) -> HookRun:
    """What one feature says of an event, within its time."""
    hard = (request.deadline - request.clock()) / 1e6 if request.deadline else 0.0
    context = _context(request, outcome, row)
    return python.run(
        row, event, context, limit_ms, hard_ms=hard, stuck=outcome.leave, clock=request.clock, timers=request.timers
    )


def _specs(outcome: Outcome) -> tuple[HookSpec, ...]:
    """The features that answer this event: the root's, and those of other folders that the call leads into."""
    rows = outcome.table.rows(outcome.event.name)
    if outcome.leads_out():
        from jackline.runtime.nested_repo import more_rows

        rows = more_rows(outcome, rows)
    if outcome.paused:
        rows = tuple([row for row in rows if not outcome.is_paused(row)])
    return rows


def _all(request: Request, outcome: Outcome) -> None:
    outcome.specs = _specs(outcome)

    def one(row: HookSpec, event: Event, limit_ms: float) -> HookRun:
        return _hear(request, outcome, row, event, limit_ms)

    outcome.skipped = dispatch(outcome.event, outcome.specs, one, request.clock, outcome.budget, outcome.ran)


def _behind(request: Request, outcome: Outcome, left: HookSpec) -> None:
    """After a feature that did not end: a denial where it was critical, else what the critical ones behind it say."""
    event, enforced = outcome.event, left.mode == "enforce"
    from jackline.runners.feature_errors import hanging

    sentence = "did not end and was left behind"
    action = Action(warnings=(f"{left.slug} {sentence}",))
    cut = HookRun(
        left.slug, action, error="BUDGET_EXCEEDED", critical=left.critical and enforced, observed=not enforced
    )
    outcome.ran.append(refuse_fault(event, cut._replace(spec=left, raised=hanging(left, sentence))))
    for row in outcome.specs:
        if (row.priority, row.slug) <= (left.priority, left.slug):
            continue
        if merge(event, outcome.ran).decision == "deny":
            break
        if row.critical and row.mode == "enforce" and (not event.tool or row.wants(event.tool, event.kind)):
            outcome.ran.append(refuse_fault(event, _hear(request, outcome, row, event, 0.0)))


def _proposed(event: Event, changes: Mapping[str, Any], action: Action) -> Action:
    """A rewrite that comes too late: the call is refused, and the one that would pass is proposed."""
    said = next((str(value) for key, value in changes.items() if event.input.get(key) == event.command), "")
    return action._replace(decision="deny", safer=action.safer or (f"now: {said}" if said else ""))


def _once_more(request: Request, outcome: Outcome, event: Event) -> None:
    """The rewritten call before every enforced critical feature: it may refuse it, not rewrite it again.

    Where another rewrite took the place of its own it would rewrite it again: then it lets the call not pass.
    """
    for row in outcome.specs:
        if row.critical and row.hot and row.mode == "enforce" and row.wants(event.tool, event.kind):
            again = refuse_fault(event, _hear(request, outcome, row, event, outcome.budget))
            changes = again.action.updated_input
            if again.action.decision in ("deny", "ask"):
                again = again._replace(action=again.action._replace(updated_input=None))
                outcome.ran.append(again)
            elif changes and {**event.input, **changes} != event.input:
                again = again._replace(action=_proposed(event, changes, again.action))
                outcome.ran.append(again)
            if again.action.decision == "deny":
                break


def run(request: Request, outcome: Outcome) -> None:
    """Let the features have their say; the verdict of all who spoke."""
    if outcome.judging is not None:
        _once_more(request, outcome, outcome.judging)
    elif outcome.left is not None:
        _behind(request, outcome, outcome.left)
    else:
        if "createdTs" not in outcome.state.get("core", {}) and not outcome.session.fresh and not outcome.store.dry:
            from jackline.store.session_create import with_date

            outcome.state = with_date(outcome.state, outcome.session, unplaced=outcome.place is None)
        _all(request, outcome)
    outcome.verdict = merge(outcome.event, outcome.ran, owner=outcome.table.rewrite_owner)
