"""A plan as people see it: a tree with what is done, Mermaid, and SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from jackline.services.plans import nodes
from jackline.services.plans.document import Node, Plan
from jackline.store.secrets import mask
from jackline.unicode_escape import escape_line

SIGNS = {"done": "✓", "skipped": "–", "started": "▶", "forbidden": "✗", "": "○"}
"""By status; what nobody began is ○."""


class Line(NamedTuple):
    """One node as a row: its branch in the tree, sign, id, description, scope, and what it waits for or has left."""

    branch: str
    sign: str
    id: str
    description: str
    scope: str
    note: str


def status_of(node: Node, task: Mapping[str, Any]) -> str:
    return "forbidden" if node.forbidden else nodes.status(dict(task), node.id)


def _note(node: Node, task: Mapping[str, Any], now_ms: int) -> str:
    """What is to be said of a node beside its status."""
    known = dict(task)
    if node.forbidden:
        return node.reason or "forbidden"
    status = nodes.status(known, node.id)
    if status == "skipped":
        return str(known["nodes"][node.id].get("reason", ""))
    if status == "started":
        lease = nodes.leases(known, now_ms).get(node.id)
        return f"{max(lease['until'] - now_ms, 0) // 60_000} min left" if lease else "its lease is over"
    waiting = [name for name in node.needs if nodes.status(known, name) not in nodes.OVER]
    return f"after {', '.join(waiting)}" if waiting and not status else ""


def _order(plan: Plan) -> Iterator[Node]:
    """Nodes so that each stands behind those it needs, else in the plan's order; so do those that wait in vain."""
    left = [len(set(node.needs)) for node in plan.nodes]
    after: dict[str, list[int]] = {}
    for at, node in enumerate(plan.nodes):
        for name in dict.fromkeys(node.needs):
            after.setdefault(name, []).append(at)
    ready = [at for at, count in enumerate(left) if not count]
    waiting = iter(range(len(plan.nodes)))
    over: set[int] = set()
    while len(over) < len(plan.nodes):
        at = heappop(ready) if ready else next(one for one in waiting if one not in over)
        if at in over:
            continue
        over.add(at)
        yield plan.nodes[at]
        for one in after.get(plan.nodes[at].id, ()):
            left[one] -= 1
            if not left[one]:
                heappush(ready, one)


def lines(plan: Plan, task: Mapping[str, Any], now_ms: int) -> list[Line]:
    """The nodes of a plan, a row each."""
    ordered = list(_order(plan))
    made = []
    for at, node in enumerate(ordered):
        branch = "└─" if at == len(ordered) - 1 else "├─"
        sign = SIGNS[status_of(node, task)]
        scope = ", ".join(node.scopes[:2]) + (f" (+{len(node.scopes) - 2})" if len(node.scopes) > 2 else "")
        made.append(Line(branch, sign, node.id, " ".join(node.description.split()), scope, _note(node, task, now_ms)))
    return made


PICTURE = 20
"""Lines of a picture before a question."""
LINE = 100
"""Characters of such a line."""


def _few(told: Sequence[str]) -> tuple[str, ...]:
    """The first lines, and how many there are more; secrets are masked."""
    more = len(told) - PICTURE
    if more > 0:
        told = [*told[: PICTURE - 1], f"… {more + 1} more"]
    told = [escape_line(mask(one)) for one in told]
    return tuple([one if len(one) <= LINE else one[: LINE - 1] + "…" for one in told])


def picture(plan: Plan, findings: Sequence[str] = ()) -> tuple[str, ...]:
    """A plan that nobody worked on yet, in few lines, for the person who is asked about it."""
    told = [f"goal: {' '.join(plan.goal.split())}"] if plan.goal else []
    told += [f"{one.branch} {one.id}  {one.description}  {one.scope}".rstrip() for one in lines(plan, {}, 0)]
    return _few([*told, *[f"finding: {one}" for one in findings]])


def outline(plan: Plan, task: Mapping[str, Any], now_ms: int) -> tuple[str, ...]:
    """A plan with what is done, in few lines, for the agent that works on it."""
    rows = lines(plan, task, now_ms)
    return _few(
        [f"{one.branch} {one.sign} {one.id}  {one.description}  {one.scope}  {one.note}".rstrip() for one in rows]
    )


def edges(plan: Plan) -> list[tuple[str, str]]:
    """What a picture draws between nodes: who needs whom, without what another way through it says already."""
    place = {node.id: at for at, node in enumerate(plan.nodes)}
    above: dict[str, int] = {}  # all that a node waits for, a bit each
    made: dict[str, list[tuple[str, str]]] = {}
    for node in _order(plan):
        needs = [name for name in dict.fromkeys(node.needs) if name in above]
        implied = 0
        for name in needs:
            implied |= above[name]
        made[node.id] = [(name, node.id) for name in needs if not implied >> place[name] & 1]
        above[node.id] = implied | sum(1 << place[name] for name in needs)
    return [one for node in plan.nodes for one in made[node.id]]


# --- Mermaid ---------------------------------------------------------------------------------------------------------

COLOURS = {"done": "#d6f5d6", "skipped": "#eeeeee", "started": "#fff3bf", "forbidden": "#ffd6d6", "": "#ffffff"}


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _label(node: Node, width: int = 40) -> str:
    return f"{_short(escape_line(node.id), 20)}: {_short(escape_line(' '.join(node.description.split())), width)}"


def mermaid(plan: Plan, task: Mapping[str, Any]) -> str:
    """A flow chart that Markdown viewers draw."""
    place = {node.id: f"n{at}" for at, node in enumerate(plan.nodes)}
    made = ["flowchart TD"]
    for node in plan.nodes:
        quoted = escape(_label(node), {'"': "&quot;"})
        made.append(f'  {place[node.id]}["{SIGNS[status_of(node, task)]} {quoted}"]')
    made += [f"  {place[name]} --> {place[after]}" for name, after in edges(plan)]
    for status, colour in COLOURS.items():
        here = [place[node.id] for node in plan.nodes if status_of(node, task) == status]
        if status and here:
            made += [f"  classDef {status} fill:{colour}", f"  class {','.join(here)} {status}"]
    return "\n".join(made) + "\n"


# --- SVG -------------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, ACROSS, DOWN, MOST = 250, 44, 30, 40, 5
"""Size of a box, gaps between boxes, and boxes in a row."""


def _ranks(plan: Plan) -> list[list[Node]]:
    """Nodes in rows: each below all that it needs; a long row goes on in the next."""
    depth: dict[str, int] = {}
    for node in _order(plan):
        depth[node.id] = max((depth.get(name, 0) + 1 for name in node.needs), default=0)
    rows: list[list[Node]] = []
    for level in range(max(depth.values(), default=-1) + 1):
        here = [node for node in plan.nodes if depth[node.id] == level]
        rows += [here[at : at + MOST] for at in range(0, len(here), MOST)]
    return rows


def _places(rows: list[list[Node]]) -> dict[str, tuple[int, int]]:
    return {
        node.id: (20 + at * (WIDTH + ACROSS), 20 + row * (HEIGHT + DOWN))
        for row, here in enumerate(rows)
        for at, node in enumerate(here)
    }


def _box(node: Node, x: int, y: int, status: str) -> str:
    label = escape(f"{SIGNS[status]} {_label(node, 25)}")
    scope = escape(_short(escape_line(", ".join(node.scopes)), 32))
    title = escape(escape_line(node.description))
    return (
        f'<g><title>{title}</title><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
        f'fill="{COLOURS[status]}" stroke="#555"/><text x="{x + 8}" y="{y + 18}">{label}</text>'
        f'<text x="{x + 8}" y="{y + 35}" class="scope">{scope}</text></g>'
    )


def _arrow(x: int, y: int, to_x: int, to_y: int) -> str:
    return f'<path d="M{x} {y} C{x} {y + 20} {to_x} {to_y - 20} {to_x} {to_y}"/>'


def svg(plan: Plan, task: Mapping[str, Any]) -> str:
    """The plan as a picture of its own."""
    rows = _ranks(plan)
    place = _places(rows)
    wide = 40 + max((len(row) for row in rows), default=1) * (WIDTH + ACROSS)
    high = 40 + len(rows) * (HEIGHT + DOWN)
    made = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">',
        "<style>text{font:13px sans-serif}.scope{font:11px monospace;fill:#555}path{fill:none;stroke:#888}</style>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for name, after in edges(plan):
        (left, top), (x, y) = place[name], place[after]
        made.append(_arrow(left + WIDTH // 2, top + HEIGHT, x + WIDTH // 2, y))
    made += [_box(node, *place[node.id], status_of(node, task)) for node in plan.nodes]
    return "\n".join([*made, "</svg>"]) + "\n"
