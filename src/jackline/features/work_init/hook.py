"""Begin the task, hold it to its caps, and say what came of it when it is complete (blueprint 4.1).

The store knows a task from its first event, with its phase and its goal.
"""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context


CALLS = ("PostToolUse", "PostToolUseFailure")


def _made(event: Event, ctx: Context) -> Action | None:
    """The beginning of a task, or what a call counts where there is a cap."""
    if event.name in CALLS:
        if not ctx.config.get("caps"):
            return None
        from jackline.features.work_init.caps import counted

        return counted(event, ctx)
    if event.agent_id or event.name == "Stop":
        return None
    begins = ctx.state.get("core", {}).get("phase") == "COMPLETE"
    if event.name == "UserPromptSubmit" and not (begins or ctx.config.get("caps")):
        from jackline.services.work import head

        if head(ctx).get("goal"):
            return None  # the task is known, and what it is for
    from jackline.features.work_init.begin import begin

    return begin(event, ctx)


@hook(
    name="work-init",
    supports=["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop"],
    priority=2,
    hot_path_safe=True,
    critical=False,
    triggers=["cap_reached"],
    produces=["work_initialized", "retrospective"],
    services=["work"],
    enabled_with="any",
    reads=["guidance"],
    records=["CAP_REACHED", "RETROSPECTIVE"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if ctx.dry:
        return None
    made = _made(event, ctx)
    if ctx.state.get("plan", {}).get("complete") is not True:
        return made
    from jackline.services.completion import ended

    return ended(ctx, made)
