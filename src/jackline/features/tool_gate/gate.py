"""From a call to its answer: the phase it finds, the lease that opens it, the small change it is, or the refusal.

Every refusal names one command that this phase lets through.
"""

from __future__ import annotations

from jackline.features.tool_gate.calls import call
from jackline.features.tool_gate.small import allowance, passes
from jackline.sdk import deny
from jackline.services import work
from jackline.services.plans import nodes
from jackline.services.plans.document import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.features.tool_gate.calls import Call
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.services.plans.document import Node
    from jackline.store.tasks import Task


def _quick(path: str) -> str:
    folder = path.rpartition("/")[0] if path[:1] != "/" else ""
    return f'jackline plan quick "WHAT" --files "{folder + "/**" if folder else path or "GLOB"}"'


def _refusal(what: str, phase: str, now: str, code: str) -> Action:
    row = {"kind": "GATE_DENY", "data": {"phase": phase, "what": what, "code": code}}
    action = deny(what, rule=f"tool-gate: {phase}", safer=f"now: {now}", code=code, risk="DESTRUCTIVE")
    return action._replace(emit_events=(row,))


def _subject(made: Call) -> str:
    """What the call would do, for a sentence."""
    if made.changes:
        more = f" (+{len(made.changes) - 1} more)" if len(made.changes) > 1 else ""
        return f"it changes {made.changes[0]}{more}"
    return "it leaves the project" if made.sends else f"nobody can tell what it changes ({made.unsure})"


# --- phases ----------------------------------------------------------------------------------------------------


def _unplanned(event: Event, ctx: Context, made: Call, phase: str) -> Action:
    """A change before there is a plan."""
    files, lines = allowance(ctx)
    free = f"; {files} file, {lines} lines are free for each prompt" if files else ""
    path = made.changes[0] if made.changes else ""
    return _refusal(f"there is no plan yet, and {_subject(made)}{free}", phase, _quick(path), "PLAN_REQUIRED")


def _over(made: Call, phase: str) -> Action:
    path = made.changes[0] if made.changes else ""
    return _refusal(f"the task is complete, and {_subject(made)}", phase, _quick(path), "PHASE_DENIED")


def _blocked(made: Call, phase: str) -> Action:
    what = f"the task is blocked, and {_subject(made)}"
    return _refusal(
        what, phase, "jackline plan show, then ask the person; a new plan or their word goes on", "PHASE_DENIED"
    )


# --- leases ----------------------------------------------------------------------------------------------------


def _opens(lease: dict[str, object], event: Event, made: Call) -> bool:
    if made.sends and lease.get("kind") != "side_effect":
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


def _begin(node: Node, ctx: Context) -> None:
    """Begin a node: its lease opens what it may change."""

    def begun(task: Task) -> Task:
        made = nodes.started(task, node, ctx.start_ms)
        return _touched(made, [node.id]) or made

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
    plan = parse(nodes.accepted_bytes(str(ctx.protected.get("store", "")), ctx.ids.session_id, ctx.ids.work_id))
    ready = [node for node in nodes.ready(plan, task) if node.kind not in ("look", "escalate")]
    for node in ready:
        if _fits(node, event, made, ctx):
            if ctx.config.get("start") == "explicit":
                return _refusal(f"{node.id} has not begun, and {_subject(made)}", "EXECUTING",
                                f"jackline plan node start {node.id}", "LEASE_REQUIRED")  # fmt: skip
            _begin(node, ctx)
            return None
    small = _small(event, ctx, task, made)
    return None if small else _outside(ready, made)


def _outside(ready: list[Node], made: Call) -> Action:
    """A call that no ready node opens."""
    if made.sends:
        now = 'add a node of kind "side_effect" and submit the plan again: jackline plan submit FILE'
    elif ready:
        opened = ", ".join(f"{node.id} ({', '.join(node.scopes) or 'everywhere'})" for node in ready[:4])
        now = f"stay in what is ready: {opened}; or submit a plan that holds it: jackline plan submit FILE"
    else:
        now = "jackline plan show; submit a plan that holds it: jackline plan submit FILE"
    return _refusal(f"no node that is ready opens this: {_subject(made)}", "EXECUTING", now, "LEASE_REQUIRED")


# --- the whole -------------------------------------------------------------------------------------------------


def _small(event: Event, ctx: Context, task: Task, made: Call) -> bool:
    """Whether this is a small change; it is counted then."""
    counted = passes(event, ctx, task, made)
    if counted is None:
        return False
    if not ctx.dry:
        work.change(ctx, lambda now: passes(event, ctx, now, made))
    return True


def judged(event: Event, ctx: Context) -> Action | None:
    """What the gate says to a call that may change something."""
    made = call(event, ctx)
    if made.is_harmless and not (made.reads and ctx.config.get("reading") == "lease"):
        return None
    task = work.task(ctx)
    phase = work.phase(ctx, task)
    if phase == "EXECUTING":
        return _executing(event, ctx, task, made)
    if _small(event, ctx, task, made):
        return None
    if phase == "COMPLETE":
        return _over(made, phase)
    if phase == "BLOCKED":
        return _blocked(made, phase)
    return _unplanned(event, ctx, made, phase)
