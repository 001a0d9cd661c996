"""When a plan is accepted: one function for a check, a submission and the end of a task (design "Plan").

Structure stands in `document`; here is what a plan that can be read has to be besides. Each rule is a function from the
plan and what is known around it to its findings; all findings are told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jackline.globs import base, covers, expand, reaches
from jackline.paths import resolve, within
from jackline.services.plans.document import REQUESTS, Node, Plan, parse
from jackline.system import exists

STRUCTURE = "structure"
"""The rule whose findings refuse a plan in every mode."""


class Finding(NamedTuple):
    """What is wrong with a node ("" for the plan), by which rule, and what to write instead."""

    node: str
    rule: str
    what: str
    write: str = ""

    @property
    def line(self) -> str:
        where = f"{self.node} · " if self.node else ""
        return f"{where}{self.rule} · {self.what}" + (f" · write: {self.write}" if self.write else "")


class Facts(NamedTuple):
    """What is known around a plan. `scope`: globs of the active intent, empty where none binds; `pack`: the hash of the
    task's pack, "" without one; `demands`: plan rules of the project; `migrations`: approved ones, as (from, to);
    `validators`: those in force, by name, empty where none is.
    """

    root: str
    session_root: str = ""
    scope: tuple[str, ...] = ()
    pack: str = ""
    demands: tuple[Mapping[str, Any], ...] = ()
    migrations: frozenset[tuple[str, str]] = frozenset()
    validators: tuple[str, ...] = ()


def _inside(glob: str, scope: Sequence[str]) -> bool:
    """Whether a node's glob means only what an intent's globs hold."""
    start = base(glob) or "."
    return any(covers(one, glob) or covers(one, f"{start}/x") for given in scope for one in expand(given))


def _scopes(plan: Plan, facts: Facts) -> Iterator[Finding]:
    for node in plan.nodes:
        for glob in node.scopes:
            inner = within(facts.root, resolve(facts.root, glob))
            if inner.startswith("/") or ".." in glob.split("/"):
                yield Finding(node.id, "scope", f"{glob} leads out of the project", "a glob relative to the project")
            elif facts.scope and not node.forbidden and not _inside(inner, facts.scope):
                inside = ", ".join(facts.scope[:4])
                yield Finding(node.id, "scope", f"{glob} is out of the active intent", f"a glob within {inside}")


def _ancestors(nodes: Mapping[str, Node], start: Iterable[str]) -> set[str]:
    """Every node that some nodes need, by way of others too."""
    seen: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += nodes[name].needs
    return seen


def _coverage(plan: Plan, facts: Facts) -> Iterator[Finding]:
    """Each change is covered by a node that validates, and each of those covers something."""
    nodes = {node.id: node for node in plan.nodes}
    checks = [node for node in plan.nodes if node.kind == "validate"]
    covered = _ancestors(nodes, [name for node in checks for name in node.needs])
    for node in plan.nodes:
        if node.kind == "change" and not node.forbidden and node.id not in covered and not node.validators:
            write = f'"validators": ["NAME"] in it, or a node of kind "validate" with dependsOn ["{node.id}"]'
            yield Finding(node.id, "validate", "nothing checks this change", write)
    for node in checks:
        if not any(nodes[name].kind == "change" for name in _ancestors(nodes, node.needs)):
            yield Finding(node.id, "validate", "it covers no change", "the changes' ids into its dependsOn")


def _validators(plan: Plan, facts: Facts) -> Iterator[Finding]:
    """Validators are named, never written: a command in a plan is no validator."""
    for node in plan.nodes if facts.validators else ():
        for name in node.validators:
            if name not in facts.validators:
                known = ", ".join(facts.validators[:8])
                yield Finding(node.id, "validators", f"no trusted validator is called {name!r}", f"one of {known}")


def _side_effects(plan: Plan, facts: Facts) -> Iterator[Finding]:
    """What leaves the project comes after validation, where there is something to validate."""
    nodes = {node.id: node for node in plan.nodes}
    checks = [node.id for node in plan.nodes if node.kind == "validate"]
    for node in plan.nodes:
        if node.kind == "side_effect" and checks and not _ancestors(nodes, node.needs).intersection(checks):
            yield Finding(node.id, "side effect", "it does not wait for validation", f'dependsOn ["{checks[0]}"]')


def _evidence(plan: Plan, facts: Facts) -> Iterator[Finding]:
    for node in plan.nodes:
        for ref in node.evidence:
            places = (resolve(facts.root, ref), f"{facts.session_root}/{ref}")
            if ".." in ref.split("/") or not any(
                exists(one) for one in places if facts.session_root or one == places[0]
            ):
                yield Finding(node.id, "evidence", f"{ref} is not there", "a file of the project, or an artifact")


def _escalations(plan: Plan, facts: Facts) -> Iterator[Finding]:
    for node in plan.nodes:
        request = node.request or {}
        if node.kind == "escalate" and (request.get("type") not in REQUESTS or not request.get("question")):
            write = f'"request": {{"type": "{"|".join(REQUESTS)}", "question": "…"}}'
            yield Finding(node.id, "escalation", "its request has no type or no question", write)


def _claims(plan: Plan, facts: Facts) -> Iterator[Finding]:
    for node in plan.nodes:
        claim = (node.claims or {}).get("migration")
        if isinstance(claim, dict) and (claim.get("from"), claim.get("to")) not in facts.migrations:
            what = f"no approved rule says {claim.get('from')} → {claim.get('to')}"
            yield Finding(node.id, "claim", what, 'a node of kind "escalate" that asks for the decision')


def _concerned(node: Node, demand: Mapping[str, Any]) -> bool:
    """Whether a plan rule speaks of a node: by its paths and its tools."""
    from jackline.services.plans.tools import kind_of, means

    paths = [str(one) for one in demand.get("paths") or ()]
    tools = [str(one) for one in demand.get("tools") or ()]
    if tools and node.tools and not any(means(node.tools, one, kind_of(one)) for one in tools):
        return False
    scopes = node.scopes or ("**",)
    return not paths or any(_meet(one, scope) for one in paths for scope in scopes)


def _meet(left: str, right: str) -> bool:
    """Whether two globs may mean one path."""
    starts = (base(left) or ".", base(right) or ".")
    return (
        covers(left, right) or covers(right, left) or reaches(left, starts[1]) or reaches(right, starts[0])
        or covers(left, f"{starts[1]}/x") or covers(right, f"{starts[0]}/x")
    )  # fmt: skip


def _demands(plan: Plan, facts: Facts) -> Iterator[Finding]:
    """The plan rules of the project: what a node that touches some paths has to have."""
    has = {
        "validator": lambda node: bool(node.validators),
        "evidence": lambda node: bool(node.evidence),
        "escalate": lambda node: any(
            other.kind == "escalate" and other.id in _ancestors({one.id: one for one in plan.nodes}, node.needs)
            for other in plan.nodes
        ),
    }
    for demand in facts.demands:
        test = has.get(str(demand.get("require")))
        for node in plan.nodes:
            if test and node.kind == "change" and not node.forbidden and _concerned(node, demand) and not test(node):
                why = str(demand.get("reason") or f"needs {demand['require']}")
                yield Finding(node.id, f"plan rule {demand.get('id')}", why, f"{demand['require']} for it")


def _bound(plan: Plan, facts: Facts) -> Iterator[Finding]:
    if facts.pack and plan.pack and plan.pack != facts.pack:
        yield Finding("", "pack", "the plan was made from another pack", f'"pack": "{facts.pack}"')


RULES: tuple[Callable[[Plan, Facts], Iterable[Finding]], ...] = (
    _scopes, _coverage, _validators, _side_effects, _evidence, _escalations, _claims, _demands, _bound,
)  # fmt: skip
"""Every rule beyond structure, in the order of their findings."""


def findings(data: bytes, facts: Facts) -> tuple[Plan, tuple[Finding, ...]]:
    """A plan in its bytes, and all that is wrong with it. A fault of structure is the only finding then."""
    plan = parse(data)
    if plan.fault:
        return plan, (Finding("", STRUCTURE, plan.fault, "see `jackline plan template`"),)
    return plan, tuple([found for rule in RULES for found in rule(plan, facts)])
