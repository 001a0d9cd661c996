"""`jackline profile`: where the milliseconds go, by event and by feature, from the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple

import click
from rich.text import Text

from jackline.cli.parts import choice
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.runs import ROWS, Run, runs
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb

VERB = Verb(
    group="Look",
    order=90,
    brief="Where the milliseconds go, by event and feature",
    authority="open",
)

TIMES: dict[str, Shape] = {
    "number": "int",
    "p50": "number",
    "p90": "number",
    "p99": "number",
    "longest": "number",
    "total": "number",
}
"""Milliseconds of some runs."""


class Times(NamedTuple):
    """How long something took: count, percentiles, the longest, all together. Milliseconds."""

    number: int
    p50: float
    p90: float
    p99: float
    longest: float
    total: float


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of all values do not exceed (nearest rank)."""
    return ordered[max(ceil(len(ordered) * share / 100), 1) - 1]


def times(values: Iterable[float]) -> Times:
    ordered = sorted(values)
    told = [percentile(ordered, share) for share in (50, 90, 99)]
    return Times(len(ordered), *[round(one, 2) for one in (*told, ordered[-1], sum(ordered))])


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def by_event(found: Iterable[Run]) -> dict[str, Times]:
    """How long the entry point worked, from parse to answer, by event."""
    values: dict[str, list[float]] = {}
    for run in found:
        if run.row.get("kind") in ROWS and _number(run.row.get("ms")):
            values.setdefault(str(run.row.get("event")), []).append(float(run.row["ms"]))
    return {name: times(some) for name, some in sorted(values.items())}


def by_feature(found: Iterable[Run]) -> dict[str, Times]:
    """How long each feature took, as `feature event`."""
    values: dict[str, list[float]] = {}
    for run in found:
        for one in run.actions:
            if _number(one.get("ms")):
                values.setdefault(f"{one.get('feature')} {run.row.get('event')}", []).append(float(one["ms"]))
    return {name: times(some) for name, some in sorted(values.items())}


NUMBERS = ("number", "p50", "p90", "p99", "longest", "total")


def _table(printer: Printer, title: str, found: dict[str, Times]) -> None:
    rows: list[list[str | Text]] = []
    for name, one in sorted(found.items(), key=lambda item: -item[1].total):
        first, _, event = name.partition(" ")
        label = text((first, "name"), (f"  {event}" if event else "", ""))
        rows.append([label, str(one.number), *[f"{value:.1f}" for value in one[1:]]])
    columns = [{"header": title, "no_wrap": True, "min_width": 34}]
    printer.show(table([*columns, *[{"header": name, "justify": "right", "no_wrap": True} for name in NUMBERS]], rows))


@click.command(
    cls=Command,
    shape={"events": {"*": TIMES}, "features": [{"feature": "str", "event": "str", **TIMES}]},
    examples=[
        ("jackline profile", "all sessions of this project"),
        ("jackline profile --json", "as data, for a chart"),
    ],
)
@choice.option
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def command(setting: Setting, name: str, as_json: bool) -> int:
    """Show how many milliseconds events and features took.

    The start of the interpreter is not in it (`jackline doctor` measures the whole entry point).
    """
    found = [run for one in choice.chosen(setting, name or choice.ALL) for run in runs(one.events())]
    events, features = by_event(found), by_feature(found)
    printer = Printer()
    if as_json:
        printer.data(
            {
                "events": {key: one._asdict() for key, one in events.items()},
                "features": [
                    {"feature": key.partition(" ")[0], "event": key.partition(" ")[2], **one._asdict()}
                    for key, one in features.items()
                ],
            }
        )
    elif not events:
        printer.line("No event was seen in this project yet.")
    else:
        _table(printer, "event, ms", events)
        printer.blank()
        _table(printer, "feature, ms", features)
    return DONE
