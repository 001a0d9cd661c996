"""`jackline clients`: which clients there are, what each can carry, and how far each guarantee holds on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from rich.console import Group, RenderableType
from rich.table import Table

from jackline.cli.parts.command import Command
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb
from jackline.clients.capabilities import row
from jackline.clients.grades import GUARANTEES, grades
from jackline.clients.schema import ClientSpec
from jackline.clients.specs import SPECS
from jackline.install import dialect

VERB = Verb(
    group="Begin",
    order=30,
    brief="Which clients there are, and how far you can rely on each",
    authority="open",
)

ROW: Shape = {
    "client": "str",
    "title": "str",
    "dialect": "str",
    "version": "str",
    "*": "any",
}
"""One client."""

WIDE = 120
PARTLY = ("open", "; ", " but ", " no mark", "without any")
"""Words of a grade that takes something back."""
SIGNS = {"holds": ("●", "good"), "partly": ("◐", "warn"), "no": ("○", "bad")}


def sign(grade: str) -> tuple[str, str]:
    """How far a guarantee holds, at a glance: by the first words of its grade."""
    if grade.startswith("no"):
        return SIGNS["no"]
    if any(word in grade for word in PARTLY):
        return SIGNS["partly"]
    return SIGNS["holds"]


def show_grades(printer: Printer, names: Sequence[str]) -> None:
    """Every guarantee on every client; side by side where there is room."""
    blocks: list[RenderableType] = []
    for client in names:
        rows = [(text(sign(said)), text((name, "quiet")), text(said)) for name, said in grades(client).items()]
        block = table([{"no_wrap": True}, {"no_wrap": True, "min_width": 11}, {}], rows, head=False)
        blocks.append(Group(text((client, "name")), block))
    across = 2 if printer.width >= WIDE else 1
    grid = Table.grid(expand=True, padding=(0, 2, 0, 0))
    for _ in range(across):
        grid.add_column(ratio=1)
    for at in range(0, len(blocks), across):
        if at and across > 1:
            grid.add_row("")
        grid.add_row(*blocks[at : at + across])
    printer.show(grid, indent=2)


def _entries(spec: ClientSpec) -> dict[str, Any] | None:
    """Where entries of ours stand, and on which events; None for a client that nothing is installed for."""
    if spec.installed is None:
        return None
    spoken = dialect.of(spec.dialect)
    return {"files": dict(spoken.written.files), "events": list(spoken.events)}


def data(spec: ClientSpec) -> dict[str, Any]:
    """All that is known of a client."""
    return {
        "client": spec.name,
        "title": spec.title,
        "dialect": spec.dialect,
        "version": spec.version,
        "installed": _entries(spec),
        "grades": grades(spec.name),
        "events": {event: row(spec.name, event)._asdict() for event in spec.events},
        "tools": {name: kind for name, (kind, *_) in spec.tools.items()},
        "evidence": spec.evidence,
        "sources": dict(spec.sources),
    }


def matrix(printer: Printer) -> None:
    """Each client beside the others: the version that its rows hold for, whether `init` knows it, its grades."""
    head = ("client", "version", "init", *GUARANTEES)
    rows = []
    for spec in SPECS.values():
        marks = [text(sign(grade)) for grade in grades(spec.name).values()]
        known = text(("yes", "good") if spec.installed else ("not yet", "quiet"))
        rows.append([text((spec.name, "name")), text((spec.version, "quiet")), known, *marks])
    printer.show(table([{"header": name} for name in head], rows))
    printer.blank()
    printer.line(*[part for name, one in SIGNS.items() for part in (one, f" {name}  ")])


@click.command(
    cls=Command,
    shape=(ROW, [ROW]),
    examples=[
        ("jackline clients", "every client beside the others"),
        ("jackline clients codex", "how far each guarantee holds on one of them"),
        ("jackline clients --json", "what each can carry at each event, its tools, its files, and how it is known"),
    ],
)
@click.argument("client", type=click.Choice(list(SPECS)), required=False)
@click.option("--json", "as_json", is_flag=True, help="As data.")
def command(client: str | None, as_json: bool) -> None:
    """Show which clients there are, and how far you can rely on each: CLIENT in words, or all of them as a table."""
    printer = Printer()
    if as_json:
        printer.data(data(SPECS[client]) if client else [data(one) for one in SPECS.values()])
    elif client:
        show_grades(printer, [client])
    else:
        matrix(printer)
