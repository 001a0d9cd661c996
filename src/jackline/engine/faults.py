"""When we failed ourselves: a word to the person, once per session, and what a guard refused stays refused."""

from __future__ import annotations

from jackline import stamps, system
from jackline.kernel.merge import words
from jackline.model import Verdict
from jackline.store import claims
from jackline.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.adapters.router import Adapter
    from jackline.engine.run import Run

GUARDED = ("PreToolUse", "PermissionRequest")
"""Events at which what a guard refused stays refused."""


def told(run: Run, verdict: Verdict) -> Verdict:
    """The verdict with a sentence for each report that was written since this session began, and was not told yet."""
    folder = run.store.path + "/crash"
    notes = []
    for name in system.names(folder):
        size, changed, _, _ = stamps.of(f"{folder}/{name}")
        mark = name.partition(".")[0]
        if size <= 0 or changed <= run.session.born or run.place is None:
            continue
        if claims.first(run.place, "once", f"crash-{mark}"):
            notes.append(f"Jackline failed [{mark}] and answered without judging: see {folder}/{name}")
    return verdict._replace(notes=(*verdict.notes, *notes)) if notes else verdict


def refused(adapter: Adapter, run: Run, fault: Exception) -> None:
    """A guard that had refused the call, or asked about it, before we failed: denied in its words. Else the fault."""
    objecting = [
        one
        for one in run.ran
        if one.critical and not one.observed and one.action.decision in ("ask", "deny") and run.event.name in GUARDED
    ]
    if not objecting:
        raise fault
    from jackline.store.crash import report

    first = objecting[0]
    mark = report(run.store.path, fault, {"where": "engine", "event": run.event.name}, VERSION)
    run.fault = run.fault or f"failed after {first.hook} had objected [{mark}]"
    code = first.action.code if first.action.decision == "deny" else ""
    run.verdict = run.answered = Verdict(
        "deny", words(first.action), code=code or "HOOK_INTERNAL_ERROR", by=tuple([one.hook for one in objecting])
    )
    run.answer = adapter.render(run.event, run.answered)
