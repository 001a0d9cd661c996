"""Refuse to overwrite what somebody else changed since the agent last saw it (design section 8; the engine, step 5)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context


def _judged(event: Event, ctx: Context) -> Action | None:
    from jackline.features.stale_file.pre_tool import before
    from jackline.features.stale_file.session_view import Desk

    return before(Desk(event, ctx))


def _learned(event: Event, ctx: Context) -> None:
    """What is missed here is not known: it refuses later, and a new read mends it. So a fault is no one's business."""
    from jackline.features.stale_file.post_tool import after
    from jackline.features.stale_file.session_view import Desk

    try:
        if event.tool:
            after(Desk(event, ctx))
        else:
            Desk(event, ctx).clear(0)
    except Exception as fault:  # noqa: BLE001 - at these events a critical feature's fault would block the agent
        ctx.log("error", "what a call did was not remembered", {"fault": f"{type(fault).__name__}: {fault}"})


def _idle(event: Event) -> bool:
    if event.kind != "shell":
        return False
    from jackline.features.stale_file.file_access import idle

    return idle(event.command)


@hook(
    name="stale-file",
    supports=["PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "SessionEnd"],
    priority=13,
    hot_path_safe=True,
    critical=True,
    tools=["kind:shell", "kind:write", "kind:edit", "kind:notebook", "kind:read", "kind:mcp", "kind:other"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.tool and _idle(event):
        return None
    if event.name == "PreToolUse":
        return _judged(event, ctx)
    _learned(event, ctx)
    return None
