"""Read a plan graph and say what is wrong with it (schema `plan-graph`, unique ids, known dependencies, no circle)."""

from __future__ import annotations

from jackline.wire import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

LIMIT = 1 << 20
"""Bytes of a plan that are read; a longer one is rejected."""

MOST = 2_000
"""Nodes."""

FORBIDDEN = frozenset(("forbidden", "denied"))


class Node(NamedTuple):
    """One step. No tools: any tool; no scopes: everywhere."""

    id: str
    tools: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    status: str = ""
    reason: str = ""
    forbidden: bool = False
    description: str = ""


class Plan(NamedTuple):
    """A plan, or what is wrong with it (then there are no nodes)."""

    nodes: tuple[Node, ...] = ()
    fault: str = ""


class Fault(Exception):
    """One sentence about a plan that is not valid."""


def _text(node: dict[str, Any], key: str, where: str, *, needed: bool = False) -> str:
    value = node.get(key)
    if value is None and key not in node and not needed:
        return ""
    if not isinstance(value, str) or (needed and not value):
        raise Fault(f"{where}.{key}: expected {'a text' if needed else 'text'}")
    return value


def _texts(node: dict[str, Any], key: str, where: str, *, single: bool = False) -> tuple[str, ...]:
    """A list of texts, or where `single` one text alone."""
    if key not in node:
        return ()
    value = node[key]
    if single and isinstance(value, str) and value:
        return (value,)
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise Fault(f"{where}.{key}: expected {'a text or ' if single else ''}a list of texts")
    return tuple(value)


def _node(raw: object, where: str) -> tuple[Node, tuple[str, ...]]:
    if not isinstance(raw, dict):
        raise Fault(f"{where}: expected an object")
    name = _text(raw, "id", where, needed=True)
    if len(name) > 200:
        raise Fault(f"{where}.id: longer than 200 characters")
    description = _text(raw, "description", where, needed=True)
    one = (_text(raw, "tool", where, needed=True),) if "tool" in raw else ()
    tools = one + _texts(raw, "tools", where)
    status = _text(raw, "status", where).lower()
    scopes = _texts(raw, "scope", where, single=True)
    node = Node(name, tools, scopes, status, _text(raw, "reason", where), status in FORBIDDEN, description)
    return node, _texts(raw, "dependencies", where)


def _circle(needs: dict[str, tuple[str, ...]]) -> str:
    """An id that stands in a circle of dependencies, "" when there is none."""
    waiting = {name: len(set(before)) for name, before in needs.items()}
    after: dict[str, list[str]] = {name: [] for name in needs}
    for name, before in needs.items():
        for one in set(before):
            after[one].append(name)
    ready = [name for name, count in waiting.items() if count == 0]
    while ready:
        done = ready.pop()
        for name in after[done]:
            waiting[name] -= 1
            if waiting[name] == 0:
                ready.append(name)
        del waiting[done]
    return next(iter(waiting), "")


def _read(raw: object) -> tuple[Node, ...]:
    if not isinstance(raw, dict) or not isinstance(raw.get("nodes"), list):
        raise Fault("expected an object with a list `nodes`")
    if not isinstance(raw.get("$schema", ""), str):
        raise Fault("$schema: expected text")
    if not 0 < len(raw["nodes"]) <= MOST:
        raise Fault(f"nodes: expected 1 to {MOST}, found {len(raw['nodes'])}")
    nodes: dict[str, Node] = {}
    needs: dict[str, tuple[str, ...]] = {}
    for at, one in enumerate(raw["nodes"]):
        node, before = _node(one, f"nodes[{at}]")
        if node.id in nodes:
            raise Fault(f"nodes[{at}].id: {node.id!r} stands twice")
        nodes[node.id], needs[node.id] = node, before
    for name, before in needs.items():
        for one in before:
            if one not in nodes:
                raise Fault(f"{name}.dependencies: no node has the id {one!r}")
    circle = _circle(needs)
    if circle:
        raise Fault(f"{circle}.dependencies: they lead back to it or into a circle")
    return tuple(nodes.values())


def parse(data: bytes) -> Plan:
    """The plan in a file's bytes. Never raises: what is wrong stands in `fault`."""
    if len(data) > LIMIT:
        return Plan(fault=f"larger than {LIMIT} bytes")
    try:
        nodes = _read(loads(data.decode("utf-8-sig")))
    except Fault as fault:
        return Plan(fault=str(fault))
    except (ValueError, RecursionError) as fault:
        return Plan(fault=f"no valid JSON ({str(fault).partition(chr(10))[0]})")
    return Plan(nodes)
