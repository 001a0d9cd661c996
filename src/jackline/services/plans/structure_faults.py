"""All that is wrong with the structure of a plan that cannot be read: `document` stops at the first fault.

Each finding names its node, so that whoever wrote the plan mends it in one go.
"""

from __future__ import annotations

from jackline.jsonio import loads
from jackline.services.plans.document import Fault, Node, Plan, node_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

EXAMPLES = {
    "id": '"id": "n1"',
    "description": '"description": "what is done"',
    "tool": '"tool": "Edit"',
    "tools": '"tools": ["kind:edit"]',
    "scope": '"scope": ["src/**"]',
    "kind": '"kind": "change"',
    "status": 'no "status", or "status": "forbidden"',
    "reason": '"reason": "why"',
    "dependencies": '"dependencies": ["n1"]',
    "dependsOn": '"dependsOn": ["n1"]',
    "validators": '"validators": ["NAME"]',
    "evidence": '"evidence": ["PATH"]',
    "lease": '"lease": {"minutes": 30}',
    "request": '"request": {"type": "decision", "question": "…"}',
    "claims": '"claims": {"fixes": ["NAME"]}',
    "toolGateId": '"toolGateId": "NAME"',
}
"""What to write for a key of a node."""
TEMPLATE = "see `jackline plan template`"
NEEDED = ("id", "description")


class Wrong(NamedTuple):
    """What is wrong, with which node ("" for the plan), and what to write."""

    node: str
    what: str
    write: str


def _of_node(raw: object, at: int, root: str) -> tuple[Node | None, list[Wrong]]:
    """A node without what is wrong with it, and all of that; None where nothing of it can be read."""
    if not isinstance(raw, dict):
        return None, [Wrong("", f"nodes[{at}]: expected an object", TEMPLATE)]
    name = raw.get("id")
    named = name if isinstance(name, str) and 0 < len(name) <= 200 else ""
    left = dict(raw)
    found: list[Wrong] = []
    while True:
        try:
            return node_of(left, f"nodes[{at}]", root), found
        except Fault as fault:
            key = fault.key
            found.append(Wrong(named, str(fault), EXAMPLES.get(key, TEMPLATE)))
            if key in NEEDED:  # something stands for it while the rest is looked at
                left[key] = f"nodes[{at}]"
            elif key in left:
                del left[key]
            else:
                return None, found


def _waiting(needs: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The nodes that wait for ever, with those of them that each waits for."""
    count = {name: len(before) for name, before in needs.items()}
    after: dict[str, list[str]] = {name: [] for name in needs}
    for name, before in needs.items():
        for one in before:
            after[one].append(name)
    ready = [name for name, left in count.items() if not left]
    while ready:
        for name in after[ready.pop()]:
            count[name] -= 1
            if not count[name]:
                ready.append(name)
    return {name: [one for one in needs[name] if count[one]] for name, left in count.items() if left}


def _circles(needs: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Circles of nodes that wait for each other, no node in two of them; the first few."""
    left = {name: [one for one in dict.fromkeys(before) if one in needs] for name, before in needs.items()}
    made: list[list[str]] = []
    while len(made) < CIRCLES and (left := _waiting(left)):
        way = [next(iter(left))]
        while (after := left[way[-1]][0]) not in way:
            way.append(after)
        circle = way[way.index(after) :]
        made.append(circle)
        left = {name: [one for one in before if one not in circle]
                for name, before in left.items() if name not in circle}  # fmt: skip
    return made


CIRCLES, SHOWN = 12, 8
"""Circles that are told, and nodes of each."""


def _of_graph(nodes: Mapping[str, Node]) -> list[Wrong]:
    """What is wrong with how nodes depend on each other."""
    found = []
    for node in nodes.values():
        for one in node.needs:
            if one not in nodes:
                there = [name for name in nodes if name != node.id and name[:6] != "nodes["][:8]
                write = f"one of {', '.join(there)}" if there else "no dependency"
                found.append(Wrong(node.id, f"its dependencies: no node has the id {one!r}", write))
    for circle in _circles({node.id: node.needs for node in nodes.values()}):
        way = " → ".join([*circle[:SHOWN], *(["…"] if len(circle) > SHOWN else []), circle[0]])
        found.append(Wrong(circle[0], f"its dependencies lead in a circle: {way}", "one of them less"))
    return found


TEXTS = ("pack", "goal")
WHOLE = ("expected ", "nodes: ", "$schema: ", "half a ", "larger ", "no valid ")
"""How a fault begins that is about the whole plan: nothing else is said of it."""


def _is_text(raw: Mapping[str, Any], key: str) -> bool:
    return isinstance(raw.get(key, ""), str)


def every(data: bytes, plan: Plan, root: str) -> tuple[list[Wrong], tuple[Node, ...]]:
    """All that is wrong with a plan that has a fault, and its nodes with which nothing is."""
    alone = [Wrong("", plan.fault, TEMPLATE)]
    if plan.fault.startswith(WHOLE):
        return alone, ()
    raw: Any = loads(text_of(data))
    found = [Wrong("", f"plan.{key}: expected text", f'"{key}": "…"') for key in TEXTS if not _is_text(raw, key)]
    nodes: dict[str, Node] = {}
    broken: set[str] = set()
    for at, one in enumerate(raw["nodes"]):
        node, wrongs = _of_node(one, at, root)
        found += wrongs
        if node is None:
            continue
        broken.update([node.id] if wrongs else ())
        if node.id in nodes:
            found.append(Wrong(node.id, f"nodes[{at}].id: {node.id!r} stands twice", "an id of its own"))
        else:
            nodes[node.id] = node
    found += _of_graph(nodes)
    return found or alone, tuple([node for node in nodes.values() if node.id not in broken])
