"""`jackline pack`: the context pack of the task: see it, add to it, take out of it, ask whether it is still true."""

from __future__ import annotations

from typing import Any

import click

from jackline import host
from jackline.cli import choice
from jackline.cli.caller import caller, session_of
from jackline.cli.command import Command, Family
from jackline.cli.exits import DONE, FOUND
from jackline.cli.printer import Printer, table, text
from jackline.cli.setting import Setting, pass_setting
from jackline.git import GitError
from jackline.places import task_ref
from jackline.services import artifacts, context_build, tool_lock
from jackline.services import context_pack as packs
from jackline.services.context_pack import Where
from jackline.store import format, tasks
from jackline.store.listing import Listed

JSON = click.option("--json", "as_json", is_flag=True, help="As data.")


@click.group(
    cls=Family,
    examples=[
        ("jackline pack show", "which files belong to the task, and why"),
        ("jackline pack add src/auth/token.py", "make it anew, with this file first"),
    ],
)
def command() -> None:
    """Show the task's context pack, change it, and ask whether it is still true."""


def _where(setting: Setting, name: str) -> Where:
    return _of(setting, session_of(setting, caller(setting), name))


def _of(setting: Setting, session: Listed) -> Where:
    work = str(session.state().get("core", {}).get("workId", "w001"))
    return Where(str(setting.store), session.root, session.sid, work, session.folder)


def _missing() -> int:
    Printer().line('this task has no pack · jackline enable pack, or make one: jackline pack make "WHAT"')
    return FOUND


@command.command(cls=Command, examples=[("jackline pack show src/app.py", "what the pack says of one file")])
@click.argument("path", default="")
@choice.option
@JSON
@pass_setting
def show(setting: Setting, name: str, path: str, as_json: bool) -> int:
    """Show the pack: files with reasons, or the part of one file."""
    found = packs.document(_where(setting, name))
    printer = Printer()
    if as_json:
        printer.data(found)
        return DONE if found else FOUND
    if not found:
        return _missing()
    if path:
        return _one(printer, found, path)
    rows = [
        (text((item["path"], "place")), packs.why(item), str(item["tokens"]), item["form"]) for item in found["items"]
    ]
    printer.show(table(["file", "why", "tokens", "form"], rows))
    printer.line((f"{found['tokens']} of {found['budget']} tokens", "quiet"))
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


def _announce(where: Where, session: Listed, files: int) -> None:
    """Put the pack on the bus, as the feature does that makes one by itself."""
    ref = task_ref(where.work, packs.FOLDER, packs.FILE)
    entry = {
        "kind": "context_pack",
        "ref": ref,
        "hash": artifacts.hash_of(where.folder, ref),
        "summary": f"{files} files",
    }
    artifacts.announce(where.store, session, "context-pack", [entry], now=host.now(), entropy=host.entropy())


def _make(where: Where, session: Listed, prompt: str, change: dict[str, list[str]]) -> int:
    """Make the pack anew with what was added and taken out."""
    format.check(where.store)
    known = packs.choices(tasks.read(where.store, where.sid, where.work)) | change
    tasks.change(where.store, where.sid, where.work,
                 lambda task: {**task, "context": {**(task.get("context") or {}), **known}})  # fmt: skip
    try:
        made = context_build.build(where, prompt, more=known.get("more", []), without=known.get("without", []))
    except GitError as fault:
        raise click.ClickException(f"{where.root} · {fault} · is it a repository that git can read?") from None
    context_build.keep(where, prompt, made)
    if not made.lacks:
        _announce(where, session, len(made.pack.items))
    printer = Printer()
    printer.line(f"{len(made.pack.items)} files, {made.pack.tokens} of {made.pack.budget} tokens, {made.took} ms")
    for one in made.lacks:
        printer.line((one, "warn"))
    return FOUND if made.lacks else DONE


def _goal(where: Where) -> str:
    return str(tasks.read(where.store, where.sid, where.work).get("goal", ""))


@command.command(
    cls=Command, examples=[('jackline pack make "rotate the refresh tokens"', "without waiting for a prompt")]
)
@click.argument("what", metavar="WHAT")
@choice.option
@pass_setting
def make(setting: Setting, name: str, what: str) -> int:
    """Make the pack for these words."""
    session = session_of(setting, caller(setting), name)
    return _make(_of(setting, session), session, what, {})


@command.command(cls=Command, examples=[("jackline pack add src/auth/token.py", "it stands first")])
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@choice.option
@pass_setting
def add(setting: Setting, name: str, paths: tuple[str, ...]) -> int:
    """Make the pack anew with these files first."""
    session = session_of(setting, caller(setting), name)
    where = _of(setting, session)
    known = packs.known(where)
    without = [one for one in known.get("without", []) if one not in paths]
    more = list(dict.fromkeys([*known.get("more", []), *paths]))
    return _make(where, session, _goal(where), {"more": more, "without": without})


@command.command(cls=Command, examples=[("jackline pack drop docs/old.md", "it is left out")])
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@choice.option
@pass_setting
def drop(setting: Setting, name: str, paths: tuple[str, ...]) -> int:
    """Make the pack anew without these files."""
    session = session_of(setting, caller(setting), name)
    where = _of(setting, session)
    known = packs.known(where)
    more = [one for one in known.get("more", []) if one not in paths]
    without = list(dict.fromkeys([*known.get("without", []), *paths]))
    return _make(where, session, _goal(where), {"more": more, "without": without})


@command.command(cls=Command, examples=[("jackline pack check", "exit code 1 when a file changed since")])
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
        opened = True  # a sandbox keeps us out of the store: the door, which sees this command, does it
    if opened and not as_json:
        Printer().line("the tools are unlocked")
    return code


def _checked(where: Where, *, as_json: bool) -> int:
    if not packs.document(where):
        return _missing()
    old = context_build.stale(where)
    printer = Printer()
    if as_json:
        printer.data({"stale": old})
    elif old:
        for path in old:
            printer.line((path, "place"), "  changed since the pack was made")
    else:
        printer.line("every file is as the pack has it")
    return FOUND if old else DONE
