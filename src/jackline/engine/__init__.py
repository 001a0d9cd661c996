"""The whole run: a Call in, an Answer out, and what it leaves behind.

    event = adapter.parse(call)                      # normalise
    ran, skipped = dispatch(event, rows, …)          # run
    verdict = merge(event, ran)                      # merge
    verdict = degrade(verdict, event, row)           # what this client can carry
    answer = adapter.render(event, verdict)          # render
    commit(run, outcome)                             # remember

`answer` reads nothing but its Call, the gate's wiring and the store; the door, a dry run and tests all come through it.
"""

from __future__ import annotations

from jackline.adapters import adapter as adapter_of
from jackline.adapters.capabilities import degrade
from jackline.adapters.capabilities import row as capability
from jackline.engine import records
from jackline.engine.gate import Store
from jackline.engine.run import Run
from jackline.kernel.dispatch import dispatch
from jackline.kernel.events import event_row
from jackline.kernel.merge import merge
from jackline.model import Answer, Ran, Skipped, Verdict
from jackline.store import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from jackline.adapters import Adapter
    from jackline.adapters.capabilities import Row as Capability
    from jackline.model import Call, Event

    Emit = Callable[[Answer], None]
else:
    from jackline._record import NamedTuple

PROBE = "jackline_probe"
"""A payload with this field is a dry run: `doctor` asks so whether the installed command answers."""
QUIET = ("", "allow")


class Outcome(NamedTuple):
    """All that one run came to. `verdict` is what was decided, `answered` what this client could be told of it."""

    event: Event
    ran: list[Ran]
    skipped: list[Skipped]
    verdict: Verdict
    answered: Verdict
    answer: Answer
    ended: str = ""


def answer(call: Call, store: Store, emit: Emit, *, timers: bool = True) -> Outcome:
    """Take one call to its answer, hand it to `emit`, and remember it."""
    adapter = adapter_of(call.dialect)
    event = adapter.parse(call)
    if event.payload.get(PROBE) is True:
        store = Store(store.path, dry=True)
    run = Run(call, event, store)
    twin = None
    try:
        if run.may_come_twice():
            from jackline.engine.twins import follow, take_part

            twin = take_part(run)
            outcome = follow(adapter, run, twin, emit)
            if outcome is not None:
                return outcome
        run.count_turn()
        outcome = judge(adapter, run, emit, timers=timers)
        if twin is not None:
            twin.tell(outcome.verdict)
        decisive = outcome.answered.decision not in QUIET or outcome.answered.updated_input is not None
        if not decisive:  # silence is printed, then committed; what decides is committed first
            emit(outcome.answer)
        commit(run, outcome)
        if decisive:
            emit(outcome.answer)
        return outcome
    finally:
        if twin is not None:
            twin.close()
        run.close()


def judge(adapter: Adapter, run: Run, emit: Emit, *, timers: bool = True) -> Outcome:
    """Dispatch, merge, degrade, render. Writes nothing but what features write themselves."""
    event = run.event
    able = capability(event.client, event.name)
    one = run.runner(adapter, able, emit, timers=timers)
    rows = run.rows()
    ran, skipped = dispatch(event, rows, one, run.elapsed, run.budget)
    approvers = [row.slug for row in rows if row.may_approve]
    verdict = merge(event, ran, owner=run.wiring.rewrite_owner, may_approve=approvers)
    if event.fault or run.wiring.enforce_phases or run.notice:
        from jackline.engine.rules import kernel_rules

        verdict = kernel_rules(run, verdict)
    if verdict.updated_input is not None and verdict.decision != "deny":
        from jackline.engine.again import judged_again

        verdict = judged_again(adapter, run, rows, ran, verdict, one)
    ended = ""
    if verdict.decision == "block" and event_row(event.name).turn_end and not run.store.dry:
        from jackline.engine.turn import account

        verdict, ended = account(run, verdict, able.cont)
    answered = worded(run, degrade(verdict, event, able), able)
    return Outcome(event, ran, skipped, verdict, answered, adapter.render(event, answered), ended)


def worded(run: Run, verdict: Verdict, able: Capability) -> Verdict:
    """A refusal's words as the model reads them, and context cut to what the client carries."""
    if verdict.context and able.context_limit and not run.store.dry:
        from jackline.engine.overflow import cut_context

        verdict = cut_context(run, verdict, able.context_limit)
    if verdict.decision == "deny" and run.event.tool:
        from jackline.kernel.refusal import refusal

        verdict = verdict._replace(reason=refusal(run.event, verdict, run.next_id()))
    return verdict


def commit(run: Run, outcome: Outcome) -> str:
    """Remember: rows of the log, the bus, one patch. Returns what could not be written ("" = all was)."""
    if run.place is None or run.store.dry:
        return run.fault
    rows = records.of_features(run, outcome.ran, outcome.skipped)
    bus, announced = records.artifacts(run, outcome.ran)
    patch, dropped = records.patches(run, outcome.ran)
    run.advance(outcome.verdict, outcome.ended, patch)
    rows.append(records.of_verdict(run, outcome.ran, outcome.verdict, outcome.answered))
    rows += announced + dropped
    if outcome.ended:
        rows.append(run.record("CONTINUATION_END", "kernel", reason=outcome.ended))
    fault = state.commit(run.place.fd, run.place.path, rows, bus, patch, run.record("STATE_PATCH", "kernel"))
    if run.event.name in CHORES:
        from jackline.engine.chores import chores

        fault = chores(run) or fault
    return fault


CHORES = ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStart", "SessionEnd")
"""Events with more to remember than rows."""
