"""What the policy says of a call of the main agent: the strictest rule that matches it holds.

A rule on a tool means what the tool does: a command that changes a file is an edit, one that searches is a search.
"""

from __future__ import annotations

from jackline.affected_paths import READING, UNSURE, touches, unsure
from jackline.changes import is_only_ours, terms_of
from jackline.clients.facts import AGENT_TOOLS
from jackline.features.rlm_work.searches import Search, searches
from jackline.globs import covers, expand
from jackline.model import Action
from jackline.paths import within
from jackline.sdk import ask, deny
from jackline.services import artifacts, once, work
from jackline.services.plans.tools import WRITING, kind_of, means

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple

    from jackline.affected_paths import Touch
    from jackline.model import Event
    from jackline.sdk import Context

    Rule = Mapping[str, Any]
else:
    from jackline._record import NamedTuple

STRICTNESS = ("warn", "ask", "deny")
"""From the loosest to the strictest."""
OWN = (".ai/tmp", ".ai/inbox")
"""Places of requests and outputs: what an agent hands in there is no work of its own."""
DELEGATES = ("PLANNING", "EXECUTING")
"""Phases in which every table of phases lets sub-agents begin."""
CHECKS = {
    "no_include_pattern": ("it names no files to look into", "name the files: a pattern such as *.py"),
    "wildcard_query": ("it looks for everything", "look for a word"),
    "max_results_high": ("it asks for too many results", "ask for fewer results"),
    "no_scope": ("it names no folder to look in", "name a folder of the project"),
}
"""What makes a search too broad, and what makes it narrow enough."""


class Hit(NamedTuple):
    """A rule that matches a call, and the paths that it means (some of them)."""

    rule: Rule
    paths: tuple[str, ...] = ()


# --- whether a rule matches --------------------------------------------------------------------------------------


def _concerns(tool: str, event: Event) -> bool:
    """Whether a rule on a tool means this call by the tool it uses."""
    return means((tool,), event.tool, event.kind)


def _mine(event: Event, ctx: Context) -> list[Touch] | None:
    """What a call touches beyond places of requests and outputs; None where it touches those alone."""
    own = (*OWN, within(ctx.root, ctx.session_root))
    every = touches(event)
    found = [one for one in every if not any(covers(place, one.path) for place in own)]
    return found if found or not every else None


def _touched(tool: str, event: Event, mine: list[Touch]) -> list[Touch] | None:
    """What a call touches that a rule on a tool is about; None where it is not about this call."""
    if _concerns(tool, event):
        return mine
    if event.kind != "shell" and event.kind not in UNSURE:
        return None
    kind = kind_of(tool)
    if kind in WRITING:
        found = [one for one in mine if one.changes]
    elif kind in READING:
        found = [one for one in mine if one.reads and not one.changes]
    else:
        found = []
    return found or None


def _is_held(pattern: str, touch: Touch) -> bool:
    """Whether a pattern holds a path, and so all below it: of a glob, the folder that it begins in."""
    return any(covers(one, touch.path) for one in expand(pattern))


def _is_exempt(rule: Rule, touched: Sequence[Touch], event: Event) -> bool:
    """Whether a rule exempts all that a call touches, by resolved paths; what nobody knows is not exempt."""
    patterns = rule.get("exempt") or ()
    if not patterns or not touched or (event.kind == "shell" and unsure(event)):
        return False
    return all(any(_is_held(str(one), touch) for one in patterns) for touch in touched)


def _is_broad(rule: Rule, search: Search) -> bool:
    check = rule.get("check")
    if check == "no_include_pattern":
        return not search.include
    if check == "wildcard_query":
        return search.everything
    if check == "max_results_high":
        return search.most > int(rule.get("threshold", 0))
    return not search.placed


def _searches(rule: Rule, event: Event) -> bool:
    """Whether a rule on a tool is about the searches of this call."""
    tool = str(rule["tool"])
    return _concerns(tool, event) or (event.kind == "shell" and kind_of(tool) == "search")


def _matched(rule: Rule, event: Event, mine: list[Touch], found: Sequence[Search]) -> Hit | None:
    if rule["part"] == "broadDiscovery":
        return Hit(rule) if any(_is_broad(rule, one) for one in found) and _searches(rule, event) else None
    touched = _touched(str(rule["tool"]), event, mine)
    if touched is None or _is_exempt(rule, touched, event):
        return None
    return Hit(rule, tuple([one.path for one in touched[:5]]))


def _in_force(ctx: Context) -> list[Rule]:
    """The rules that are applied in this phase."""
    rules: list[Rule] = [*ctx.config["rules"].values()]
    if not any(rule.get("skip") for rule in rules):
        return rules
    phase = work.phase(ctx, work.head(ctx))
    return [rule for rule in rules if phase not in rule.get("skip", ())]


def _is_plain(event: Event, rules: Sequence[Rule]) -> bool:
    """Whether a command changes nothing, where rules are about changes alone: seen without reading all of it."""
    if not all(kind_of(str(rule["tool"])) in WRITING for rule in rules):
        return False
    from jackline.shell.screen import screen

    return screen(event.command)


def hits(event: Event, ctx: Context) -> list[Hit]:
    """Every rule that matches a call; a command of our own is nobody's to delegate."""
    rules = _in_force(ctx)
    if not rules or (event.kind == "shell" and (_is_plain(event, rules) or is_only_ours(event, terms_of(ctx)))):
        return []
    mine = _mine(event, ctx)
    if mine is None:
        return []
    found = list(searches(event)) if any(rule["part"] == "broadDiscovery" for rule in rules) else []
    made = [_matched(rule, event, mine, found) for rule in rules]
    return [one for one in made if one is not None]


# --- what is said ------------------------------------------------------------------------------------------------


def _mode(hit: Hit, event: Event, ctx: Context) -> str:
    """What a rule comes to: where a client does not mark sub-agents nobody knows whose call it is, and it warns."""
    return str(hit.rule["mode"]) if event.client in ctx.config.get("marking", ()) else "warn"


def _what(hit: Hit, event: Event) -> str:
    rule = hit.rule
    if rule["part"] == "broadDiscovery":
        what = f"this search is too broad for the main agent: {CHECKS[rule['check']][0]}"
    else:
        what = f"{hit.paths[0] if hit.paths else event.tool} is a sub-agent's to work on"
    return f"{what} ({rule['reason']})" if rule.get("reason") else what


def _way(strictest: Sequence[Hit], event: Event, ctx: Context) -> str:
    """One way on that every phase lets through: a narrower search, a sub-agent, or the person."""
    phase = work.phase(ctx, work.head(ctx))
    narrower = [CHECKS[one.rule["check"]][1] for one in strictest if one.rule["part"] == "broadDiscovery"]
    if len(narrower) == len(strictest) and phase != "BLOCKED":
        return "; ".join(dict.fromkeys(narrower))
    if phase in DELEGATES:
        name = AGENT_TOOLS.get(event.client)
        return "start a sub-agent for it" + (f" ({name})" if name else "")
    return "ask the person how to go on"


def _is_first(ctx: Context, hit: Hit) -> bool:
    """Whether the model was not told of a rule in this turn."""
    if ctx.dry:
        return True
    from jackline.services.artifacts import content_hash

    mark = content_hash("\0".join([f"{key}={hit.rule[key]}" for key in sorted(hit.rule)]).encode())
    try:
        return once.is_first(ctx.session_root, f"rlm.{ctx.ids.turn_id}.{mark}")
    except OSError:
        return True


def _row(mode: str, hit: Hit, event: Event) -> dict[str, Any]:
    rule = hit.rule
    data = {"mode": mode, "part": rule["part"], "rule": rule["tool"], "paths": list(hit.paths)}
    return {"kind": "RLM_SUBAGENT_REQUIRED", "data": {**data, **({"check": rule["check"]} if "check" in rule else {})}}


def _warned(hit: Hit, text: str, ctx: Context) -> Action:
    """Told to the model and the person, once in a turn."""
    if not _is_first(ctx, hit):
        return Action()
    return Action(additional_context=(("rlm-work", text),), warnings=(f"rlm-work: {text.partition(chr(10))[0]}",))


def _hash(ctx: Context) -> str:
    """What stands for the policy in force: its rules are called by what they say."""
    return artifacts.content_hash("\n".join(sorted(ctx.config["rules"])).encode())


def judged(event: Event, ctx: Context) -> Action | None:
    """What the strictest of the rules that match comes to."""
    found = [(_mode(hit, event, ctx), hit) for hit in hits(event, ctx)]
    if not found:
        return None
    mode = max([one for one, _ in found], key=STRICTNESS.index)
    strictest = [hit for one, hit in found if one == mode]
    what = "; ".join(dict.fromkeys(sorted(_what(hit, event) for hit in strictest)))
    rule = "rlm-work: " + ", ".join(dict.fromkeys(f"{one.rule['part']} {one.rule['tool']}" for one in strictest))
    way = f"now: {_way(strictest, event, ctx)}"
    if mode == "deny":
        made = deny(what, rule=rule, safer=way, code="POLICY_DENIED")
    elif mode == "ask":
        made = ask(what, rule=rule, safer=way)
    else:
        made = _warned(strictest[0], f"{what}\n{way}", ctx)
    rows = tuple([_row(mode, hit, event) for hit in strictest])
    flags = {strictest[0].rule["part"]: True}
    patch = {"rlm": {"policyLoaded": True, "lastPolicyHash": _hash(ctx), "pendingSubagentFlags": flags}}
    return made._replace(emit_events=rows, state_patch=patch)
