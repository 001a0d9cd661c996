"""Make the context pack of a task from its prompt, and tell it once (blueprint 4.2)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

READY = "pack"
"""The part of the state: `hash`, `status`, and whether a pack is `made` and not told yet."""


@hook(
    name="context-pack",
    supports=["UserPromptSubmit", "PreToolUse", "PostToolUse"],
    priority=14,
    hot_path_safe=True,
    critical=False,
    state=["pack"],
    needs=["first-phase"],
    triggers=["pack_sufficient", "pack_insufficient"],
    produces=["context_pack"],
    services=["context_pack", "work"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.agent_id or ctx.dry:
        return None
    known = ctx.state.get(READY, {})
    settled = known.get("work") == ctx.ids.work_id and known.get("status") != "INSUFFICIENT"
    if event.name != "UserPromptSubmit" and settled:
        return None  # this task has its pack, and the agent knows it
    from jackline.features.context_pack.making import bound, prompted

    return prompted(event, ctx) if event.name == "UserPromptSubmit" else bound(event, ctx)
