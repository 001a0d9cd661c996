"""`mode: warn`: what a hook would have decided is told to the person and logged, and the call goes on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import HookRun

KINDS = {
    "allow": "WOULD_ALLOW",
    "approve": "WOULD_APPROVE",
    "ask": "WOULD_ASK",
    "block": "WOULD_BLOCK",
    "deny": "WOULD_DENY",
    "rewrite": "WOULD_REWRITE",
}
"""Rows that say what a hook would have decided, by decision."""


def as_warning(one: HookRun) -> HookRun:
    """The run without its decision or rewrite: a sentence and a row `WOULD_DENY`, `WOULD_ASK` … in their place."""
    action = one.action
    would: str = action.decision
    if would in ("", "allow"):
        if not action.updated_input:
            return one
        would = "rewrite"
    told = f"{one.hook} would {would}: {action.reason.partition(chr(10))[0]}"
    row = {"kind": KINDS[would], "decision": would, "reason": action.reason, "data": {"code": action.code}}
    return one._replace(
        action=action._replace(
            decision="",
            reason="",
            code="",
            updated_input=None,
            warnings=(*action.warnings, told),
            emit_events=(*action.emit_events, row),
        )
    )
