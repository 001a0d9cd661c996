"""What came of a script that was to judge and did not: whether what it was about passed, or was held by others.

Said when all have judged and the client's part is known: until then nobody knows.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Verdict
    from jackline.runtime.outcome import Outcome

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


def words(event: str, decision: str, by: tuple[str, ...]) -> str:
    """What came of the event, "" where nobody could have held it."""
    passed, held = PASSED.get(event, ("", ""))
    if decision not in HELD:
        return passed
    return held and f"{held} by {', '.join(by)}"


def tell(outcome: Outcome, answered: Verdict) -> None:
    """Let the scripts that judged nothing say, in their sentence and in their row, what the client was told."""
    came = words(outcome.event.name, answered.decision, outcome.verdict.by)
    if not came:
        return
    notes = [*outcome.verdict.notes]
    for place in outcome.unjudged:
        one = outcome.ran[place]
        first, *more = one.action.warnings
        said = f"{first}; {came}"
        events = tuple([_said(row, said) if row.get("kind") == "SCRIPT_RUN" else row for row in one.action.emit_events])
        outcome.ran[place] = one._replace(action=one.action._replace(warnings=(said, *more), emit_events=events))
        if first in notes:
            notes[notes.index(first)] = said
    outcome.verdict = outcome.verdict._replace(notes=(*notes,))


def _said(row: Mapping[str, Any], said: str) -> dict[str, Any]:
    return {**row, "data": {**row["data"], "said": said}}
