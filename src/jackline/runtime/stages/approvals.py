"""What a question to the person comes to: their yes or no of before, the client's dialog, or a wait (design section 9).

A fitting yes of a person: no objection, once. A no of this turn: denied, with the person's note. A client that can ask:
its own dialog. Anything else: denied, and the call waits under a public id; its code goes to the person alone.
"""

from __future__ import annotations

from jackline.clients.capabilities import Capability
from jackline.clients.capabilities import row as capability_of
from jackline.clients.person_present import can_be_asked, client_process
from jackline.policy.refusal import PREVIEW
from jackline.store import approvals, authority, grants, journal
from jackline.store.approvals import Request as Approval
from jackline.store.approvals import Word
from jackline.store.secrets import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    from jackline.model import Event, Verdict
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request
else:
    from jackline._record import NamedTuple

PRODUCER = "broker"
TAIL = 1 << 18
"""Bytes of a session's log in which the outcome of a call that passed is looked for."""
SUBJECT = 80_000
"""Characters of a call that are kept for the person: all that a request can hold."""
UNSAID = "A hook wants a person's yes for this call."
WAIT = "top and ask the person to run `jackline approve {}`, then run exactly this call again. Do not work around this."
"""How a person approves; its first letter depends on whether a sentence begins there."""


OLDER = "Jackline: {} of the version before ended: a yes binds more now · what needs one is asked about anew"


class Bond(NamedTuple):
    """What this call is, who wants a word about it, and what it would execute or overwrite."""

    mark: str
    rules: str
    files: Mapping[str, str]


class About(NamedTuple):
    """What was asked about a call before: of the same call, and of those with the same rules and files."""

    bond: Bond | None
    same: list[Approval]
    fitting: list[Approval]


def run(request: Request, outcome: Outcome) -> None:
    """What a verdict that asks comes to in this session and at this client."""
    verdict = outcome.verdict
    if outcome.event.name != "PreToolUse" or outcome.store.dry:
        return
    capability = capability_of(outcome.event.client, outcome.event.name)
    if verdict.updated_input is not None and not (can_ask(outcome, capability) and capability.both):
        outcome.verdict = _proposed(verdict) if capability.deny else verdict
        return
    try:
        settled = _settled(outcome, verdict, capability)
        more = outcome.verdict.notes[len(verdict.notes) :]
        outcome.verdict = settled._replace(notes=(*settled.notes, *more))
    except (OSError, ValueError, TypeError) as fault:
        outcome.fault = outcome.fault or f"approvals: {fault}"
        if capability.deny and not can_ask(outcome, capability):
            outcome.verdict = _refused(verdict, "nobody can be asked here now")


def is_granted(outcome: Outcome) -> bool:
    """Whether a person's yes for this call stands. Nothing of it is used: `run` does that."""
    try:
        return _passing(outcome, _about(outcome), use=False) is not None
    except (OSError, ValueError, TypeError):
        return False


def _about(outcome: Outcome) -> About:
    """What was asked about this call before."""
    kept = approvals.requests(outcome.store.path) if outcome.session.identified and outcome.place is not None else []
    if not kept:
        return About(None, [], [])
    _end_older(outcome, kept)
    bond = _bond(outcome)
    same = [one for one in kept if one.mark == bond.mark and one.binds == approvals.BINDS]
    fitting = [one for one in same if one.rules == bond.rules and not grants.changed_files(one, bond.files)]
    return About(bond, same, fitting)


def _end_older(outcome: Outcome, kept: list[Approval]) -> None:
    """Calls that waited or were approved under an older form have ended: the person is told, once."""
    store, now = outcome.store.path, outcome.request.now // 1_000_000
    older = [one for one in kept if one.binds != approvals.BINDS and approvals.standing(store, one, now) == "ended"]
    told = [one for one in older if approvals.end(store, one.id, now)]
    if told:
        _row(outcome, "APPROVALS_ENDED", "they are of an older form", {"ids": [one.id for one in told]})
        note = OLDER.format(f"{len(told)} approval{'s' * (len(told) > 1)}")
        outcome.verdict = outcome.verdict._replace(notes=(*outcome.verdict.notes, note))


def _passing(outcome: Outcome, about: About, *, use: bool) -> tuple[Approval, Word] | None:
    call, now = outcome.event.tool_use_id, outcome.request.now // 1_000_000
    return grants.passing(outcome.store.path, about.fitting, call, now, ended=lambda one: _ended(outcome, one), use=use)


def _settled(outcome: Outcome, verdict: Verdict, capability: Capability) -> Verdict:
    now, store = outcome.request.now // 1_000_000, outcome.store.path
    about = _about(outcome)
    bond, same, fitting = about
    passing = _passing(outcome, about, use=True)
    if passing is not None:
        return _passed(outcome, verdict, *passing)
    refused = grants.rejection(store, same, outcome.turn)
    if refused is not None:
        return _rejected(outcome, verdict, *refused)
    if can_ask(outcome, capability) or not capability.deny:
        return verdict
    if not outcome.session.identified or outcome.place is None:
        return _refused(verdict, "this session cannot be told from others, so nobody can approve in it")
    bond = bond or _bond(outcome)
    stale = [one for one in same if one not in fitting and _unused(store, one, now)]
    changed = grants.changed_files(stale[-1], bond.files) if stale else ()
    waiting = next((one for one in fitting if approvals.standing(store, one, now) == "waiting"), None)
    return _pending(outcome, verdict, waiting or _asked(outcome, verdict, bond, now), changed)


def _unused(store: str, approval: Approval, now: int) -> bool:
    """Whether a yes stands that let nothing through: a used one's files the call itself may have changed."""
    return approvals.standing(store, approval, now) == "approved" and approvals.use(store, approval.id) is None


def _bond(outcome: Outcome) -> Bond:
    from jackline.runtime import fingerprint as bound

    return Bond(bound.mark(outcome), bound.rules(outcome), bound.files(outcome.event))


def can_ask(outcome: Outcome, capability: Capability) -> bool:
    """Whether this client can put the question to its person: not for a sub-agent, and not where nobody sits."""
    return (
        capability.ask
        and not outcome.event.agent_id
        and outcome.agent == "u00"
        and can_be_asked(outcome.request, outcome.event.client)
    )


def _ended(outcome: Outcome, call: str) -> bool:
    """Whether the log has the outcome of a call that passed: its yes is used up then."""
    if outcome.place is None:
        return True
    from jackline import system

    end = system.size_at(outcome.place.fd, journal.EVENTS)
    records, _ = journal.parse(system.read_range(outcome.place.fd, journal.EVENTS, max(end - TAIL, 0), end))
    return any(one.get("kind") == "TOOL_OUTCOME" and one.get("toolUseId") == call for one in records)


def _row(outcome: Outcome, kind: str, words: str, data: Mapping[str, Any]) -> None:
    """A row of the log beside the call's own: what the broker made of what the features said."""
    outcome.add(kind, PRODUCER, reason=words, data=dict(data))


def _kept(store: str, said: Word, use: dict[str, str], now: int) -> None:
    authority.append(store, "GRANT_USE", said.by, use, now=now)


def _passed(outcome: Outcome, verdict: Verdict, approval: Approval, said: Word) -> Verdict:
    """A person's yes: no objection, and what else was decided stays."""
    use = {"id": approval.id, "sid": approval.sid, "scope": said.scope, "call": outcome.invoked()}
    store, now = outcome.store.path, outcome.request.now
    outcome.effects.append(lambda: _kept(store, said, use, now))
    _row(
        outcome,
        "GRANT_USED",
        f"{approval.id} passes by {said.by}'s yes",
        {"id": approval.id, "by": said.by, "scope": said.scope, "asked": list(verdict.by)},
    )
    context = (("jackline", f"The person approved this call and adds: {said.note}"),) if said.note else ()
    return verdict._replace(decision="", reason="", code="", by=(), preview=(), context=(*verdict.context, *context))


def _rejected(outcome: Outcome, verdict: Verdict, approval: Approval, said: Word) -> Verdict:
    """A person's no: it lasts for the turn."""
    lines = [line for line in verdict.reason.split("\n") if line.strip()] or [UNSAID]
    note = f": {said.note}" if said.note else ""
    _row(
        outcome,
        "GRANT_REJECTED",
        f"{approval.id}: {said.note or 'a no of this turn'}",
        {"id": approval.id, "by": said.by, "note": said.note},
    )
    return verdict._replace(
        decision="deny",
        code="HITL_REJECT",
        reason="\n".join(
            [
                f"{lines[0]} — the person rejected this call ({approval.id}){note}",
                *(lines[1:2] or ["a person's no holds for the turn"]),
                "Do not run it again in this turn, and do not work around this",
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


def format_arguments(event: Event) -> str:
    """What another tool than the shell is given, a line for each argument."""
    from jackline.jsonio import dumps
    from jackline.runtime.fingerprint import arguments

    try:
        given = arguments(event).items()
        lines = [f"{key}: {value if isinstance(value, str) else dumps(value)}" for key, value in given]
    except (TypeError, ValueError, RecursionError):
        lines = [str(event.input)]
    return "\n".join([event.tool, *lines])


def subject(outcome: Outcome) -> str:
    """What a call would do, in its own words: the whole command, or the tool with its arguments."""
    text = mask(outcome.event.command or format_arguments(outcome.event))
    if len(text) <= SUBJECT:
        return text
    return f"{text[:SUBJECT]}\n… {len(text) - SUBJECT} characters more cannot be shown: do not approve it"


def _asked(outcome: Outcome, verdict: Verdict, bond: Bond, now: int) -> Approval:
    """Let the call wait for a person."""
    from jackline.runtime.approval_summary import brief

    event, store = outcome.event, outcome.store.path
    found = brief(outcome)
    process = client_process(outcome.request.ancestors(), event.client)
    approvals.sweep(store, now)
    while True:
        approval = Approval(
            id=approvals.fresh_id(outcome.draw),
            salt=outcome.draw(16).hex(),
            born=now,
            until=now + approvals.LIFE_MS,
            sid=outcome.session.sid,
            client=event.client,
            root=event.root,
            cwd=event.cwd or event.root,
            agent=outcome.agent,
            turn=outcome.turn,
            tool=event.tool,
            kind=event.kind,
            subject=subject(outcome),
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
            call=outcome.invoked(),
            binds=approvals.BINDS,
        )
        if approvals.ask(store, approval):
            _row(
                outcome,
                "APPROVAL_ASKED",
                f"{approval.id} waits for a person",
                {"id": approval.id, "until": approval.until, "by": list(verdict.by)},
            )
            return approval


def _pending(outcome: Outcome, verdict: Verdict, approval: Approval, changed: tuple[str, ...]) -> Verdict:
    """Denied until a person speaks: the id for the model, the code for the person where somebody sits."""
    lines = [line for line in verdict.reason.split("\n") if line.strip()] or [UNSAID]
    why = ""
    if changed:
        from jackline.paths import within

        why = f" anew: {within(outcome.event.root, changed[0])} was changed since they approved it"
    lines[0] += f" — pending approval {approval.id}{why}"
    rule = lines[1:2] or ["a person's yes is needed"]
    safer = f"{lines[2]}; or s" if len(lines) == 3 else "S"
    reason = "\n".join([lines[0], *rule, safer + WAIT.format(approval.id)])
    outcome.pending = approval
    return verdict._replace(decision="deny", reason=reason, code="HITL_PENDING", updated_input=None)
