"""Hold a task to its validators: after a change, when a node is done, at the end of a turn (design "Validate")."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

PASSIVE = ("read", "search", "list", "fetch", "question", "todo", "plan")
"""Kinds of tools that change no file."""


def _is_due(event: Event, ctx: Context) -> bool:
    """Whether a call or a prompt may concern them: a task begins, files change, or one ended since the last look."""
    known = ctx.state.get("validators", {})
    begun = known.get("work") == ctx.ids.work_id
    if begun and event.name == "PostToolUse" and event.kind in PASSIVE:
        return False
    store = str(ctx.protected.get("store", ""))
    if begun and event.name == "UserPromptSubmit" and ctx.state.get("core", {}).get("phase") != "COMPLETE":
        from jackline.services.validators.place import newest

        if known.get("seen") == newest(store, ctx.root):
            return False  # (after the end the next task begins with this prompt)
    from jackline.services.compiled import is_any

    return is_any(store, ctx.root, "validators")


@hook(
    name="validators",
    supports=["UserPromptSubmit", "PostToolUse", "Stop"],
    priority=25,
    hot_path_safe=True,
    critical=False,
    state=["validators", "plan"],
    needs=["plan_accepted"],
    triggers=["attempts_spent", "validator_passed"],
    produces=["validator_manifest", "retrospective"],
    services=["validators", "plans", "work"],
    enabled_with="validators",
    guidance=["- Checks run by themselves; a node is done when its checks pass on what is there now."],
    records=["RETROSPECTIVE"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if ctx.dry or (event.name != "Stop" and not _is_due(event, ctx)):
        return None
    from jackline.features.validators.moments import at

    return at(event, ctx)
