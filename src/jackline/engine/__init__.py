"""The whole run: a Call in, an Answer out, and what it leaves behind.

    event = adapter.parse(call)                      # normalise
    ran, skipped = dispatch(event, rows, …)          # run
    verdict = merge(event, ran)                      # merge
    verdict = degrade(verdict, event, row)           # what this client can carry
    answer = adapter.render(event, verdict)          # render
    commit(…)                                        # remember

`answer` reads nothing but its Call, the gate's wiring and the store; the door, a dry run and tests all come through it.
"""

from __future__ import annotations

from jackline.adapters import adapter as adapter_of
from jackline.adapters import typed
from jackline.adapters.capabilities import degrade
from jackline.adapters.capabilities import row as capability
from jackline.adapters.tools import redescribed
from jackline.engine import records, turn, twins
from jackline.engine.run import Run, Store
from jackline.kernel import phases, refusal
from jackline.kernel.dispatch import dispatch, refuse_fault
from jackline.kernel.events import event_row
from jackline.kernel.merge import merge
from jackline.model import Action, Answer, Ran, Skipped, Verdict
from jackline.store import identity, journal, state
from jackline.wire import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NamedTuple

    from jackline.adapters import Adapter
    from jackline.adapters.capabilities import Row as Capability
    from jackline.engine.gate import Gate
    from jackline.model import Call, Event
    from jackline.wiring import Row

    Emit = Callable[[Answer], None]
else:
    from jackline._record import NamedTuple

PROBE = "jackline_probe"
"""A payload with this field is a dry run: `doctor` asks so whether the installed command answers."""


class Outcome(NamedTuple):
    """All that one run came to. `verdict` is what was decided, `answered` what this client could be told of it."""

    event: Event
    ran: list[Ran]
    skipped: list[Skipped]
    verdict: Verdict
    answered: Verdict
    answer: Answer
    ended: str = ""


def answer(call: Call, gate: Gate, store: Store, emit: Emit, *, timers: bool = True) -> Outcome:
    """Take one call to its answer, hand it to `emit`, and remember it."""
    adapter = adapter_of(call.dialect)
    event = adapter.parse(call)
    if event.payload.get(PROBE) is True and not store.dry:
        store = Store(store.path, dry=True)
    run = Run(call, event, gate, store)
    try:
        twin = twins.take_part(run) if not store.dry and twins.possible(run) else None
        if twin is not None and not twin.leads:
            heard = twin.hear(call.deadline or call.clock() + 2_000_000_000)
            if heard is not None:
                return _follow(adapter, run, heard, emit)
        if event.name == "UserPromptSubmit" and typed(event) and not turn.is_own_reason(run):
            run.begin_turn()
        outcome = judge(adapter, run, emit, timers=timers)
        if twin is not None:
            twin.tell(outcome.verdict)
            twin.close()
        decisive = outcome.answered.decision not in ("", "allow") or outcome.answered.updated_input is not None
        if not decisive:  # silence is printed, then committed; what decides is committed first
            emit(outcome.answer)
        fault = commit(run, outcome)
        if decisive:
            emit(outcome.answer)
        if fault:
            run.fault = run.fault or fault
        return outcome
    finally:
        run.close()


def _follow(adapter: Adapter, run: Run, heard: Verdict, emit: Emit) -> Outcome:
    """A twin's answer: the leader's verdict in this door's form. The log has its row already."""
    row = capability(run.event.client, run.event.name)
    answered = _worded(run, degrade(heard, run.event, row), row)
    rendered: Answer = adapter.render(run.event, answered)
    emit(rendered)
    return Outcome(
        run.event, [], [Skipped("kernel", "a twin of a call that another entry answered")], heard, answered, rendered
    )


def judge(adapter: Adapter, run: Run, emit: Emit, *, timers: bool = True) -> Outcome:
    """Dispatch, merge, degrade, render. Writes nothing but what features write themselves."""
    event = run.event
    row = capability(event.client, event.name)
    one = run.one(_leave_prepared(adapter, run, row, emit), timers)
    rows = run.wiring.rows(event.name)
    ran, skipped = dispatch(event, rows, one, run.elapsed, run.budget)
    ran = [_softened(run, item) for item in ran]
    verdict = _merged(run, rows, ran)
    if verdict.updated_input is not None and verdict.decision != "deny":
        verdict = _judged_again(run, rows, ran, verdict, one)
    verdict = _phase_rule(run, verdict)
    ended = ""
    if verdict.decision == "block" and event_row(event.name).turn_end and not run.store.dry:
        verdict, ended = turn.account(run, verdict, row.cont)
    answered = _worded(run, degrade(verdict, event, row), row)
    return Outcome(event, ran, skipped, verdict, answered, adapter.render(event, answered), ended)


def _merged(run: Run, rows: tuple[Row, ...], ran: list[Ran]) -> Verdict:
    approvers = [row.slug for row in rows if row.may_approve]
    return merge(run.event, ran, owner=run.wiring.rewrite_owner, may_approve=approvers)


def _softened(run: Run, one: Ran) -> Ran:
    """`mode: warn`: what would refuse becomes a word to the person, and is marked as observed."""
    row = run.wiring.row(one.hook)
    if row is None or row.mode != "warn" or one.action.decision not in ("deny", "ask", "block"):
        return one
    word = f"{one.hook} would {one.action.decision}: {one.action.reason}"
    return one._replace(
        action=one.action._replace(decision="", updated_input=None, warnings=(*one.action.warnings, word))
    )


def _judged_again(
    run: Run, rows: tuple[Row, ...], ran: list[Ran], verdict: Verdict, one: Callable[[Row, Event, float], Ran]
) -> Verdict:
    """A rewritten call is judged once more by the critical features; they may refuse it, not rewrite it again."""
    new = redescribed(run.event, verdict.updated_input, adapter_of(run.event.dialect).VOCABULARY)
    for row in rows:
        if row.critical and row.mode == "enforce" and row.wants(new.tool, new.kind):
            again = refuse_fault(new, one(row, new, run.budget))
            if again.action.decision in ("deny", "ask"):
                ran.append(again._replace(action=again.action._replace(updated_input=None)))
                first = merge(run.event, ran, owner=run.wiring.rewrite_owner)
                return first._replace(notes=(*first.notes, f"the rewritten call was judged by {row.slug}"))
    return verdict


def _phase_rule(run: Run, verdict: Verdict) -> Verdict:
    """The policy of the phase this call finds, when phases are enforced (contract section 12.3)."""
    if run.event.name != "PreToolUse" or not run.wiring.enforce_phases or verdict.decision == "deny":
        return verdict
    core = run.state.get("core", {})
    phase = phases.following(core, run.state.get("plan", {}), run.event, typed=False, blocked=False)
    says, reason = phases.judge(run.wiring.phase(phase), phase, run.event)
    if says == "deny":
        lines = (reason, "phasePolicy in dispatch.manifest.json", PHASE_WAYS.get(phase, "ask the person"))
        return Verdict(decision="deny", reason="\n".join(lines), notes=verdict.notes, context=verdict.context,
                       code="PHASE_DENIED", by=("phasePolicy",))  # fmt: skip
    return verdict._replace(notes=(*verdict.notes, reason)) if says == "warn" else verdict


PHASE_WAYS = {
    "UNINITIALIZED": "wait for the person's first prompt",
    "PLANNING": "write the plan first; a valid plan opens the next phase",
    "COMPLETE": "the plan is done: ask the person for new work (`jackline work new`)",
    "BLOCKED": "mend the plan or ask the person; their next prompt ends this phase",
}


def _worded(run: Run, verdict: Verdict, row: Capability) -> Verdict:
    """A refusal's words as the model reads them, and context cut to what the client carries."""
    if verdict.context and row.context_limit and not run.store.dry:
        verdict = _cut_context(run, verdict, row.context_limit)
    if verdict.decision != "deny" or not run.event.tool:
        return verdict
    error = refusal.tool_error(run.event, verdict, run.records.next(), run.event.paths)
    return verdict._replace(reason=f"{refusal.short(verdict.reason)}\n{dumps(error)}")


def _cut_context(run: Run, verdict: Verdict, limit: int) -> Verdict:
    """Context above the client's limit goes whole into a file; the model gets its beginning and where the rest is."""
    size = sum([len(value) + 1 for _, value in verdict.context])
    if size <= limit or run.place is None:
        return verdict
    from jackline import system

    whole = "\n\n".join([f"## {key}\n{value}" for key, value in verdict.context])
    name = f"{run.ids.hook_run_id}.md"
    try:
        at = system.descend(run.place.path, ("context",), create=True)
        try:
            system.replace(name, whole.encode("utf-8", "replace"), at=at)
        finally:
            system.close(at)
    except OSError:
        return verdict
    head = whole[: max(limit - 400, 200)]
    head = head[: head.rfind("\n") + 1] or head
    return verdict._replace(
        context=(("context", f"{head}\n(cut; the whole text is in {run.place.path}/context/{name})"),)
    )


def _leave_prepared(adapter: Adapter, run: Run, row: Capability, emit: Emit) -> Callable[[Row], None]:
    """What the second timer does: the prepared answer of a feature that would not end, and out."""

    def leave(stuck: Row) -> None:
        from jackline import system

        lost = Ran(stuck.slug, Action(), error="BUDGET_EXCEEDED", critical=stuck.critical)
        one = refuse_fault(run.event, lost)
        verdict = _worded(run, degrade(merge(run.event, [one]), run.event, row), row)
        rendered = adapter.render(run.event, verdict)
        emit(rendered)
        if run.place is not None:
            kind = "ERROR_MODULE_CRITICAL" if stuck.critical else "ERROR_MODULE"
            error = {"module": stuck.slug, "message": "did not end and was left behind", "stackHash": "BUDGET_EXCEEDED"}
            rows = [run.record(kind, stuck.slug, error=error), records.of_verdict(run, [one], verdict, verdict)]
            try:
                journal.append(run.place.fd, journal.EVENTS, rows)
            except (OSError, ValueError, TypeError):
                pass
        system.leave(rendered.exit)

    return leave


def commit(run: Run, outcome: Outcome) -> str:
    """Remember: rows of the log, the bus, one patch. Returns what could not be written ("" = all was)."""
    if run.place is None or run.store.dry:
        return run.fault
    event = run.event
    rows = records.of_features(run, outcome.ran, outcome.skipped)
    bus, announced = records.artifacts(run, outcome.ran)
    patch, dropped = records.patches(run, outcome.ran)
    _advance(run, outcome, patch)
    rows += [records.of_verdict(run, outcome.ran, outcome.verdict, outcome.answered), *announced, *dropped]
    if outcome.ended:
        rows.append(run.record("CONTINUATION_END", "kernel", reason=outcome.ended))
    _housekeeping(run)
    fault = state.commit(run.place.fd, run.place.path, rows, bus, patch, run.record("STATE_PATCH", "kernel"))
    if event.name == "UserPromptSubmit":
        audit = records.prompt(run)
        if audit is not None:
            try:
                journal.append(run.place.fd, journal.PROMPTS, [audit])
            except OSError as error:
                fault = fault or f"{journal.PROMPTS}: {error.strerror}"
    return fault


def _advance(run: Run, outcome: Outcome, patch: dict[str, Any]) -> None:
    """Enter the phase this event leads to. A denied call leads nowhere."""
    if outcome.verdict.decision == "deny" and outcome.verdict.code != "SCOPE_VIOLATION":
        return
    core = {**run.state.get("core", {}), **patch.get("core", {})}
    plan = {**run.state.get("plan", {}), **patch.get("plan", {})}
    blocked = run.wiring.enforce_phases and bool(outcome.ended or outcome.verdict.code == "SCOPE_VIOLATION")
    to = phases.following(core, plan, run.event, typed=run.typed, blocked=blocked)
    step = phases.step(core, to)
    if step is not None:
        patch["core"] = {**patch.get("core", {}), **step}


def _housekeeping(run: Run) -> None:
    """What belongs to single events: sub-agents' sessions, recounted entries, old calls swept."""
    name = run.event.name
    if name == "SubagentStart":
        identity.alias(run.store.path, run.event, run.session)
    elif name in ("SessionStart", "Stop"):
        twins.sweep(run)
        if name == "SessionStart":
            identity.recount_places(run.store.path, run.session)
