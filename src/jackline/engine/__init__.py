"""The whole run: a Call in, an Answer out, and what it leaves behind.

    adapter, event = receive(call)                   # normalise
    skipped = dispatch(event, rows, …, ran)          # run
    verdict = merge(event, ran)                      # merge
    verdict = degrade(verdict, event, row)           # what this client can carry
    answer = adapter.render(event, verdict)          # render
    commit(run)                                      # remember

`answer` reads nothing but its Call, the gate's wiring and the store; the door, a dry run and tests all come through it.
"""

from __future__ import annotations

from jackline import system
from jackline.adapters.router import receive
from jackline.engine import records
from jackline.engine.gate import Store
from jackline.engine.run import Run
from jackline.model import NO_OBJECTION
from jackline.store import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.adapters.router import Adapter
    from jackline.model import Answer, Call, Verdict

    Emit = Callable[[Answer], None]

PROBE = "jackline_probe"
"""A payload with this field is a dry run: `doctor` asks so whether the installed command answers."""
QUIET = ("", "allow")
PERSONS = ("deny", "ask")
"""Decisions about a tool whose words are made for who reads them: the model, or the person who is asked."""


def answer(call: Call, store: Store, emit: Emit, *, timers: bool = True) -> Run:
    """Take one call to its answer, hand it to `emit`, and remember it. The run tells all that it came to."""
    adapter, event = receive(call)
    if event.payload.get(PROBE) is True:
        store = Store(store.path, dry=True)
    run = Run(call, event, store)
    twin = None
    try:
        if run.may_come_twice():
            from jackline.engine.twins import follow, take_part

            twin = take_part(run)
            if follow(adapter, run, twin, emit):
                return run
        run.count_turn()
        try:
            judge(adapter, run, emit, timers=timers)
        except Exception as fault:  # noqa: BLE001 - what a guard refused stays refused
            from jackline.engine.faults import refused

            refused(adapter, run, fault)
        if twin is not None:
            twin.tell(run.verdict, run.invoked())
        decisive = run.answered.decision not in QUIET or run.answered.updated_input is not None
        if not decisive:  # silence is printed, then committed; what decides is committed first
            emit(run.answer)
        try:
            commit(run)
        finally:  # a fault of ours while remembering undoes no decision
            if decisive:
                emit(run.answer)
        for work in run.after:
            work()
        return run
    finally:
        if twin is not None:
            twin.close()
        run.close()


def scripts_due(run: Run) -> bool:
    """Whether scripts have something to do at this event, or left something for it."""
    name, wiring = run.event.name, run.wiring
    if wiring.scripted(name) or wiring.scripted(TYPES.get(name, name)):
        return True
    if run.place is not None:
        if name in BEGINS and wiring.scripted("file") and not system.exists_at(run.place.fd, SEEN):
            return True
        for left in LEFT if name != "PreToolUse" else LEFT[:1]:  # what is to be told can wait for the next event
            if system.exists_at(run.place.fd, left):
                return True
    return False


TYPES = {"SessionStart": "session", "Stop": "file"}
"""Types of scripts whose loops run at an event."""
BEGINS = ("SessionStart", "UserPromptSubmit")
SEEN = "scripts/seen.json"
"""What a session knows of its tree: taken before the agent changes it, where file scripts will compare with it."""
LEFT = ("scripts/running", "scripts/later.jsonl", "scripts/next-prompt", "scripts/session/.open")
"""In a session's folder: what scripts of earlier events left running, or to be told."""


def judge(adapter: Adapter, run: Run, emit: Emit, *, timers: bool = True) -> None:
    """Dispatch, merge, degrade, render. Writes nothing but what features write themselves."""
    event = run.event
    rows = run.rows()
    verdict = NO_OBJECTION
    if rows:
        from jackline.engine.features import hear

        verdict, one = hear(adapter, run, emit, rows, timers=timers)
    if run.wiring.chunks and scripts_due(run):
        from jackline.engine.scripts import scripts

        verdict = scripts(run, rows)
    if event.fault or run.wiring.enforce_phases or run.notice or run.paused:
        from jackline.engine.rules import kernel_rules

        verdict = kernel_rules(run, verdict)
    if event.name == "UserPromptSubmit" and run.place is not None:
        if run.said is not None:
            verdict = run.said
        elif system.exists(run.store.path + "/crash"):
            from jackline.engine.faults import told

            verdict = told(run, verdict)
    if rows and verdict.updated_input is not None and verdict.decision != "deny":
        from jackline.engine.again import judged_again

        verdict = judged_again(adapter, run, rows, run.ran, verdict, one)
    if verdict.decision == "block" and not run.store.dry:
        from jackline.adapters.capabilities import row as capability
        from jackline.engine.turn import account
        from jackline.kernel.events import ends_turn

        if ends_turn(event.name):
            verdict, run.ended = account(run, verdict, capability(event.client, event.name).cont)
    if verdict.decision == "ask":
        from jackline.engine.broker import settle

        verdict = settle(run, verdict)
    run.verdict = verdict
    run.answered = worded(run, verdict)
    run.answer = adapter.render(event, run.answered)


def worded(run: Run, verdict: Verdict) -> Verdict:
    """What this client can carry of a verdict: a refusal's words as the model reads them, context cut to its limit."""
    if verdict == NO_OBJECTION:  # whatever a client can carry, it can carry nothing
        return verdict
    from jackline.adapters.capabilities import degrade
    from jackline.adapters.capabilities import row as capability

    able = capability(run.event.client, run.event.name)
    verdict = degrade(verdict, run.event, able)
    if verdict.context and able.context_limit and not run.store.dry:
        from jackline.engine.overflow import cut_context

        verdict = cut_context(run, verdict, able.context_limit)
    if run.event.tool and verdict.decision in PERSONS:
        from jackline.engine.briefing import spelled

        verdict = spelled(run, verdict, able)
    return verdict


def commit(run: Run) -> str:
    """Remember: rows of the log, the bus, one patch. Returns what could not be written ("" = all was)."""
    if run.place is None or run.store.dry:
        return run.fault
    rows: list[dict[str, Any]] = []
    bus: list[dict[str, Any]] = []
    more: list[dict[str, Any]] = []
    patch: dict[str, Any] = {}
    if run.ran or run.skipped:
        from jackline.engine import features

        rows = features.rows_of(run)
        bus, announced = features.artifacts(run)
        patch, dropped = features.patches(run)
        more = announced + dropped
    run.advance(patch)
    rows.append(records.of_verdict(run, run.ran, run.verdict, run.answered))
    rows += more
    if run.ended:
        rows.append(run.record("CONTINUATION_END", "kernel", reason=run.ended))
    fault = state.commit(run.place.fd, rows, bus, patch, run.record)
    if run.event.name in CHORES:
        from jackline.engine.chores import chores

        fault = chores(run) or fault
    if fault or run.session.fresh or run.event.fault or run.verdict.decision not in QUIET or run.failed():
        from jackline.engine.trace import trace

        trace(run, fault)
    return fault


CHORES = ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStart", "SessionEnd")
"""Events with more to remember than rows."""
