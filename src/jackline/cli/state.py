"""`jackline state`: a session's state, shown or made again from its log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from jackline.cli.parts import choice, person
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.store import journal
from jackline.store.fold import fold
from jackline.store.state import rebuild as folded_again

VERB = Verb(
    group="Look",
    order=100,
    brief="A session's state, shown or made again from its log",
    authority={"": "open", "rebuild": "human-only"},
)


def flat(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """The state as `core.phase` → value."""
    for key, item in value.items():
        name = f"{above}.{key}" if above else str(key)
        if isinstance(item, Mapping) and item:
            yield from flat(item, name)
        else:
            yield name, item


@click.group(
    cls=Family,
    examples=[
        ("jackline state show", "the newest session of this project"),
        ("jackline state rebuild --session 9aa53425", "fold its log again"),
    ],
)
def command() -> None:
    """Show a session's state, or make it again from its log."""


@command.command(cls=Command, examples=[("jackline state show --json", "the state as it is stored")])
@choice.option
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def show(setting: Setting, name: str, as_json: bool) -> int:
    """Show the state of a session, and whether it is what its log means."""
    session = choice.one(setting, name)
    stored = session.state()
    records, torn = journal.read(session.folder)
    same = _without_offset(stored) == _without_offset(fold(records))
    printer = Printer()
    if as_json:
        printer.data({"session": session.sid, "state": stored, "foldsFromLog": same, "tornLines": torn})
        return DONE if same else FOUND
    printer.line(("session ", "quiet"), (session.sid, "head"), f"  {setting.short(session.folder)}/state.json")
    rows = [(text((key, "name")), foreign(str(value))) for key, value in flat(stored)]
    printer.show(table([{"no_wrap": True}, {}], rows, head=False), indent=2)
    if torn:
        printer.line((f"! {torn} torn line{'s' * (torn > 1)} in the log, left out", "warn"))
    if not same:
        printer.line(("✗ it is not what the log means · jackline state rebuild", "bad"))
    return DONE if same else FOUND


def _without_offset(value: Mapping[str, Any]) -> dict[str, Any]:
    """The state without how far into the log it reaches: that is of the file, not of the fold."""
    core = {key: item for key, item in value.get("core", {}).items() if key != "lastEventOffset"}
    return {**value, "core": core}


@command.command(cls=Command, examples=[("jackline state rebuild --yes", "the newest session, without asking")])
@choice.option
@person.yes_option
@pass_setting
def rebuild(setting: Setting, name: str, yes: bool) -> int:
    """Make state.json again: by definition it is the fold of the log's patches."""
    session = choice.one(setting, name)
    person.require(setting, "state rebuild", yes=yes, ask=f"Make the state of {session.sid} again from its log?")
    made = folded_again(session.folder)
    phase = made.get("core", {}).get("phase", "")
    Printer().line(f"rebuilt the state of {session.sid}: turn {made.get('core', {}).get('lastTurnId', 0)}, {phase}")
    return DONE
