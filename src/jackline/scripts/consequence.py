"""What came of a script that was to judge and did not: whether what it was about passed, or was held by others."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jackline.model import Ran, Verdict

HELD = ("deny", "ask", "block")
PASSED = {
    "PreToolUse": ("the call passed", "the call was held"),
    "PermissionRequest": ("the call passed", "the call was held"),
    "UserPromptSubmit": ("the prompt passed", "the prompt was held"),
    "PostToolUse": ("the result passed", "the result was held"),
    "PreCompact": ("the compaction passed", "the compaction was held"),
    "Stop": ("the turn ended", "the turn's end was held"),
    "SubagentStop": ("the sub-agent ended", "the sub-agent's end was held"),
}
"""What an event is about when nobody holds it, and when somebody does; of the others nothing can be held."""


def words(event: str, verdict: Verdict) -> str:
    """What came of the event, "" where nobody could have held it."""
    passed, held = PASSED.get(event, ("", ""))
    if verdict.decision not in HELD:
        return passed
    return held and f"{held} by {', '.join(verdict.by)}"


def tell(ran: list[Ran], at: Iterable[int], event: str, verdict: Verdict) -> None:
    """Let the scripts at these places of `ran` say in their sentence, and in their row, what came of it."""
    came = words(event, verdict)
    if not came:
        return
    for place in at:
        one = ran[place]
        first, *more = one.action.warnings
        said = f"{first}; {came}"
        events = tuple([_said(row, said) if row.get("kind") == "SCRIPT_RUN" else row for row in one.action.emit_events])
        ran[place] = one._replace(action=one.action._replace(warnings=(said, *more), emit_events=events))


def _said(row: Mapping[str, Any], said: str) -> dict[str, Any]:
    return {**row, "data": {**row["data"], "said": said}}
