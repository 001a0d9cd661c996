"""`jackline compile`: check the configuration and write the hook table."""

from __future__ import annotations

from collections.abc import Sequence

import click

from jackline.cli.hooks import lacking
from jackline.cli.parts import sync_notes
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.trustwatch import show_watched
from jackline.cli.parts.verb import Verb
from jackline.compiler import checking
from jackline.compiler.collect import survey
from jackline.compiler.fault import Fault
from jackline.compiler.write import Compiled, compile_table, refresh
from jackline.install.follow import Followed
from jackline.model import EVENTS
from jackline.script import TYPES

VERB = Verb(
    group="Configure",
    order=10,
    brief="Check the configuration and write the hook table",
    authority="open",
)


def _is_told(warning: str, faults: Sequence[Fault]) -> bool:
    """Whether a warning says once more what one of the faults says."""
    for one in faults:
        file, _, line = one.where.rpartition(":")
        places = (f"{one.where} · ", f"{file if line.isdigit() else one.where} · {one.path}")
        if warning == str(one) or (one.where and warning.startswith(places)):
            return True
    return False


def _show(printer: Printer, made: Compiled, faults: Sequence[Fault], check: bool, lacking: list[str]) -> None:
    told = [str(fault) for fault in faults]
    for line in told:
        printer.line(("✗ ", "bad"), line)
    for warning in made.warnings:
        if not _is_told(warning, faults):
            printer.line(("! ", "warn"), warning)
    for line in made.table.told:
        printer.line(("! ", "warn"), line)
    if faults:
        many = f"{len(faults)} fault{'s' * (len(faults) != 1)}"
        printer.line(many if check else "What was good before stays in force.")
        return
    for line in lacking:
        printer.line(("! ", "warn"), line)
    for file, key, _, _, why in made.table.report()["scripts"]:
        printer.line(("– ", "quiet"), (key or file, "name"), f"  {why}")
    features = sorted({row.slug for event in EVENTS for row in made.table.rows(event)})
    done = "the configuration is right" if check else "hook table written"
    printer.line(text((done, "good")), f" · {len(features)} features: ", (", ".join(features), "name"))
    names = sorted({script.key for name in (*EVENTS, *TYPES[1:]) for script in made.table.scripts(name)})
    if names:
        printer.line(f"{len(names)} script{'s' * (len(names) != 1)}: ", (", ".join(names), "name"))


@click.command(
    cls=Command,
    shape={
        "root": "str",
        "slot": "str",
        "faults": ["object"],
        "warnings": ["str"],
        "digest": "str",
        "trusted": "bool",
        "written": "bool",
        "followed": "object",
        "scripts": ["str"],
        "idle": ["object"],
        "lacking": ["str"],
    },
    examples=[
        ("jackline compile", "check every file and put the result in force"),
        ("jackline compile --check", "only check, all of it, trusted or not: while you write, and in CI"),
    ],
)
@click.option("--check", is_flag=True, help="Write nothing.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def command(setting: Setting, check: bool, as_json: bool) -> int:
    """Check .ai/hooks/ and the other layers of configuration, and write the hook table that the entry point reads.

    Never runs what it compiles. A fault names file, line, what was expected and what to write; the last good hook table
    stays in force then, and the exit code is 1. --check looks at everything, trusted or not, and at what is written
    and means nothing too: names of events, tools, features and fields that there are not.
    """
    root, store = str(setting.root), str(setting.store)
    made = compile_table(root, store) if check else refresh(root, store)
    faults = (
        list(dict.fromkeys([*made.faults, *checking.check(survey(root, store, as_checked_out=True))]))
        if check
        else list(made.faults)
    )
    printer = Printer()
    followed = Followed() if check else sync_notes.show(None if as_json else printer, setting, made.table)
    if as_json:
        printer.data(
            {
                "root": root,
                "slot": made.slot,
                "faults": [fault._asdict() for fault in faults],
                "warnings": list(made.warnings),
                "digest": made.survey.digest,
                "trusted": made.survey.trusted,
                "written": not check,
                "followed": followed._asdict(),
                "scripts": sorted(
                    {script.key for name in (*EVENTS, *TYPES[1:]) for script in made.table.scripts(name)}
                ),
                "idle": [{"file": row[0], "name": row[1], "why": row[4]} for row in made.table.report()["scripts"]],
                "lacking": lacking(setting, made.table),
            }
        )
    else:
        _show(printer, made, faults, check, lacking(setting, made.table))
        show_watched(printer, setting)
    return FOUND if faults else DONE
