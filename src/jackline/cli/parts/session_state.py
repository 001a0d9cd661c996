"""`jackline sessions state`: a session's state, shown or made again from its log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from jackline.cli.parts import choice, person
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.store import journal
from jackline.store.reducer import fold
from jackline.store.session_index import SessionEntry
from jackline.store.state import rebuild as folded_again


def flat(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """The state as `core.phase` → value."""
    for key, item in value.items():
        name = f"{above}.{key}" if above else str(key)
        if isinstance(item, Mapping) and item:
            yield from flat(item, name)
        else:
            yield name, item


def _without_offset(value: Mapping[str, Any]) -> dict[str, Any]:
    """The state without how far into the log it reaches: that is of the file, not of the fold."""
    core = {key: item for key, item in value.get("core", {}).items() if key != "lastEventOffset"}
    return {**value, "core": core}


def _rebuild(setting: Setting, session: SessionEntry, yes: bool) -> dict[str, Any]:
    person.require(
        setting, "sessions state --rebuild", yes=yes, ask=f"Make the state of {session.sid} again from its log?"
    )
    return folded_again(session.folder)


def _show(
    printer: Printer, setting: Setting, session: SessionEntry, stored: Mapping[str, Any], torn: int, same: bool
) -> None:
    printer.line(("session ", "quiet"), (session.sid, "head"), f"  {setting.short(session.folder)}/state.json")
    rows = [(text((key, "name")), foreign(str(value))) for key, value in flat(stored)]
    printer.show(table([{"no_wrap": True}, {}], rows, head=False), indent=2)
    if torn:
        printer.line((f"! {torn} torn line{'s' * (torn > 1)} in the log, left out", "warn"))
    if not same:
        printer.line(("✗ it is not what the log means · jackline sessions state --rebuild", "bad"))


@click.command(
    "state",
    cls=Command,
    shape={"session": "str", "state": "object", "foldsFromLog": "bool", "tornLines": "int"},
    examples=[
        ("jackline sessions state", "of the newest session of this project"),
        ("jackline sessions state --json", "the state as it is stored"),
        ("jackline sessions state --rebuild --session 9aa53425", "fold its log again"),
    ],
)
@choice.option
@click.option("--rebuild", is_flag=True, help="Make state.json again: it is the fold of the log's patches.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@person.yes_option
@pass_setting
def command(setting: Setting, name: str, rebuild: bool, as_json: bool, yes: bool) -> int:
    """Show the state of a session, and whether it is what its log means."""
    session = choice.one(setting, name)
    printer = Printer()
    if rebuild:
        core = _rebuild(setting, session, yes).get("core", {})
        if not as_json:
            said = f"turn {core.get('lastTurnId', 0)}, {core.get('phase', '')}"
            printer.line(f"rebuilt the state of {session.sid}: {said}")
            return DONE
    stored = session.state()
    records, torn = journal.read(session.folder)
    same = _without_offset(stored) == _without_offset(fold(records))
    if as_json:
        printer.data({"session": session.sid, "state": stored, "foldsFromLog": same, "tornLines": torn})
    else:
        _show(printer, setting, session, stored, torn, same)
    return DONE if same else FOUND
