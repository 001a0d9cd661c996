"""Entries of ours were changed behind our back: what changes things waits for a person (design section 5)."""

from __future__ import annotations

from jackline.model import MUTATING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request


def run(request: Request, outcome: Outcome) -> None:
    """Our entries in a client's configuration were changed behind our back: what changes things waits for a person."""
    if outcome.event.name != "PreToolUse":
        outcome.note(outcome.notice)
    elif outcome.event.kind in MUTATING:
        outcome.refuse(
            outcome.works_with("tampering") or "kernel",
            "TAMPERED",
            outcome.notice,
            "hook configuration is changed by a person, never beside them",
            "ask the person to look and to run `jackline doctor --repair`",
        )
