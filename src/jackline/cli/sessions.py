"""`jackline sessions`: the sessions of a project, the state and the work of one, and how to forget one."""

from __future__ import annotations

from typing import Any

import click

from jackline import host
from jackline.cli.parts import choice, person, session_state, session_work
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.store import authority, chain, grants, session_index
from jackline.store.session_index import SessionEntry

VERB = Verb(
    group="Look",
    order=60,
    brief="The sessions of this project; the state and the unit of work of one",
    authority={"": "open", "forget": "human-only", "state --rebuild": "human-only", "work --new": "human-only"},
    former={
        "state": "state",
        "state show": "state",
        "state rebuild": "state --rebuild",
        "work": "work",
        "work show": "work",
        "work new": "work --new",
    },
)


def size(count: int) -> str:
    """Bytes as a person reads them."""
    for unit, step in (("MB", 1 << 20), ("KB", 1 << 10)):
        if count >= step:
            return f"{count / step:.1f} {unit}"
    return f"{count} B"


def ago(ms: int, now_ms: int) -> str:
    """How long ago, in one word."""
    seconds = max((now_ms - ms) // 1000, 0)
    for unit, step in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= step:
            return f"{seconds // step} {unit}"
    return f"{seconds} s"


def _data(one: SessionEntry) -> dict[str, Any]:
    core = one.state().get("core", {})
    return {
        "session": one.sid,
        "client": one.client,
        "clientSession": one.key,
        "root": one.root,
        "folder": one.folder,
        "born": one.born,
        "last": one.last,
        "bytes": one.size,
        "live": one.live,
        "turn": core.get("lastTurnId", 0),
        "work": core.get("workId", ""),
        "phase": core.get("phase", ""),
    }


def _show(printer: Printer, setting: Setting, found: list[SessionEntry], everywhere: bool) -> None:
    if not found:
        printer.line("No session was seen " + ("yet." if everywhere else "in this project yet."))
        return
    now = host.now() // 1_000_000
    rows = []
    for one in found:
        core = one.state().get("core", {})
        life = text(("alive", "good")) if one.live else text(("ended", "quiet"))
        seen = ago(one.last, now) if one.last else "never"
        cells = [text((one.sid, "head")), text((one.client or "unidentified", "name")), life]
        cells += [text(seen), text(str(core.get("lastTurnId", 0))), text(str(core.get("phase", "")).lower())]
        rows.append([*cells, text((size(one.size), "quiet")), *([text(setting.short(one.root))] if everywhere else [])])
    columns = ["session", "client", "", {"header": "seen", "justify": "right"}, {"header": "turns", "justify": "right"}]
    columns += ["phase", {"header": "log", "justify": "right"}, *(["project"] if everywhere else [])]
    printer.show(
        table([one if isinstance(one, dict) else {"header": one, "no_wrap": one != "project"} for one in columns], rows)
    )


def forgotten(store: str, sids: list[str]) -> None:
    """What is left to do when a person removed sessions: their consents end, and their logs are not missed."""
    for sid in sids:
        grants.forget(store, sid)
    authority.append(store, chain.FORGOTTEN, person.name(), {"sessions": sids})


@click.group(
    cls=Family,
    shape=[
        {
            "session": "str",
            "client": "str",
            "clientSession": "str",
            "root": "str",
            "folder": "str",
            "born": "int",
            "last": "int",
            "bytes": "int",
            "live": "bool",
            "turn": "int",
            "work": "str",
            "phase": "str",
        }
    ],
    invoke_without_command=True,
    examples=[
        ("jackline sessions", "those of this project"),
        ("jackline sessions --everywhere --json", "all the store knows, as data"),
        ("jackline sessions work", "which unit of work the newest is at"),
        ("jackline sessions forget 9aa53425", "remove one"),
    ],
)
@click.option("--everywhere", is_flag=True, help="Those of every project.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@click.pass_context
def command(context: click.Context, everywhere: bool, as_json: bool) -> int:
    """List the sessions of this project, newest first; or look at one."""
    if context.invoked_subcommand is not None:
        return DONE
    setting: Setting = context.obj
    found = session_index.sessions(setting.store, None if everywhere else setting.root)
    printer = Printer()
    if as_json:
        printer.data([_data(one) for one in found])
    else:
        _show(printer, setting, found, everywhere)
    return DONE


@command.command(cls=Command, examples=[("jackline sessions forget 9aa53425", "remove its log, state and artifacts")])
@click.argument("name", metavar="ID")
@person.yes_option
@pass_setting
def forget(setting: Setting, name: str, yes: bool) -> int:
    """Remove a session: its log, state and artifacts, and what leads to it."""
    session = choice.one(setting, name)
    if session.live:
        raise click.UsageError(f"session {session.sid} is alive ({session.client}, pid {session.pid}); end it first")
    person.require(
        setting, "sessions forget", yes=yes, ask=f"Remove session {session.sid} with {size(session.size)} of log?"
    )
    session_index.forget(session)
    forgotten(str(setting.store), [session.sid])
    Printer().line(f"forgot {session.sid}")
    return DONE


for below in (session_state.command, session_work.command):
    command.add_command(below)
