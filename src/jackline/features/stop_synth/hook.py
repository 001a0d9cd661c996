"""At a turn's end, tell what the task did and what was decided: a summary, and a draft of a decision record."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context


@hook(
    name="stop-synth",
    supports=["Stop"],
    priority=100,
    hot_path_safe=False,
    critical=False,
    produces=["session_summary", "adr_draft"],
    services=["artifacts", "history", "work"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.agent_id or ctx.dry or ctx.observe:
        return None
    from jackline.features.stop_synth.synthesis import synthesis

    return synthesis(ctx)
