"""How the gate says no: what the call does, in which phase, and the one command that leads on from there."""

from __future__ import annotations

from jackline.sdk import deny
from jackline.services.plans.commands import SUBMIT, of_node, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.features.tool_gate.calls import Call
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.services.plans.document import Node
    from jackline.store.tasks import Task


def refusal(what: str, phase: str, now: str, code: str) -> Action:
    """A refusal that names one command."""
    row = {"kind": "GATE_DENY", "data": {"phase": phase, "what": what, "code": code}}
    action = deny(what, rule=f"tool-gate: {phase}", safer=f"now: {now}", code=code, risk="DESTRUCTIVE")
    return action._replace(emit_events=(row,))


def first(made: Call) -> str:
    """The path that a sentence names, "" where there is none."""
    return next(iter((*made.changes, *made.files, *made.folders)), "")


def subject(made: Call) -> str:
    """What the call would do, for a sentence."""
    if made.changes and all(path[:1] == "/" for path in made.changes):
        return f"it changes {made.changes[0]}, outside of the project: a step without a scope opens that"
    for verb, paths in (("changes", made.changes), ("reads", made.files), ("looks through", made.folders)):
        if paths:
            more = f" (+{len(paths) - 1} more)" if len(paths) > 1 else ""
            what = "the whole project" if paths[0] == "." else paths[0]
            return f"it {verb} {what}{more}"
    if made.runs:
        return "it runs something"
    return "it leaves the project" if made.sends else f"nobody can tell what it changes ({made.unsure})"


def _holds(ctx: Context, glob: str) -> bool:
    """Whether a plan of this session may have a glob for what it changes."""
    from jackline.services.plans import bounds

    return bounds.holds(bounds.scope_of(str(ctx.protected.get("store", "")), ctx.ids.session_id, ctx.root), glob)


def quick(ctx: Context, path: str) -> str:
    """The command that makes a plan for a place: for its folder, or for itself where the session's intent holds no
    more, or none of it yet, or plans keep to the context pack. Outside of the project no scope lies: a step without
    one opens it.
    """
    if path[:1] == "/":
        return SUBMIT
    from jackline.services.plans import bounds

    folder = path.rpartition("/")[0]
    where = path if path not in ("", ".") else "GLOB"
    narrow = bounds.keeps_to_pack(str(ctx.protected.get("store", "")), ctx.root)
    if folder and not narrow and _holds(ctx, f"{folder}/**"):
        where = f"{folder}/**"
    return f'jackline plan quick "WHAT" --files {_glob(where)}'


def _opening(ctx: Context, made: Call) -> str:
    """The command that makes a plan which opens a call; what may change anything needs one for everything."""
    if not made.unsure:
        return quick(ctx, first(made))
    return 'jackline plan quick "WHAT" --files "**"' if _holds(ctx, "**") else SUBMIT


def to_read(ctx: Context, path: str) -> str:
    """The same for a place that is read: one that only looks where the session's intent lets nobody change anything."""
    return SUBMIT if path and not _holds(ctx, path) else quick(ctx, path)


def _glob(text: str) -> str:
    return quoted(text) if set(text) & set("\"$`\\!'") else f'"{text}"'


def blocked(task: Task, made: Call) -> Action:
    """A blocked task goes on by what its pack lacks, a new plan, or the person's next prompt."""
    if task.get("capped"):
        from jackline.services import budget

        what = f"{budget.sentence(task)}, and {subject(made)}; tell the person, their next prompt goes on"
        return refusal(what, "BLOCKED", "jackline sessions work", "BUDGET_EXCEEDED")
    lacks = (task.get("context") or {}).get("status") == "INSUFFICIENT"
    now = "jackline pack add PATH" if lacks else SUBMIT
    why = ", its context pack is not sufficient," if lacks else ","
    what = f"the task is blocked{why} and {subject(made)}; tell the person, their next prompt goes on"
    return refusal(what, "BLOCKED", now, "PHASE_DENIED")


def unplanned(ctx: Context, made: Call, phase: str, files: int, lines: int) -> Action:
    """A change before there is a plan. `files`, `lines`: what is free for each prompt."""
    free = f"; {files} file, {lines} lines are free for each prompt" if files else ""
    return refusal(f"there is no plan yet, and {subject(made)}{free}", phase, _opening(ctx, made), "PLAN_REQUIRED")


def over(ctx: Context, made: Call, phase: str) -> Action:
    """A change when the task is complete."""
    return refusal(f"the task is complete, and {subject(made)}", phase, _opening(ctx, made), "PHASE_DENIED")


def locked(made: Call, phase: str) -> Action:
    """A call while the tools are locked."""
    what = f"the context was cut and the tools are locked, and {subject(made)}"
    return refusal(what, phase, "jackline pack check", "PHASE_DENIED")


def not_begun(node: Node, made: Call) -> Action:
    """A call that fits a node which only a command begins."""
    what = f"{node.id} has not begun, and {subject(made)}"
    return refusal(what, "EXECUTING", of_node("start", node.id), "LEASE_REQUIRED")


def named(ready: Sequence[Node]) -> str:
    """The nodes that may begin, for the end of a sentence; "" where there are none."""
    opened = ", ".join(f"{node.id} ({', '.join(node.scopes) or 'everywhere'})" for node in ready[:4])
    return f"; ready: {opened}" if opened else ""


def outside(ready: list[Node], made: Call, event: Event) -> Action:
    """A call that no ready node opens."""
    what = f"no node that is ready opens this: {subject(made)}"
    if made.sends:
        what += '; a node of kind "side_effect" does'
    elif made.unsure and not made.changes:
        tool = "kind:shell" if event.kind == "shell" else event.tool
        what += f'; a node that lends the tool does, by "tools": ["{tool}"], or one without a scope'
    else:
        what += named(ready)
    return refusal(what, "EXECUTING", SUBMIT, "LEASE_REQUIRED")
