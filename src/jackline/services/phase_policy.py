"""The contract's policy of phases over a call: what it does counts, whatever tool does it (contract section 12.3)."""

from __future__ import annotations

from jackline.model import LOOKING
from jackline.policy import phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.hook_table import Phase
    from jackline.model import Event

PACKAGE = __file__.rpartition("/services/")[0]
SPEAKING = ("question", "todo", "plan")
"""Kinds of tools that speak with the person or the client and change nothing."""


def judge(rule: Phase | None, phase: str, event: Event, home: str) -> tuple[str, str]:
    """What the rule of `phase` says of a call: (`deny` | `warn` | "", reason)."""
    says, reason = phases.judge(rule, phase, event)
    return ("", "") if not says or _passes(event, rule, home) else (says, reason)


def _passes(event: Event, rule: Phase | None, home: str) -> bool:
    """Whether a call may run by what it does, though its tool is not listed."""
    if event.kind in SPEAKING:
        return True
    return rule is not None and event.kind == "shell" and _is_reading(event, home, _may_read(rule))


def _may_read(rule: Phase) -> bool:
    """Whether a phase lists a tool that reads."""
    from jackline.classification import kind_of

    return any(kind in LOOKING for kind in (*rule.kinds, *map(kind_of, rule.tools or ())))


def _is_reading(event: Event, home: str, may_read: bool) -> bool:
    """Whether a command only runs our own, or (where reading is allowed) changes nothing."""
    from jackline.changes import Terms, changes, is_only_ours

    terms = Terms((), PACKAGE, home)
    if is_only_ours(event, terms):
        return True
    if not may_read:
        return False
    made = changes(event, terms)
    return not made.known and not made.unsure
