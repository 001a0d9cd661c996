"""Begin the task: the store knows it from its first event, with its phase and its goal (blueprint 4.1)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context


@hook(
    name="work-init",
    supports=["SessionStart", "UserPromptSubmit"],
    priority=2,
    hot_path_safe=True,
    critical=False,
    produces=["work_initialized"],
    services=["work"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if ctx.dry or event.agent_id:
        return None
    from jackline.features.work_init.begin import begin

    return begin(event, ctx)
