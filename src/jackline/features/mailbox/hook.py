"""Tell an agent that starts what other agents of its task offer and ask (blueprint 11.2)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context


@hook(
    name="mailbox",
    supports=["SubagentStart"],
    priority=35,
    hot_path_safe=False,
    critical=False,
    state=["subagents"],
    services=["mailbox"],
    enabled_with="subagents",
    guidance=["- What other agents offer or ask: `jackline mailbox list`."],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if ctx.dry or ctx.observe or not event.agent_id:
        return None
    from jackline.features.mailbox.start_text import told

    return told(ctx)
