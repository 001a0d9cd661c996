"""When we failed ourselves: a word to the person, once per session, and what a guard refused stays refused."""

from __future__ import annotations

from jackline import stamps, system
from jackline.model import Verdict
from jackline.policy.merge import words
from jackline.store import claims
from jackline.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

GUARDED = ("PreToolUse", "PermissionRequest")
"""Events at which what a guard refused stays refused."""


def tell(request: Request, outcome: Outcome) -> None:
    """Add a sentence for each report that was written since this session began, and was not told yet."""
    folder = outcome.store.path + "/crash"
    notes = []
    for name in system.names(folder):
        size, changed, _, _ = stamps.of(f"{folder}/{name}")
        mark = name.partition(".")[0]
        if size <= 0 or changed <= outcome.session.born or outcome.place is None:
            continue
        if claims.first(outcome.place, "once", f"crash-{mark}"):
            notes.append(f"Jackline failed [{mark}] and answered without judging: see {folder}/{name}")
    if notes:
        outcome.verdict = outcome.verdict._replace(notes=(*outcome.verdict.notes, *notes))


def refused(request: Request, outcome: Outcome, fault: Exception) -> None:
    """A guard that had refused the call, or asked about it, before we failed: denied in its words. Else the fault."""
    objecting = [
        one
        for one in outcome.ran
        if one.critical
        and not one.observed
        and one.action.decision in ("ask", "deny")
        and outcome.event.name in GUARDED
    ]
    if not objecting:
        raise fault
    from jackline.store.crash import report

    first = objecting[0]
    mark = report(outcome.store.path, fault, {"where": "engine", "event": outcome.event.name}, VERSION)
    outcome.fault = outcome.fault or f"failed after {first.hook} had objected [{mark}]"
    code = first.action.code if first.action.decision == "deny" else ""
    outcome.verdict = outcome.answered = Verdict(
        "deny", words(first.action), code=code or "HOOK_INTERNAL_ERROR", by=tuple([one.hook for one in objecting])
    )
    outcome.answer = outcome.codec.render(outcome.event, outcome.answered)
