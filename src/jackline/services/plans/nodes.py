"""Work off an accepted plan: which nodes are ready, start one, finish one; and leases, what started nodes open.

What is done stands in the store's task (`store.tasks`): nothing that an agent writes into a plan moves it. The
functions that change a task take it and return it changed; `change` writes it.
"""

from __future__ import annotations

from jackline.globs import covers
from jackline.services.plans.tools import WRITING, kind_of, means
from jackline.store import tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from jackline.services.plans.document import Node, Plan
    from jackline.store.tasks import Task

MINUTES = 60
"""How long a lease lasts when its node says nothing."""
OVER = ("done", "skipped")
REASON = 500
"""Characters of a reason that are kept."""


class Refused(Exception):
    """This cannot be done to a node; the message says why, and what can."""


def accepted_bytes(store: str, sid: str, work: str) -> bytes:
    """The accepted plan of a task as it was submitted; empty when there is none."""
    return tasks.read_plan(store, sid, work)


def status(task: Task, name: str) -> str:
    """`started`, `done`, `skipped`, or "" for a node nobody began."""
    found = task.get("nodes", {}).get(name)
    return str(found.get("status", "")) if type(found) is dict else ""


def is_ready(task: Task, node: Node) -> bool:
    """Whether a node may begin: not over, not forbidden, and all before it over."""
    return not node.forbidden and status(task, node.id) not in OVER and not waiting(task, node)


def ready(plan: Plan, task: Task) -> list[Node]:
    """The nodes that may begin or have begun, in the plan's order."""
    return [node for node in plan.nodes if is_ready(task, node)]


def is_complete(plan: Plan, task: Task) -> bool:
    """Whether every node that may run is over, and there is one."""
    left = [node for node in plan.nodes if not node.forbidden]
    return bool(left) and all(status(task, node.id) in OVER for node in left)


def find(plan: Plan, name: str) -> Node:
    """A node by its id. Refused when there is none."""
    for node in plan.nodes:
        if node.id == name:
            return node
    raise Refused(f"no node {name!r} · there are {', '.join([node.id for node in plan.nodes][:8])}")


CHANGING = ("change", "side_effect")
"""Kinds of nodes that lend changes; who looks or validates changes nothing, whatever its scope and tools are."""

# --- leases ----------------------------------------------------------------------------------------------------


def lease_of(node: Node, now_ms: int) -> dict[str, Any]:
    """What a node opens when it begins: paths, tools, and until when."""
    return {
        "until": now_ms + (node.minutes or MINUTES) * 60_000,
        "paths": list(node.paths or node.scopes),
        "tools": list(node.lends or node.tools),
        "kind": node.kind,
    }


def leases(task: Task, now_ms: int) -> dict[str, dict[str, Any]]:
    """The leases that hold now, by node."""
    found = task.get("leases")
    if type(found) is not dict:
        return {}
    return {name: one for name, one in found.items() if type(one) is dict and one.get("until", 0) > now_ms}


def _opens_tool(tools: Sequence[str], tool: str, kind: str, *, changes: bool) -> bool:
    """Whether a lease opens a tool. Who changes files through a shell needs a tool that changes files, or the shell."""
    if not tools or means(tuple(tools), tool, kind):
        return True
    return changes and any(kind_of(one) in WRITING for one in tools)


def opens(lease: Mapping[str, Any], tool: str, kind: str, paths: Iterable[str]) -> bool:
    """Whether a lease lets this tool change all of these paths; without paths, whether it lets the tool run at all."""
    paths = tuple(paths)
    if not _opens_tool(lease["tools"], tool, kind, changes=bool(paths)):
        return False
    return not lease["paths"] or all(any(covers(one, path) for one in lease["paths"]) for path in paths)


# --- steps -----------------------------------------------------------------------------------------------------


def waiting(task: Task, node: Node) -> list[str]:
    """The nodes that a node waits for."""
    return [name for name in node.needs if status(task, name) not in OVER]


def refused(task: Task, node: Node, verb: str) -> Refused:
    """Why a node cannot begin, be done or be left out, with the command that leads on."""
    from jackline.services.plans.commands import SUBMIT, of_node

    if status(task, node.id) in OVER:
        return Refused(f"{node.id} is {status(task, node.id)} · a plan that names the work anew: {SUBMIT}")
    if verb == "skip":
        return Refused(f"{node.id} · say why: {of_node('skip', node.id)}")
    if node.forbidden:
        why = node.reason or node.description
        return Refused(f"{node.id} is forbidden by the plan: {why} · another plan: {SUBMIT}")
    before = waiting(task, node)
    if before:
        return Refused(f"{node.id} waits for {', '.join(before)} · {of_node('start', before[0])}")
    return Refused(f"{node.id} has not begun · {of_node('start', node.id)}")


def started(task: Task, node: Node, now_ms: int) -> Task:
    """The task after a node began. Refused when it may not."""
    if not is_ready(task, node):
        raise refused(task, node, "start")
    nodes = {**task.get("nodes", {}), node.id: {"status": "started", "at": now_ms}}
    return {**task, "nodes": nodes, "leases": {**leases(task, now_ms), node.id: lease_of(node, now_ms)}}


def ended(task: Task, node: Node, how: str, now_ms: int, reason: str = "") -> Task:
    """The task after a node is `done` or `skipped`. Refused when a change never began, or is skipped without a reason.

    A step that changes nothing here needs no beginning: it is done once all before it is.
    """
    if how == "done" and status(task, node.id) == "done":
        return task
    begun = status(task, node.id) == "started"
    if how == "done" and not begun and (node.kind == "change" or not is_ready(task, node)):
        raise refused(task, node, "done")
    if how == "skipped" and (not reason or status(task, node.id) == "done"):
        raise refused(task, node, "skip")
    known = {"status": how, "at": now_ms} | ({"reason": reason[:REASON]} if reason else {})
    left = {name: one for name, one in leases(task, now_ms).items() if name != node.id}
    return {**task, "nodes": {**task.get("nodes", {}), node.id: known}, "leases": left}


def without_leases(task: Task) -> Task:
    """The task after all leases ended: their nodes have to begin again."""
    nodes = {
        name: one for name, one in task.get("nodes", {}).items() if type(one) is dict and one.get("status") != "started"
    }
    return {**task, "nodes": nodes, "leases": {}}
