"""The policy of the phase that a call finds, when phases are enforced (contract section 12.3).

A call is judged by what it does: a command that only reads is reading, whatever tool runs it.
"""

from __future__ import annotations

from jackline.model import LOOKING
from jackline.policy import phases
from jackline.services import work
from jackline.store import tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request
    from jackline.wiring import Phase

PHASE_WAYS = {
    "UNINITIALIZED": "wait for the person's first prompt",
    "PLANNING": "write the plan first; a valid plan opens the next phase",
    "COMPLETE": "the plan is done: ask the person for new work (`jackline work new`)",
    "BLOCKED": "mend the plan or ask the person; their next prompt ends this phase",
}

SPEAKING = ("question", "todo", "plan")
"""Kinds of tools that speak with the person or the client and change nothing."""


def writes_own_places(outcome: Outcome) -> bool:
    """Whether a call writes only where an agent may write in every phase: plans and outputs of this session.

    Without this the PLANNING phase would forbid the plan that ends it.
    """
    event = outcome.event
    if event.kind not in ("write", "edit") or not event.targets:
        return False
    folder = outcome.place.path if outcome.place is not None else outcome.session.place.path
    return all(_is_own(path if path[:1] == "/" else f"{event.root}/{path}", folder) for path in event.paths)


def _is_own(path: str, folder: str) -> bool:
    parts = path[len(folder) + 1 :].split("/") if path.startswith(folder + "/") else []
    return len(parts) > 2 and (parts[1] == "output" or (parts[0] == "work" and parts[2] == "plan"))


def _may_read(rule: Phase) -> bool:
    """Whether a phase lists a tool that reads."""
    from jackline.classification import kind_of

    return any(kind in LOOKING for kind in (*rule.kinds, *map(kind_of, rule.tools or ())))


def _passes(outcome: Outcome, rule: Phase | None) -> bool:
    """Whether a call may run by what it does, though its tool is not listed."""
    event = outcome.event
    if event.kind in SPEAKING:
        return True
    return rule is not None and event.kind == "shell" and _is_reading(outcome, event, _may_read(rule))


def _is_reading(outcome: Outcome, event: Event, may_read: bool) -> bool:
    """Whether a command only runs our own, or (where reading is allowed) changes nothing."""
    from jackline.changes import Terms, changes, is_only_ours

    terms = Terms((), __file__.rpartition("/runtime/")[0], outcome.request.home)
    if is_only_ours(event, terms):
        return True
    if not may_read:
        return False
    made = changes(event, terms)
    return not made.known and not made.unsure


def run(request: Request, outcome: Outcome) -> None:
    """The policy of the phase this call finds (contract section 12.3)."""
    if writes_own_places(outcome):
        return
    known = tasks.head(outcome.store.path, outcome.session.sid, outcome.work)
    now = work.phase_of(known, outcome.state.get("core", {}), outcome.turn)
    rule = outcome.wiring.phase(now)
    says, reason = phases.judge(rule, now, outcome.event)
    if not says or _passes(outcome, rule):
        return
    if says == "deny":
        way = PHASE_WAYS.get(now, "ask the person")
        outcome.refuse("phasePolicy", "PHASE_DENIED", reason, "phasePolicy in dispatch.manifest.json", way)
    elif says == "warn":
        outcome.note(reason)
