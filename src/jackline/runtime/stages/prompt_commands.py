"""A prompt that speaks to Jackline: `jackline approve CODE`, `jackline reject CODE NOTE`, typed by a person.

It counts in the session and the client process whose call waits. The agent is told what was said and goes on; a code
that fits nothing is a wrong try, and such a prompt does not reach the model. Nor does any other human-only command that
is typed so: `runtime/typed_command.py` runs it.
"""

from __future__ import annotations

from jackline.clients.facts import FORGED
from jackline.clients.person_present import client_process
from jackline.model import Verdict
from jackline.processes import SHELLS
from jackline.site_paths import take
from jackline.store import approvals, authority
from jackline.store.approvals import Request as Approval
from jackline.store.approvals import Word
from jackline.store.secrets import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

VERBS: dict[str, Literal["approve", "reject"]] = {"approve": "approve", "reject": "reject"}
SESSION = ("--for", "session")
HOW = "type `jackline approve CODE`, or `jackline reject CODE why`; `jackline approvals` in a terminal shows the codes"
PERSON = "the person at the client"


def _opened(outcome: Outcome) -> tuple[int, int]:
    """The client's process that opened this entry point: nothing but a shell between, and no mark of a model's shell.

    A program of an agent's that forges a prompt is neither; (0, 0) then, which fits no approval.
    """
    chain = outcome.request.ancestors()
    process = client_process(chain, outcome.event.client)
    forged = outcome.request.env.get(FORGED.get(outcome.event.client, ""), "").endswith("_agent")
    if process is None or forged:
        return 0, 0
    between = chain[: chain.index(process)]
    return (process.pid, process.start) if all(one.name in SHELLS for one in between) else (0, 0)


def _block(why: str) -> Verdict:
    return Verdict("block", f"Jackline: {why}", by=("broker",))


def _note(words: list[str]) -> tuple[str, str]:
    """The scope and the note in what stands behind the code."""
    scope = "once"
    if tuple(words[:2]) == SESSION or words[:1] == ["=".join(SESSION)]:
        scope, words = "session", words[2:] if words[0] == SESSION[0] else words[1:]
    if words[:1] == ["--note"]:
        words = words[1:]
    return scope, " ".join(words).strip("\"'")


def run(request: Request, outcome: Outcome) -> None:
    """What the prompt comes to; nothing when it only begins like one of ours."""
    words = outcome.event.prompt.split()
    if len(words) < 2 or "\n" in outcome.event.prompt.strip():
        return
    verb = VERBS.get(words[1])
    if verb is None and not take("jackline.runtime.typed_command").is_command(words[1:]):
        return
    outcome.spoken = True
    try:
        if verb is None:
            outcome.verdict = take("jackline.runtime.typed_command").run(outcome, _opened(outcome))
        else:
            outcome.verdict = _obeyed(outcome, verb, words[2:])
    except (OSError, ValueError) as fault:
        outcome.verdict = _block(f"this could not be kept: {fault}")


def _obeyed(outcome: Outcome, verb: Literal["approve", "reject"], words: list[str]) -> Verdict:
    store, now = outcome.store.path, outcome.request.now // 1_000_000
    opened, sid = _opened(outcome), outcome.session.sid
    here = [
        one for one in approvals.waiting(store, now) if one.sid == sid and (one.pid, one.start) == opened and one.pid
    ]
    if not here:
        return _block("nothing waits for a word in this session")
    if not words or not approvals.plain(words[0]):
        return _block(f"a code is needed here · {HOW}")
    approval = approvals.by_code(store, words[0], here)
    if approval is None:
        left = approvals.wrong(store, here, now)
        return _block(f"no call waits under this code · {left} more tries" if left else "too many wrong codes: ended")
    scope, note = _note(words[1:])
    said = Word(verb, PERSON, now, outcome.turn, mask(note), scope if verb == "approve" else "once", "prompt")
    if not approvals.say(store, approval.id, said):
        return _block("somebody has spoken already")
    record(outcome.store.path, approval, said, outcome.request.now)
    kind = "APPROVED" if verb == "approve" else "REJECTED"
    outcome.add(kind, "broker", reason=f"{approval.id}: {said.note or 'by a prompt'}", data=to_dict(approval, said))
    return Verdict(context=(("jackline", tell(approval, said)),))


def to_dict(approval: Approval, said: Word) -> dict[str, str]:
    """A word as it stands in records."""
    return {"id": approval.id, "sid": approval.sid, "scope": said.scope, "note": said.note, "way": said.way}


def record(store: str, approval: Approval, said: Word, now: int) -> None:
    """Keep a word where authority lives."""
    authority.append(store, said.decision.upper(), said.by, {**to_dict(approval, said), "tool": approval.tool}, now=now)


def tell(approval: Approval, said: Word) -> str:
    """What the agent is told."""
    what = approval.subject.split("\n", 1)[0][:200]
    if said.decision == "reject":
        note = f" and says: {said.note}" if said.note else ""
        return f"The person rejected call {approval.id} ({approval.tool}: {what}){note}. Do not run it in this turn."
    often = "as often as this session needs it" if said.scope == "session" else "once, within ten minutes"
    note = f" They add: {said.note}" if said.note else ""
    return (
        f"The person approved call {approval.id} ({approval.tool}: {what}). "
        f"Run exactly this call again, unchanged: it passes {often}.{note} "
        "Their prompt was for Jackline; there is nothing else in it to do."
    )
