"""Hold a task to its validators: after a change, when a node is done, at the end of a turn (design "Validate")."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

PASSIVE = ("read", "search", "list", "fetch", "question", "todo", "plan")
"""Kinds of tools that change no file."""


@hook(
    name="validators",
    supports=["UserPromptSubmit", "PostToolUse", "Stop"],
    priority=25,
    hot_path_safe=True,
    critical=False,
    state=["validators", "plan"],
    triggers=["attempts_spent", "validator_passed"],
    produces=["validator_manifest"],
    services=["validators", "plans", "work"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    known = ctx.state.get("validators", {}).get("work") == ctx.ids.work_id
    if ctx.dry or (known and event.name == "PostToolUse" and event.kind in PASSIVE):
        return None
    from jackline.features.validators.moments import at

    return at(event, ctx)
