"""`jackline version`: the version, and where things are."""

from __future__ import annotations

import sys

import click

from jackline.cli.parts.command import Command
from jackline.cli.parts.printer import Printer, table
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.version import VERSION

VERB = Verb(
    group="Keep",
    order=40,
    brief="The version, and where things are",
    authority="open",
)


@click.command(
    cls=Command,
    shape={"version": "str", "python": "str", "store": "str", "root": "str"},
    examples=[("jackline version --json", "for a report or a script")],
)
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def command(setting: Setting, as_json: bool) -> None:
    """Show the version of Jackline and of Python, the store, and the project."""
    facts = {
        "version": VERSION,
        "python": sys.version.split()[0],
        "store": str(setting.store),
        "root": str(setting.root),
    }
    printer = Printer()
    if as_json:
        printer.data(facts)
    else:
        printer.show(table([{"style": "quiet"}, {}], facts.items(), head=False))
