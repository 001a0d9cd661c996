"""What an agent does to its plan, from a command or from the event that saw it: begin, finish, skip a node."""

from __future__ import annotations

from jackline.affected_paths import below
from jackline.file_stat import of as stamp_of
from jackline.globs import base, covers, expand
from jackline.services.plans import nodes
from jackline.services.plans.acceptance import Where, accepted
from jackline.services.plans.commands import of_node
from jackline.services.plans.document import Node
from jackline.services.plans.nodes import Refused, find
from jackline.store import tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.services.validators.runs import Tree

MANY = 5_000
"""Files below a node's scope that are looked at."""
SLACK_MS = 2_000
"""A file system's clock may lag behind ours."""


def has_changed(root: str, node: Node, since_ms: int) -> bool:
    """Whether a file in a node's scope was changed since; true where there are too many to say."""
    scopes = [one for scope in node.scopes or ("**",) for one in expand(scope)]
    for scope in scopes:
        start = base(scope)
        for count, path in enumerate(below(f"{root}/{start}" if start else root)):
            if count == MANY:
                return True
            inner = path[len(root) + 1 :]
            if covers(scope, inner) and "/.git/" not in f"/{inner}" and _changed_ms(path) >= since_ms - SLACK_MS:
                return True
    return False


def _changed_ms(path: str) -> int:
    return stamp_of(path)[1] // 1_000_000


def _began(task: tasks.Task, name: str) -> int:
    found = task.get("nodes", {}).get(name)
    return int(found.get("at", 0)) if isinstance(found, dict) else 0


def _in_turn(where: Where, node: Node) -> None:
    """Refuse a node that waits for others: the command that is named is about the one whose turn it is."""
    task, plan = tasks.read(where.store, where.sid, where.work), accepted(where)
    before = nodes.waiting(task, node) if nodes.status(task, node.id) == "" and not node.forbidden else []
    first, known = node, {one.id: one for one in plan.nodes}
    while not first.forbidden and (needs := nodes.waiting(task, first)):
        first = known[needs[0]]
    if before:
        begun = nodes.status(task, first.id) == "started"
        now = of_node("skip" if first.forbidden else "done" if begun else "start", first.id)
        raise Refused(f"{node.id} waits for {', '.join(before)} · {now}")


def start(where: Where, name: str, now_ms: int) -> tasks.Task:
    """Begin a node. Refused when it may not begin; OSError when the store cannot be written."""
    node = _node(where, name)
    _in_turn(where, node)
    return tasks.change(where.store, where.sid, where.work, lambda task: nodes.started(task, node, now_ms))


class NotYet(Refused):
    """A validator that the node names has not run on what is there now."""


def _validated(where: Where, node: Node, tree: Tree | None) -> tuple[str, ...]:
    """What validators that the node names say besides. Refused where one is red, cannot run, or has not run (and may
    not be run here).
    """
    from jackline.services.validators.node import judge

    found = judge(where, node, tree)
    if found.blocks:
        raise (NotYet if found.missing else Refused)("\n".join(found.lines))
    return found.lines


def finish(where: Where, name: str, now_ms: int, tree: Tree | None = None) -> tuple[str, ...]:
    """Finish a node; what is to be said of it. Refused when nothing in its scope changed, it never began, or a
    validator that it names is red. `tree`: where validators that have not run on the present content run first.
    """
    node = _node(where, name)
    task = tasks.read(where.store, where.sid, where.work)
    if nodes.status(task, name) == "done":
        return ()
    _in_turn(where, node)
    began = _began(task, name)
    touched = bool(task.get("touched", {}).get(name))
    if node.kind == "change" and began and not touched and not has_changed(where.root, node, began):
        what = ", ".join(node.scopes) or "the project"
        raise Refused(f"{name} · nothing in {what} changed since it began · leave it out: {of_node('skip', name)}")
    said = _validated(where, node, tree) if nodes.status(task, name) == "started" else ()
    tasks.change(where.store, where.sid, where.work, lambda task: nodes.ended(task, node, "done", now_ms))
    return said


def skip(where: Where, name: str, reason: str, now_ms: int) -> tasks.Task:
    """Leave a node out, with the reason."""
    node = _node(where, name)
    return tasks.change(
        where.store, where.sid, where.work, lambda task: nodes.ended(task, node, "skipped", now_ms, reason)
    )


def _node(where: Where, name: str) -> Node:
    plan = accepted(where)
    if not plan.nodes:
        raise Refused(
            'no plan was accepted yet · jackline plan submit FILE, or jackline plan quick "WHAT" --files GLOB'
        )
    return find(plan, name)
