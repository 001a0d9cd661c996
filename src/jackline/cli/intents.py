"""`jackline intents`: what agents work for here, which paths belong to it, and who may widen that."""

from __future__ import annotations

import os
import time
from typing import Any

import click

from jackline import host
from jackline.cli.parts import person
from jackline.cli.parts.caller import caller, session_of
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.intentfile import Refused, checked, expand, find, new, read, status
from jackline.cli.parts.printer import Printer, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb
from jackline.intents import OPEN, Active, active, choose
from jackline.intents.document import Document, Intent
from jackline.intents.fields import PLACE
from jackline.intents.intent_index import reading
from jackline.intents.scope import holds, scope
from jackline.intents.scope_requests import Wish, widening, wish, wishes
from jackline.paths import resolve, within
from jackline.store import format

VERB = Verb(
    group="Look",
    order=40,
    brief="What agents work for, and which paths belong to it",
    authority={"": "open", "expand": "human-only", "new": "human-only", "status (opening an intent)": "human-only"},
)

INTENT: dict[str, Shape] = {
    "id": "str",
    "name": "str",
    "status": "str",
    "open": "bool",
    "ownedScope": ["str"],
    "*": "any",
}
"""What is told of every intent."""

STYLES = {"IN_PROGRESS": "allow", "ACTIVE": "allow", "BLOCKED": "deny"}
WAIT_S = 2.0
"""How long a command in a sandbox waits for its client's entry point to do what it may not."""

SESSION = click.option(
    "--session", "name", metavar="ID", default="", help="Beginning of a session's id; agents: yours."
)
JSON = click.option("--json", "as_json", is_flag=True, help="As data.")


@click.group(
    cls=Family,
    examples=[
        ("jackline intents list", "what there is, who works for it, what agents ask to be let into"),
        ("jackline intents select INT-001", "agents and persons: work for it from now on"),
        ("jackline intents expand INT-001 'docs/**'", "a person: let it write there, too"),
    ],
)
def command() -> None:
    """Intents say what agents work for and which paths belong to it; the feature intent-scope holds them to it."""


def _data(one: Intent) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "status": one.status,
        "open": one.sound and one.status in OPEN,
        "ownedScope": list(one.scope),
        "constraints": list(one.constraints),
        "acceptanceCriteria": list(one.acceptance),
        "githubIssues": list(one.issues),
        "progress": {
            "checklist": [{"done": done, "label": label} for done, label in one.checklist],
            "notes": list(one.notes),
        },
        "version": one.version,
        "parentIntent": one.parent,
        "dependsOn": list(one.depends),
        "tags": list(one.tags),
        "relatedSpecs": list(one.specs),
        "createdAt": one.created,
        "updatedAt": one.updated,
        "line": one.line,
        "otherKeys": list(one.more),
    }


def _working(setting: Setting, name: str = "") -> dict[str, Active]:
    return choose.working(str(setting.store), str(setting.root), name)


def _wish(one: Wish) -> dict[str, Any]:
    return {
        "intent": one.intent,
        "globs": list(one.globs),
        "reason": one.reason,
        "session": one.session,
        "since": one.since,
    }


def _faults(printer: Printer, found: Document) -> None:
    for one in found.faults:
        printer.line((one.told(), "deny"))
    for one in found.notes:
        printer.line((one.told(), "warn"))


# --- look ------------------------------------------------------------------------------------------------------


@command.command(
    name="list",
    cls=Command,
    shape={"intents": [{**INTENT, "sessions": ["str"]}], "requests": ["object"], "faults": ["str"]},
    examples=[("jackline intents list --json", "as data")],
)
@JSON
@pass_setting
def list_(setting: Setting, as_json: bool) -> int:
    """List every intent, the sessions that work for it, and what agents ask to be let into."""
    found, printer = read(setting), Printer()
    working = _working(setting)
    asked = wishes(str(setting.store), str(setting.root))
    if as_json:
        rows = [
            _data(one) | {"sessions": [sid for sid, two in working.items() if two.id == one.id]}
            for one in found.intents
        ]
        faults = [one.told() for one in (*found.faults, *found.notes)]
        printer.data({"intents": rows, "requests": [_wish(one) for one in asked], "faults": faults})
        return FOUND if found.faults else DONE
    rows_ = [
        (
            text((one.id, "name")),
            text((one.status, STYLES.get(one.status, "quiet"))),
            one.name,
            ", ".join(one.scope),
            " ".join(sid for sid, two in working.items() if two.id == one.id),
        )
        for one in found.intents
    ]
    if rows_:
        printer.show(table(["id", "status", "name", "scope", "sessions"], rows_))
    for each in asked:
        why = f": {each.reason}" if each.reason else ""
        who = f"session {each.session}" if each.session else "somebody"
        printer.line(("asked  ", "ask"), f"{who} wants {each.intent} to hold {' '.join(each.globs)}{why}")
        printer.line((f"       a yes: {widening(each.intent, each.globs)}", "quiet"))
    _faults(printer, found)
    if not found.intents and not found.faults:
        printer.line(f"{PLACE} holds no intent.")
    return FOUND if found.faults else DONE


@command.command(
    cls=Command,
    shape={**INTENT, "sessions": {"*": {"scope": ["str"], "given": ["str"], "by": "str"}}},
    examples=[("jackline intents show INT-001", "all that the file says of it")],
)
@click.argument("name", metavar="ID")
@JSON
@pass_setting
def show(setting: Setting, name: str, as_json: bool) -> int:
    """Show one intent: scope, constraints, acceptance criteria, progress, and what sessions may write for it."""
    one, printer = find(setting, name), Printer()
    working = _working(setting, name)
    if as_json:
        told = {sid: {"scope": list(two.scope), "given": list(two.given), "by": two.by} for sid, two in working.items()}
        printer.data(_data(one) | {"sessions": told})
        return DONE
    printer.heading(one.id, "  ", (one.status, STYLES.get(one.status, "quiet")), f"  {one.name}")
    lines = [
        ("scope", one.scope),
        ("constraints", one.constraints),
        ("accepted when", one.acceptance),
        ("progress", tuple(f"[{'x' if done else ' '}] {label}" for done, label in one.checklist) + one.notes),
        ("issues", one.issues),
        ("depends on", tuple(each for each in (one.parent, *one.depends) if each)),
        ("tags", one.tags),
        ("specs", one.specs),
        ("version", (one.version,) if one.version else ()),
        ("other keys", one.more),
    ]
    rows = [(text((title, "quiet")), foreign("\n".join(texts), lines=True)) for title, texts in lines if texts]
    for sid, two in working.items():
        held = ", ".join(two.scope + two.given) + f"  (by {two.by})"
        rows.append((text((f"session {sid}", "quiet")), foreign(held)))
    printer.show(table([{}, {}], rows, head=False))
    return DONE


@command.command(
    cls=Command,
    shape={"intent": "str", "paths": [{"path": "str", "resolved": "str", "inScope": "bool"}]},
    examples=[
        ("jackline intents check src/auth/a.py docs/x.md", "against the intent of this session"),
        ("jackline intents check --intent INT-001 src/auth", "against what the file says"),
    ],
)
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@click.option("--intent", "intent", metavar="ID", default="", help="This intent, as the file has it.")
@SESSION
@JSON
@pass_setting
def check(setting: Setting, paths: tuple[str, ...], intent: str, name: str, as_json: bool) -> int:
    """Say whether paths are in scope; links are followed. Exit 1 when one is not."""
    root = str(setting.root)
    if intent:
        one = find(setting, intent)
        chosen = Active(one.id, one.name, one.scope)
    else:
        session = session_of(setting, caller(setting), name)
        found = active(str(setting.store), session.sid)
        if found is None:
            raise Refused(f"session {session.sid} works for no intent · jackline intents select ID")
        chosen = found
    held, given = scope(chosen.scope, root), scope(chosen.given, root)
    here = resolve("/", os.getcwd())
    rows = []
    for path in paths:
        inner = within(root, resolve(here, path, host.home()))
        rows.append({"path": path, "resolved": inner, "inScope": holds(held, inner) or holds(given, inner)})
    printer = Printer()
    if as_json:
        printer.data({"intent": chosen.id, "paths": rows})
    else:
        for row in rows:
            word = ("in scope      ", "allow") if row["inScope"] else ("out of scope  ", "deny")
            more = f"  ({row['resolved']})" if row["resolved"] != row["path"] else ""
            printer.line(word, str(row["path"]), (more, "quiet"))
    return DONE if all(row["inScope"] for row in rows) else FOUND


# --- select ----------------------------------------------------------------------------------------------------


def _later(setting: Setting, sid: str, wanted: str) -> Active | None:
    """In a sandbox the store cannot be written: the client's entry point does it, since it saw the command."""
    until = time.monotonic() + WAIT_S
    while True:
        found = active(str(setting.store), sid)
        if (found.id if found is not None else "") == wanted:
            return found
        if time.monotonic() > until:
            raise Refused(f"the store {setting.store} cannot be written from here · ask the person to do it")
        time.sleep(0.05)


@command.command(
    cls=Command,
    shape={"session": "str", "by": "str", "id": "str", "name": "str", "scope": ["str"], "given": ["str"]},
    examples=[
        ("jackline intents select INT-001", "in an agent's shell: for its own session"),
        (
            "jackline intents select INT-001 --session 9aa53425",
            "a person: for that session, with what the file says now",
        ),
    ],
)
@click.argument("intent", metavar="ID")
@SESSION
@JSON
@pass_setting
def select(setting: Setting, intent: str, name: str, as_json: bool) -> int:
    """Work for an intent from now on: its scope, as the file has it, is in force for this session.

    Once selected, a scope that grows in the file counts after a person selects again, or expands it.
    """
    format.check(str(setting.store))
    who = caller(setting)
    session = session_of(setting, who, name)
    by = choose.AGENT if who.agent else person.name()
    root, store = session.root or str(setting.root), str(setting.store)
    try:
        made = choose.select(store, root, session.sid, intent, by, host.now() // 1_000_000)
    except choose.Unfit as why:
        raise Refused(str(why)) from None
    except OSError:
        if not who.agent:
            raise
        made = _later(setting, session.sid, intent) or Active(intent, "", ())
    printer = Printer()
    if as_json:
        told = {"id": made.id, "name": made.name, "scope": list(made.scope), "given": list(made.given)}
        printer.data({"session": session.sid, "by": made.by, **told})
    else:
        printer.line(f"session {session.sid} works for ", (made.id, "name"), f" {made.name}")
        printer.line(("scope  ", "quiet"), ", ".join(made.scope + made.given) or "nothing yet")
        for wrong in reading(store, root).faults:
            printer.line((f"{wrong}", "warn"))
    return DONE


@command.command(cls=Command, examples=[("jackline intents clear", "the session works for nothing")])
@SESSION
@pass_setting
def clear(setting: Setting, name: str) -> int:
    """Leave the session without an intent: where one is required, it can change nothing until it selects one."""
    format.check(str(setting.store))
    who = caller(setting)
    session = session_of(setting, who, name)
    by = choose.AGENT if who.agent else person.name()
    try:
        before = choose.clear(str(setting.store), session.root or str(setting.root), session.sid, by)
    except OSError:
        if not who.agent:
            raise
        before = _later(setting, session.sid, "")
    if before is not None:
        Printer().line(f"session {session.sid} no longer works for {before.id}")
    return DONE


@command.command(
    cls=Command,
    examples=[
        ("jackline intents request INT-001 'docs/auth.md' --reason 'the flow is described there'", "an agent asks")
    ],
)
@click.argument("intent", metavar="ID")
@click.argument("globs", metavar="GLOB…", nargs=-1, required=True)
@click.option("--reason", default="", help="Why; the person reads it.")
@pass_setting
def request(setting: Setting, intent: str, globs: tuple[str, ...], reason: str) -> int:
    """Ask a person to widen an intent's scope. Nothing is widened by it; `jackline intents list` shows it."""
    format.check(str(setting.store))
    checked(globs)
    find(setting, intent)
    who = caller(setting)
    sid = who.session.sid if who.session is not None else ""
    said = Wish(intent, globs, reason, sid, host.now() // 1_000_000)
    try:
        kept = wish(str(setting.store), str(setting.root), said)
    except OSError:
        kept = "later" if who.agent else ""
    if not kept:
        raise Refused("there are too many requests already · a person decides: jackline intents list")
    Printer().line(f"asked for {' '.join(globs)} · a person decides: jackline intents expand {intent} …")
    return DONE


for verb in (expand, status, new):
    command.add_command(verb)
