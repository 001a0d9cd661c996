"""`jackline hook`: the help of the entry point, which `cli/__init__.py` answers before this is imported."""

from __future__ import annotations

import click

from jackline.cli.parts.command import Command
from jackline.cli.parts.verb import Verb

VERB = Verb(
    group="Keep",
    order=20,
    brief="The entry point: what a client's entry starts",
    authority="clients",
)


@click.command(
    cls=Command,
    examples=[
        ("jackline hook claude-code PreToolUse < payload.json", "answer one event as the installed entry does"),
        ("jackline hook copilot-cli preToolUse < payload.json", "client names and native event names are accepted"),
    ],
    context_settings={"ignore_unknown_options": True},
)
@click.argument("dialect")
@click.argument("event")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def command(dialect: str, event: str, words: tuple[str, ...]) -> None:
    """Answer one EVENT of a client that speaks DIALECT: its payload on standard input, our answer on standard output.

    This is the entry point that clients start. It exits 0 whatever it is given, and uses the store in the standard
    place whatever JACKLINE_STORE says. To ask what would happen without leaving a trace, use `jackline try`.
    """
    raise AssertionError("unreachable: cli.main answers `hook` before click is imported")
