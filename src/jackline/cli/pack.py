"""`jackline pack`: the context pack of the task: see it, add to it, take out of it, ask whether it is still true."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import click

from jackline import host
from jackline.cli.parts import choice
from jackline.cli.parts.caller import caller, session_of
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb
from jackline.git import GitError
from jackline.hook_table import load, path_of
from jackline.services import artifacts, context_build, tool_lock
from jackline.services import context_pack as packs
from jackline.services.context_build import Made
from jackline.services.context_pack import Where
from jackline.session_paths import task_ref
from jackline.store import format, tasks
from jackline.store.ids import slot
from jackline.store.secrets import mask
from jackline.store.session_index import SessionEntry
from jackline.unicode_escape import escape_line

VERB = Verb(
    group="Work",
    order=10,
    brief="The task's context pack: see it, add to it, ask whether it is still true",
    authority="open",
)

MADE: Shape = {"files": ["str"], "tokens": "int", "budget": "int", "ms": "int", "lacks": "list", "notes": ["str"]}
"""What came of making a pack."""
PART: Shape = {"path": "str", "why": ["object"], "*": "any"}
"""One file of a pack."""

MOST = 200
"""Paths that are added, or taken out."""
WORDS = 4000
"""Characters of the words that a pack is made for."""
JSON = click.option("--json", "as_json", is_flag=True, help="As data.")


@click.group(
    cls=Family,
    examples=[
        ("jackline pack show", "which files belong to the task, and why"),
        ("jackline pack show src/app.py --why", "every reason for a file"),
        ("jackline pack add src/auth/token.py", "make it anew, with this file first"),
    ],
)
def command() -> None:
    """Show the task's context pack, change it, and ask whether it is still true."""


def _where(setting: Setting, name: str) -> Where:
    return _of(setting, session_of(setting, caller(setting), name))


def _of(setting: Setting, session: SessionEntry) -> Where:
    work = str(session.state().get("core", {}).get("workId", "w001"))
    return Where(str(setting.store), session.root, session.sid, work, session.folder)


def _missing(*, as_json: bool = False) -> int:
    if as_json:
        Printer().data({"pack": False})
        return FOUND
    Printer().line('this task has no pack · jackline enable pack, or make one: jackline pack make "WHAT"')
    return FOUND


@command.command(
    cls=Command,
    shape=(
        {
            "format": "int",
            "budget": "int",
            "tokens": "int",
            "absent": "list",
            "ambiguous": {"*": "any"},
            "items": [PART],
            "*": "any",
        },
        PART,
    ),
    examples=[("jackline pack show src/app.py", "what the pack says of one file")],
)
@click.argument("path", default="")
@click.option(
    "--why", is_flag=True, help="Every reason for each file, or for the one: rule, place in its order, score."
)
@choice.option
@JSON
@pass_setting
def show(setting: Setting, name: str, path: str, why: bool, as_json: bool) -> int:
    """Show the pack: files with reasons, or the part of one file."""
    where = _where(setting, name)
    found = packs.document(where)
    path = _paths(where, (path,))[0] if path else ""
    printer = Printer()
    if as_json:
        printer.data(found)
        return DONE if found else FOUND
    if not found:
        return _missing()
    if why:
        return _reasons(printer, found, path)
    if path:
        return _one(printer, found, path)
    rows = [
        (text((item["path"], "place")), packs.why(item), str(item["tokens"]), item["form"]) for item in found["items"]
    ]
    printer.show(table(["file", "why", "tokens", "form"], rows))
    printer.line((f"{found['tokens']} of {found['budget']} tokens", "quiet"))
    return DONE


def _reasons(printer: Printer, found: dict[str, Any], path: str) -> int:
    items = [one for one in found["items"] if path in ("", one["path"])]
    if not items:
        return _one(printer, found, path)
    for item in items:
        printer.line((item["path"], "place"), f"  score {item['score']}")
        for one in item["why"]:
            printer.line(f"  {one['rule']}, place {one['rank']}", f" ({one['detail']})" if one["detail"] else "")
    return DONE


def _one(printer: Printer, found: dict[str, Any], path: str) -> int:
    item = next((one for one in found["items"] if one["path"] == path), None)
    if item is None:
        printer.line(f"{path} is not in the pack · jackline pack add {path}")
        return FOUND
    printer.line((packs.why(item), "quiet"))
    for line in str(item["text"]).split("\n"):
        printer.line(line)
    return DONE


def _announce(where: Where, session: SessionEntry, files: int) -> None:
    """Put the pack on the bus, as the feature does that makes one by itself."""
    ref = task_ref(where.work, packs.FOLDER, packs.FILE)
    entry = {
        "kind": "context_pack",
        "ref": ref,
        "hash": artifacts.hash_of(where.folder, ref),
        "summary": f"{files} files",
    }
    artifacts.announce(where.store, session, "context-pack", [entry], now=host.now(), entropy=host.entropy())


def _make(
    where: Where, session: SessionEntry, prompt: str, change: Mapping[str, str | list[str]], *, as_json: bool = False
) -> int:
    """Make the pack anew with what was added and taken out."""
    format.check(where.store)
    known = packs.choices(tasks.read(where.store, where.sid, where.work)) | dict(change)
    tasks.change(where.store, where.sid, where.work,
                 lambda task: {**task, "context": {**(task.get("context") or {}), **known}})  # fmt: skip
    try:
        more, without = known.get("more", []), known.get("without", [])
        made = context_build.build(where, prompt, required=_required(where), more=more, without=without)
    except GitError as fault:
        raise click.ClickException(f"{where.root} · {fault} · is it a repository that git can read?") from None
    except OSError as fault:
        raise click.ClickException(f"{fault.filename} · {fault.strerror}") from None
    context_build.keep(where, prompt, made)
    if not made.lacks:
        _announce(where, session, len(made.pack.items))
    _made(Printer(), made, as_json=as_json)
    return FOUND if made.lacks else DONE


def _made(printer: Printer, made: Made, *, as_json: bool) -> None:
    """What became of a pack that was made anew."""
    pack = made.pack
    if as_json:
        facts = {"files": [one.path for one in pack.items], "tokens": pack.tokens, "budget": pack.budget}
        printer.data({**facts, "ms": made.took, "lacks": [*made.lacks], "notes": [*made.notes]})
        return
    printer.line(f"{len(pack.items)} files, {pack.tokens} of {pack.budget} tokens, {made.took} ms")
    for one in (*made.lacks, *made.notes):
        printer.line((escape_line(one), "warn"))


def _required(where: Where) -> tuple[str, ...]:
    """The files that the project's packs need; none where the feature is off."""
    found = load(path_of(where.store, slot(where.root)))
    row = found.row("context-pack") if found is not None else None
    return packs.required(row.config) if row is not None else ()


def _goal(where: Where) -> str:
    """What the task's pack is made for: the words that somebody gave, else its goal."""
    task = tasks.read(where.store, where.sid, where.work)
    return str(packs.choices(task).get("words") or task.get("goal", ""))


def _paths(where: Where, given: tuple[str, ...]) -> list[str]:
    """Paths below the project's root, as packs have them; typed below the working folder, or below the root."""
    made = []
    for one in given:
        near = os.path.abspath(one)
        path = near if os.path.lexists(near) else os.path.join(where.root, one)
        inner = os.path.relpath(path, where.root)
        if inner.split(os.sep)[0] in ("..", "."):
            raise click.UsageError(f"{escape_line(one)} is no file of {where.root} · name one below it")
        made.append(inner)
    return made


def _at_most(paths: list[str]) -> list[str]:
    if len(paths) > MOST:
        raise click.UsageError(f"at most {MOST} files can be added to a pack, or taken out · name fewer")
    return paths


@command.command(
    cls=Command,
    shape=MADE,
    examples=[
        ('jackline pack make "rotate the refresh tokens"', "without waiting for a prompt"),
        ("jackline pack make", "anew for the task's goal, where files changed since"),
    ],
)
@click.argument("what", metavar="[WHAT]", default="")
@choice.option
@JSON
@pass_setting
def make(setting: Setting, name: str, what: str, as_json: bool) -> int:
    """Make the pack for these words, or without them anew for the task's goal."""
    session = session_of(setting, caller(setting), name)
    where = _of(setting, session)
    words = what or _goal(where)
    if not words:
        raise click.UsageError('this task has no goal yet · say what it is about: jackline pack make "WHAT"')
    return _make(where, session, words, {"words": mask(what)[:WORDS]} if what else {}, as_json=as_json)


@command.command(cls=Command, shape=MADE, examples=[("jackline pack add src/auth/token.py", "it stands first")])
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@choice.option
@JSON
@pass_setting
def add(setting: Setting, name: str, paths: tuple[str, ...], as_json: bool) -> int:
    """Make the pack anew with these files first."""
    session = session_of(setting, caller(setting), name)
    where = _of(setting, session)
    known, named = packs.known(where), _paths(where, paths)
    without = [one for one in known.get("without", []) if one not in named]
    more = _at_most([*dict.fromkeys([*known.get("more", []), *named])])
    return _make(where, session, _goal(where), {"more": more, "without": without}, as_json=as_json)


@command.command(cls=Command, shape=MADE, examples=[("jackline pack drop docs/old.md", "it is left out")])
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@choice.option
@JSON
@pass_setting
def drop(setting: Setting, name: str, paths: tuple[str, ...], as_json: bool) -> int:
    """Make the pack anew without these files."""
    session = session_of(setting, caller(setting), name)
    where = _of(setting, session)
    known, named = packs.known(where), _paths(where, paths)
    more = [one for one in known.get("more", []) if one not in named]
    without = _at_most([*dict.fromkeys([*known.get("without", []), *named])])
    return _make(where, session, _goal(where), {"more": more, "without": without}, as_json=as_json)


@command.command(
    cls=Command, shape={"stale": ["str"]}, examples=[("jackline pack check", "exit code 1 when a file changed since")]
)
@choice.option
@JSON
@pass_setting
def check(setting: Setting, name: str, as_json: bool) -> int:
    """Say which files of the pack changed since it was made; after a compaction this unlocks the tools."""
    where = _where(setting, name)
    code = _checked(where, as_json=as_json)
    format.check(where.store)
    try:
        opened = tool_lock.open_(where)
    except PermissionError:
        opened = True  # a sandbox keeps us out of the store: the entry point, which sees this command, does it
    if opened and not as_json:
        Printer().line("the tools are unlocked")
    return code


@command.command(
    cls=Command,
    shape={"told": "bool", "new": "list", "gone": "list", "*": "any"},
    examples=[("jackline pack diff", "exit code 1 when something is another now")],
)
@choice.option
@JSON
@pass_setting
def diff(setting: Setting, name: str, as_json: bool) -> int:
    """Say what of the pack is another than the agent was told: files that came, changed, or left."""
    session = session_of(setting, caller(setting), name)
    where = _of(setting, session)
    now = packs.document(where)
    if not now:
        return _missing(as_json=as_json)
    told = session.state().get("pack", {})
    before = packs.told_before(where, str(told.get("hash"))) if told.get("work") == where.work else {}
    new, gone = packs.difference(before, now)
    printer = Printer()
    if as_json:
        printer.data({"told": bool(before), "new": [item["path"] for item in new], "gone": [*gone]})
        return FOUND if new or gone else DONE
    for item in new:
        printer.line(("+ ", "good"), (item["path"], "place"), f"  {packs.why(item)}")
    for path in gone:
        printer.line(("- ", "bad"), (path, "place"))
    if not (new or gone):
        printer.line("the agent was told of this pack")
    elif not before:
        printer.line("the agent was told of none yet")
    return FOUND if new or gone else DONE


def _checked(where: Where, *, as_json: bool) -> int:
    if not packs.document(where):
        return _missing(as_json=as_json)
    old = context_build.stale(where)
    printer = Printer()
    if as_json:
        printer.data({"stale": old})
    elif old:
        for path in old:
            printer.line((path, "place"), "  changed since the pack was made")
        printer.line("make it anew: jackline pack make")
    else:
        printer.line("every file is as the pack has it")
    return FOUND if old else DONE
