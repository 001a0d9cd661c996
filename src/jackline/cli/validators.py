"""`jackline validators`: the checks of this project, what came of each on what is there now; run them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from jackline import system
from jackline.cli.parts.caller import caller
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.manual_run import took
from jackline.cli.parts.printer import Printer, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb
from jackline.compiler.collect import Survey, survey
from jackline.compiler.fault import nearest
from jackline.compiler.row_files import MARK, VALIDATORS
from jackline.compiler.validator_units import KIND
from jackline.services.validators import content, due, listing, results, runs
from jackline.services.validators.listing import Listed, Validator
from jackline.services.validators.results import Result
from jackline.services.validators.runs import Tree
from jackline.store import format

VERB = Verb(
    group="Work",
    order=30,
    brief="The checks of this project, and what came of them on what is there now",
    authority="open",
)

RESULT: Shape = {"id": "str", "status": "str", "*": "any"}
"""One validator, and what came of it."""

JSON = click.option("--json", "as_json", is_flag=True, help="As data.")
WAIT_MS = 3_600_000
"""How long we wait for a validator that another process runs."""
OFF = "the feature validators is off: none runs · jackline enable validators"


def environment(setting: Setting) -> Mapping[str, str]:
    """The environment that validators have: an agent's shell may name other programs than its client started with."""
    who = caller(setting)
    if not who.agent or who.session is None:
        return setting.env
    try:
        raw = system.read(f"/proc/{who.session.pid}/environ", limit=1 << 21)
    except OSError:
        return setting.env
    pairs = [one.partition("=") for one in raw.decode("utf-8", "surrogateescape").split("\0")]
    return {name: value for name, mark, value in pairs if mark}


def tree_of(setting: Setting) -> Tree:
    return Tree(str(setting.store), str(setting.root), environment(setting))


# --- what there is -------------------------------------------------------------------------------------------------


def _known(found: Survey) -> Listed:
    mode, rows = found.listed[listing.KIND]
    return Listed(tuple([listing.of_row(row) for row in rows]), mode)


def _result(tree: Tree, one: Validator, files: Mapping[str, str]) -> Result | None:
    return results.read(tree.store, tree.root, one, content.of(one, files))


def _status(tree: Tree, one: Validator, result: Result | None) -> str:
    """How a validator stands: `passed`, `red`, `running`, `cannot run`, or `open` where it has not run."""
    if result is not None and (result.ok or not result.fault):
        return "passed" if result.ok else "red"
    if results.is_running(tree.store, tree.root, one):
        return "running"
    return "cannot run" if result is not None else "open"


def _told(one: Validator, tree: Tree, result: Result | None, states: Mapping[str, str]) -> dict[str, Any]:
    made: dict[str, Any] = {"id": one.id, "command": [*one.command], "paths": [*one.paths], "when": one.when}
    made |= {"timeout": one.timeout, "needs": [*one.needs], "baseline": one.baseline}
    made |= {"trust": states.get(one.id, "trusted"), "status": _status(tree, one, result)}
    if result is not None:
        made |= {"exit": result.exit, "ms": result.ms, "at": result.at, "content": result.content}
        made |= {"word": result.word, "output": result.output}
    return made


def _data(setting: Setting, found: Survey) -> dict[str, Any]:
    """Everything that is shown, as data."""
    tree, known = tree_of(setting), _known(found)
    states = {one.key[1].rpartition(MARK)[2]: one.state for one in found.standings if one.key[0] == KIND}
    files = content.look(tree.root, tree.env) if known.rows else {}
    rows = [_told(one, tree, _result(tree, one, files), states) for one in known.rows]
    here = {one["id"] for one in rows}
    waits = [{"id": name, "trust": state} for name, state in sorted(states.items()) if name not in here]
    broken = [str(one) for one in found.sources.broken if one.where.startswith(VALIDATORS.place)]
    return {"root": tree.root, "mode": known.mode, "validators": rows, "waiting": waits, "faults": broken}


SIGNS = {
    "passed": ("✓", "good"),
    "red": ("✗", "bad"),
    "running": ("▶", "warn"),
    "cannot run": ("!", "warn"),
    "open": ("○", "quiet"),
}


def _row(one: dict[str, Any]) -> list[Any]:
    word = one["status"] if one["status"] in ("open", "running") else one["word"]
    trust = "" if one["trust"] == "trusted" else f"{one['trust']}: as you trusted it"
    return [
        text(SIGNS[one["status"]], " ", (one["id"], "name")),
        foreign(" ".join(one["command"])),
        text((one["when"], "quiet")),
        text(word, (f"  {took(one['ms'])}", "quiet")) if one.get("ms") else text(word),
        text((trust, "warn")),
    ]


def _show(printer: Printer, told: dict[str, Any]) -> None:
    if told["validators"]:
        printer.show(
            table([{}, {"overflow": "fold"}, {}, {}, {}], [_row(one) for one in told["validators"]], head=False)
        )
    elif told["waiting"]:
        printer.line(OFF if not told["mode"] else "no validator is in force")
    else:
        printer.line(f"No validators here · rows stand in {VALIDATORS.place} (jackline schema validators)")
    for one in told["waiting"]:
        cure = "jackline trust --diff" if one["trust"] == "new" else "jackline trust"
        printer.line(("– ", "quiet"), (one["id"], "name"), f"  {one['trust']}, not in force · {cure}")
    for fault in told["faults"]:
        printer.line(("✗ ", "bad"), fault)


def _is_red(rows: list[dict[str, Any]]) -> bool:
    return any(one["status"] in ("red", "cannot run") for one in rows)


@click.group(
    cls=Family,
    shape={
        "root": "str",
        "mode": "str",
        "validators": [RESULT],
        "waiting": [{"id": "str", "trust": "str"}],
        "faults": ["str"],
    },
    invoke_without_command=True,
    examples=[
        ("jackline validators", "every check, and what came of it on what is there now"),
        ("jackline validators run pytest", "that one now, unless it has run on this content"),
    ],
)
@JSON
@click.pass_context
def command(context: click.Context, as_json: bool) -> int:
    """Show the checks of .ai/hooks/validators.yaml and what came of them on the present content, or run them."""
    if context.invoked_subcommand is not None:
        return DONE
    setting: Setting = context.find_object(Setting) or Setting.here()
    try:
        told = _data(setting, survey(str(setting.root), str(setting.store)))
    except content.Unknown as fault:
        raise click.ClickException(str(fault)) from None
    printer = Printer()
    if as_json:
        printer.data(told)
    else:
        _show(printer, told)
    return FOUND if told["faults"] or _is_red(told["validators"]) else DONE


# --- run -----------------------------------------------------------------------------------------------------------


def _script(known: Listed, tree: Tree, name: str) -> Validator | None:
    """A file script, which a node may name as well."""
    return next(iter(listing.file_scripts(tree.store, tree.root, [name])), None) if known.mode else None


def _chosen(known: Listed, found: Survey, tree: Tree, names: tuple[str, ...]) -> list[Validator]:
    if not names:
        return [*known.rows]
    chosen = []
    for name in names:
        one = known.named(name) or _script(known, tree, name)
        if one is None:
            waits = [row.key[1].rpartition(MARK)[2] for row in found.standings if row.key[0] == KIND]
            if name in waits:
                raise click.ClickException(f"{name} · not trusted, so not run · read and trust: jackline trust --diff")
            near = nearest(name, [row.id for row in known.rows])
            more = f"did you mean {near}?" if near else "jackline validators lists them"
            raise click.UsageError(f"no validator {name!r} · {more}")
        chosen.append(one)
    return chosen


def _print(printer: Printer, one: dict[str, Any], result: Result | None) -> None:
    sign, style = SIGNS[one["status"]]
    word = result.word if result is not None else "not run: what it needs did not pass, or it runs elsewhere"
    printer.line((f"{sign} ", style), (one["id"], "name"), f"  {word}")
    if result is not None and not result.ok:
        for line in result.output.splitlines():
            printer.whole(foreign("  " + line))


@command.command(
    "run",
    cls=Command,
    shape={"validators": [RESULT]},
    examples=[
        ("jackline validators run", "all of them; what ran on this content already is not run again"),
        ("jackline validators run pytest --again", "once more, where it is red"),
    ],
)
@click.argument("names", metavar="[ID]...", nargs=-1)
@click.option("--again", is_flag=True, help="Run what is red on this content once more.")
@JSON
@pass_setting
def run(setting: Setting, names: tuple[str, ...], again: bool, as_json: bool) -> int:
    """Run validators over what is there now, with those that they need.

    Only what is trusted runs, and what passed on this content does not run again. The exit code is 0 when all pass.
    """
    format.check(str(setting.store))
    found = survey(str(setting.root), str(setting.store))
    known, tree = _known(found), tree_of(setting)
    chosen = _chosen(known, found, tree, names)
    if not chosen:
        raise click.ClickException(f"no validator is in force · {OFF if not known.mode else 'jackline trust --diff'}")
    try:
        every = due.with_needs(known, chosen)
        made = runs.compute_all(every, tree, WAIT_MS, again=again)
    except content.Unknown as fault:
        raise click.ClickException(str(fault)) from None
    except OSError as fault:
        raise click.ClickException(f"{tree.store} · results cannot be kept: {fault.strerror}") from None
    by_name = {one.id: one for one in every}
    rows = {name: _told(by_name[name], tree, result, {}) for name, result in made.items()}
    printer = Printer()
    if as_json:
        printer.data({"validators": [*rows.values()]})
    else:
        for name, row in rows.items():
            _print(printer, row, made[name])
    return DONE if all(one["status"] == "passed" for one in rows.values()) else FOUND
