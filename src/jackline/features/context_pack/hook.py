"""Make the context pack of a task from its prompt, and tell it once (blueprint 4.2)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

READY = "pack"
"""The part of the state: `hash`, `status`, and whether a pack is `made` and not told yet."""
WORKING = ("PLANNING", "EXECUTING")


def _is_settled(event: Event, ctx: Context) -> bool:
    """Whether this task has its pack and the agent knows it, or needs none."""
    known = ctx.state.get(READY, {})
    mine, enough = known.get("work") == ctx.ids.work_id, known.get("status") != "INSUFFICIENT"
    prompted = event.name == "UserPromptSubmit"
    phase = ctx.state.get("core", {}).get("phase")
    if mine and enough and not prompted:
        return True
    if prompted and phase == "COMPLETE":
        return False  # the next task begins
    from jackline.features.context_pack.prompts import asks_for_work
    from jackline.services.work import head

    task = head(ctx)
    context = task.get("context") or {}
    if mine and (enough or not prompted) and context.get("hash") == known.get("hash"):
        return True
    if context:
        return False
    if not prompted:
        return not asks_for_work(str(task.get("goal", "")))
    return phase in WORKING and not asks_for_work(event.prompt)


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
    enabled_with="pack",
    guidance=["- Read the context pack before you search: `jackline pack show` has the places and why they matter."],
    records=["PACK_INSUFFICIENT"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.agent_id or ctx.dry or _is_settled(event, ctx):
        return None
    from jackline.features.context_pack.build import bound, prompted

    return prompted(event, ctx) if event.name == "UserPromptSubmit" else bound(event, ctx)
