"""Whether a node's validators let it be done: the same for the command and for the entry that sees the command.

A plan names validators by their id; a name that no trusted row has runs nothing. A command in its own words runs where
the agent's own call would (`runs`).
"""

from __future__ import annotations

from jackline.services.plans.commands import of_node
from jackline.services.validators import content, due, listing, results, runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from jackline.services.plans.acceptance import Where
    from jackline.services.plans.document import Node
    from jackline.services.validators.due import Check
    from jackline.services.validators.listing import Listed, Validator
    from jackline.services.validators.runs import Tree
else:
    from jackline._record import NamedTuple

WAIT_MS = 3_600_000
"""How long a command waits for a validator that another process runs."""


SIGNS = {"passed": "✓", "red": "✗", "running": "▶", "open": "○"}
"""By how a validator stands on the present content."""


class Judgement(NamedTuple):
    """`lines`: what is to be said; `blocks`: the node is not done; `missing`: names of those that have not run."""

    lines: tuple[str, ...] = ()
    blocks: bool = False
    missing: tuple[str, ...] = ()


def named(where: Where, known: Listed, node: Node) -> list[Validator]:
    """What checks a node: the trusted rows and file scripts that it names, or claims to fix, and its own commands."""
    wanted = {*node.validators, *due.fixes(node)}
    rows = [one for one in known.rows if one.id in wanted]
    scripts = listing.file_scripts(where.store, where.root, wanted - {one.id for one in rows})
    return [*rows, *scripts, *map(listing.of_words, node.commands)]


def unknown(rows: Sequence[Validator], node: Node) -> list[str]:
    """What a node names and nobody trusted."""
    return sorted({*node.validators, *due.fixes(node)} - {one.id for one in rows})


def _standing(where: Where, one: Check) -> str:
    """How a validator stands: one of `SIGNS`."""
    if one.is_passed:
        return "passed"
    if one.result is not None:
        return "red"
    return "running" if results.is_running(where.store, where.root, one.validator) else "open"


def standings(where: Where, nodes: Sequence[Node]) -> dict[str, dict[str, str]]:
    """By node, how the validators that it names stand now; empty where none is in force, or none is named."""
    known = listing.read(where.store, where.root)
    if not known.mode:
        return {}
    every = {node.id: named(where, known, node) for node in nodes if node.validators or node.commands or node.claims}
    by_node = {name: [one.id for one in rows] for name, rows in every.items()}
    rows = list({one.id: one for found in every.values() for one in found}.values())
    try:
        found = {one.validator.id: _standing(where, one) for one in due.checks(where, rows, claimed=())} if rows else {}
    except content.Unknown:
        return {}
    return {name: {one: found[one] for one in names} for name, names in by_node.items() if names}


def _line(one: Check, node: Node) -> str:
    """Why one validator holds the node, or that it is red and does not."""
    name, result = one.validator.id, one.result
    if result is None and one.validator.spoken:
        return f"{node.id} · {name} has not run on what is there now · then: {of_node('done', node.id)}"
    if result is None:
        return (
            f"{node.id} · {name} has not run on what is there now · run it: jackline validators run {name} · "
            f"then: {of_node('done', node.id)}"
        )
    said = f"\n{result.digest}" if result.digest else ""
    if one.excused:
        return f"{node.id} · {name} was red before this task, and is ({result.word}): it holds back nothing{said}"
    if result.fault and one.validator.spoken:
        return f"{node.id} · {name} is not run: {result.fault} · name another check: jackline plan submit FILE"
    if result.fault:
        return f"{node.id} · {name} cannot be run ({result.fault}) · then: {of_node('done', node.id)}"
    return f"{node.id} · {name} is red ({result.word}) · mend it, then: {of_node('done', node.id)}{said}"


def judge(where: Where, node: Node, tree: Tree | None = None) -> Judgement:
    """What a node's validators say of the present content. `tree`: where those that have not run are run now."""
    known = listing.read(where.store, where.root)
    if not known.mode or known.mode == "observe":
        return Judgement()
    rows = named(where, known, node)
    lines = [f"{node.id} · {name} is no trusted validator: nothing is run for it" for name in unknown(rows, node)]
    if not rows:
        return Judgement(tuple(lines))
    rows = due.with_needs(known, rows)
    try:
        if tree is not None:
            runs.compute_all(rows, tree, WAIT_MS)
        found = due.checks(where, rows, claimed=due.fixes(node), env=tree.env if tree else None)
    except content.Unknown as fault:
        return Judgement((f"{node.id} · what its validators judge cannot be told: {fault}",), known.mode == "enforce")
    unrun = {one.validator.id for one in found if one.result is None} - {one.validator.id for one in due.waiting(found)}
    open_ = [one for one in found if not one.is_passed and one.validator.id not in unrun]
    blocks = known.mode == "enforce" and any(not one.excused for one in open_)
    missing = tuple([one.validator.id for one in open_ if one.result is None])
    return Judgement((*[_line(one, node) for one in open_], *lines), blocks, missing)


def start(where: Where, node: Node, tree: Tree) -> None:
    """Run what a node names, in a process that outlives us."""
    known = listing.read(where.store, where.root)
    runs.start(due.with_needs(known, named(where, known, node)), tree)
