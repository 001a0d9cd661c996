"""The critical features judge a rewritten call once more: a rewrite must not carry it past a guard."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request


def run(request: Request, outcome: Outcome) -> None:
    """Let the stages that judge a call see the new one. Where nobody can any more, the call stays as it was."""
    verdict = outcome.verdict
    if verdict.updated_input is None:
        return
    if outcome.left is not None:
        outcome.verdict = verdict._replace(updated_input=None)
        return
    before = len(outcome.ran)
    outcome.judging = outcome.codec.rewritten(outcome.event, verdict.updated_input)
    outcome.second()
    outcome.judging = None
    objecting = [one.hook for one in outcome.ran[before:]]
    if not objecting:
        outcome.verdict = verdict
        return
    told = f"the rewritten call was judged by {', '.join(objecting)}"
    outcome.verdict = outcome.verdict._replace(notes=(*outcome.verdict.notes, told))
