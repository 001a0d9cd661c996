"""`jackline scripts`: what the project's scripts did last; write a new one."""

from __future__ import annotations

import calendar
import time
from typing import Any

import click
from rich.text import Text

from jackline import host
from jackline.cli.parts import choice, inventory, manual_run
from jackline.cli.parts.command import Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.inventory import Idle, Inventory, tree_place
from jackline.cli.parts.newscript import command as new_command
from jackline.cli.parts.printer import Column, Printer, foreign, table, text
from jackline.cli.parts.setting import Setting
from jackline.cli.parts.verb import Verb
from jackline.cli.sessions import ago
from jackline.script import Script
from jackline.scripts import status

VERB = Verb(
    group="Configure",
    order=40,
    brief="What scripts did last; write a new one",
    authority="open",
)

WIDE = 100
"""Columns from which on there is room for all that is known."""


def _columns(wide: bool) -> list[Column]:
    first: list[Column] = [{"header": "script", "overflow": "fold"}, {"header": "type", "no_wrap": True}]
    numbers: list[Column] = [{"header": one, "justify": "right", "no_wrap": True} for one in ("took", "runs", "fails")]
    middle: list[Column] = [{"header": "when", "overflow": "fold"}] if wide else []
    return [*first, *middle, {"header": "last", "no_wrap": True}, *numbers]


def when(script: Script) -> str:
    """What makes a script run, in few words."""
    if script.type == "event":
        return " ".join(script.events)
    if script.type == "session":
        return " ".join(script.sources)
    if script.type == "file":
        return " ".join((*script.pattern, *[f"!{one}" for one in script.exclude]))
    return "git commit"


def _status(setting: Setting, name: str) -> tuple[dict[str, dict[str, Any]], tuple[str, ...], bool]:
    """The latest run of each script, in a session and by hand; which wait there; whether a file was damaged."""
    places = [one.folder for one in choice.chosen(setting, name)]
    by_hand = status.read(tree_place(setting))
    latest, damaged = dict(by_hand.hooks) if not name else {}, by_hand.damaged
    pending: tuple[str, ...] = ()
    for place in places:
        found = status.read(place)
        pending, damaged = found.pending, damaged or found.damaged
        for key, one in found.hooks.items():
            if key not in latest or one["lastRunAt"] >= latest[key]["lastRunAt"]:
                latest[key] = one
    return latest, pending, damaged


def _row(script: Script, known: dict[str, Any] | None, waits: bool) -> dict[str, Any]:
    return {
        "key": script.key,
        "name": script.name,
        "type": script.type,
        "when": when(script),
        "path": script.path,
        "origin": script.origin,
        "runs": True,
        "pending": waits,
        "status": known,
    }


def _idle_row(one: Idle, known: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "key": one.key,
        "type": one.type,
        "when": " ".join(one.events),
        "path": one.file,
        "runs": False,
        "why": one.why,
        "pending": False,
        "status": known,
    }


def data(setting: Setting, found: Inventory, name: str) -> dict[str, Any]:
    """Everything that is shown, as data."""
    latest, pending, damaged = _status(setting, name)
    waits = set(pending)
    rows = [_row(one, latest.get(one.key), one.key in waits) for one in found.scripts]
    return {
        "root": str(setting.root),
        "trusted": found.trusted,
        "digest": found.digest,
        "scripts": rows,
        "idle": [_idle_row(one, latest.get(one.key)) for one in found.idle],
        "damaged": damaged,
        "faults": list(found.faults),
    }


def _last(row: dict[str, Any], now: int) -> Text:
    known = row["status"]
    if known is None:
        return text(("waits", "warn")) if row["pending"] else text(("never", "quiet"))
    good = known["lastResult"] == "success"
    code = known["lastExitCode"]
    how = text(("✓", "good")) if good else text((f"✗ {'signal ' if code < 0 else 'exit '}{abs(code)}", "bad"))
    seen = _millis(known["lastRunAt"])
    how.append(f"  {ago(seen, now)} ago" if seen else "", "quiet")
    if row["pending"]:
        how.append("  waits", "warn")
    return how


def _millis(stamp: str) -> int:
    try:
        return calendar.timegm(time.strptime(stamp[:19], "%Y-%m-%dT%H:%M:%S")) * 1000
    except ValueError:
        return 0


def _counts(known: dict[str, Any] | None, wide: bool) -> list[Text]:
    if known is None:
        return [text("")] * 3
    row = known["consecutiveFailures"]
    fails = text((f"{row} in a row, " if row > 1 and wide else "", "quiet"))
    fails.append(str(known["failCount"]), "bad" if row else "")
    ms = known.get("lastDurationMs")
    return [text("" if ms is None else manual_run.took(ms)), text(str(known["runCount"])), fails]


def _show(printer: Printer, told: dict[str, Any]) -> None:
    now = host.now() // 1_000_000
    if not told["scripts"] and not told["idle"]:
        printer.line("No scripts here · jackline scripts new writes one")
    if told["scripts"]:
        wide = printer.width >= WIDE
        rows = []
        for row in told["scripts"]:
            named = text((row["key"], "name"))
            if row["name"] not in (row["key"], row["path"].rpartition("/")[2]):
                named.append("\n").append_text(foreign(row["name"], "quiet"))
            cells = [named, text(row["type"]), *([foreign(row["when"])] if wide else [])]
            rows.append([*cells, _last(row, now), *_counts(row["status"], wide)])
        printer.show(table(_columns(wide), rows))
    for row in told["scripts"]:
        known = row["status"]
        if known is not None and known["lastResult"] == "failure":
            printer.line((f"  {row['key']}", "name"), "  output in ", (known["outputPath"], "place"))
    by_reason: dict[str, list[str]] = {}
    for one in told["idle"]:
        by_reason.setdefault(one["why"], []).append(one["key"] or one["path"])
    for why, names in by_reason.items():
        printer.line(("– ", "quiet"), (", ".join(names), "name"), f"  {why}")
    if told["damaged"]:
        printer.line(("! ", "warn"), "a status file was damaged: the next run sets it aside")
    for fault in told["faults"]:
        printer.line(("✗ ", "bad"), fault)


@click.group(
    cls=Family,
    shape={
        "root": "str",
        "trusted": "bool",
        "digest": "str",
        "scripts": [
            {"key": "str", "type": "str", "runs": "bool", "pending": "bool", "status": "object|null", "*": "str"}
        ],
        "idle": [{"key": "str", "type": "str", "runs": "bool", "pending": "bool", "status": "object|null", "*": "str"}],
        "damaged": "bool",
        "faults": ["str"],
    },
    invoke_without_command=True,
    examples=[
        ("jackline scripts", "every script: what makes it run, how its last run ended, what does not run and why"),
        ("jackline scripts new", "write a new one"),
    ],
)
@choice.option
@click.option("--json", "as_json", is_flag=True, help="As data.")
@click.pass_context
def command(context: click.Context, name: str, as_json: bool) -> int:
    """Show the scripts of this project and how they ended last, or write a new one. `jackline check` runs them.

    Shown are the runs of the newest session and those by hand, whichever is later; --session shows one session alone.
    """
    if context.invoked_subcommand is not None:
        return DONE
    setting: Setting = context.find_object(Setting) or Setting.here()
    told = data(setting, inventory.load(setting), name)
    printer = Printer()
    if as_json:
        printer.data(told)
    else:
        _show(printer, told)
    return FOUND if told["faults"] else DONE


command.add_command(new_command)
