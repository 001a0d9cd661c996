"""When we failed ourselves: a word to the person, once per session, and what a guard refused stays refused."""

from __future__ import annotations

from jackline.model import Verdict
from jackline.policy.merge import words
from jackline.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

GUARDED = ("PreToolUse", "PermissionRequest")
"""Events at which what a guard refused stays refused."""


def deny_as_judged(request: Request, outcome: Outcome, fault: Exception) -> None:
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
