"""The parts of the documentation that are made from the code: tables, help texts, entries.

A page marks such a part with `<!-- generated NAME -->` … `<!-- /generated -->`; `scripts/docs` fills it.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from docs import client_tables, principle_tables
from docs.markdown import code, table, yes
from jackline import model
from jackline.cli.parts import app
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.shape import drawn
from jackline.cli.parts.verb import GROUPS, human_only, verbs
from jackline.clients import rows
from jackline.compiler import base, layers, schemas, tools
from jackline.compiler.declare import declared
from jackline.compiler.declared import Declared
from jackline.compiler.discover import builtin
from jackline.compiler.registry import KNOWN, NOT_YET, folder_of
from jackline.features.command_guard import packs, rules
from jackline.model import CODES, EVENTS, KINDS, MUTATING
from jackline.policy import events, phases
from jackline.services import capabilities as switched
from jackline.store import reducer
from routes.machine import TOOLS
from routes.table import Route, routes

REPO = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/clients/*.md", "docs/migrate/*.md")
REGION = re.compile(r"(<!-- generated ([\w .:-]+) -->\n)(.*?)(<!-- /generated -->)", re.DOTALL)


def pages(repo: Path = REPO) -> list[Path]:
    """Every page of the documentation, the README first."""
    return [path for pattern in PAGES for path in sorted(repo.glob(pattern))]


# --- events and words ----------------------------------------------------------------------------------------------


def _events() -> str:
    rows = []
    for name in EVENTS:
        decided, refusal, budget, stops, ends = events.ROWS[name]
        what = ", ".join(decided) if decided else "nothing"
        after = (
            "after a denial only critical features judge"
            if stops
            else "a block keeps the agent going"
            if ends
            else "all run"
        )
        rows.append((code(name), what, f"{budget} ms", refusal or "is logged", after))
    return table(("event", "features may decide", "budget", "a critical feature's fault", "the run"), rows)


def _kinds() -> str:
    named: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for tool, kind in sorted(tools.vocabulary().items()):
        named[kind].append(tool)
    rows = [(code(kind), yes(kind in MUTATING), code(*named[kind][:6])) for kind in KINDS]
    return table(("kind", "can change something", "for example"), rows)


CODE_WORDS = {
    "HITL_REJECT": "a person said no",
    "HITL_PENDING": "the call waits for a person's word, or nobody can be asked",
    "POLICY_DENIED": "a hook or a rule refused; its lines name it",
    "SCOPE_VIOLATION": "the call reaches where it may not: a protected place, an unbounded search, a scope of the plan",
    "STALE_FILE": "somebody else changed the file since this agent saw it",
    "NO_ACTIVE_INTENT": "the call changes something, and the session has no open intent",
    "PLAN_REQUIRED": "the gate lets no such change pass before a plan",
    "PHASE_DENIED": "the phase does not let the call pass, or the tools are locked after a compaction",
    "LEASE_REQUIRED": "no lease of the plan opens the call",
    "TAMPERED": "our entries in a client's configuration were changed, and no person has looked yet",
    "BUDGET_EXCEEDED": "non-critical features were cut off or skipped (a record of the log, never a refusal)",
    "HOOK_INTERNAL_ERROR": "a critical feature failed, or the call could not be read",
}


def _codes() -> str:
    return table(("code", "when"), [(code(one), CODE_WORDS[one]) for one in CODES])


# --- state ---------------------------------------------------------------------------------------------------------

RULE_WORDS = {
    "once": "set once, never changed",
    "max": "the greater wins (`w999` < `w1000`)",
    "overwrite": "the later record wins",
    "phase": "taken as a whole when (phaseWork, phaseSeq) is greater",
}


def rule(*path: str) -> str:
    """The rule of a field of the state, by the parts of its name."""
    return "phase" if path[0] == "core" and path[1] in reducer.PHASE_KEYS else reducer.RULES.get(path, "overwrite")


def _state() -> str:
    rows: list[tuple[str, str, str]] = []

    def listed(said: Mapping[str, Any], *path: str) -> None:
        for field, one in said.get("properties", {}).items():
            if one.get("type") == "object" and "properties" not in one:  # a table of what only its keys name
                rows.append((code(".".join((*path, field, "*"))), rule(*path, field, "*"), one["description"]))
            elif one.get("type") == "object":
                listed(one, *path, field)
            else:
                rows.append((code(".".join((*path, field))), rule(*path, field), one["description"]))

    made = schemas.load("state")["properties"]
    for namespace in ("core", "plan", "cap"):
        listed(made[namespace], namespace)
    rows += [(code(f"{name}.*"), "overwrite", made[name]["description"]) for name in ("rlm", "memory")]
    return table(("field", "rule", "what it holds"), rows)


def _rules() -> str:
    return table(("rule", "meaning"), [(name, RULE_WORDS[name]) for name in RULE_WORDS])


def _namespaces() -> str:
    said = [declared(found.files["hook.py"], found.slug) for found in builtin()]
    rows = [(code(one.name), code(*one.state)) for one in said if isinstance(one, Declared) and one.state]
    pointers = " ".join([code(f"{part}.{key}") for part, keys in reducer.POINTERS.items() for key in keys])
    rows.append(("every feature", f"{code(*reducer.SHARED)}, and {pointers}"))
    others = "beside these, what it declares with `state` that is no other's; else the one named like itself"
    return table(("hook", "parts of the state it may patch"), [*rows, ("any other", others)])


def _phases() -> str:
    rows = []
    for phase in model.PHASES:
        allowed, mode = base.PHASES[phase]
        listed = "every tool" if isinstance(allowed, str) else code(*allowed)
        rows.append((code(phase), phases.ORDINALS[phase], listed, mode))
    return table(("phase", "ordinal", "tools that run", "what others meet"), rows)


# --- guards --------------------------------------------------------------------------------------------------------


def _guards() -> str:
    rows = []
    for one in (*rules.RULES, *rules.WHOLE):
        looks = " ".join([*one.kinds.split(), *(f"({act})" for act in one.acts.split() if act != "-")])
        reason = one.reason.replace("{path}", "it").replace("{program}", "it")
        rows.append((code(one.id), looks, one.risk, *one.answers, reason, one.safer, one.sources))
    return table(("rule", "looks at", "risk", *rules.PRESETS, "reason", "safer", "rests on"), rows)


def _packs() -> str:
    rows = []
    for pack in packs.NAMES:
        for row, _ in packs.rules(pack):
            what = [code(one) for one in (row.verbs or row.says).split("|") if one] or ["any"]
            flags = f" with {code(*row.flags.split())}" if row.flags else ""
            flags += f" behind {code(row.says)}" if row.says and row.verbs else ""
            severity = f"{row.severity}, {'by default' if packs.irreversible(row) else 'by choice'}"
            programs, words = code(*row.programs.split()), " ".join(what) + flags
            rows.append((code(pack), code(row.id), severity, programs, words, row.reason))
    return table(("pack", "rule", "severity, asked", "programs", "words", "reason"), rows)


# --- configuration -------------------------------------------------------------------------------------------------


def _order(rule: layers.Order | str) -> str:
    if isinstance(rule, tuple):
        return " → ".join(f"`{json.dumps(one) if isinstance(one, bool) else one}`" for one in rule)
    words = {"subset": "fewer entries", "superset": "more entries", "less": "a smaller number", "more": "a greater one"}
    return words.get(rule, rule)


def _described() -> dict[str, str]:
    """Key → what the schema says of it, for every key of the manifest."""
    root = schemas.load("dispatch.manifest")
    defs = root["$defs"]

    def said(schema: Mapping[str, Any]) -> str:
        if "$ref" in schema:
            schema = defs[schema["$ref"].rpartition("/")[2]]
        words = str(schema.get("description", ""))
        return (words if words.startswith("`enforce`") else words.split(". ")[0]).rstrip(".")

    found = {key: said(value) for key, value in root["properties"].items()}
    found["budgets.*"] = said(defs["budgets"])
    found |= {f"gc.{key}": said(one) for key, one in defs["gc"]["properties"].items()}
    policy = defs["phasePolicy"]["additionalProperties"]["properties"]
    found |= {f"phasePolicy.*.{key}": said(one) for key, one in policy.items()}
    found |= {f"modules.*.{key}": said(one) for key, one in defs["module"]["properties"].items()}
    found |= {f"scripts.{key}": said(one) for key, one in defs["scripts"]["properties"].items()}
    found["config.*"] = "A feature's knobs; each knob's own order stands in its schema"
    return found


def _config() -> str:
    said = _described()
    rows = [(code(key), "tighten", _order(rule), said[key]) for key, rule in layers.TIGHTEN.items()]
    rows += [(code(key), "free", "", said[key]) for key in layers.FREE]
    return table(("key", "", "loosest → strictest", "what it says"), rows)


def _defaults() -> str:
    rows = [(code(key), code(json.dumps(value))) for key, value in sorted(base.BASE.items())]
    return table(("key", "built-in value"), rows)


def _knobs() -> str:
    parts = []
    for slug, known in KNOWN.items():
        if not known.here:
            continue
        folder = REPO / "src/jackline/features" / folder_of(slug)
        defaults = json.loads((folder / "defaults.json").read_text())
        schema = json.loads((folder / "knobs.schema.json").read_text())
        rows = []
        for key, one in _flat_knobs(schema, defaults):
            tight = one[0].get("x-tighten", "")
            order = _order(tuple(tight) if isinstance(tight, list) else tight)
            rows.append((code(key), code(json.dumps(one[1])), order or "free", one[0].get("description", "")))
        parts.append(
            f"**{slug}**\n\n" + (table(("knob", "default", "tightens by", "meaning"), rows) if rows else "None.")
        )
    return "\n\n".join(parts)


def _flat_knobs(schema: Any, defaults: Any, prefix: str = "") -> list[tuple[str, tuple[Any, Any]]]:
    found: list[tuple[str, tuple[Any, Any]]] = []
    for key, one in schema.get("properties", {}).items():
        value = defaults.get(key) if isinstance(defaults, dict) else None
        if one.get("type") == "object":
            found += _flat_knobs(one, value, f"{prefix}{key}.")
        else:
            found.append((prefix + key, (one, value)))
    return found


def _features() -> str:
    rows = []
    for slug, known in KNOWN.items():
        page = f"[{slug}](../src/jackline/features/{folder_of(slug)}/README.md)" if known.here else slug
        state = ("on" if known.on else "off") if known.here else NOT_YET
        rows.append((page, known.priority, yes(known.hot), yes(known.critical), state))
    return table(("feature", "priority", "hotPathSafe", "critical", "by default"), rows)


CONTRACT_NINE = 9


def _schemas() -> str:
    rows = []
    for at, name in enumerate(schemas.NAMES):
        said = schemas.load(name)
        where = "contract section 16" if at < CONTRACT_NINE else "ours"
        rows.append((code(name), said["title"], said["description"].split(". ")[0].rstrip(".") + ".", where))
    return table(("schema", "title", "what it describes", "from"), rows)


# --- command line --------------------------------------------------------------------------------------------------


def _below(parent: click.Context, command: click.Command, name: str) -> click.Context:
    return click.Context(command, parent=parent, info_name=name, terminal_width=100)


WHO = {"open": "everybody", "human-only": "a person, no agent", "clients": "the programs that hold an entry of ours"}


def _authority(name: str, ways: Mapping[str, str]) -> str:
    """Who may run a command, and who some ways of it."""
    rest = ways[""]
    others = [f"{WHO[who]}: {code(f'jackline {name} {way}')}" for way, who in ways.items() if way and who != rest]
    return f"For {WHO[rest]}" + "".join(f"; for {one}" for one in others) + "."


def _help(context: click.Context, authority: str = "") -> str:
    command = context.command
    parts = [context.command_path, *([authority] if authority else [])]
    parts.append(f"```text\n{command.get_help(context).rstrip()}\n```")
    if isinstance(command, Command | Family) and command.shape:
        parts.append(f"With `--json`:\n\n```text\n{drawn(command.shape)}\n```")
    return "\n\n".join(parts)


def _commands() -> str:
    parts = []
    # the contexts hang below the program's own, as on a real call: options that it hands down are then told
    top = click.Context(app.jackline, info_name="jackline", **app.jackline.context_settings)
    for part in GROUPS:
        parts.append(f"## {part}")
        for name, known in verbs().items():
            if known.group != part:
                continue
            command = app.jackline.get_command(top, name)
            assert command is not None
            context = _below(top, command, name)
            parts.append(f"### {_help(context, _authority(name, known.ways()))}")
            if not isinstance(command, click.Group):
                continue
            for verb in command.list_commands(context):
                below = command.get_command(context, verb)
                assert below is not None
                parts.append(f"#### {_help(_below(context, below, verb))}")
    return "\n\n".join(parts)


HELD = {"deny": "refused", "ask": "asked", "restored": "restored", "refuses": "refuses itself"}


def _held(held: str) -> str:
    said, _, more = held.removeprefix("- ").partition(" ")
    return f"remains: {more}" if said == "remains:" else HELD[said]


def _call(one: Route) -> str:
    said = one.call.replace("\\n", " ⏎ ")
    if one.tool:
        said = f"{'apply_patch ' if one.tool in TOOLS else ''}{said[1:]}"
    return f"`` {said} ``" if "`" in said else code(said)


def _routes() -> str:
    """Each target with how many routes and what they meet; those that no door stops by their names."""
    parts: dict[str, list[Route]] = {}
    for one in routes():
        parts.setdefault(one.target, []).append(one)
    rows = []
    for target, some in parts.items():
        held = Counter(_held(one.held).partition(":")[0] for one in some)
        said = ", ".join(f"{what} {times}" for what, times in held.most_common())
        stopped = [one for one in some if one.held[0] != "-"]
        rows.append((target, len(some), said, _call(stopped[len(stopped) // 2])))
    free = [(one.name, _call(one), _held(one.held)) for one in routes() if one.held.startswith("- ")]
    return "\n\n".join(
        [
            table(("target", "routes", "answer", "for example"), rows),
            "Those that no door stops:",
            table(("route", "call", "what happens"), free),
        ]
    )


def _verbs() -> str:
    return "\n".join(f"- `jackline {verb}`" for verb in human_only())


LAYERS = re.compile(r"^layers =\n(.*?)\n\n", re.DOTALL | re.MULTILINE)


def _purpose(room: str) -> str:
    """The first sentence that a room says of itself."""
    if room == "features":  # an empty file: every feature would pay for a word in it
        return "One folder a feature; each tells in its decorator what it is."
    folder = REPO / "src/jackline" / room
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    said = " ".join((ast.get_docstring(ast.parse(path.read_text())) or "").split())
    return re.split(r"(?<=\.)\s", said, maxsplit=1)[0].rstrip(".")


def _rooms() -> str:
    """Each line of the import contract, from above: its rooms and what each is for."""
    found = LAYERS.search((REPO / ".importlinter").read_text())
    assert found is not None
    lines = [[one.strip() for one in re.split("[|:]", line)] for line in found[1].split("\n")]
    rows = [f"| {at} | `{room}` | {_purpose(room)} |" for at, line in enumerate(reversed(lines), 1) for room in line]
    return "\n".join(["| line | room | what it is for |", "| --- | --- | --- |", *reversed(rows)])


def _capabilities() -> str:
    rows = []
    for name, one in switched.CAPABILITIES.items():
        features = [code(slug) if slug in KNOWN and KNOWN[slug].here else f"{code(slug)} ({NOT_YET})"
                    for slug in one.features]  # fmt: skip
        rows.append((code(name), code(one.flag), ", ".join(features), code(*one.offers)))
    return table(("capability", "flag", "features", "brings"), rows)


# --- pages ---------------------------------------------------------------------------------------------------------

MADE: dict[str, Callable[[], str]] = {
    "events": _events,
    "kinds": _kinds,
    "codes": _codes,
    "state": _state,
    "rules": _rules,
    "namespaces": _namespaces,
    "phases": _phases,
    "config": _config,
    "defaults": _defaults,
    "knobs": _knobs,
    "features": _features,
    "guards": _guards,
    "packs": _packs,
    "schemas": _schemas,
    "rooms": _rooms,
    "signs": client_tables.signs,
    "steps": client_tables.steps,
    "step-features": client_tables.step_features,
    "commands": _commands,
    "principles": principle_tables.principles,
    "matrices": principle_tables.matrices,
    "routes": _routes,
    "verbs": _verbs,
    "clients": client_tables.clients,
    "capabilities": _capabilities,
}


def region(name: str) -> str:
    """What stands in the region `name`: a table of its own, or `KIND CLIENT`. KeyError for an unknown one."""
    kind, _, client = name.partition(" ")
    if not client:
        return MADE[name]()
    if client not in rows.CLIENTS:
        raise KeyError(name)
    return client_tables.OF_CLIENT[kind](client)


def filled(text: str) -> str:
    """A page with all its regions made anew."""
    return REGION.sub(lambda found: f"{found[1]}{region(found[2])}\n{found[4]}", text)


def names(text: str) -> list[str]:
    return [found[2] for found in REGION.finditer(text)]
