"""From a call to its answer: the phase it finds, the lease that opens it, the small change it is, or the refusal.

Every refusal names one command that this phase lets through.
"""

from __future__ import annotations

from jackline.features.tool_gate.calls import call
from jackline.features.tool_gate.refusals import blocked, first, quick, refusal, subject, word
from jackline.features.tool_gate.small import allowance, passes
from jackline.services import work
from jackline.services.plans import nodes
from jackline.services.plans.document import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.features.tool_gate.calls import Call
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.services.plans.document import Node, Plan
    from jackline.store.tasks import Task


# --- phases ----------------------------------------------------------------------------------------------------


def _unplanned(ctx: Context, made: Call, phase: str) -> Action:
    """A change before there is a plan."""
    files, lines = allowance(ctx)
    free = f"; {files} file, {lines} lines are free for each prompt" if files else ""
    return refusal(f"there is no plan yet, and {subject(made)}{free}", phase, quick(first(made)), "PLAN_REQUIRED")


def _over(made: Call, phase: str) -> Action:
    return refusal(f"the task is complete, and {subject(made)}", phase, quick(first(made)), "PHASE_DENIED")


def _is_locked(ctx: Context, task: Task) -> bool:
    """Whether the tools are locked after a compaction."""
    if not task.get("locked"):
        return False
    from jackline.features.tool_gate.reading import where_of
    from jackline.services import tool_lock

    return tool_lock.holds(task, where_of(ctx))


def _locked(made: Call, phase: str) -> Action:
    what = f"the context was cut and the tools are locked, and {subject(made)}"
    return refusal(what, phase, "jackline pack check", "PHASE_DENIED")


# --- leases ----------------------------------------------------------------------------------------------------


def _opens(lease: dict[str, Any], event: Event, made: Call) -> bool:
    """Whether a lease opens a call. Only a change needs no scope to change what it wants."""
    if made.sends and lease.get("kind") != "side_effect":
        return False
    if made.changes and not lease["paths"] and lease.get("kind") != "change":
        return False
    return nodes.opens(lease, event.tool, event.kind, made.changes)


def _fits(node: Node, event: Event, made: Call, ctx: Context) -> bool:
    return _opens(nodes.lease_of(node, ctx.start_ms), event, made)


def _touched(task: Task, names: list[str]) -> Task | None:
    """The task where these nodes have changed something; None where that is known."""
    known = task.get("touched") or {}
    if all(known.get(name) for name in names):
        return None
    return {**task, "touched": {**known, **dict.fromkeys(names, True)}}


def _begin(node: Node, ctx: Context, *, changes: bool) -> None:
    """Begin a node: its lease opens what it may change. `changes`: and the call that begins it does."""

    def begun(task: Task) -> Task:
        made = nodes.started(task, node, ctx.start_ms)
        return (_touched(made, [node.id]) if changes else None) or made

    if not ctx.dry:
        work.change(ctx, begun)


def _executing(event: Event, ctx: Context, task: Task, made: Call) -> Action | None:
    """A call under an accepted plan: a lease opens it, or a ready node that it fits begins."""
    held = nodes.leases(task, ctx.start_ms)
    names = [name for name, lease in held.items() if _opens(lease, event, made)]
    if names:
        if made.changes and not ctx.dry and _touched(task, names[:1]):
            work.change(ctx, lambda now: _touched(now, names[:1]))
        return None
    ready = [node for node in nodes.ready(_plan(ctx), task) if node.kind not in ("look", "escalate")]
    for node in ready:
        if _fits(node, event, made, ctx):
            return _started(node, ctx, made)
    small = _small(event, ctx, task, made)
    return None if small else _outside(ready, made)


def _plan(ctx: Context) -> Plan:
    return parse(nodes.accepted_bytes(str(ctx.protected.get("store", "")), ctx.ids.session_id, ctx.ids.work_id))


def _started(node: Node, ctx: Context, made: Call) -> Action | None:
    """A call that fits a ready node begins it, unless nodes are begun by a command only."""
    if ctx.config.get("start") == "explicit":
        return refusal(f"{node.id} has not begun, and {subject(made)}", "EXECUTING",
                       f"jackline plan node start {word(node.id)}", "LEASE_REQUIRED")  # fmt: skip
    _begin(node, ctx, changes=bool(made.changes or made.unsure or made.sends))
    return None


def _outside(ready: list[Node], made: Call) -> Action:
    """A call that no ready node opens."""
    now = "jackline plan submit FILE"
    what = f"no node that is ready opens this: {subject(made)}"
    if made.sends:
        what += '; a node of kind "side_effect" does'
    elif ready:
        opened = ", ".join(f"{node.id} ({', '.join(node.scopes) or 'everywhere'})" for node in ready[:4])
        what += f"; ready: {opened}"
    return refusal(what, "EXECUTING", now, "LEASE_REQUIRED")


# --- the whole -------------------------------------------------------------------------------------------------


def _small(event: Event, ctx: Context, task: Task, made: Call) -> bool:
    """Whether this is a small change; it is counted then. Of several calls at once each counts those before it."""
    counted = passes(event, ctx, task, made)
    if counted is None or ctx.dry:
        return counted is not None

    def count(now: Task) -> Task | None:
        nonlocal counted
        counted = passes(event, ctx, now, made)
        return counted

    work.change(ctx, count)
    return counted is not None


def _read(event: Event, ctx: Context, made: Call) -> Action | None:
    """A call that only reads, where reading is not free."""
    if not (made.files or made.folders or made.runs):
        return None
    from jackline.features.tool_gate.reading import judged as read

    task = work.task(ctx)
    phase = work.phase(ctx, task)
    if _is_locked(ctx, task):
        return _locked(made, phase)
    return read(event, ctx, task, phase, made, lambda node: _started(node, ctx, made))


def judged(event: Event, ctx: Context) -> Action | None:
    """What the gate says to a call that may change something, or reads where that is not free."""
    made = call(event, ctx, free=ctx.config.get("reading", "free") == "free")
    if made.is_harmless:
        return _read(event, ctx, made)
    task = work.task(ctx)
    phase = work.phase(ctx, task)
    if _is_locked(ctx, task):
        return _locked(made, phase)
    if phase == "EXECUTING":
        return _executing(event, ctx, task, made)
    if _small(event, ctx, task, made):
        return None
    if phase == "COMPLETE":
        return _over(made, phase)
    return blocked(task, made) if phase == "BLOCKED" else _unplanned(ctx, made, phase)
