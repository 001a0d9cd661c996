"""A call that nobody could read does not pass."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

READ = (1 << 27) - (1 << 16)
"""Bytes from which on a call may go on behind what the entry point read of it."""


def run(request: Request, outcome: Outcome) -> None:
    """A whole object that could not be read may hold anything: before a tool it is refused, like a guard that fails.

    Bytes that are no whole object come from a client that broke off, and lock nobody out.
    """
    raw, event = request.raw.strip(), outcome.event
    if outcome.fault and outcome.store.dry and event.name in ("SessionStart", "UserPromptSubmit"):
        outcome.note(f"Jackline keeps no record of this session: {outcome.fault}")
    whole = raw[:1] == b"{" and (raw[-1:] == b"}" or len(raw) >= READ)
    if event.name != "PreToolUse" or event.payload or not whole or len(raw) < 3:
        return
    outcome.refuse(
        "kernel",
        "HOOK_INTERNAL_ERROR",
        f"this call could not be read: {event.fault}",
        "a call that nobody can judge does not pass",
        "make the tool's arguments smaller or less nested",
    )
