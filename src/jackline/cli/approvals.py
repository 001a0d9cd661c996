"""`jackline approvals`: calls that wait for a person's word."""

from __future__ import annotations

import time

import click

from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer, text
from jackline.cli.parts.requests import STYLES, card, data, now, trusted, when
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb
from jackline.store import approvals
from jackline.store.approvals import Request

VERB = Verb(
    group="Decide",
    order=10,
    brief="Calls that wait for your yes",
    authority={"": "open", "--yes": "human-only"},
)

CALL: Shape = {
    "id": "str",
    "sid": "str",
    "tool": "str",
    "subject": "str",
    "standing": "str",
    "word": "object|null",
    "approve?": "str",
    "*": "any",
}
"""One call that waits or was decided."""

PAUSE_S = 0.3
HOW = "jackline approve CODE · jackline reject CODE --note WHY · or typed as a prompt in that session"
HIDDEN = "Codes are shown to a person at a terminal that no agent started."


def _code(setting: Setting, request: Request, shown: bool) -> str:
    waits = shown and approvals.standing(str(setting.store), request, now()) == "waiting"
    return approvals.code(str(setting.store), request) if waits else ""


def _kept(setting: Setting, everything: bool) -> list[Request]:
    """What waits, and what a person approved that still counts; or all that is kept."""
    store, at = str(setting.store), now()
    return [
        one
        for one in approvals.requests(store)
        if everything or approvals.standing(store, one, at) in ("waiting", "approved")
    ]


def _change(printer: Printer, setting: Setting, request: Request, as_json: bool, shown: bool, before: str) -> None:
    """One thing that happened: a call that waits now, or what became of one."""
    if as_json:
        printer.datum(data(setting, request, _code(setting, request, shown)))
    elif not before:
        card(printer, setting, request, _code(setting, request, shown))
        printer.blank()
    else:
        standing = approvals.standing(str(setting.store), request, now())
        told = when(str(setting.store), request, standing)
        printer.line(text((request.id, "head"), "  ", (standing, STYLES[standing]), "  ", (told, "quiet")))
    printer.stream.flush()


def _watch(printer: Printer, setting: Setting, as_json: bool, shown: bool) -> None:
    """What waits, then every change, for ever."""
    store = str(setting.store)
    there = {one.id: approvals.standing(store, one, now()) for one in approvals.requests(store)}
    known: dict[str, str] = {name: standing for name, standing in there.items() if standing != "waiting"}
    while True:
        for one in approvals.requests(store):  # when it was born tells nothing: it is written some time after that
            standing = approvals.standing(store, one, now())
            before = known.get(one.id, "")
            if standing != before:
                _change(printer, setting, one, as_json, shown, before)
            known[one.id] = standing
        time.sleep(PAUSE_S)


@click.command(
    cls=Command,
    shape=(CALL, [CALL]),
    examples=[
        ("jackline approvals", "what waits for your yes, and the codes"),
        ("jackline approvals --watch", "the same, as it comes"),
        ("jackline approvals --all --json", "the last day's, with what became of them"),
    ],
)
@click.option("--watch", is_flag=True, help="Go on with what comes.")
@click.option("--all", "everything", is_flag=True, help="What was decided or has ended, too.")
@click.option("--json", "as_json", is_flag=True, help="As data; with --watch a line for each change.")
@click.option("--yes", is_flag=True, help="Show codes without a terminal: a person wants them.")
@pass_setting
def command(setting: Setting, watch: bool, everything: bool, as_json: bool, yes: bool) -> int:
    """Show the calls that wait for a person's word: who makes them, where, by which rule they are asked about."""
    printer = Printer()
    shown = trusted(setting, yes=yes)
    if watch:
        _watch(printer, setting, as_json, shown)
    found = _kept(setting, everything)
    if as_json:
        printer.data([data(setting, one, _code(setting, one, shown)) for one in found])
        return DONE
    for one in found:
        card(printer, setting, one, _code(setting, one, shown))
        printer.blank()
    if any(approvals.standing(str(setting.store), one, now()) == "waiting" for one in found):
        printer.line((HOW if shown else HIDDEN, "quiet"))
    elif not found:
        printer.line("Nothing waits for your word.")
    return DONE
