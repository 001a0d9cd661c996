"""What a planning sub-agent reads when it starts: who it is, what it owes and where, what is on, where the task is."""

from __future__ import annotations

from jackline.features.plan_subagent_contract.places import MANIFEST, PLAN, parts, required, shown
from jackline.model import Action
from jackline.services import artifacts, outputs, work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.model import Event
    from jackline.sdk import Context

KEYS = (
    '{"goal", "pack", "nodes": [{"id", "description", "kind": change|validate|side_effect|escalate, "tools", '
    '"scope": [GLOB], "dependsOn": [ID], "validators": [NAME], "evidence": [PATH]}]}; only id and description are '
    "needed; each change has a validate node that depends on it, or validators"
)
"""A plan graph in one sentence: the whole of it is the schema `plan-graph`."""


def _outputs(ctx: Context) -> Iterator[str]:
    """One line for each file."""
    for name in required(ctx):
        if name == PLAN:
            yield f"- {name}: {KEYS} (whole: `jackline schema plan-graph`; try it: `jackline plan check FILE`)"
        else:
            yield f"- {name}" + (": any JSON" if name.endswith(".json") else "")
    if MANIFEST not in required(ctx):
        yield f"- {MANIFEST}, if more is to be known of the plan: any JSON"


def _standing(ctx: Context) -> Iterator[str]:
    """Where the task is, what the plan is bound to, and what is on."""
    yield f"the task is in phase {work.phase(ctx, work.task(ctx))}"
    pack = artifacts.newest(ctx.state, "context_pack", ctx.ids.work_id)
    known = (work.task(ctx).get("context") or {}).get("hash")
    if pack is not None and known:
        yield f'its pack is {pack.ref}: the plan says "pack": "{known}"'
    on = ctx.config.get("on") or {}
    if on:
        yield "on here: " + ", ".join([f"{slug} {state}" for slug, state in sorted(on.items())])


def _text(ctx: Context) -> str:
    ids = ctx.ids
    lines = [
        f"you are {ids.agent_id}, a planning sub-agent of task {ids.work_id} in session {ids.session_id}",
        f"before you end, write into {shown(ctx)}/, by any tool:",
        *_outputs(ctx),
        *_standing(ctx),
    ]
    if "plan-graph" in (ctx.config.get("on") or {}):
        lines.append("your plan is submitted when you end; accepted, it is the task's: nobody submits it again")
    return "\n".join(lines)


def told(event: Event, ctx: Context) -> Action:
    """The contract, as context of the agent that starts, and a row that says so."""
    fault = outputs.make_folder(ctx.session_root, parts(ctx))
    if fault:
        ctx.log("warn", "no folder for outputs", {"fault": fault})
    data = {"agent": ctx.ids.agent_id, "type": event.agent_type[:80], "outputs": list(required(ctx))}
    row = {"kind": "SUBAGENT_INJECT", "data": data}
    return Action(additional_context=(("plan contract", _text(ctx)),), emit_events=(row,))
