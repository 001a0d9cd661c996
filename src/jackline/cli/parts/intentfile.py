"""The verbs of `jackline intents` that write `active_intents.yaml`: expand, status, new. What loosens is a person's."""

from __future__ import annotations

from collections.abc import Callable

import click

from jackline import system
from jackline.cli.parts import person
from jackline.cli.parts.caller import caller, session_of
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.intents import CLOSED, FILE, OPEN, PARENT, choose, edit
from jackline.intents.document import Document, Intent, document, status_of
from jackline.intents.edit import Unwritable
from jackline.intents.fields import PLACE, nearest
from jackline.intents.first_scopes import learn
from jackline.intents.intent_index import LIMIT, raw
from jackline.intents.scope import fault, scope, shut
from jackline.intents.scope_requests import settle


class Refused(click.ClickException):
    """It cannot be done; the message says why and what to do."""

    exit_code = FOUND


def content(setting: Setting) -> bytes:
    data, _ = raw(str(setting.root))
    if data is None:
        raise Refused(f"{PLACE} · there is no such file · write it: jackline intents new INT-001 --scope 'src/**'")
    return data


def read(setting: Setting) -> Document:
    return document(content(setting)[:LIMIT])


def find(setting: Setting, name: str) -> Intent:
    found = read(setting)
    one = found.find(name)
    if one is None:
        near = nearest(name, [each.id for each in found.intents])
        wrong = f" · {found.faults[0].told()}" if found.faults else ""
        raise Refused(f"no intent {name!r}" + (f" · did you mean {near}?" if near else "") + wrong)
    return one


def _write(setting: Setting, data: bytes) -> None:
    at = system.descend(str(setting.root), (PARENT,), create=True)
    try:
        system.replace(FILE, data, at=at, mode=0o644)
    finally:
        system.close(at)


def checked(globs: tuple[str, ...]) -> None:
    for one in globs:
        if fault(one):
            raise click.UsageError(f"{one!r}: expected {fault(one)}")


def _held(store: str) -> int:
    """One writer of the file at a time; -1 in a client's sandbox, from which nobody may write the store."""
    try:
        return choose.hold(store)
    except BlockingIOError:
        raise Refused(f"{PLACE} · another command is changing it · run this one again") from None
    except OSError:
        return -1


def _changed(setting: Setting, make: Callable[[bytes], bytes]) -> bytes:
    """Change the file; what was written. Refused with the reason when it cannot be done safely."""
    store, root = str(setting.store), str(setting.root)
    held = _held(store)
    try:
        data = make(raw(root)[0] or b"")
        _write(setting, data)
    except Unwritable as why:
        raise Refused(str(why)) from None
    finally:
        system.close(held)
    if held >= 0:
        choose.remember_file(store, root, data, person.name())
    return data


@click.command(
    cls=Command,
    examples=[
        ("jackline intents expand INT-001 'docs/auth/**'", "in the file, and for the sessions that work for it"),
        ("jackline intents expand INT-001 'docs/auth.md' --session 9aa53425", "for that session only"),
    ],
)
@click.argument("intent", metavar="ID")
@click.argument("globs", metavar="GLOB…", nargs=-1, required=True)
@click.option("--session", "name", metavar="ID", default="", help="For this session only; the file stays as it is.")
@person.yes_option
@pass_setting
def expand(setting: Setting, intent: str, globs: tuple[str, ...], name: str, yes: bool) -> int:
    """Let an intent hold further paths (a person's word). It covers what the globs name, and nothing else."""
    checked(globs)
    if any(one.startswith("!") for one in globs):
        raise click.UsageError("an exclusion narrows · write it into the file")
    person.require(setting, "intents expand", yes=yes)
    known = scope(find(setting, intent).scope, str(setting.root))
    vain = next((one for one in globs if not name and shut(known, one)), "")
    if vain:
        raise Refused(f"{vain} · {intent} excludes it · take its `!` out of the file, or let one session in: --session")
    store, root, by = str(setting.store), str(setting.root), person.name()
    if name:
        session = session_of(setting, caller(setting), name)
        if not choose.give(store, root, session.sid, intent, globs, by):
            raise Refused(f"session {session.sid} does not work for {intent} · jackline intents select {intent}")
        told = [session.sid]
    else:
        found = document(_changed(setting, lambda data: edit.with_globs(data, intent, globs))).find(intent)
        if found is not None:
            learn(store, root, {intent: found.scope})
        working = choose.working(store, root, intent)
        told = [sid for sid in working if choose.give(store, root, sid, intent, globs, by, in_file=True)]
        choose.remember_scope(store, root, intent, globs, by)
    settle(store, root, intent, globs)
    where = "" if name else f"{PLACE} and "
    Printer().line(f"{intent} holds {' '.join(globs)} from now on: {where}{len(told)} session{'s' * (len(told) != 1)}")
    return DONE


@click.command(
    cls=Command,
    examples=[
        ("jackline intents status INT-001 COMPLETED", "anybody may close an intent; nobody works for it any more"),
        ("jackline intents status INT-001 IN_PROGRESS", "a person opens it (again)"),
    ],
)
@click.argument("intent", metavar="ID")
@click.argument("status", metavar="STATUS")
@person.yes_option
@pass_setting
def status(setting: Setting, intent: str, status: str, yes: bool) -> int:
    """Write an intent's status into the file; comments and order stay. Opening one is a person's word."""
    wanted = status_of(status)
    if wanted not in OPEN + CLOSED:
        near = nearest(wanted, OPEN + CLOSED)
        raise click.UsageError(
            f"{status!r}: expected {' | '.join(OPEN + CLOSED)}" + (f"; did you mean {near}?" if near else "")
        )
    if wanted in OPEN:
        person.require(setting, "intents status", yes=yes)
    before = find(setting, intent)
    _changed(setting, lambda data: edit.with_status(data, intent, wanted))
    Printer().line(f"{intent} is {wanted} (it was {before.status})")
    return DONE


@click.command(
    cls=Command,
    examples=[
        (
            "jackline intents new INT-007 --name Billing --scope 'src/billing/**' --scope '!**/*.lock'",
            "one more intent, the last in the file",
        )
    ],
)
@click.argument("intent", metavar="ID")
@click.option("--name", "title", default="", help="What it is about.")
@click.option("--scope", "globs", metavar="GLOB", multiple=True, help="What belongs to it, `!` before what does not.")
@click.option("--constraint", "constraints", metavar="TEXT", multiple=True, help="What has to be observed; repeatable.")
@click.option("--accept", "acceptance", metavar="TEXT", multiple=True, help="When it is done; repeatable.")
@click.option("--status", "state", default="PENDING", help="Its status.", show_default=True)
@person.yes_option
@pass_setting
def new(
    setting: Setting,
    intent: str,
    title: str,
    globs: tuple[str, ...],
    constraints: tuple[str, ...],
    acceptance: tuple[str, ...],
    state: str,
    yes: bool,
) -> int:
    """Write a new intent into the file, which is made where there is none (a person's word)."""
    checked(globs)
    if status_of(state) not in OPEN + CLOSED:
        raise click.UsageError(f"{state!r}: expected {' | '.join(OPEN + CLOSED)}")
    person.require(setting, "intents new", yes=yes)
    made = Intent(intent, title, status_of(state), globs, constraints, acceptance)
    _changed(setting, lambda data: edit.with_intent(data, made))
    learn(str(setting.store), str(setting.root), {intent: globs})
    Printer().line(f"{PLACE} holds {intent} now · jackline intents select {intent}")
    return DONE
