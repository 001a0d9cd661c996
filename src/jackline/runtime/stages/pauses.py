"""What a person switched off for some minutes is said wherever they look."""

from __future__ import annotations

from jackline.store import pauses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request


def run(request: Request, outcome: Outcome) -> None:
    """A pause is shown wherever a person looks: at the session's start and with every prompt."""
    if outcome.event.name not in ("SessionStart", "UserPromptSubmit"):
        return
    now = request.now // 1_000_000
    told = [pauses.words(one, now) for one in pauses.load(outcome.store.path, now, outcome.session.root)]
    outcome.note(*told)
