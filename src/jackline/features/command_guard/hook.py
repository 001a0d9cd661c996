"""Judge what a shell command does before it runs (design section 8): pass, ask, or refuse with a safer way."""

from __future__ import annotations

from jackline.sdk import hook
from jackline.stamps import modified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

UNSURE = ("mcp", "other", "browser")
"""Kinds of tools that may carry a command."""


RUNS = frozenset(["make", "npm", "yarn", "pnpm", "bun"])
"""Programs that the screen clears, and that run what a file of the project says."""

FILES = ("package.json", "Makefile")


def _rewritten(event: Event, ctx: Context) -> bool:
    """What they run was written in this session."""
    began = ctx.state.get("core", {}).get("createdTs", 0)
    folder = event.cwd or event.root
    return bool(began) and any(modified(f"{folder}/{name}") >= began for name in FILES)


def _judged(event: Event, ctx: Context) -> Action | None:
    from jackline.features.command_guard.guard import judged

    return judged(event, ctx)


@hook(name="command-guard", supports=["PreToolUse"], priority=11, hot_path_safe=True, critical=True)
def handle(event: Event, ctx: Context) -> Action | None:
    command = event.command
    if not command or (event.kind != "shell" and event.kind not in UNSURE):
        return None
    from jackline.shell.screen import screen

    if screen(command) and not ctx.config.get("rules") and not (RUNS & set(command.split()) and _rewritten(event, ctx)):
        return None
    return _judged(event, ctx)
