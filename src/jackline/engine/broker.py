"""The approval broker: what an `ask` comes to (design section 9). Loaded for verdicts that ask, and for no others.

A fitting yes of a person: no objection, once. A no of this turn: denied, with the person's note. A client that can ask:
its own dialog. Anything else: denied, and the call waits under a public id; its code goes to the person alone.
"""

from __future__ import annotations

from jackline.adapters.attended import attended, client_process
from jackline.adapters.capabilities import Row
from jackline.adapters.capabilities import row as capability
from jackline.kernel.refusal import PREVIEW
from jackline.model import Action, Ran
from jackline.store import approvals, authority, grants, journal
from jackline.store.approvals import Request, Word
from jackline.store.secrets import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    from jackline.engine.run import Run
    from jackline.model import Decision, Verdict
else:
    from jackline._record import NamedTuple

PRODUCER = "broker"
TAIL = 1 << 18
"""Bytes of a session's log in which the outcome of a call that passed is looked for."""
SUBJECT = 4000
"""Characters of a call that are kept for the person."""
UNSAID = "A hook wants a person's yes for this call."
WAIT = "Stop and tell the person; once they approved it, run exactly this call again. No other way to the same end"


class Bond(NamedTuple):
    """What this call is, who wants a word about it, and what it would execute or overwrite."""

    mark: str
    rules: str
    files: Mapping[str, str]


class About(NamedTuple):
    """What was asked about a call before: of the same call, and of those with the same rules and files."""

    bond: Bond | None
    same: list[Request]
    fitting: list[Request]


def settle(run: Run, verdict: Verdict) -> Verdict:
    """What `verdict`, which asks, comes to in this session and at this client."""
    if run.event.name != "PreToolUse" or run.store.dry:
        return verdict
    able = capability(run.event.client, run.event.name)
    if verdict.updated_input is not None and not (can_ask(run, able) and able.both):
        return _proposed(verdict) if able.deny else verdict
    try:
        return _settled(run, verdict, able)
    except (OSError, ValueError, TypeError) as fault:
        run.fault = run.fault or f"approvals: {fault}"
        return verdict if can_ask(run, able) or not able.deny else _refused(verdict, "nobody can be asked here now")


def granted(run: Run) -> bool:
    """Whether a person's yes for this call stands. Nothing of it is used: `settle` does that."""
    try:
        return _passing(run, _about(run), use=False) is not None
    except (OSError, ValueError, TypeError):
        return False


def _about(run: Run) -> About:
    """What was asked about this call before."""
    kept = approvals.requests(run.store.path) if run.session.identified and run.place is not None else []
    if not kept:
        return About(None, [], [])
    bond = _bond(run)
    same = [one for one in kept if one.mark == bond.mark]
    fitting = [one for one in same if one.rules == bond.rules and not grants.changed(one, bond.files)]
    return About(bond, same, fitting)


def _passing(run: Run, about: About, *, use: bool) -> tuple[Request, Word] | None:
    call, now = run.event.tool_use_id, run.call.now // 1_000_000
    return grants.passing(run.store.path, about.fitting, call, now, ended=lambda one: _ended(run, one), use=use)


def _settled(run: Run, verdict: Verdict, able: Row) -> Verdict:
    now, store = run.call.now // 1_000_000, run.store.path
    about = _about(run)
    bond, same, fitting = about
    passing = _passing(run, about, use=True)
    if passing is not None:
        return _passed(run, verdict, *passing)
    refused = grants.rejection(store, same, run.turn)
    if refused is not None:
        return _rejected(run, verdict, *refused)
    if can_ask(run, able) or not able.deny:
        return verdict
    if not run.session.identified or run.place is None:
        return _refused(verdict, "this session cannot be told from others, so nobody can approve in it")
    bond = bond or _bond(run)
    stale = [one for one in same if one not in fitting and _unused(store, one, now)]
    changed = grants.changed(stale[-1], bond.files) if stale else ()
    waiting = next((one for one in fitting if approvals.standing(store, one, now) == "waiting"), None)
    return _pending(run, verdict, waiting or _asked(run, verdict, bond, now), changed)


def _unused(store: str, request: Request, now: int) -> bool:
    """Whether a yes stands that let nothing through: a used one's files the call itself may have changed."""
    return approvals.standing(store, request, now) == "approved" and approvals.use(store, request.id) is None


def _bond(run: Run) -> Bond:
    from jackline.engine import bound

    return Bond(bound.mark(run), bound.rules(run), bound.files(run.event))


def can_ask(run: Run, able: Row) -> bool:
    """Whether this client can put the question to its person: not for a sub-agent, and not where nobody sits."""
    return able.ask and not run.event.agent_id and run.agent == "u00" and attended(run.call, run.event.client)


def _ended(run: Run, call: str) -> bool:
    """Whether the log has the outcome of a call that passed: its yes is used up then."""
    if run.place is None:
        return True
    from jackline import system

    end = system.size_at(run.place.fd, journal.EVENTS)
    records, _ = journal.parse(system.read_range(run.place.fd, journal.EVENTS, max(end - TAIL, 0), end))
    return any(one.get("kind") == "TOOL_OUTCOME" and one.get("toolUseId") == call for one in records)


def _row(run: Run, kind: str, words: str, data: Mapping[str, Any]) -> None:
    """A row of the log beside the call's own, and what the broker made of it among what the features said."""
    event = {"kind": kind, "reason": words, "data": dict(data)}
    decision: Decision = "" if kind == "GRANT_USED" else "deny"
    run.ran.append(Ran(PRODUCER, Action(decision, words if decision else "", emit_events=(event,))))


def _passed(run: Run, verdict: Verdict, request: Request, said: Word) -> Verdict:
    """A person's yes: no objection, and what else was decided stays."""
    use = {"id": request.id, "sid": request.sid, "scope": said.scope, "call": run.invoked()}
    authority.append(run.store.path, "GRANT_USE", said.by, use, now=run.call.now)
    _row(
        run,
        "GRANT_USED",
        f"{request.id} passes by {said.by}'s yes",
        {"id": request.id, "by": said.by, "scope": said.scope, "asked": list(verdict.by)},
    )
    context = (("jackline", f"The person approved this call and adds: {said.note}"),) if said.note else ()
    return verdict._replace(decision="", reason="", code="", by=(), preview=(), context=(*verdict.context, *context))


def _rejected(run: Run, verdict: Verdict, request: Request, said: Word) -> Verdict:
    """A person's no: it lasts for the turn."""
    lines = [line for line in verdict.reason.split("\n") if line.strip()] or [UNSAID]
    note = f": {said.note}" if said.note else ""
    _row(
        run,
        "GRANT_REJECTED",
        f"{request.id}: {said.note or 'a no of this turn'}",
        {"id": request.id, "by": said.by, "note": said.note},
    )
    return verdict._replace(
        decision="deny",
        code="HITL_REJECT",
        reason="\n".join(
            [
                f"{lines[0]} — the person rejected this call ({request.id}){note}",
                *(lines[1:2] or ["a person's no holds for the turn"]),
                "do not run it again in this turn, nor reach the same end in another way",
            ]
        ),
        updated_input=None,
    )


def _refused(verdict: Verdict, why: str) -> Verdict:
    """Denied where nobody can say yes."""
    lines = [line for line in verdict.reason.split("\n") if line.strip()] or [UNSAID]
    lines[0] += f" — this needs a person's yes, and {why}"
    return verdict._replace(decision="deny", reason="\n".join(lines), code="HITL_PENDING", updated_input=None)


def _proposed(verdict: Verdict) -> Verdict:
    """A changed call is asked about when the agent itself makes it: it is shown how."""
    lines = [line for line in verdict.reason.split("\n") if line.strip()] or [UNSAID]
    lines[0] += " — this needs a person's yes, and only for the changed call below"
    return verdict._replace(decision="deny", reason="\n".join(lines), code="HITL_PENDING")


def subject(run: Run) -> str:
    """What a call would do, in its own words: the command, or the tool with its arguments."""
    event = run.event
    text = event.command
    if not text:
        from jackline.engine.bound import arguments
        from jackline.wire import dumps

        try:
            text = dumps(arguments(event))
        except (TypeError, ValueError, RecursionError):
            text = str(event.input)
    text = mask(text)
    return text if len(text) <= SUBJECT else text[:SUBJECT] + "…"


def _asked(run: Run, verdict: Verdict, bond: Bond, now: int) -> Request:
    """Let the call wait for a person."""
    from jackline import system
    from jackline.engine.briefing import brief

    event, store = run.event, run.store.path
    found = brief(run)
    process = client_process(run.call.ancestors(), event.client)
    approvals.sweep(store, now)
    while True:
        request = Request(
            id=approvals.fresh_id(),
            salt=system.entropy(16).hex(),
            born=now,
            until=now + approvals.LIFE_MS,
            sid=run.session.sid,
            client=event.client,
            root=event.root,
            cwd=event.cwd or event.root,
            agent=run.agent,
            turn=run.turn,
            tool=event.tool,
            kind=event.kind,
            subject=subject(run),
            reason=mask(verdict.reason),
            mark=bond.mark,
            rules=bond.rules,
            files=bond.files,
            by=verdict.by,
            code=verdict.code,
            intent=f"{found.intent} {found.named}".strip(),
            mutation=found.mutation,
            affected=found.files,
            preview=tuple([mask(line) for line in verdict.preview[:PREVIEW]]) or found.preview,
            pid=process.pid if process is not None else 0,
            start=process.start if process is not None else 0,
            call=run.invoked(),
        )
        if approvals.ask(store, request):
            _row(
                run,
                "APPROVAL_ASKED",
                f"{request.id} waits for a person",
                {"id": request.id, "until": request.until, "by": list(verdict.by)},
            )
            return request


def _pending(run: Run, verdict: Verdict, request: Request, changed: tuple[str, ...]) -> Verdict:
    """Denied until a person speaks: the id for the model, the code for the person where somebody sits."""
    lines = [line for line in verdict.reason.split("\n") if line.strip()] or [UNSAID]
    why = ""
    if changed:
        from jackline.paths import within

        why = f"{within(run.event.root, changed[0])} was changed since they approved it; "
    lines[0] += f" — {why}it waits for the person's yes as {request.id}"
    rule = lines[1:2] or ["a person's yes is needed"]
    safer = f"{lines[2]}; or: " if len(lines) == 3 else ""
    reason = "\n".join([lines[0], *rule, safer + WAIT])
    run.pending = request
    return verdict._replace(decision="deny", reason=reason, code="HITL_PENDING", updated_input=None)


def note(run: Run, request: Request) -> str:
    """What the person reads: with the code where somebody sits, since elsewhere a program reads along.

    It goes into the answer and nowhere else: logs and verdicts that other doors read lie where an agent may look.
    """
    what = f"Jackline: call {request.id} waits for your yes"
    left = max((request.until - run.call.now // 1_000_000) // 60_000, 1)
    if not attended(run.call, run.event.client):
        return f"{what}, for {left} min: see `jackline approvals`"
    code = approvals.code(run.store.path, request)
    return f"{what}, for {left} min: type `jackline approve {code}` (or reject) here, or see `jackline approvals`"
