"""Carry a task over a compaction: what is decided, what comes next, what was refused (blueprint 4.10)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

CUT = ("compact", "clear", "fork")
"""Sources of a SessionStart with which an agent goes on without what it knew."""
ENDS = ("PostToolUse", "PostToolUseFailure")


def _begins(event: Event, ctx: Context) -> bool:
    """Whether an agent may go on with a task here that it knows nothing of, or that another session had."""
    return event.name == "SessionStart" and (event.source in CUT or "sessionId" not in ctx.state.get("core", {}))


def _is_due(event: Event, ctx: Context) -> bool:
    """Whether something of a compaction is still to be told, or to be unlocked."""
    if event.name == "PreCompact" or _begins(event, ctx):
        return True
    tools = ctx.state.get("tools") or {}
    if event.name in ENDS:
        return bool(tools.get("locked")) and event.kind == "shell"
    return bool(tools.get("locked")) or tools.get("resume", "") != tools.get("told", "")


@hook(
    name="pre-compact",
    supports=["PreCompact", "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"],
    priority=45,
    hot_path_safe=True,
    critical=False,
    state=["tools"],
    produces=["resume_capsule"],
    services=["artifacts", "capsule", "succession", "tool_lock"],
    enabled_with="any",
)
def handle(event: Event, ctx: Context) -> Action | None:
    if (event.agent_id and event.name not in ENDS) or ctx.dry or ctx.observe or not _is_due(event, ctx):
        return None
    from jackline.features.pre_compact.compaction import after, before, checked

    if event.name in ENDS:
        return checked(event, ctx)
    return before(event, ctx) if event.name == "PreCompact" else after(event, ctx)
