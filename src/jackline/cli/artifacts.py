"""`jackline artifacts`: what features announced to each other in a session, and what it was made from."""

from __future__ import annotations

import time
from typing import Any

import click

from jackline.cli.parts import choice
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb
from jackline.services import artifacts
from jackline.services.artifacts import Artifact, Branch
from jackline.store.session_index import SessionEntry

VERB = Verb(
    group="Look",
    order=110,
    brief="What features announced in a session: files, and what they were made from",
    authority="open",
)

ARTIFACT: dict[str, Shape] = {
    "id": "str",
    "ts": "int",
    "kind": "str",
    "ref": "str",
    "work": "str",
    "producer": "str",
    "agent": "str",
    "hash": "str",
    "summary": "str",
    "tags": ["str"],
    "dependsOn": ["str"],
    "supersedes": "str",
}
"""What is told of every artifact."""

PAUSE_S = 0.2
"""How often `--follow` looks for new ones."""
ID = 12
"""Digits of an id that are shown."""

JSON = click.option("--json", "as_json", is_flag=True, help="As data.")


def _data(one: Artifact) -> dict[str, Any]:
    return {
        "id": one.id,
        "ts": one.ts,
        "kind": one.kind,
        "ref": one.ref,
        "work": one.work,
        "producer": one.producer,
        "agent": one.agent,
        "hash": one.hash,
        "summary": one.summary,
        "tags": list(one.tags),
        "dependsOn": list(one.depends),
        "supersedes": one.supersedes,
    }


def _clock(ms: int) -> str:
    return time.strftime("%H:%M:%S", time.localtime(ms / 1000))


def _rows(found: list[Artifact]) -> list[tuple[Any, ...]]:
    return [
        (
            text((_clock(one.ts), "quiet")),
            text((one.id[:ID], "quiet")),
            one.work,
            text((one.kind[:40], "name")),
            one.producer,
            foreign(one.ref if not one.summary else f"{one.ref}  {one.summary}"),
        )
        for one in found
    ]


def _follow(
    printer: Printer, session: SessionEntry, kinds: tuple[str, ...], work: str, cursor: int, as_json: bool
) -> None:
    """New ones as they are announced, for ever."""
    while True:
        found, cursor = artifacts.follow(session.folder, cursor, kinds, work)
        for one in found:
            if as_json:
                printer.datum(_data(one))
            else:
                printer.line((_clock(one.ts), "quiet"), f"  {one.work}  ", (one.kind[:40], "name"), f"  {one.ref}")
        printer.stream.flush()
        time.sleep(PAUSE_S)


@click.group(
    cls=Family,
    shape=(ARTIFACT, [ARTIFACT]),
    invoke_without_command=True,
    examples=[
        ("jackline artifacts", "all of the newest session of this project"),
        ("jackline artifacts --kind context_pack --follow", "those of one kind, as they come"),
        ("jackline artifacts tree", "what was made from what"),
    ],
)
@choice.option
@click.option("--kind", "kinds", metavar="KIND", multiple=True, help="Only of this kind; may be repeated.")
@click.option("--work", metavar="ID", default="", help="Only of this unit of work, as w001.")
@click.option("--follow", "-f", is_flag=True, help="Go on with what comes.")
@JSON
@click.pass_context
def command(
    context: click.Context, name: str, kinds: tuple[str, ...], work: str, follow: bool, as_json: bool
) -> int | None:
    """List what features announced in a session, oldest first; `show` tells of one, `tree` what it was made from."""
    if context.invoked_subcommand is not None:
        return None
    session = choice.one(context.obj, name)
    found, cursor = artifacts.follow(session.folder, 0, kinds, work)
    printer = Printer()
    if as_json and follow:
        for one in found:
            printer.datum(_data(one))
    elif as_json:
        printer.data([_data(one) for one in found])
    elif found:
        printer.show(table(["time", "id", "work", "kind", "by", "place"], _rows(found)))
    elif not follow:
        printer.line("nothing was announced" + (f" of kind {', '.join(kinds)}" if kinds else ""))
    if follow:
        _follow(printer, session, kinds, work, cursor, as_json)
    return DONE


def _one(found: list[Artifact], what: str) -> Artifact:
    one = artifacts.find(found, what)
    if one is None:
        raise click.UsageError(f"no artifact {what!r} · jackline artifacts lists them")
    return one


def _standing(session: SessionEntry, one: Artifact) -> str:
    """How the file stands to what was announced."""
    now = artifacts.hash_of(session.folder, one.ref)
    if not now:
        return "gone"
    return "unknown" if not one.hash else "as announced" if now == one.hash else "changed since"


@command.command(
    cls=Command,
    shape={**ARTIFACT, "file": "str", "now": "str"},
    examples=[
        ("jackline artifacts show context_pack", "the newest of that kind"),
        ("jackline artifacts show 019ab8c7d1f2 --json", "by the beginning of its id, as data"),
    ],
)
@click.argument("what", metavar="ID|PLACE|KIND")
@choice.option
@JSON
@pass_setting
def show(setting: Setting, what: str, name: str, as_json: bool) -> int:
    """Show one artifact, and whether its file is still as it was announced. Exit 1 when it is not."""
    session = choice.one(setting, name)
    one = _one(artifacts.follow(session.folder)[0], what)
    standing, printer = _standing(session, one), Printer()
    data = _data(one) | {"file": f"{session.folder}/{one.ref}", "now": standing}
    if as_json:
        printer.data(data)
    else:
        shown = {**data, "file": setting.short(str(data["file"])), "tags": " ".join(one.tags)}
        shown["dependsOn"] = "\n".join(one.depends)
        rows = [(text((key, "quiet")), foreign(str(value), lines=True)) for key, value in shown.items() if value]
        printer.show(table([{}, {}], rows, head=False))
    return DONE if standing in ("as announced", "unknown") else FOUND


def _leaf(line: Branch) -> dict[str, Any]:
    data = _data(line.artifact) if line.artifact is not None else {"id": "", "ref": line.name}
    return {"depth": line.depth, "above": line.shown, **data}


@command.command(
    name="tree",
    cls=Command,
    shape=[{"depth": "int", "above": "bool", "id": "str", "ref": "str", "*": "any"}],
    examples=[("jackline artifacts tree plan_accepted", "of one artifact")],
)
@click.argument("what", metavar="[ID|PLACE|KIND]", required=False, default="")
@choice.option
@click.option("--work", metavar="ID", default="", help="Only of this unit of work, as w001.")
@JSON
@pass_setting
def tree_(setting: Setting, what: str, name: str, work: str, as_json: bool) -> int:
    """Show what artifacts were made from: below each stand those it depends on."""
    session = choice.one(setting, name)
    found = artifacts.follow(session.folder, work=work)[0]
    lines = artifacts.tree(found, _one(found, what) if what else None)
    printer = Printer()
    if as_json:
        printer.data([_leaf(line) for line in lines])
        return DONE
    for line in lines:
        if line.artifact is None:
            printer.line((f"{line.name}  not on the bus", "warn"), indent=2 * line.depth)
            continue
        more = "  (above)" if line.shown else f"  {line.artifact.summary}" if line.artifact.summary else ""
        parts = ((line.artifact.kind, "name"), f"  {line.artifact.ref}", (more, "quiet"))
        printer.line(*parts, indent=2 * line.depth)
    return DONE
