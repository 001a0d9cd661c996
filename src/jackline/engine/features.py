"""What an event's features come to: run them, make one verdict, and the rows, bus records and patch they leave.

Loaded when there is a feature that answers the event; one that nobody answers pays for none of it.
"""

from __future__ import annotations

from jackline import paths
from jackline.kernel.dispatch import dispatch
from jackline.kernel.merge import merge
from jackline.runners import python
from jackline.sdk import Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.adapters.router import Adapter
    from jackline.engine import Emit
    from jackline.engine.run import Run
    from jackline.model import Event, Ran, Verdict
    from jackline.wiring import Row

    One = Callable[[Row, Event, float], Ran]

PACKAGE = __file__.rpartition("/engine/")[0]

PLAIN = frozenset(("kind", "data"))
OURS = frozenset(
    ("SESSION_INIT", "SESSION_RESUME", "SESSION_STOP", "TURN_INCREMENT", "PROMPT_AUDIT", "COMPACT_SNAPSHOT")
)
"""What the built-in `session` says in events that every session has: no foreign words to look at."""


def context(run: Run, row: Row) -> Context:
    return Context(
        row.slug,
        run.ids,
        run.session.root,
        run.place.path if run.place is not None else run.session.place.path,
        run.state,
        row.config,
        run.call.clock,
        run.call.now // 1_000_000,
        run.budget,
        _debugger(run) if run.place is not None else None,
        {"store": run.store.path, "package": PACKAGE, "home": paths.home(), "paranoid": run.wiring.paranoid},
        row.mode == "observe",
        run.after if run.place is not None and not run.store.dry else None,
    )


def _debugger(run: Run) -> Callable[[str, str, str, object], None]:
    def write(slug: str, level: str, message: str, data: object) -> None:
        from jackline.engine.trace import debug

        debug(run, slug, level, message, data)

    return write


def runner(adapter: Adapter, run: Run, emit: Emit, rows: tuple[Row, ...], *, timers: bool) -> One:
    """The function `dispatch` calls for each row."""

    def stuck(row: Row) -> None:
        from jackline.engine.stuck import leave

        leave(adapter, run, emit, row, rows, one)

    def one(row: Row, event: Event, limit_ms: float) -> Ran:
        hard = (run.call.deadline - run.call.clock()) / 1e6 if run.call.deadline else 0.0
        return python.run(row, event, context(run, row), limit_ms, hard_ms=hard, stuck=stuck, timers=timers)

    return one


def hear(adapter: Adapter, run: Run, emit: Emit, rows: tuple[Row, ...], *, timers: bool) -> tuple[Verdict, One]:
    """Dispatch and merge; also what runs one feature, for whoever wants to hear it again."""
    one = runner(adapter, run, emit, rows, timers=timers)
    begun = run.call.clock()

    def spent() -> float:
        """Milliseconds of the budget: from dispatch on, since waiting and compiling are no feature's fault."""
        return (run.call.clock() - begun) / 1e6

    run.skipped = dispatch(run.event, rows, one, spent, run.budget, run.ran)
    approvers = [row.slug for row in rows if row.may_approve]
    return merge(run.event, run.ran, owner=run.wiring.rewrite_owner, may_approve=approvers), one


# --- what they leave ---


def actions_of(ran: list[Ran]) -> list[dict[str, Any]]:
    return [
        {"feature": one.hook, "decision": one.action.decision or "allow", "ms": round(one.ms, 2)}
        | ({"rewrote": sorted(one.action.updated_input)} if one.action.updated_input else {})
        | ({"reason": one.action.reason, "rule": one.action.rule} if one.action.decision not in ("", "allow") else {})
        | ({"error": one.error} if one.error else {})
        | ({"metrics": dict(one.action.metrics)} if one.action.metrics else {})
        for one in ran
    ]


def _begins(run: Run) -> bool:
    """Whether this is the one event that begins the session: of several first ones at once, one says so."""
    from jackline.store.claims import first

    return run.place is None or first(run.place, "once", "begun")


def rows_of(run: Run) -> list[dict[str, Any]]:
    """Rows that features emitted, their faults, what was observed only, and who was cut by the budget."""
    rows = []
    for one in run.ran:
        for emitted in one.action.emit_events:
            if emitted.keys() <= PLAIN and emitted.get("kind") in OURS:
                if emitted["kind"] != "SESSION_INIT" or _begins(run):
                    rows.append(run.record(producer=one.hook, **emitted))
            else:
                from jackline.engine.foreign import event_fields

                kind, fields = event_fields(emitted)
                rows.append(run.record(kind, one.hook, **fields))
        if one.error:
            kind = "ERROR_MODULE_CRITICAL" if one.critical else "ERROR_MODULE"
            message = one.action.warnings[0] if one.action.warnings else one.error
            rows.append(
                run.record(kind, one.hook, error={"module": one.hook, "message": message, "stackHash": one.error})
            )
        elif one.observed and (one.action.decision or one.action.updated_input):
            would = one.action.decision or "rewrite"
            rows.append(
                run.record(
                    "OBSERVED", one.hook, decision=would, reason=one.action.reason, data={"code": one.action.code}
                )
            )
    cut = [hook for hook, why in run.skipped if why == "BUDGET_EXCEEDED"]
    if cut:
        rows.append(run.record("BUDGET_EXCEEDED", "kernel", data={"skipped": cut, "budgetMs": run.budget}))
    return rows


def artifacts(run: Run) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Bus rows of what features registered, and an ARTIFACT_REGISTERED row for each."""
    bus = []
    rows = []
    for one in run.ran:
        for artifact in one.action.register_artifacts:
            from jackline.engine.foreign import artifact_fields

            kind, fields, fault = artifact_fields(artifact)
            if fault:
                rows.append(run.record("ERROR_MODULE", one.hook, error={"module": one.hook, "message": fault}))
                continue
            record = run.record(kind, one.hook, **fields)
            for key in ("toolName", "toolKind", "toolUseId"):
                record.pop(key, None)
            bus.append(record)
            data = {"ref": fields["ref"], "kind": kind, "id": record["id"]}
            rows.append(run.record("ARTIFACT_REGISTERED", one.hook, data=data))
    return bus, rows


def patches(run: Run) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The one patch of all features, and rows for what was dropped (foreign namespaces, arrays)."""
    whole: dict[str, Any] = {}
    rows = []
    for one in run.ran:
        if not one.action.state_patch or one.observed:
            continue
        from jackline.store.fold import split

        kept, dropped = split(one.hook, one.action.state_patch)
        for name, part in kept.items():
            whole[name] = {**whole.get(name, {}), **part}
        if dropped:
            rows.append(run.record("PATCH_DROPPED", one.hook, data={"keys": dropped}))
    return whole, rows
