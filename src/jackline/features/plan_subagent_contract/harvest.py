"""Take what a planning sub-agent left: real files in its own folder, bounded, through no link; its plan is submitted.

What is missing or wrong is told all at once, by one continuation; what is sound is taken all the same.
"""

from __future__ import annotations

from jackline.features.plan_subagent_contract.places import MANIFEST, PLAN, parts, ref, required, shown
from jackline.model import Action
from jackline.services import artifacts, once, outputs
from jackline.services.plans import acceptance, submission
from jackline.services.plans.acceptance import LENIENT, STRICT, Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from jackline.model import Event
    from jackline.sdk import Context
    from jackline.services.outputs import Output

KINDS = {PLAN: "plan_graph", MANIFEST: "plan_manifest"}
OTHER = "subagent_output"
SUBMITS = "plan-graph"
"""Where it is on, a plan is submitted, as strictly as it judges."""
SHOWN = 20
"""Findings that the agent reads at once."""


# --- what becomes of it ------------------------------------------------------------------------------------------


def _plan(ctx: Context, data: bytes) -> tuple[Sequence[str], Action | None]:
    """What is wrong with a plan, and the answer to its submission; where no plans are submitted, it is checked."""
    ids = ctx.ids
    store = str(ctx.protected.get("store", ""))
    where = Where(store, ctx.root, ids.session_id, ids.work_id, ctx.session_root)
    state = (ctx.config.get("on") or {}).get(SUBMITS)
    if state is None:
        made = acceptance.check(where, data)
        return ([] if made.accepted else [one.line for one in made.findings]), None
    mark = f"plan-taken.{ids.work_id}.{ids.agent_id}.{artifacts.content_hash(data)}"
    if once.was_before(ctx.session_root, mark):
        return [], None  # accepted when it ended before: what was submitted since then stands
    made = acceptance.submit(where, data, "agent", ctx.start_ms, STRICT if state == "strict" else LENIENT)
    if not made.accepted:
        lines = [] if made.waits else [one.line for one in made.findings]  # for a person it waits with the main agent
        return lines, submission.action(where, data, made) if made.changed else None
    once.is_first(ctx.session_root, mark)
    return [], submission.action(where, data, made) if made.changed else None


def _announced(ctx: Context, one: Output) -> dict[str, Any] | None:
    """The announcement of an output; None where the newest of its kind is the same."""
    kind, place = KINDS.get(one.name, OTHER), ref(ctx, one.name)
    newest = artifacts.newest(ctx.state, kind, ctx.ids.work_id)
    if newest is not None and (newest.ref, newest.hash) == (place, artifacts.content_hash(one.data)):
        return None
    return artifacts.described(kind, place, one.data, summary=f"{one.name} of {ctx.ids.agent_id}", tags=["sub-agent"])


def _reason(ctx: Context, findings: Sequence[str]) -> str:
    """The one continuation: all that is missing or wrong, and where it belongs."""
    lines = [f"- {line}" for line in findings[:SHOWN]]
    if len(findings) > SHOWN:
        lines.append(f"- and {len(findings) - SHOWN} more: jackline plan check FILE")
    count = f"{len(findings)} finding{'s' * (len(findings) != 1)}"
    head = f"this planning sub-agent does not leave yet what it owes ({count}), below {shown(ctx)}/"
    return "\n".join([head, *lines, "write what is missing, mend what is wrong, then end; you are asked once"])


def harvested(event: Event, ctx: Context) -> Action:
    """Take what is sound, submit a plan among it, and keep the agent going once where something is owed."""
    found = outputs.read(ctx.session_root, parts(ctx), required(ctx), (MANIFEST,), (PLAN,))
    findings = [f"{one.name} {one.fault}" for one in found if one.fault]
    sound = [one for one in found if not one.fault]
    answer: Action | None = None
    for one in sound:
        if one.name == PLAN:
            lines, answer = _plan(ctx, one.data)
            findings += [f"{PLAN} · {line}" for line in lines]
    mark = f"plan-contract.{ctx.ids.turn_id}.{ctx.ids.agent_id}"
    held = bool(findings) and not event.stop_active and once.is_first(ctx.session_root, mark)
    announced = [entry for one in sound if (entry := _announced(ctx, one)) is not None]
    data = {"agent": ctx.ids.agent_id, "type": event.agent_type[:80], "held": held}
    data |= {"outputs": [ref(ctx, one.name) for one in sound], "findings": findings[:SHOWN]}
    made = answer or Action()
    return made._replace(
        decision="block" if held else "",
        reason=_reason(ctx, findings) if held else "",
        additional_context=() if held else made.additional_context,
        emit_events=({"kind": "SUBAGENT_HARVEST", "data": data}, *made.emit_events),
        register_artifacts=(*announced, *made.register_artifacts),
        state_patch=made.state_patch or _pointed(ctx, sound),
    )


def _pointed(ctx: Context, sound: Sequence[Output]) -> dict[str, Any] | None:
    """Where plans are not submitted: where this one lies, for whoever follows it."""
    submits = SUBMITS in (ctx.config.get("on") or {})
    if submits or all(one.name != PLAN for one in sound):
        return None
    return {"plan": {"currentPath": ref(ctx, PLAN)}}
