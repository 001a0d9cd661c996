"""The policy of the phase that a call finds, when phases are enforced (contract section 12.3)."""

from __future__ import annotations

from jackline.services import phase_policy, work
from jackline.store import tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

PHASE_WAYS = {
    "UNINITIALIZED": "wait for the person's first prompt",
    "PLANNING": "write the plan first; a valid plan opens the next phase",
    "COMPLETE": "the plan is done: ask the person for new work (`jackline sessions work --new`)",
    "BLOCKED": "mend the plan or ask the person; their next prompt ends this phase",
}


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


def run(request: Request, outcome: Outcome) -> None:
    """The policy of the phase this call finds (contract section 12.3)."""
    if writes_own_places(outcome):
        return
    known = tasks.head(outcome.store.path, outcome.session.sid, outcome.work)
    now = work.phase_of(known, outcome.state.get("core", {}), outcome.turn)
    rule = outcome.table.phase(now)
    says, reason = phase_policy.judge(rule, now, outcome.event, request.home)
    if says == "deny":
        way = PHASE_WAYS.get(now, "ask the person")
        outcome.refuse("phasePolicy", "PHASE_DENIED", reason, "phasePolicy in dispatch.manifest.json", way)
    elif says == "warn":
        outcome.note(reason)
