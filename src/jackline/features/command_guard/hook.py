"""Judge what a shell command does before it runs (design section 8): pass, ask, or refuse with a safer way."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

UNSURE = ("mcp", "other", "browser")
"""Kinds of tools that may carry a command."""


def _judged(event: Event, ctx: Context) -> Action | None:
    from jackline.features.command_guard.guard import judged

    return judged(event, ctx)


@hook(name="command-guard", supports=["PreToolUse"], priority=11, hot_path_safe=True, critical=True)
def handle(event: Event, ctx: Context) -> Action | None:
    if not event.command or (event.kind != "shell" and event.kind not in UNSURE):
        return None
    from jackline.shell.screen import began, clears

    if clears(event, began(ctx.state)) and not ctx.config.get("rules"):
        return None
    return _judged(event, ctx)
