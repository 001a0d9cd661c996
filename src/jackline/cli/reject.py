"""`jackline reject`: a person's no to a call that waits, or a yes taken back."""

from __future__ import annotations

import click

from jackline import host
from jackline.cli.approve import STALE, passed
from jackline.cli.parts import person, requests
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.runtime.stages.prompt_commands import record
from jackline.store import approvals
from jackline.store.approvals import Request, Word
from jackline.store.secrets import mask

VERB = Verb(
    group="Decide",
    order=30,
    brief="Refuse a call that waits, with a word to the agent",
    authority="human-only",
)


def _taken_back(setting: Setting, request: Request, said: Word) -> bool:
    """End a yes that nothing has used up."""
    given = approvals.word(str(setting.store), request.id)
    if given is None or not approvals.take_back(str(setting.store), request.id, given.scope, requests.now()):
        return False
    record(str(setting.store), request, said, host.now())
    return True


@click.command(
    cls=Command,
    examples=[
        ('jackline reject KQZ-MTR --note "use git restore"', "this turn it will not run; the agent reads the note"),
        ("jackline reject 4f1c02", "by its id; also takes back a yes that was not used"),
    ],
)
@click.argument("target", metavar="[CODE|ID]", required=False, default="")
@click.option("--note", default="", help="Why, or what to do instead: the agent reads it.")
@person.yes_option
@pass_setting
def command(setting: Setting, target: str, note: str, yes: bool) -> int:
    """Refuse one call that waits, for this turn; or take back a yes.

    Without CODE or ID: the one call that waits.
    """
    printer = Printer()
    request = passed(setting, "reject", target, yes, printer)
    standing = approvals.standing(str(setting.store), request, requests.now())
    said = Word("reject", person.name(), requests.now(), requests.turn(setting, request), mask(note), way="command")
    if standing == "approved":
        done = _taken_back(setting, request, said)
    elif standing == "waiting":
        done = requests.speak(setting, request, said)
    else:
        raise requests.NoneSuchError(f"{request.id} {STALE[standing]}")
    if not done:
        printer.line((f"{request.id}: too late, somebody has spoken or it has run", "warn"))
        return FOUND
    what = "taken back " if standing == "approved" else "rejected "
    printer.line((what, "deny"), (request.id, "head"), f"  {note}" if note else "")
    return DONE
