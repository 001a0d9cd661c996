"""What a sub-agent is given when it starts, and what is taken of what it leaves (contract 5.2)."""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps
from jackline.model import Action
from jackline.paths import within
from jackline.services import artifacts, once, outputs, work
from jackline.services.plans import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.model import Event
    from jackline.sdk import Context

FILE = "context_packet.json"
KINDS = ("context_pack", "plan_accepted", "validator_manifest", "resume_capsule")
"""Artifacts that a sub-agent may go by."""
LEASES = 20
"""Nodes of which a packet tells what they open."""
MOST = 64
"""Files that are taken of one sub-agent."""
NAME = 120
"""Characters of a file's name in a row."""


def _parts(event: Event, ctx: Context) -> tuple[str, ...]:
    return outputs.parts(ctx.slug, str(ctx.config["subagentDir"]), event.agent_type, ctx.ids.agent_id)


# --- in ----------------------------------------------------------------------------------------------------------


def _known(ctx: Context) -> dict[str, Any]:
    """What others made for this task: the newest of each kind."""
    found = {kind: artifacts.newest(ctx.state, kind, ctx.ids.work_id) for kind in KINDS}
    return {kind: {"ref": one.ref, "hash": one.hash} for kind, one in found.items() if one is not None}


def made(event: Event, ctx: Context) -> dict[str, Any]:
    """The packet: who it is for, what the task is about, how far it is, what is open, and what there is to go by."""
    ids, task = ctx.ids, work.task(ctx)
    held = nodes.leases(task, ctx.start_ms)
    opened = {name: {"paths": one["paths"], "tools": one["tools"]} for name, one in list(held.items())[:LEASES]}
    plan = task.get("plan")
    return {
        "v": 1,
        "session": ids.session_id,
        "work": ids.work_id,
        "agent": ids.agent_id,
        "type": event.agent_type[:80],
        "goal": task.get("goal", ""),
        "phase": work.phase(ctx, task),
        "plan": plan.get("fingerprint", "") if isinstance(plan, dict) else "",
        "leases": opened,
        "artifacts": _known(ctx),
        "outputs": "/".join(_parts(event, ctx)),
    }


def _written(ctx: Context, way: tuple[str, ...], data: bytes) -> bool:
    try:
        at = system.descend(ctx.session_root, way, create=True)
    except OSError as fault:
        ctx.log("warn", "no folder for outputs", {"fault": str(fault)})
        return False
    try:
        system.replace(FILE, data, at=at)
    finally:
        system.close(at)
    return True


def _text(packet: dict[str, Any], place: str) -> str:
    lines = [f"you are {packet['agent']} ({packet['type']}) of task {packet['work']}, in phase {packet['phase']}"]
    if packet["goal"]:
        lines.append(f'the person\'s words for the task: "{packet["goal"]}"')
    if packet["leases"]:
        lines.append("open now: " + "; ".join(f"{name} ({', '.join(one['paths']) or 'everywhere'})"
                                             for name, one in packet["leases"].items()))  # fmt: skip
    lines.append(f"more: {place}/{FILE}")
    lines.append(f"what others shall have of you goes into {place}/ as files; they are announced when you end")
    return "\n".join(lines)


def given(event: Event, ctx: Context) -> Action:
    """Hand a sub-agent its packet: a file, its announcement, and a few lines of context."""
    way, packet = _parts(event, ctx), made(event, ctx)
    data = dumps(packet).encode("ascii") + b"\n"
    place = within(ctx.root, "/".join((ctx.session_root, *way)))
    row = {"kind": "SUBAGENT_INJECT", "data": {"agent": packet["agent"], "type": packet["type"]}}
    patch = {"rlm": {"pendingSubagentFlags": None}}
    if not _written(ctx, way, data):
        return Action(emit_events=(row,), state_patch=patch)
    depends = [one["ref"] for one in packet["artifacts"].values()]
    summary = f"for {packet['agent']}, {packet['type']}"
    entry = artifacts.described("context_packet", "/".join((*way, FILE)), data, summary=summary, depends=depends)
    return Action(
        additional_context=(("context packet", _text(packet, place)),),
        emit_events=(row,),
        register_artifacts=(entry,),
        state_patch=patch,
    )


# --- out ---------------------------------------------------------------------------------------------------------


def taken(event: Event, ctx: Context) -> Action | None:
    """Announce what a sub-agent left: real files of its own folder, each content once."""
    way, agent = _parts(event, ctx), ctx.ids.agent_id
    found = [one for one in outputs.every(ctx.session_root, way, MOST + 2) if one.name != FILE]
    entries, findings = [], []
    for one in found[:MOST]:
        ref = "/".join((*way, one.name))
        mark = artifacts.content_hash(f"{ref}\0".encode() + one.data)
        if one.fault:
            findings.append(f"{one.name[:NAME]} {one.fault}")
        elif once.is_first(ctx.session_root, f"output.{ctx.ids.work_id}.{mark}"):
            summary = f"{one.name[:NAME]} of {agent}, {event.agent_type[:80]}"
            entries.append(artifacts.described("subagent_output", ref, one.data, summary=summary, tags=["sub-agent"]))
    if len(found) > MOST:
        findings.append(f"more than {MOST} files: the others are not taken")
    if not entries and not findings:
        return None
    data = {"agent": agent, "type": event.agent_type[:80], "outputs": [one["ref"] for one in entries]}
    row = {"kind": "SUBAGENT_HARVEST", "data": {**data, "findings": findings[:20]}}
    return Action(emit_events=(row,), register_artifacts=tuple(entries))
