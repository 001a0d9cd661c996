"""When a plan is accepted: one function for a check, a submission and the end of a task (design "Plan").

Structure stands in `document`; here is what a plan that can be read has to be besides. Each rule is a function from the
plan and what is known around it to its findings; all findings are told at once.
"""

from __future__ import annotations

from jackline.paths import resolve, within
from jackline.services.plans import bounds
from jackline.services.plans.commands import argument, word
from jackline.services.plans.demands import Demand, concerns, same
from jackline.services.plans.document import REQUESTS, Node, Plan, parse
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

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
    task's pack, "" without one; `demands`: plan rules of the project; `validators`: those in force, by name, empty
    where none is. `objection`: why a command of the plan's own would not be run, "" where it would.
    `packed`: files that scopes keep to, None where they need not; `there`: the files of the project, asked for then.
    """

    root: str
    session_root: str = ""
    scope: tuple[str, ...] = ()
    pack: str = ""
    demands: tuple[Demand, ...] = ()
    validators: tuple[str, ...] = ()
    objection: Callable[[Sequence[str]], str] = lambda words: ""
    packed: tuple[str, ...] | None = None
    there: Callable[[], tuple[str, ...]] = lambda: ()


# --- the graph -----------------------------------------------------------------------------------------------------


class Graph:
    """What comes before what, looked up once for all rules.

    `above`: by node, the kinds of all nodes that come before it; `covered`: the nodes that one of kind `validate` comes
    behind, `validated`: those behind which one stands that names validators.
    """

    def __init__(self, plan: Plan) -> None:
        self.nodes = {node.id: node for node in plan.nodes}
        self.above: dict[str, set[str]] = {}
        for node in plan.nodes:
            self._look(node)
        checks = [node for node in plan.nodes if node.kind == "validate"]
        self.covered = self._before(checks)
        self.validated = self._before([node for node in checks if node.validators])

    def _look(self, node: Node) -> None:
        """Fill `above` for a node and all before it, each once; a plan has no circle."""
        waiting = [node]
        while waiting:
            last = waiting[-1]
            missing = [self.nodes[name] for name in last.needs if name not in self.above]
            if missing and last.id not in self.above:
                waiting += missing
                continue
            waiting.pop()
            if last.id not in self.above:
                kinds = {self.nodes[name].kind for name in last.needs}
                self.above[last.id] = kinds.union(*[self.above[name] for name in last.needs])

    def _before(self, nodes: Iterable[Node]) -> set[str]:
        """Every node that some nodes need, by way of others too."""
        seen: set[str] = set()
        waiting = [name for node in nodes for name in node.needs]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += self.nodes[name].needs
        return seen


# --- the rules -----------------------------------------------------------------------------------------------------


def _is_elsewhere(root: str, glob: str) -> str:
    """Why a glob opens nothing of the project, "" where it may."""
    if glob[:1] == "!":
        return "takes something out, which a scope cannot"
    drive = glob[1:3] == ":/" and glob[0].isalpha()
    outside = drive or glob[:1] == "/" or within(root, resolve(root, glob))[:1] == "/" or ".." in glob.split("/")
    return "leads out of the project" if outside else ""


def _scopes(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    """Scopes lie in the project, and in the active intent: that says what is changed, so a node may look elsewhere."""
    for node in plan.nodes:
        for glob in node.scopes + node.paths:
            why, inner = _is_elsewhere(facts.root, glob), within(facts.root, resolve(facts.root, glob))
            if why:
                yield Finding(node.id, "scope", f"{glob} {why}", "a glob relative to the project")
            elif not node.forbidden and node.kind != "look" and not bounds.holds(facts.scope, inner):
                inside = ", ".join(facts.scope[:4])
                yield Finding(node.id, "scope", f"{glob} is out of the active intent", f"a glob within {inside}")


ADDED = 12
"""Files that a finding adds to the pack."""


def _packs(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    """Where scopes keep to the context pack, a node opens nothing else that is there; what is new is always free."""
    if facts.packed is None:
        return
    if not facts.packed:
        yield Finding("", "pack", "the task has no context pack yet", 'jackline pack make "WHAT"')
        return
    there = facts.there()
    for node in plan.nodes:
        if node.forbidden or node.kind in ("validate", "escalate"):
            continue
        for glob in node.paths or node.scopes or ("**",):
            beyond = bounds.beyond(glob, facts.packed, there)
            if beyond:
                more = f" (+{len(beyond) - 1} more)" if len(beyond) > 1 else ""
                add = " ".join([argument(beyond[0]), *[word(one) for one in beyond[1:ADDED]]])
                what = f"{glob} holds {beyond[0]}{more}, which the context pack does not"
                yield Finding(node.id, "pack", what, f"a narrower scope, or first: jackline pack add {add}")


def _leases(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    """A lease opens no more than its node speaks of: rules and intents go by that."""
    for node in plan.nodes:
        wide = [one for one in node.paths if node.scopes and not bounds.holds(node.scopes, one)]
        more = [one for one in node.lends if node.tools and not any(same(one, other) for other in node.tools)]
        if wide:
            yield Finding(node.id, "lease", f"{wide[0]} is out of its scope", f"a glob within {', '.join(node.scopes)}")
        if more:
            yield Finding(node.id, "lease", f"{more[0]} is none of its tools", f'"{more[0]}" in its tools')


def _checked(node: Node) -> bool:
    return bool(node.validators or node.commands)


def _coverage(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    """Each change is covered by a node that validates, and each of those covers something."""
    for node in plan.nodes:
        if node.kind == "change" and not node.forbidden and node.id not in graph.covered and not _checked(node):
            write = f'"validators": ["NAME"] in it, or a node of kind "validate" with dependsOn ["{node.id}"]'
            yield Finding(node.id, "validate", "nothing checks this change", write)
    for node in plan.nodes:
        if node.kind == "validate" and "change" not in graph.above[node.id]:
            yield Finding(node.id, "validate", "it covers no change", "the changes' ids into its dependsOn")


def _validators(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    """What is named is trusted; what is written out would run as the agent's own call, and nobody be asked."""
    for node in plan.nodes:
        for name in node.validators if facts.validators else ():
            if name not in facts.validators:
                known = ", ".join(facts.validators[:8])
                yield Finding(node.id, "validators", f"no trusted validator is called {name!r}", f"one of {known}")
        for words in node.commands:
            why = facts.objection(words)
            if why:
                yield Finding(node.id, "validators", f"`{_shown(' '.join(words))}` is not run, {why}", OTHER)


OTHER = "the name of a trusted validator, or a command that you may run yourself without a question"


def _side_effects(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    """What leaves the project comes after validation, where there is something to validate."""
    check = next((node.id for node in plan.nodes if node.kind == "validate"), "")
    for node in plan.nodes if check else ():
        if node.kind == "side_effect" and "validate" not in graph.above[node.id]:
            yield Finding(node.id, "side effect", "it does not wait for validation", f'dependsOn ["{check}"]')


def _evidence(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    for node in plan.nodes:
        for ref in node.evidence:
            places = (resolve(facts.root, ref), f"{facts.session_root}/{ref}")
            if ".." in ref.split("/") or not any(
                exists(one) for one in places if facts.session_root or one == places[0]
            ):
                yield Finding(node.id, "evidence", f"{ref} is not there", "a file of the project, or an artifact")


def _escalations(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    for node in plan.nodes:
        request = node.request or {}
        if node.kind == "escalate" and (request.get("type") not in REQUESTS or not request.get("question")):
            write = f'"request": {{"type": "{"|".join(REQUESTS)}", "question": "…"}}'
            yield Finding(node.id, "escalation", "its request has no type or no question", write)


def _shown(value: object) -> str:
    """A word of the plan as a finding has it."""
    text = " ".join(str(value).split())
    return text if len(text) <= WORD else text[: WORD - 1] + "…"


WORD = 80
"""Characters of a plan's own words in a finding."""
ASK = 'a node of kind "escalate" that asks for the decision'


def _cited(node: Node, claim: Mapping[str, Any], facts: Facts) -> Finding | None:
    """What is wrong with the rule that a claim of a migration cites, None when it approves that."""
    what = f"{_shown(claim['from'])} → {_shown(claim['to'])}"
    approved = [one for one in facts.demands if one.approved]
    name = claim.get("rule")
    rule = next((one for one in approved if one.id == name), None)
    if rule is None:
        fit = [one.id for one in approved if (one.before, one.after) == (claim["from"], claim["to"])]
        cites = f"no approved rule is called {_shown(name)!r}" if name else "it cites no rule"
        said = f"{cites}: {what} is approved by nobody"
        return Finding(node.id, "claim", said, f'"rule": "{fit[0]}"' if fit else ASK)
    if rule.before and (rule.before, rule.after) != (claim["from"], claim["to"]):
        return Finding(node.id, "claim", f"the rule {rule.id} approves {rule.before} → {rule.after}, not {what}", ASK)
    if not concerns(rule, node):
        return Finding(node.id, "claim", f"the rule {rule.id} does not speak of this step's paths and tools", ASK)
    return None


def _claims(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    """A step that says it is part of a migration cites a rule of the project that a person trusts."""
    for node in plan.nodes:
        claim = node.claims.get("migration") if node.claims else None
        found = _cited(node, claim, facts) if claim else None
        if found is not None:
            yield found


FULFILMENTS: Mapping[str, tuple[Callable[[Node, Graph], bool], str]] = {
    "validator": (
        lambda node, graph: bool(node.validators) or node.id in graph.validated,
        '"validators": ["NAME"] in it, or in a node of kind "validate" that depends on it',
    ),
    "evidence": (lambda node, graph: bool(node.evidence), '"evidence": ["PATH"], a file or an artifact that shows why'),
    "escalate": (
        lambda node, graph: "escalate" in graph.above[node.id],
        'a node of kind "escalate" that asks a person, and its id in the dependsOn of this one',
    ),
}
"""By what a plan rule requires: whether a node has it, and what to write where it has not."""
ACTING = ("change", "side_effect")
"""The kinds of nodes that plan rules speak of."""


def _demands(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    """The plan rules of the project: what a node that touches some paths has to have."""
    for demand in facts.demands:
        if demand.require not in FULFILMENTS:
            continue
        has, write = FULFILMENTS[demand.require]
        why = demand.reason or f"it needs {NEEDS[demand.require]}"
        why += "" if demand.approved else " (nobody has trusted this rule yet, and it counts)"
        for node in plan.nodes:
            acts = node.kind in ACTING and not node.forbidden
            if acts and not has(node, graph) and concerns(demand, node):
                yield Finding(node.id, f"plan rule {demand.id}", why, write)


NEEDS = {"validator": "a validator", "evidence": "evidence", "escalate": "a person's decision before it"}


def _bound(plan: Plan, facts: Facts, graph: Graph) -> Iterator[Finding]:
    if facts.pack and plan.pack and plan.pack != facts.pack:
        yield Finding("", "pack", "the plan was made from another pack", f'"pack": "{facts.pack}"')


RULES: tuple[Callable[[Plan, Facts, Graph], Iterable[Finding]], ...] = (
    _scopes, _packs, _leases, _coverage, _validators, _side_effects, _evidence, _escalations, _claims, _demands, _bound,
)  # fmt: skip
"""Every rule beyond structure, in the order of their findings."""


BY_NODE = (_scopes, _packs, _leases, _validators, _evidence, _escalations, _claims)
"""Those that look at a node alone, whatever is wrong with others."""


def _broken(data: bytes, plan: Plan, facts: Facts) -> Iterator[Finding]:
    """All that is wrong with a plan whose structure is: the rest of it is judged as far as it can be read."""
    from jackline.services.plans.structure_faults import every

    wrongs, sound = every(data, plan, facts.root)
    for one in wrongs:
        yield Finding(one.node, STRUCTURE, one.what, one.write)
    some = Plan(sound)
    graph = Graph(Plan())
    for rule in BY_NODE:
        yield from rule(some, facts, graph)


def findings(data: bytes, facts: Facts) -> tuple[Plan, tuple[Finding, ...]]:
    """A plan in its bytes, and all that is wrong with it."""
    plan = parse(data, facts.root)
    if plan.fault:
        return plan, tuple(dict.fromkeys(_broken(data, plan, facts)))
    graph = Graph(plan)
    return plan, tuple(dict.fromkeys(found for rule in RULES for found in rule(plan, facts, graph)))
