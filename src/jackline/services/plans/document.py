"""Read a plan graph and say what is wrong with its structure: schema `plan-graph`, ids, dependencies, no circle.

What else a plan has to be stands in `rules`.
"""

from __future__ import annotations

from jackline.jsonio import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

LIMIT = 1 << 20
"""Bytes of a plan that are read; a longer one is rejected."""

MOST = 2_000
"""Nodes."""

FORBIDDEN = frozenset(("forbidden", "denied"))
KINDS = ("change", "validate", "side_effect", "escalate")
REQUESTS = ("decision", "permission", "information")
"""What an escalation may ask a person for."""
READING = frozenset(("read", "search", "list", "fetch"))
COMMANDS = 50
"""Commands of all nodes together by which a plan checks itself."""
COMMAND = 500
"""Characters of such a command."""


class Node(NamedTuple):
    """One step. No tools: any tool; no scopes: everywhere. `needs`: ids of the nodes that come before it.

    `kind`: `change` `validate` `side_effect` `escalate`, or `look` where its tools only read. `minutes`: how long its
    lease lasts, 0 for the usual time. `paths` and `lends`: what its lease opens, where that is not scopes and tools.
    `validators`: names of checks that somebody trusts; `commands`: those in the plan's own words.
    """

    id: str
    tools: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    status: str = ""
    reason: str = ""
    forbidden: bool = False
    description: str = ""
    kind: str = "change"
    needs: tuple[str, ...] = ()
    validators: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    minutes: int = 0
    paths: tuple[str, ...] = ()
    lends: tuple[str, ...] = ()
    request: Mapping[str, Any] | None = None
    claims: Mapping[str, Any] | None = None
    gate: str = ""
    commands: tuple[tuple[str, ...], ...] = ()


class Plan(NamedTuple):
    """A plan, or what is wrong with it (then there are no nodes). `pack`: the hash of the pack it was made from."""

    nodes: tuple[Node, ...] = ()
    fault: str = ""
    pack: str = ""
    goal: str = ""


class Fault(Exception):
    """One sentence about a plan that is not valid: where, and what was expected."""

    @property
    def key(self) -> str:
        """The key of a node that it is about, "" where it is about none."""
        place = str(self).partition(": ")[0]
        return place.partition("].")[2].partition(".")[0].partition("[")[0]


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


def _command(raw: object, where: str) -> tuple[str, ...]:
    """The words of a check that is written out: `{"command": [WORD, …]}`."""
    if not isinstance(raw, dict) or raw.keys() != {"command"}:
        raise Fault(f'{where}: expected a name, or {{"command": ["program", "argument"]}}')
    words = _texts(raw, "command", where)
    if not words or sum(map(len, words)) > COMMAND or any("\0" in word for word in words):
        raise Fault(f"{where}.command: expected 1 to {COMMAND} characters in all")
    return words


def _checks(node: dict[str, Any], where: str) -> dict[str, Any]:
    """What checks a node: names, and commands in the plan's own words."""
    value = node.get("validators", [])
    if not isinstance(value, list):
        value = [value]
    names = _texts({"validators": [one for one in value if not isinstance(one, dict)]}, "validators", where)
    commands = [_command(one, f"{where}.validators[{at}]") for at, one in enumerate(value) if isinstance(one, dict)]
    return {"validators": names, "commands": tuple(dict.fromkeys(commands))}


def _object(node: dict[str, Any], key: str, where: str) -> dict[str, Any] | None:
    value = node.get(key)
    if value is not None and not isinstance(value, dict):
        raise Fault(f"{where}.{key}: expected an object")
    return value


def _claims(node: dict[str, Any], where: str) -> dict[str, Any] | None:
    """What a node says of itself, in the form that others read it in."""
    claims = _object(node, "claims", where)
    if claims:
        _texts(claims, "fixes", f"{where}.claims", single=True)
        migration = _object(claims, "migration", f"{where}.claims")
        if migration is not None:
            _text(migration, "from", f"{where}.claims.migration", needed=True)
            _text(migration, "to", f"{where}.claims.migration", needed=True)
    return claims


def _kind(node: dict[str, Any], tools: tuple[str, ...], where: str) -> str:
    """What a node is: as it says, else by its tools."""
    said = _text(node, "kind", where)
    if said:
        if said not in (*KINDS, "look"):
            raise Fault(f"{where}.kind: expected one of {', '.join(KINDS)}")
        return said
    from jackline.services.plans.tools import kind_of

    return "look" if tools and all(kind_of(one) in READING for one in tools) else "change"


def _places(found: tuple[str, ...], root: str) -> tuple[str, ...]:
    """Globs as the gate compares them: relative to the root, with `/` between folders, however somebody wrote them."""
    if not any(one[:1] in "./" or "\\" in one for one in found):
        return found
    from jackline.services.plans.scopes import relative

    return tuple([relative(one, root) for one in found])


def _lease(node: dict[str, Any], where: str, root: str) -> dict[str, Any]:
    lease = _object(node, "lease", where) or {}
    minutes = lease.get("minutes", 0)
    if type(minutes) is not int or not 0 <= minutes <= 1440:
        raise Fault(f"{where}.lease.minutes: expected a whole number up to 1440")
    return {
        "minutes": minutes,
        "paths": _places(_texts(lease, "paths", f"{where}.lease", single=True), root),
        "lends": _texts(lease, "tools", f"{where}.lease", single=True),
    }


def node_of(raw: object, where: str, root: str) -> Node:
    """A node as it is written. Raises Fault for the first thing that is wrong with it."""
    if not isinstance(raw, dict):
        raise Fault(f"{where}: expected an object")
    name = _text(raw, "id", where, needed=True)
    if len(name) > 200:
        raise Fault(f"{where}.id: longer than 200 characters")
    description = _text(raw, "description", where, needed=True)
    one = (_text(raw, "tool", where, needed=True),) if "tool" in raw else ()
    tools = one + _texts(raw, "tools", where)
    status = _text(raw, "status", where).lower()
    scopes = _places(_texts(raw, "scope", where, single=True), root)
    reason = _text(raw, "reason", where)
    needs = _texts(raw, "dependencies", where) + _texts(raw, "dependsOn", where)
    node = Node(
        name, tools, scopes, status, reason, status in FORBIDDEN, description, needs=tuple(dict.fromkeys(needs))
    )
    if not raw.keys() <= PLAIN:
        return _more(node, raw, where, root)
    return node._replace(kind=_kind(raw, tools, where)) if tools else node


PLAIN = frozenset(("id", "description", "tool", "tools", "scope", "status", "reason", "dependencies", "dependsOn"))
"""Keys of a node that asks for nothing special."""


def _more(node: Node, raw: dict[str, Any], where: str, root: str) -> Node:
    """What else a node says."""
    return node._replace(
        kind=_kind(raw, node.tools, where),
        evidence=_texts(raw, "evidence", where, single=True),
        request=_object(raw, "request", where),
        claims=_claims(raw, where),
        gate=_text(raw, "toolGateId", where),
        **_checks(raw, where),
        **_lease(raw, where, root),
    )


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


def _read(raw: object, root: str) -> Plan:
    if not isinstance(raw, dict) or not isinstance(raw.get("nodes"), list):
        raise Fault("expected an object with a list `nodes`")
    if not isinstance(raw.get("$schema", ""), str):
        raise Fault("$schema: expected text")
    if not 0 < len(raw["nodes"]) <= MOST:
        raise Fault(f"nodes: expected 1 to {MOST}, found {len(raw['nodes'])}")
    nodes: dict[str, Node] = {}
    for at, one in enumerate(raw["nodes"]):
        node = node_of(one, f"nodes[{at}]", root)
        if node.id in nodes:
            raise Fault(f"nodes[{at}].id: {node.id!r} stands twice")
        nodes[node.id] = node
    for node in nodes.values():
        for one in node.needs:
            if one not in nodes:
                raise Fault(f"{node.id}.dependencies: no node has the id {one!r}")
    if sum(len(node.commands) for node in nodes.values()) > COMMANDS:
        raise Fault(f"nodes: expected at most {COMMANDS} commands that check something")
    circle = _circle({name: node.needs for name, node in nodes.items()})
    if circle:
        raise Fault(f"{circle}.dependencies: they lead back to it or into a circle")
    return Plan(tuple(nodes.values()), "", _text(raw, "pack", "plan"), _text(raw, "goal", "plan"))


def _is_half(value: object) -> bool:
    """Whether half a character (`\\ud800`) stands in a text of it: no file, picture or terminal takes one."""
    if isinstance(value, str):
        return any("\ud800" <= sign <= "\udfff" for sign in value)
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_is_half, parts))


def _loaded(text: str) -> Any:
    raw = loads(text)
    if "\\ud" in text.lower() and _is_half(raw):
        raise Fault("half a character (\\ud800 to \\udfff) stands in it")
    return raw


def text_of(data: bytes) -> str:
    """A file's text without the mark that some editors begin with. ValueError for other bytes than UTF-8."""
    return data.removeprefix(b"\xef\xbb\xbf").decode()


def parse(data: bytes, root: str = "") -> Plan:
    """The plan in a file's bytes; its globs below `root` are relative to it. Never raises: what is wrong stands in
    `fault`.
    """
    if len(data) > LIMIT:
        return Plan(fault=f"larger than {LIMIT} bytes")
    try:
        return _read(_loaded(text_of(data)), root)
    except Fault as fault:
        return Plan(fault=str(fault))
    except (ValueError, RecursionError) as fault:
        return Plan(fault=f"no valid JSON ({str(fault).partition(chr(10))[0]})")
