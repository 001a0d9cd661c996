"""What each client can carry at each event: one row, from the measured contracts, else from the documented ones.

`degrade` fits a verdict to its row; the same rows make the grades that `init` prints and the docs.
"""

from __future__ import annotations

from jackline.clients.rows import CLIENTS, ROWS, TIMES
from jackline.model import UNSAID, context_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.model import Decision, Event, Verdict
else:
    from jackline._record import NamedTuple


class Capability(NamedTuple):
    """One client at one event. Times in seconds, limits in bytes; 0 = none known.

    `rewrite`: replace | merge | "". `block`: what a block does — prompt (dropped), note (beside the result), replace
    (the result), compaction (refused) — or "". `cont`: continuations of a turn, 0 = cannot, -1 = no cap.
    `both`: a rewrite may go with an ask. `note`: shows sentences to the person. `pairing`: what ties a tool's events
    together. `subagent`: how a sub-agent's events are marked.
    """

    deny: bool = False
    ask: bool = False
    approve: bool = False
    rewrite: str = ""
    both: bool = False
    context: bool = False
    block: str = ""
    cont: int = 0
    note: bool = False
    stamps: bool = False
    context_limit: int = 0
    answer_limit: int = 0
    time_default: float = 0
    time_max: float = 0
    pairing: str = ""
    subagent: str = ""
    version: str = ""


HOST = {("in-process", "PreToolUse"): Capability(deny=True, rewrite="replace", both=True, context=True, note=True)}
"""A host in whose process we are, that named nobody to ask."""
NOTHING = Capability()
"""The row of a client or event nobody has measured: it can nothing."""


def row(client: str, event: str) -> Capability:
    """What `client` can carry at the canonical `event`."""
    entry = ROWS.get(client, {}).get(event)
    if entry is None:
        return HOST.get((client, event), NOTHING)
    can, rewrite, block, cont = entry
    version, context_limit, answer_limit, usual, pairing, subagent = CLIENTS[client]
    time_default, time_max = TIMES.get((client, event), (usual, 0))
    words = can.split()
    return Capability(
        "deny" in words,
        "ask" in words,
        "approve" in words,
        rewrite,
        "both" in words,
        "context" in words,
        block,
        cont,
        "note" in words,
        False,  # every client drops foreign keys of a tool's input or shows them: the stamps stay with us
        context_limit,
        answer_limit,
        time_default,
        time_max,
        pairing,
        subagent,
        version,
    )


SAME: dict[str, Decision] = {"block": "deny", "allow": ""}
"""What a decision means where a tool is decided about."""
LINES = 3
"""Lines a refusal has (design section 9)."""


def _pending(verdict: Verdict, event: Event, capability: Capability) -> Verdict:
    """An ask where nobody can be asked: denied, with how to go on."""
    what = "about a changed call" if capability.ask else "for it here"
    lines = [line for line in verdict.reason.split("\n") if line.strip()] or [UNSAID]
    lines[0] += f" — this needs a person's yes, and {event.client or 'this client'} cannot ask {what}"
    if len(lines) < LINES and verdict.updated_input is None:
        lines.append("Leave it to the person, or find a way that needs no yes")
    return verdict._replace(decision="deny", reason="\n".join(lines), code="HITL_PENDING")


def _tool(verdict: Verdict, event: Event, capability: Capability) -> Verdict:
    """The decision about a tool call that this client can carry. A denial keeps `updated_input`: it proposes it."""
    decision = verdict.decision
    if decision in SAME:
        decision = SAME[decision]
    rewrite = verdict.updated_input is not None
    if event.name == "PermissionRequest" and decision != "deny":
        # The client is asking already: our ask is its own, and what it asks about cannot be changed any more.
        rewrite = False
        decision = "" if decision == "ask" else decision
    if decision == "approve" and not capability.approve:
        decision = ""
    if decision == "deny":
        return verdict._replace(decision="deny") if capability.deny else _unsaid(verdict, capability)
    if decision == "ask" and (not capability.ask or (rewrite and not capability.both)):
        return _pending(verdict, event, capability) if capability.deny else _unsaid(verdict, capability)
    if rewrite and not capability.rewrite and capability.deny:
        return verdict._replace(decision="deny", reason=verdict.reason or "This call is too wide as it stands")
    kept = verdict.updated_input if rewrite and capability.rewrite else None
    return verdict._replace(decision=decision, updated_input=kept)


def _unsaid(verdict: Verdict, capability: Capability) -> Verdict:
    """A decision this event cannot carry: its reason becomes context, where there is none a note."""
    reason = verdict.reason
    verdict = verdict._replace(decision="", reason="", updated_input=None)
    if not reason:
        return verdict
    if capability.context:
        return verdict._replace(context=(*verdict.context, ("", reason)))
    return verdict._replace(notes=(*verdict.notes, reason))


def _moment(verdict: Verdict, event: Event, capability: Capability) -> Verdict:
    """The decision about anything that is no tool call: a block, or none."""
    if verdict.decision in ("block", "deny"):
        can = capability.cont != 0 if event.name in ("Stop", "SubagentStop") else capability.block != ""
        if can:
            return verdict._replace(decision="block", updated_input=None)
        return _unsaid(verdict, capability)
    if verdict.decision == "ask":
        return _unsaid(verdict, capability)
    return verdict._replace(decision="", updated_input=None)


def degrade(verdict: Verdict, event: Event, capability: Capability) -> Verdict:
    """`verdict` as far as this client can carry it at this event. Pure; `render` says all that is left."""
    if event.name in ("PreToolUse", "PermissionRequest"):
        verdict = _tool(verdict, event, capability)
    else:
        verdict = _moment(verdict, event, capability)
    if verdict.context and not capability.context:
        text = context_text(verdict.context)
        if verdict.decision in ("deny", "block"):
            verdict = verdict._replace(reason=f"{verdict.reason or UNSAID}\n{text}", context=())
        else:
            verdict = verdict._replace(notes=(*verdict.notes, text), context=())
    if verdict.notes and not capability.note:
        verdict = verdict._replace(notes=())
    return verdict
