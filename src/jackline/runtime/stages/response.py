"""What a client can carry of the verdict, as its bytes: a refusal in words for the model, context cut to its limit."""

from __future__ import annotations

from jackline.clients.capabilities import degrade
from jackline.clients.capabilities import row as capability_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

FOR_READERS = ("deny", "ask")
"""Decisions about a tool whose words are made for who reads them: the model, or the person who is asked."""


def run(request: Request, outcome: Outcome) -> None:
    """Fit the verdict to what this client can carry, and render it."""
    event = outcome.event
    capability = capability_of(event.client, event.name)
    if event.tool and outcome.verdict.decision == "deny":
        from jackline.runtime.triggers import blocking

        if told := blocking(outcome):
            outcome.verdict = outcome.verdict._replace(notes=(*outcome.verdict.notes, told))
    verdict = degrade(outcome.verdict, event, capability)
    if outcome.unjudged:
        from jackline.scripts.consequence import tell

        tell(outcome, verdict)
        verdict = degrade(outcome.verdict, event, capability)
    if verdict.context and capability.context_limit and not outcome.store.dry:
        from jackline.runtime.truncate_context import cut_context

        verdict = cut_context(outcome, verdict, capability.context_limit)
    if event.tool and verdict.decision in FOR_READERS:
        from jackline.runtime.approval_summary import format_verdict

        verdict = format_verdict(outcome, verdict, capability)
    if outcome.private:
        verdict = verdict._replace(reason=outcome.private)
    outcome.answered = verdict
    outcome.answer = outcome.codec.render(event, verdict)
