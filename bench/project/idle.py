from __future__ import annotations

from jackline.sdk import Action, Context, Event, deny, hook


@hook(name="idle-00", supports=["PreToolUse", "PostToolUse"], priority=60, tools=["kind:browser"])
def handle(event: Event, ctx: Context) -> Action | None:
    """Judge calls of a kind that the payloads do not have: stands in the order of every call, is never run."""
    return deny("not from here", rule="idle-00") if "intranet" in str(event.input) else None
