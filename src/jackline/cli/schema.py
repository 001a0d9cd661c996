"""`jackline schema`: the JSON Schema of a file or record."""

from __future__ import annotations

import click

from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer, table
from jackline.cli.parts.verb import Verb
from jackline.compiler import schemas

VERB = Verb(
    group="Configure",
    order=120,
    brief="The JSON Schema of a file or record",
    authority="open",
)


@click.command(
    cls=Command,
    shape=["str"],
    examples=[
        ("jackline schema", "the names there are"),
        ("jackline schema dispatch.manifest > .ai/hooks/schema/dispatch.manifest.schema.json", "for an editor"),
    ],
)
@click.argument("name", type=click.Choice(list(schemas.NAMES)), required=False)
@click.option("--json", "as_json", is_flag=True, help="The names as data.")
def command(name: str | None, as_json: bool) -> int:
    """Print the JSON Schema (2020-12) called NAME; without a name, list them."""
    printer = Printer()
    if name is not None:
        printer.data(schemas.load(name))
    elif as_json:
        printer.data(list(schemas.NAMES))
    else:
        rows = [(one, schemas.load(one).get("title", "")) for one in schemas.NAMES]
        printer.show(table(["name", "what it describes"], rows))
    return DONE
