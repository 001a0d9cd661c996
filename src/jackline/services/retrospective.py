"""What came of a task that is complete: its nodes, attempts, refusals, and minutes at work (schema `retrospective`).

Made from the store's task and the log; whoever learns from tasks reads it from the bus.
"""

from __future__ import annotations

from jackline.services import history
from jackline.services.plans import nodes
from jackline.store.secrets import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from jackline.services.plans.document import Node, Plan
    from jackline.store.tasks import Task

    Row = dict[str, Any]

KIND = "retrospective"
FORMAT = 1
REFUSALS = 50
"""Refusals that are told one by one."""
MINUTE = 60_000


def minutes(rows: Iterable[Row]) -> float:
    """Minutes at work: within a turn from its first row to its last."""
    spans: dict[object, tuple[int, int]] = {}
    for row in rows:
        ts, turn = row.get("ts"), row.get("turnId")
        if type(ts) is int:
            first, last = spans.get(turn, (ts, ts))
            spans[turn] = min(first, ts), max(last, ts)
    return round(sum(last - first for first, last in spans.values()) / MINUTE, 1)


def _node(node: Node, task: Task) -> dict[str, Any]:
    """A node as it ended."""
    status = "forbidden" if node.forbidden else nodes.status(task, node.id) or "open"
    made = {"id": node.id, "kind": node.kind, "description": history.line(node.description), "status": status}
    known = task.get("nodes", {}).get(node.id) or {}
    return made | ({"reason": history.line(known["reason"])} if known.get("reason") else {})


def _count(rows: Iterable[Row], kind: str, decision: str = "") -> int:
    return sum(row.get("kind") == kind and decision in ("", row.get("decision")) for row in rows)


def made(task: Task, plan: Plan, rows: Sequence[Row]) -> dict[str, Any]:
    """The retrospective of a task, from its accepted plan and the rows of its log."""
    refused = history.denials(rows, ("deny",))
    return {
        "v": FORMAT,
        "goal": mask(str(task.get("goal", ""))),
        "plan": str((task.get("plan") or {}).get("fingerprint", "")),
        "nodes": [_node(node, task) for node in plan.nodes],
        "attempts": {
            "accepted": _count(rows, "PLAN_ACCEPTED"),
            "denied": _count(rows, "PLAN_DENIED"),
            "continued": _count(rows, "HOOK_EVENT", "block"),
        },
        "refused": sum(one.times for one in refused),
        "refusals": [
            {"by": one.by, "tool": one.tool, "reason": history.line(one.reason), "times": one.times}
            for one in sorted(refused, key=lambda one: -one.times)[:REFUSALS]
        ],
        "minutes": minutes(rows),
    }
