"""Hold a session to the intent it selected: no change without one, none out of its scope (the engine, step 5)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

PASSIVE = ("read", "search", "list", "fetch", "question", "todo", "plan", "subagent")
"""Kinds of tools that change no file. What a sub-agent changes, its own calls say."""


def _rest(event: Event, ctx: Context) -> Action | None:
    """Events that decide nothing: what was done is written down when the client has its answer."""
    from jackline.features.intent_scope.record import begins, ends, ran

    if event.name == "SessionStart":
        return begins(event, ctx)
    if event.name == "Stop":
        ends(event, ctx)
    else:
        ran(event, ctx)
    return None


@hook(
    name="intent-scope",
    supports=["PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionStart", "Stop"],
    priority=12,
    needs=["intents"],
    hot_path_safe=True,
    critical=True,
    records=["INTENT_ASK", "INTENT_DENY"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.kind in PASSIVE:
        return None
    if event.name != "PreToolUse":
        return _rest(event, ctx)
    if event.kind == "shell":
        from jackline.shell.screen import screen

        if screen(event.command):
            return None
    from jackline.features.intent_scope.guard import judged

    return judged(event, ctx)
