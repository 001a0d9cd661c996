"""What is special about an event is one row of this table: who may decide what, the budget, and how a fault refuses."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple


class EventRow(NamedTuple):
    """`decisions` are the strict ones hooks may take, `refusal` what a failing critical feature turns into ("" = nothing).

    `budget_ms` for features; `stops` whether the first refusal ends the run of features (contract section 8).
    """

    decisions: tuple[str, ...] = ()
    refusal: str = ""
    budget_ms: int = 1000
    stops: bool = False
    turn_end: bool = False


ROWS: dict[str, EventRow] = {
    "SessionStart": EventRow(budget_ms=5000),
    "UserPromptSubmit": EventRow(("block",), "block"),
    "PreToolUse": EventRow(("approve", "ask", "deny"), "deny", 300, stops=True),
    "PermissionRequest": EventRow(("approve", "deny"), "deny", stops=True),
    "PostToolUse": EventRow(("block",), "block", 500),
    "PostToolUseFailure": EventRow(),
    "PreCompact": EventRow(("block",), "block"),
    "PostCompact": EventRow(),
    "Stop": EventRow(("block",), "block", 5000, turn_end=True),
    "SubagentStart": EventRow(),
    "SubagentStop": EventRow(("block",), "block", turn_end=True),
    "SessionEnd": EventRow(),
    "Notification": EventRow(),
    "Error": EventRow(),
    "Interrupt": EventRow(),
}
UNKNOWN = EventRow()
"""An event we do not know: features that support it by name may run, nobody decides."""

STRICTNESS = {"": 0, "allow": 0, "approve": 1, "ask": 2, "block": 3, "deny": 4}
CRITICAL_DEADLINE_MS = 5000
"""Critical features are not cut by the budget, but by this (design section 2)."""


def event_row(name: str) -> EventRow:
    return ROWS.get(name, UNKNOWN)
