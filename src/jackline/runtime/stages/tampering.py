"""Entries of ours were changed behind our back: what changes things waits for a person (design section 5)."""

from __future__ import annotations

from jackline.model import MUTATING
from jackline.store import tamper_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request


def run(request: Request, outcome: Outcome) -> None:
    """Our entries in a client's configuration were changed behind our back: what changes things waits for a person."""
    store = outcome.store.path
    ways = tamper_mark.ways(tamper_mark.files(store))
    if outcome.event.name != "PreToolUse":
        outcome.note(f"TAMPERED: {outcome.notice}; tools that change things are refused until you choose: {ways}")
    elif outcome.event.kind in MUTATING:
        outcome.refuse(
            outcome.works_with("tampering") or "kernel",
            "TAMPERED",
            outcome.notice,
            "hook configuration is changed by a person, never beside them",
            f"ask the person to look and to choose: {ways}",
        )
