"""Judge what a shell command does before it runs (design section 8): pass, ask, or refuse with a safer way."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

KNOWN = ("read", "search", "list", "fetch", "write", "edit", "notebook")
"""Kinds of tools that are known to do one thing to what they name."""

UNSURE = ("mcp", "other", "browser")
"""Kinds of tools that may do anything with what they name."""


def _judged(event: Event, ctx: Context) -> Action | None:
    from jackline.features.command_guard.guard import judged

    return judged(event, ctx)


def _tool(event: Event) -> bool:
    """Another tool than the shell names something that is worth a look."""
    kind = event.kind
    if kind in KNOWN:
        return "://" in event.query or bool(event.dear if event._dear is None else event._dear)
    if kind not in UNSURE:
        return False
    from jackline.leaves import leaves

    return bool(leaves(event))


@hook(
    name="command-guard",
    supports=["PreToolUse"],
    priority=11,
    hot_path_safe=True,
    critical=True,
    default_on=True,
    records=["COMMAND_GUARD_ASK", "COMMAND_GUARD_DENY"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.kind != "shell":
        return _judged(event, ctx) if _tool(event) else None
    if not event.command:
        return None
    from jackline.shell.screen import began, clears

    if clears(event, began(ctx.state)) and not ctx.config.get("rules"):
        return None
    return _judged(event, ctx)
