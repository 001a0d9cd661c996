"""`jackline approve`: a person's yes to one call that waits."""

from __future__ import annotations

from typing import Literal

import click

from jackline.cli.parts import person, requests
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.store import approvals
from jackline.store.approvals import Request, Word
from jackline.store.secrets import mask

VERB = Verb(
    group="Decide",
    order=20,
    brief="Let a call that waits run, once",
    authority="human-only",
)

STALE = {
    "rejected": "was rejected",
    "approved": "is approved already",
    "used": "was approved and has run",
    "expired": "waited too long: the agent asks again when it runs the call again",
    "locked": "is ended by wrong codes: the agent asks again when it runs the call again",
    "ended": "has ended: it was taken back, or is of a version that bound less; the agent asks again when it runs it",
}


def passed(setting: Setting, verb: str, target: str, yes: bool, printer: Printer) -> Request:
    """The request that is meant, once it is sure that a person means it: a code says so, an id is asked about."""
    person.allowed(setting, verb, code=not approvals.plain(target))
    request, by_code = requests.find(setting, target)
    if by_code:
        person.require(setting, verb, yes=yes or person.has_terminal())
        return request
    if not person.has_terminal():
        raise person.Refused(f"`jackline {verb}` · no terminal to ask on · give the code, which only a person has")
    requests.card(printer, setting, request)
    printer.stream.flush()
    if not (yes or person.confirmed(f"{verb.capitalize()} {request.id}?")):
        raise person.Declined
    return request


@click.command(
    cls=Command,
    examples=[
        ("jackline approve KQZ-MTR", "the call of this code may run, once, within ten minutes"),
        ("jackline approve 4f1c02", "the same by its id: the call is shown, and you are asked"),
        ("jackline approve KQZ-MTR --for session", "this call, unchanged, as often as the session needs it"),
    ],
)
@click.argument("target", metavar="[CODE|ID]", required=False, default="")
@click.option(
    "--for", "scope", type=click.Choice(["once", "session"]), default="once", show_default=True, help="Scope."
)
@click.option("--note", default="", help="A word for the agent, told with the call.")
@person.yes_option
@pass_setting
def command(setting: Setting, target: str, scope: Literal["once", "session"], note: str, yes: bool) -> int:
    """Let one call that waits run: exactly this one, unchanged, with the files it runs unchanged.

    Without CODE or ID: the one call that waits.
    """
    printer = Printer()
    request = passed(setting, "approve", target, yes, printer)
    standing = approvals.standing(str(setting.store), request, requests.now())
    if standing != "waiting":
        raise requests.NoneSuchError(f"{request.id} {STALE[standing]}")
    turn = requests.turn(setting, request)
    said = Word("approve", person.name(), requests.now(), turn, mask(note), scope, "command")
    if not requests.speak(setting, request, said):
        printer.line((f"{request.id}: somebody has spoken already", "warn"))
        return FOUND
    often = "as often as the session needs it" if scope == "session" else "once, within ten minutes"
    printer.line(("approved ", "good"), (request.id, "head"), f"  it may run {often} · tell the agent to go on")
    if not requests.alive(setting, request):
        printer.line(("! ", "warn"), f"session {request.sid} has ended; a resumed one may still use it")
    return DONE
