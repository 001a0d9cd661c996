"""Begin the task: the store knows it from its first event, with its phase and its goal (blueprint 4.1)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context


@hook(
    name="work-init",
    supports=["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"],
    priority=2,
    hot_path_safe=True,
    critical=False,
    triggers=["cap_reached"],
    produces=["work_initialized"],
    services=["work"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.name == "PostToolUse" or event.name == "PostToolUseFailure":
        if not ctx.config.get("caps") or ctx.dry:
            return None
        from jackline.features.work_init.caps import counted

        return counted(event, ctx)
    if ctx.dry or event.agent_id:
        return None
    from jackline.features.work_init.begin import begin

    return begin(event, ctx)
