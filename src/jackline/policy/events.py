"""What is special about an event is one row of this table: who may decide what, the budget, and how a fault refuses."""

from __future__ import annotations

ROWS: dict[str, tuple[tuple[str, ...], str, int, bool, bool]] = {
    # event: decisions, refusal, budget, stops, turn's end
    "SessionStart": ((), "", 5000, False, False),
    "UserPromptSubmit": (("block",), "block", 1000, False, False),
    "PreToolUse": (("approve", "ask", "deny"), "deny", 300, True, False),
    "PermissionRequest": (("approve", "deny"), "deny", 1000, True, False),
    "PostToolUse": (("block",), "block", 500, False, False),
    "PostToolUseFailure": ((), "", 1000, False, False),
    "PreCompact": (("block",), "block", 1000, False, False),
    "PostCompact": ((), "", 1000, False, False),
    "Stop": (("block",), "block", 5000, False, True),
    "SubagentStart": ((), "", 1000, False, False),
    "SubagentStop": (("block",), "block", 1000, False, True),
    "SessionEnd": ((), "", 1000, False, False),
    "Notification": ((), "", 1000, False, False),
    "Error": ((), "", 1000, False, False),
    "Interrupt": ((), "", 1000, False, False),
}
UNKNOWN: tuple[tuple[str, ...], str, int, bool, bool] = ((), "", 1000, False, False)
"""An event we do not know: features that support it by name may run, nobody decides."""

STRICTNESS = {"": 0, "allow": 0, "approve": 1, "ask": 2, "block": 3, "deny": 4}
CRITICAL_DEADLINE_MS = 5000
"""Critical features are not cut by the budget, but by this (design section 2)."""


def decisions(event: str) -> tuple[str, ...]:
    """The strict decisions hooks may take at `event`."""
    return ROWS.get(event, UNKNOWN)[0]


def fault_refusal(event: str) -> str:
    """What a failing critical feature turns into at `event`; "" = nothing."""
    return ROWS.get(event, UNKNOWN)[1]


def stops(event: str) -> bool:
    """Whether the first refusal ends the run of features (contract section 8)."""
    return ROWS.get(event, UNKNOWN)[3]


def ends_turn(event: str) -> bool:
    """Whether a block at `event` keeps the agent going."""
    return ROWS.get(event, UNKNOWN)[4]
