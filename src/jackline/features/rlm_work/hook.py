"""Leave to sub-agents what the policy says, hand them what they need, and take what they leave (contract 14 and 15)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

FREE = ("subagent", "question", "todo", "plan")
"""Kinds of tools that no policy speaks of: by them an agent delegates, asks and plans."""


@hook(
    name="rlm-work",
    supports=["PreToolUse", "SubagentStart", "SubagentStop"],
    priority=40,
    hot_path_safe=True,
    critical=False,
    state=["rlm"],
    needs=["context_pack"],
    produces=["context_packet", "subagent_output"],
    services=["artifacts", "outputs", "plans", "work"],
    enabled_with="subagents",
    reads=["rlm-policy"],
    guidance=["- Work that belongs to a sub-agent is named when you begin it: start one for it."],
    records=["RLM_SUBAGENT_REQUIRED", "SUBAGENT_INJECT", "SUBAGENT_HARVEST"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.name == "PreToolUse":
        if ctx.ids.agent_id != "u00" or not ctx.config.get("rules") or event.kind in FREE:
            return None  # what the main agent alone is held to
        from jackline.features.rlm_work.judge import judged

        return judged(event, ctx)
    if ctx.dry or ctx.observe or not event.agent_id or not event.agent_type:
        return None  # the agent of a compaction has no type
    from jackline.features.rlm_work import packet

    return packet.given(event, ctx) if event.name == "SubagentStart" else packet.taken(event, ctx)
