"""`jackline hooks`: what would run at each event, in order, and why; and what is there and does not run."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from jackline import host, paths
from jackline.cli.parts import hook_table as whole_table
from jackline.cli.parts import subfolders
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Column, Printer, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.trustwatch import watched
from jackline.cli.parts.verb import Verb
from jackline.clients.rows import ROWS
from jackline.compiler.fault import nearest
from jackline.compiler.scriptfields import ALL_EVENTS
from jackline.hook_table import HookSpec, HookTable
from jackline.install import installs
from jackline.install.fault import InstallError
from jackline.model import EVENTS
from jackline.runtime import pipeline
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.nested_repo import PROJECT
from jackline.runtime.request import Store
from jackline.runtime.stages.units import Part
from jackline.script import TYPES, Script
from jackline.store import pauses

VERB = Verb(
    group="Configure",
    order=30,
    brief="What would run at an event, in order, and what does not and why",
    authority="open",
    former={"wiring": "--table"},
)

MOMENTS = {
    "session": "at the session's start, by file name",
    "file": "at the end of the turn, by file name",
    "pre-commit": "before a commit, by file name",
}
"""When the scripts that name no event run."""

COLUMNS: list[Column] = [
    {"header": "", "justify": "right"},
    {"header": "hook", "no_wrap": True},
    {"header": "order", "justify": "right"},
    "how",
    "declared in",
]


def _tools(names: Iterable[str], kinds: Iterable[str]) -> str:
    words = [*names, *[f"kind:{kind}" for kind in kinds]]
    return f"tools {' '.join(words)}" if words else ""


def _feature(row: HookSpec, paused: frozenset[str]) -> dict[str, Any]:
    how = [row.mode] if row.mode != "enforce" else []
    how += [word for word, on in (("critical", row.critical), ("forked", row.runner == "forked")) if on]
    return {
        "kind": "feature",
        "name": row.slug,
        "order": row.priority,
        "blocks": True,
        "from": row.origin,
        "how": [*how, *filter(None, [_tools(row.tools, row.kinds)])],
        "paused": not paused.isdisjoint((row.slug, pauses.ALL)),
    }


def _words(script: Script) -> Iterator[str]:
    """What a script declares beside its moment."""
    if script.block:
        yield "blocks"
    if script.run != "always":
        yield script.run
    if script.pattern:
        yield "pattern " + " ".join(script.pattern)
    if script.exclude:
        yield "not " + " ".join(script.exclude)
    if script.when != "stop":
        yield "detached"
    if script.type == "session":
        yield "on " + " ".join(script.sources)
    if script.run_as != "user":
        yield f"as {script.run_as}"
    if not script.notify and script.type == "file":
        yield "silent"
    if script.sandbox:
        yield f"sandbox {script.sandbox}"
    yield f"{script.timeout:g} s" if script.timeout else "no deadline"
    if script.argv:
        yield "by " + " ".join(script.argv)


def _script(script: Script, table: HookTable, declared: dict[str, str], paused: frozenset[str]) -> dict[str, Any]:
    path = paths.within(table.root, script.path)
    tools = _tools(script.tools, script.kinds)
    return {
        "kind": "script",
        "name": script.key,
        "order": script.order if script.type == "event" else None,
        "blocks": script.block if script.type == "event" else None,
        "from": declared.get(script.key, path),
        "how": [*_words(script), *filter(None, [tools])],
        "paused": not paused.isdisjoint((script.key, pauses.ALL)),
        "type": script.type,
        "path": path,
        "title": script.name,
        "description": script.description,
        "origin": script.origin,
    }


def clients(setting: Setting) -> list[str]:
    """The clients with entries of ours that concern this project."""
    try:
        found = installs.load(setting.store)
    except InstallError:
        return []
    mine = [name for one in found if one.root in ("", str(setting.root)) for name in one.client.split()]
    return sorted({name for name in mine if name in ROWS})


def lacking(setting: Setting, table: HookTable) -> list[str]:
    """Sentences on events that scripts are bound to and an installed client does not have."""
    told = []
    for client in clients(setting):
        for event in EVENTS:
            if event not in ROWS[client] and table.scripted(event):
                names = ", ".join([script.key for script in table.scripts(event)])
                told.append(f"{client} has no {event}: {names} will not run there at that event")
    return told


Moments = dict[str, list[dict[str, Any]]]


def _moments(table: HookTable, paused: frozenset[str], origins: Sequence[str] = ()) -> Moments:
    """What runs, by event and type. `origins`: only what comes from there."""
    declared = dict(table.report()["declared"])
    moments: Moments = {}
    for name in (*EVENTS, *TYPES[1:]):
        rows = [row for row in (table.rows(name) if name in EVENTS else ()) if not origins or row.origin in origins]
        scripts = [one for one in table.scripts(name) if not origins or one.origin in origins]
        here = [_feature(row, paused) for row in rows]
        here += [_script(script, table, declared, paused) for script in scripts]
        if here:
            moments[name] = here
    return moments


def _below(part: Part, paused: frozenset[str]) -> dict[str, Any]:
    """What a folder below the root adds for calls that lead there, and what is to be told of it."""
    told = part.lines(part.table.told)
    moments = _moments(part.table, paused, PROJECT)
    for row in [row for rows in moments.values() for row in rows if row["kind"] == "script"]:
        row["name"] = f"{part.inner}/{row['name']}"
    return {"folder": part.inner, "told": told, "moments": moments}


def data(setting: Setting, table: HookTable) -> dict[str, Any]:
    """Everything that is shown, as data."""
    report = table.report()
    paused = pauses.paused_slugs(str(setting.store), str(setting.root), host.now() // 1_000_000)
    moments = _moments(table, paused)
    return {
        "folders": [_below(part, paused) for part in subfolders.parts(setting)],
        "told": list(table.told),
        "root": table.root,
        "trusted": table.trusted,
        "digest": table.digest,
        "moments": moments,
        "idle": [
            {"file": file, "name": key, "type": kind, "events": list(events), "why": why}
            for file, key, kind, events, why in report["scripts"]
        ],
        "features": [{"name": slug, "why": why} for slug, why in report["skipped"]],
        "lacking": lacking(setting, table),
        "watched": watched(str(setting.store), str(setting.root)),
        "warnings": list(report["warnings"]),
        "faults": list(table.faults),
    }


def _only(told: dict[str, Any], moment: str) -> dict[str, Any]:
    """What concerns one event or type; what has none stays, it might have been meant for it."""
    moments = (moment, pipeline.TYPES.get(moment, moment))  # the scripts of a type run at one of the events
    idle = [one for one in told["idle"] if not one["type"] or one["type"] in moments or moment in one["events"]]
    lacks = [line for line in told["lacking"] if f" has no {moment}:" in line]
    folders = [
        one | {"moments": {name: rows for name, rows in one["moments"].items() if name in moments}}
        for one in told["folders"]
    ]
    return told | {
        "folders": folders,
        "moments": {name: rows for name, rows in told["moments"].items() if name in moments},
        "idle": idle,
        "lacking": lacks,
    }


def _show_moments(printer: Printer, moments: Moments, folder: str = "") -> None:
    for moment, rows in moments.items():
        note = f"for what lies below {folder}" if folder else MOMENTS.get(moment, "")
        printer.heading(moment, (f"  {note}" if note else "", "quiet"))
        cells = []
        for at, row in enumerate(rows, 1):
            order = "" if row["order"] is None else f"{row['order']:g}"
            how = ", ".join([*(["paused"] if row["paused"] else []), *row["how"]])
            name = text((row["name"], "name"))
            if row.get("title", row["name"]) not in (row["name"], row.get("path", "").rpartition("/")[2]):
                name.append("\n").append_text(text((row["title"], "quiet")))
            cells.append((text((f"{at}.", "quiet")), name, order, text(how), text(row["from"])))
        printer.show(table(COLUMNS, cells), indent=2)
        printer.blank()


def _show(printer: Printer, told: dict[str, Any], moment: str) -> None:
    _show_moments(printer, told["moments"])
    for one in told["folders"]:
        _show_moments(printer, one["moments"], one["folder"])
    if moment and not told["moments"]:
        printer.line(f"Nothing runs at {moment}.")
    for one in told["idle"]:
        key = f" {one['name']}" if one["name"] else ""
        printer.line(("– ", "quiet"), (one["file"], "name"), key, f"  {one['why']}")
    units = [line for one in (told, *told["folders"]) for line in one["told"]]
    for line in (*units, *told["watched"], *told["lacking"], *told["warnings"]):
        printer.line(("! ", "warn"), line)
    for fault in told["faults"]:
        printer.line(("✗ ", "bad"), fault)


STAGE_COLUMNS: list[Column] = [
    {"header": "", "justify": "right"},
    {"header": "stage", "no_wrap": True},
    "runs when",
    "what it does",
]


def stages() -> list[dict[str, str]]:
    """The run's table: each stage with its condition and what it does, in the words of the code."""
    found = []
    for name, due in pipeline.STAGES:
        module = importlib.import_module(f"jackline.runtime.stages.{name}")
        found.append(
            {"stage": name, "when": inspect.getdoc(due) or "", "does": (module.__doc__ or "").split("\n", 1)[0]}
        )
    return found


def _tell_stages(printer: Printer, *, as_json: bool) -> int:
    told = stages()
    if as_json:
        printer.data({"stages": told})
        return DONE
    cells = [
        (text((f"{at}.", "quiet")), text((one["stage"], "name")), one["when"], one["does"])
        for at, one in enumerate(told, 1)
    ]
    printer.show(table(STAGE_COLUMNS, cells))
    return DONE


def _tell_table(printer: Printer, table: HookTable, *, as_json: bool) -> int:
    told = whole_table.data(table)
    if as_json:
        printer.data(told)
    else:
        whole_table.show(printer, told)
    return DONE


def _moment(said: str) -> str:
    """The event or type a person means, in any client's words."""
    if said in MOMENTS:
        return said
    if said in ALL_EVENTS:
        return ALL_EVENTS[said]
    meant = nearest(said, [*ALL_EVENTS, *MOMENTS])
    raise click.UsageError(f"no client has an event {said!r}" + (f"; did you mean {meant}?" if meant else ""))


@click.command(
    cls=Command,
    shape=(
        {
            "root": "str",
            "trusted": "bool",
            "digest": "str",
            "folders": ["object"],
            "told": ["str"],
            "moments": {"*": ["object"]},
            "idle": ["object"],
            "features": [{"name": "str", "why": "str"}],
            "lacking": ["str"],
            "watched": ["str"],
            "warnings": ["str"],
            "faults": ["str"],
        },
        {
            "root": "str",
            "build": "str",
            "freshness": "str",
            "digest": "str",
            "trusted": "bool",
            "faults": ["str"],
            "events": {"*": ["str"]},
            "features": {"*": "object"},
            "scripts": {"*": ["str"]},
            "budgets": {"*": "int"},
            "*": "any",
        },
        {"stages": [{"stage": "str", "when": "str", "does": "str"}]},
    ),
    examples=[
        ("jackline hooks", "everything that would run, event by event, and what does not and why"),
        ("jackline hooks Stop", "what would run at the end of a turn, in order: the file scripts too"),
        ("jackline hooks --json file", "the file scripts, as data"),
        ("jackline hooks --table", "the hook table as a whole: modes, budgets, and the layer each setting comes from"),
        ("jackline hooks --stages", "the way of every event, from the client's payload to the answer"),
    ],
)
@click.argument("event", required=False, default="")
@click.option("--table", "as_table", is_flag=True, help="The compiled table as a whole, with what is set where.")
@click.option("--stages", "as_stages", is_flag=True, help="The stages that every event runs through, and when.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def command(setting: Setting, event: str, as_table: bool, as_stages: bool, as_json: bool) -> int:
    """Show which features and scripts would run at EVENT (or session, file, pre-commit), in order, and why.

    Says of each where it is declared, its place in the order, and whether it may block; of files that do not run,
    what is in the way. The exit code is 1 when the configuration does not compile. Writes nothing.
    """
    if sum((bool(event), as_table, as_stages)) > 1:
        raise click.UsageError("EVENT, --table and --stages exclude each other")
    if as_stages:
        return _tell_stages(Printer(), as_json=as_json)
    moment = _moment(event) if event else ""
    table = hook_table(Store(str(setting.store), dry=True), str(setting.root))
    if as_table:
        return _tell_table(Printer(), table, as_json=as_json)
    told = data(setting, table)
    if moment:
        told = _only(told, moment)
    printer = Printer()
    if as_json:
        printer.data(told)
    else:
        _show(printer, told, moment)
    return FOUND if told["faults"] else DONE
