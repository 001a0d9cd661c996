"""Hold a task to its phases: what a call does decides, never which tool does it (design "Gate and leases")."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

PASSIVE = ("read", "search", "list", "fetch", "question", "todo", "plan")
"""Kinds of tools that change no file."""


@hook(
    name="tool-gate",
    supports=["PreToolUse"],
    priority=15,
    hot_path_safe=True,
    critical=True,
    needs=["phases"],
    triggers=["refused_again"],
    services=["plans", "work", "tool_lock", "context_pack"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    free = ctx.config.get("reading", "free") == "free"
    if free and event.kind in PASSIVE:
        return None
    if free and event.kind == "shell":
        from jackline.shell.screen import began, clears

        if clears(event, began(ctx.state)):
            return None
    from jackline.features.tool_gate.gate import judged

    return judged(event, ctx)
