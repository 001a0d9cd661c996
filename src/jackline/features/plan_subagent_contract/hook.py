"""Hold a planning sub-agent to its contract: told at its start what to leave, harvested at its end (contract 14)."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context


@hook(
    name="plan-subagent-contract",
    supports=["SubagentStart", "SubagentStop"],
    priority=30,
    hot_path_safe=False,
    critical=False,
    state=["plan"],
    triggers=["plan_accepted"],
    produces=["plan_graph", "plan_manifest", "plan_accepted", "plan_denied"],
    services=["artifacts", "outputs", "plans", "work"],
    enabled_with="subagents",
    guidance=["- A sub-agent writes where it is told at its start, and ends with the outputs it was asked for."],
    records=["SUBAGENT_INJECT", "SUBAGENT_HARVEST", "PLAN_ACCEPTED", "PLAN_DENIED"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if ctx.dry or ctx.observe or not event.agent_id:
        return None
    if event.agent_type.casefold() != str(ctx.config.get("agentTypeDir", "Plan")).casefold():
        return None  # also a compaction, whose agent has no type
    if event.name == "SubagentStart":
        from jackline.features.plan_subagent_contract.start import told

        return told(event, ctx)
    from jackline.features.plan_subagent_contract.harvest import harvested

    return harvested(event, ctx)
