"""A prompt that a person typed begins a turn."""

from __future__ import annotations

from jackline.clients.names import is_typed
from jackline.store import exclusive_files
from jackline.store.ids import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

FOLDER = "turns"
LAST = "last-block"
"""The reason that kept the agent going last: some clients send it back as a prompt."""


def reason_mark(reason: str) -> bytes:
    """What two equal reasons share; a reason is not kept in clear."""
    return digest(reason.strip()).encode("ascii")


def is_own_reason(outcome: Outcome) -> bool:
    """Whether a prompt is our own last Stop reason coming back (some clients send it as one)."""
    if outcome.place is None or not outcome.event.prompt:
        return False
    last = exclusive_files.read(outcome.place, FOLDER, LAST)
    return bool(last) and last.split(b" ")[0] == reason_mark(outcome.event.prompt)


def run(request: Request, outcome: Outcome) -> None:
    """Claim the turn's number. Nothing is counted that nobody typed."""
    if not is_typed(outcome.event) or is_own_reason(outcome):
        return
    outcome.typed = True
    outcome.turn += 1
    if outcome.place is not None:
        try:
            outcome.turn = exclusive_files.next_number(outcome.place, FOLDER, "t", outcome.turn)
        except OSError:
            pass
    outcome.ids = outcome.identify()
