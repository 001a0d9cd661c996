"""From a call to its answer: the phase it finds, the lease that opens it, the small change it is, or the refusal.

Every refusal names one command that this phase lets through.
"""

from __future__ import annotations

from jackline.features.tool_gate.calls import call
from jackline.services import work
from jackline.services.plans import nodes
from jackline.services.plans.tools import means

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.features.tool_gate.calls import Call
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.services.plans.document import Node, Plan
    from jackline.store.tasks import Task


# --- phases ----------------------------------------------------------------------------------------------------


def _is_locked(ctx: Context, task: Task) -> bool:
    """Whether the tools are locked after a compaction."""
    if not task.get("locked"):
        return False
    from jackline.features.tool_gate.read_access import where_of
    from jackline.services import tool_lock

    return tool_lock.holds(task, where_of(ctx))


def _is_capped(ctx: Context, task: Task) -> bool:
    """Whether the task has used what it may: nothing more is changed then, small or not."""
    if not task.get("capped"):
        return False
    from jackline.services import budget

    return budget.is_capped(task, ctx.ids.turn_id)


def _refused(ctx: Context, task: Task, made: Call, phase: str) -> Action:
    """What is refused for the phase that the task is in, or for its tools being locked."""
    from jackline.features.tool_gate import refusals
    from jackline.features.tool_gate.small_changes import allowance

    if _is_locked(ctx, task):
        return refusals.locked(made, phase)
    if phase == "COMPLETE":
        return refusals.over(ctx, made, phase)
    return refusals.blocked(task, made) if phase == "BLOCKED" else refusals.unplanned(ctx, made, phase, *allowance(ctx))


# --- leases ----------------------------------------------------------------------------------------------------


def _lends_all(lease: dict[str, Any], event: Event) -> bool:
    """Whether a lease opens a call that may change anything: it holds everywhere, or lends this very tool."""
    tools = tuple(lease["tools"])
    everywhere = not lease["paths"] or not EVERYWHERE.isdisjoint(lease["paths"])
    return everywhere or (bool(tools) and means(tools, event.tool, event.kind))


EVERYWHERE = frozenset(("**", "**/*", "."))


def _opens(lease: dict[str, Any], event: Event, made: Call) -> bool:
    """Whether a lease opens a call. Who looks or validates changes nothing, whatever its scope and tools are; only a
    change needs no scope to change what it wants.
    """
    kind = lease.get("kind")
    if made.sends and kind != "side_effect":
        return False
    if (made.changes or made.unsure) and kind not in nodes.CHANGING:
        return False
    if made.unsure and not _lends_all(lease, event):
        return False
    if made.changes and not lease["paths"] and kind != "change":
        return False
    return nodes.opens(lease, event.tool, event.kind, made.changes)


def _fits(node: Node, event: Event, made: Call, ctx: Context) -> bool:
    return _opens(nodes.lease_of(node, ctx.start_ms), event, made)


def _touched(task: Task, name: str) -> Task:
    """The task where a node that has begun changed something; its lease says so too, for whoever asks at every call."""
    leases = dict(task.get("leases") or {})
    if name in leases:
        leases[name] = {**leases[name], "touched": True}
    return {**task, "touched": {**(task.get("touched") or {}), name: True}, "leases": leases}


def _begin(node: Node, ctx: Context, *, changes: bool) -> None:
    """Begin a node: its lease opens what it may change. `changes`: and the call that begins it does."""

    def begun(task: Task) -> Task:
        made = nodes.started(task, node, ctx.start_ms)
        return _touched(made, node.id) if changes else made

    if not ctx.dry:
        work.change(ctx, begun)


def _executing(event: Event, ctx: Context, task: Task, made: Call) -> Action | None:
    """A call under an accepted plan: a lease opens it, or a ready node that it fits begins.

    The plan is read for the second one alone, and so is what is known of each node.
    """
    held = nodes.leases(task, ctx.start_ms)
    names = [name for name, lease in held.items() if _opens(lease, event, made)]
    if names:
        if made.changes and not ctx.dry and not held[names[0]].get("touched"):
            work.change(ctx, lambda now: _touched(now, names[0]))
        return None
    task = work.task(ctx)
    ready = [node for node in nodes.ready(_plan(ctx), task) if node.kind not in ("look", "escalate")]
    for node in ready:
        if _fits(node, event, made, ctx):
            return _started(node, ctx, made)
    if _small(event, ctx, task, made):
        return None
    from jackline.features.tool_gate.refusals import outside

    return outside([node for node in ready if node.kind in nodes.CHANGING], made, event)


def _plan(ctx: Context) -> Plan:
    from jackline.services.plans.document import parse

    data = nodes.accepted_bytes(str(ctx.protected.get("store", "")), ctx.ids.session_id, ctx.ids.work_id)
    return parse(data, ctx.root)


def _started(node: Node, ctx: Context, made: Call) -> Action | None:
    """A call that fits a ready node begins it, unless nodes are begun by a command only."""
    if ctx.config.get("start") == "explicit":
        from jackline.features.tool_gate.refusals import not_begun

        return not_begun(node, made)
    _begin(node, ctx, changes=bool(made.changes or made.unsure or made.sends))
    return None


# --- the whole -------------------------------------------------------------------------------------------------


def _small(event: Event, ctx: Context, task: Task, made: Call) -> bool:
    """Whether this is a small change; it is counted then. Of several calls at once each counts those before it."""
    from jackline.features.tool_gate.small_changes import passes

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
    from jackline.features.tool_gate.read_access import judged as read

    task = work.task(ctx)
    phase = work.phase(ctx, task)
    if _is_locked(ctx, task):
        return _refused(ctx, task, made, phase)
    return read(event, ctx, task, phase, made, lambda node: _started(node, ctx, made))


def judged(event: Event, ctx: Context) -> Action | None:
    """What the gate says to a call that may change something, or reads where that is not free."""
    made = call(event, ctx, free=ctx.config.get("reading", "free") == "free")
    if made.is_harmless:
        return _read(event, ctx, made)
    task = work.head(ctx)
    phase = work.phase(ctx, task)
    locked = _is_locked(ctx, task)
    if phase == "EXECUTING" and not locked:
        return _executing(event, ctx, task, made)
    if not locked and not _is_capped(ctx, task) and _small(event, ctx, task, made):
        return None
    return _refused(ctx, task, made, phase)
