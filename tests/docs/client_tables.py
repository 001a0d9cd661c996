"""Tables of one client, from the capability rows and the installer: what it carries, what is written for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from docs.markdown import code, table, yes
from jackline import install
from jackline.cli.clients import SIGNS, sign
from jackline.cli.features import cannot
from jackline.clients import capabilities
from jackline.clients import rows as rows_of
from jackline.clients.grades import GUARANTEES, grades
from jackline.clients.signs import DEADLINE_MS
from jackline.clients.specs import SPECS
from jackline.compiler.declare import declared
from jackline.compiler.declared import Declared
from jackline.compiler.discover import builtin
from jackline.compiler.registry import KNOWN, NOT_YET, folder_of
from jackline.hook import OTHER_DEADLINE_MS
from jackline.install import dialect as dialects
from jackline.install import entry, installer, plugin, shapes, timeouts
from jackline.install.entry import Entry
from jackline.install.hookfile import Wanted
from jackline.install.site import Site
from jackline.install.target import SCOPES
from jackline.policy import events
from jackline.services.capabilities import CAPABILITIES, WITH_ANY


def clients() -> str:
    """Every client, and what its facts rest on."""
    rows = [
        (
            f"[{one.name}]({one.name}.md)",
            code(one.dialect) if one.installed else "none yet",
            one.evidence,
            "yes" if one.installed else "not yet",
        )
        for one in SPECS.values()
    ]
    return table(("client", "dialect", "facts", "installed by `jackline init`"), rows)


def signs() -> str:
    clients = list(rows_of.CLIENTS)
    made = {client: grades(client) for client in clients}
    linked = [f"[{client}](docs/clients/{client}.md)" for client in clients]
    rows = [(name, *[sign(made[client][name])[0] for client in clients]) for name in GUARANTEES]
    installed = ("`jackline init`", *["yes" if client in install.CLIENTS else "not yet" for client in clients])
    return (
        table(("", *linked), [*rows, installed]) + "\n\n" + ", ".join(f"{SIGNS[one][0]} {one}" for one in SIGNS) + "."
    )


PARTS = {
    "pack": CAPABILITIES["pack"].features,
    "plan": CAPABILITIES["plan"].features,
    "gate": CAPABILITIES["gate"].features,
    "validators": CAPABILITIES["validators"].features,
    "capsule": ("pre-compact",),
    "sub-agents": CAPABILITIES["subagents"].features,
}
"""What a client carries or not, each by the features that do it."""


def _lacks(client: str, slugs: Iterable[str]) -> str:
    """What a client cannot carry of some features, as `jackline features` tells it."""
    found = {one.slug: declared(one.files["hook.py"], one.slug) for one in builtin()}
    here = [one for slug in slugs if isinstance(one := found.get(slug), Declared)]
    return "; ".join(dict.fromkeys(lack for one in here for lack in cannot(client, one)))


def steps() -> str:
    """Who enforces what of the work in steps, from the capability rows and what features declare."""
    rows = [
        (f"[{client}](clients/{client}.md)", *[_lacks(client, slugs) for slugs in PARTS.values()])
        for client in rows_of.CLIENTS
    ]
    return table(("client", *PARTS), rows)


def step_features() -> str:
    """A page for each feature of the work in steps: its first sentence says what it does."""
    slugs = [*WITH_ANY, *[slug for one in CAPABILITIES.values() for slug in one.features]]
    rows = []
    for slug in sorted(set(slugs), key=lambda slug: KNOWN[slug].priority):
        page = FEATURES / folder_of(slug) / "README.md"
        said = page.read_text().split("\n\n")[1].split("\n")[0] if page.is_file() else NOT_YET
        name = f"[{slug}](../src/jackline/features/{folder_of(slug)}/README.md)" if page.is_file() else slug
        rows.append((name, said))
    return table(("feature", "what it does"), rows)


def _grades(client: str) -> str:
    return table(("guarantee", "", "how far"), [(name, sign(said)[0], said) for name, said in grades(client).items()])


BLOCKS = {
    "": "",
    "prompt": "drops the prompt",
    "note": "adds a note to the result",
    "replace": "replaces the result",
    "compaction": "refuses the compaction",
}


def _goes_on(cont: int) -> str:
    return "" if cont == 0 else "no cap of its own" if cont < 0 else f"up to {cont}"


def _carries(client: str) -> str:
    rows = []
    for event in rows_of.ROWS[client]:
        capability = capabilities.row(client, event)
        rewrite = {"": "", "replace": "whole input", "merge": "merged"}[capability.rewrite]
        can = [
            yes(capability.deny),
            yes(capability.ask),
            yes(capability.approve),
            rewrite,
            yes(capability.context),
            BLOCKS[capability.block],
            _goes_on(capability.cont),
            yes(capability.note),
        ]
        rows.append((code(event), *can))
    head = ("event", "deny", "ask", "approve", "rewrite", "context", "a block", "keeps going", "note to the person")
    return table(head, rows)


def _limits(client: str) -> str:
    version, context, reason, usual, pairing, mark = rows_of.CLIENTS[client]
    rows = [
        ("version the rows hold for", version),
        ("longest context", f"{context} bytes" if context else "none known"),
        ("longest reason", f"{reason} bytes" if reason else "none known"),
        ("the client's own time limit by default", f"{usual:g} s" if usual else "none"),
        ("a tool's events are paired by", code(pairing) if pairing else "nothing it sends"),
        ("a sub-agent's events are marked by", code(mark) if mark else "nothing"),
    ]
    return table(("", ""), rows)


HOME = Path("/home/you")
FEATURES = Path(__file__).resolve().parents[2] / "src/jackline/features"
PROJECT = Path("/home/you/project")
STORE = HOME / ".local/state/jackline"


def _site() -> Site:
    return Site(PROJECT, {"HOME": str(HOME)})


def _shown(path: Path) -> str:
    text = str(path)
    if text.startswith(f"{PROJECT}/"):
        return text.removeprefix(f"{PROJECT}/")
    return text.replace(f"{HOME}/", "~/") if text.startswith(f"{HOME}/") else text


def _files(client: str) -> str:
    rows = []
    for scope in SCOPES:
        found, _ = installer.plan([client], scope, _site())
        spoken = dialects.of(install.CLIENTS[client])
        shown = _shown(found[0].path).replace(f"/{found[0].event}", "/EVENT") if found and found[0].event else ""
        rows.append((code(scope), code(shown or _shown(found[0].path)) if found else "none"))
        rows += [
            (code(scope), f"{code(name)}, where it is there") for name in spoken.written.instead.get(scope, ())[:1]
        ]
    return table(("scope", "file"), rows)


def _data_of_plugin(client: str) -> str:
    """The line of data in our program, in a project's file, where nothing is about one machine."""
    (target,), _ = installer.plan([client], "project", _site())
    text = plugin.text(target.dialect, target.scope, STORE, "closed", installer.wanted(target, STORE)).decode()
    line = next(one for one in text.splitlines() if one.startswith(plugin.DATA))
    return "\n".join(("```json", json.dumps(json.loads(line.removeprefix(plugin.DATA)), indent=2), "```"))


LANGUAGES = {"file": "sh", "toml": "toml", "yaml": "yaml"}


def _written(dialect: dialects.Dialect, name: str, hook: dict[str, Any]) -> list[str]:
    """An entry as it stands in its file: the object of a JSON file, else the file itself."""
    shape = dialect.written.shape
    if shape not in LANGUAGES:
        return ["```json", json.dumps(hook, indent=2), "```"]
    made = shapes.ensure(shape, b"", name, [Wanted(name, hook)], lambda command: True)
    return [f"```{LANGUAGES[shape]}", made.data.decode().rstrip("\n"), "```"]


def _entry(client: str) -> str:
    """One entry as `init` writes it for the user's scope, and the portable command of a project's."""
    dialect = dialects.of(install.CLIENTS[client])
    if dialect.written.plugin:
        return _data_of_plugin(client)
    name = next(name for name, bound in dialect.events.items() if bound.canonical == "PreToolUse")
    limit = timeouts.client_limit(dialect.events[name])
    mine = dialect.hook(entry.write(Entry(str(STORE), dialect.name, dialect.word(name))), limit)
    shared = entry.write(Entry("", dialect.name, dialect.word(name), "project"))
    project = ("", "In a project's file:", "", "```text", shared, "```") if "project" in dialect.written.files else ()
    return "\n".join(
        [
            *(*_written(dialect, name, mine), *project),
            *("", "When a session starts and the interpreter is gone, the line says:", "", "```json"),
            *(entry.NOTICES[dialect.name], "```"),
        ]
    )


def door_seconds(event: str) -> float:
    return DEADLINE_MS.get(event, OTHER_DEADLINE_MS) / 1000


def _clocks(client: str) -> str:
    dialect = dialects.of(install.CLIENTS[client])
    rows = []
    unit = {0: "", 1: " s", 1000: " ms"}[dialect.written.unit]
    for name, bound in dialect.events.items():
        budget = events.ROWS[bound.canonical][2]
        limit = f"{timeouts.client_limit(bound) * dialect.written.unit}{unit}" if unit else "none"
        rows.append((code(name), f"{budget} ms", f"{door_seconds(dialect.word(name)):g} s", limit))
    return table(
        ("event installed", "budget of the features", "the door answers within", "limit written for the client"), rows
    )


OF_CLIENT: dict[str, Callable[[str], str]] = {
    "grades": _grades,
    "carries": _carries,
    "limits": _limits,
    "files": _files,
    "entry": _entry,
    "clocks": _clocks,
}
