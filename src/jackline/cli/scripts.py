"""`jackline scripts`: what the project's scripts did last; run one by hand; write a new one."""

from __future__ import annotations

import calendar
import json
import time
from typing import Any

import click
from rich.text import Text

from jackline import host, system
from jackline.cli.parts import choice, inventory, manual_run
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.inventory import Idle, Inventory
from jackline.cli.parts.manual_run import Done, Task
from jackline.cli.parts.newscript import command as new_command
from jackline.cli.parts.printer import Column, Printer, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.cli.sessions import ago
from jackline.clients.router import receive
from jackline.compiler.fault import nearest
from jackline.compiler.scriptfields import ALL_EVENTS
from jackline.runtime.request import Request
from jackline.script import TYPES, Outcome, Script
from jackline.scripts import status
from jackline.store import format

VERB = Verb(
    group="Configure",
    order=40,
    brief="What scripts did last; run one by hand, write a new one",
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


def tree_place(setting: Setting) -> str:
    """Where the status of runs is kept that belong to no session."""
    return f"{setting.store}/repos/{setting.slot}"


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
    invoke_without_command=True,
    examples=[
        ("jackline scripts", "every script: what makes it run, how its last run ended, what does not run and why"),
        ("jackline scripts run lint", "run one now"),
        ("jackline scripts new", "write a new one"),
    ],
)
@choice.option
@click.option("--json", "as_json", is_flag=True, help="As data.")
@click.pass_context
def command(context: click.Context, name: str, as_json: bool) -> int:
    """Show the scripts of this project and how they ended last, run them by hand, or write a new one.

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


# --- run -----------------------------------------------------------------------------------------------------------


def _payload(setting: Setting, event: str, file: str) -> bytes:
    if file:
        with click.open_file(file, "rb") as opened:
            return bytes(opened.read())
    made = {"hook_event_name": event, "session_id": "by-hand", "cwd": str(setting.root)}
    return json.dumps(made).encode() + b"\n"


def _event_tasks(setting: Setting, found: Inventory, event: str, file: str) -> list[Task]:
    """The scripts bound to an event, with the payload on their standard input."""
    if event not in ALL_EVENTS:
        near = nearest(event, list(ALL_EVENTS))
        raise click.UsageError(f"no client has an event {event!r}" + (f"; did you mean {near}?" if near else ""))
    canonical = ALL_EVENTS[event]
    raw = _payload(setting, canonical, file)
    _, parsed = receive(Request("claude-code", canonical, raw, {}, str(setting.root)))
    made = []
    for task in manual_run.tasks(found.at(canonical), (), setting.env):
        wants = not parsed.tool or task.script.wants(parsed.tool, parsed.kind)
        made.append(
            task._replace(stdin=raw, event=canonical, why=task.why or ("" if wants else "tool not in its list"))
        )
    return made


def _tasks(
    setting: Setting,
    found: Inventory,
    name: str,
    event: str,
    file: str,
    type_: str,
    names: tuple[str, ...],
    everything: bool,
) -> tuple[list[Task], list[Idle]]:
    """What is to run, and what would if it were trusted."""
    if sum(map(bool, (name, event, type_))) > 1:
        raise click.UsageError("NAME, --event and --type exclude each other")
    if file and not event:
        raise click.UsageError("--payload needs --event")
    if event:
        if names or everything:
            raise click.UsageError("an event is about no files")
        tasks = _event_tasks(setting, found, event, file)
        bound = {one.key for one in found.untrusted("event") if tasks or event in one.events}
        return tasks, [one for one in found.untrusted("event") if one.key in bound and event in one.events]
    scripts = [found.named(name)] if name else found.of(type_ or "file")
    if any(one.type in ("file", "pre-commit") for one in scripts):
        files = (
            manual_run.given(setting, names)
            if names
            else manual_run.everything(setting)
            if everything
            else manual_run.dirty(setting)
        )
    elif names or everything:
        raise click.UsageError("only file and pre-commit scripts are given files")
    else:
        files = []
    raw = _payload(setting, "", "") if name and scripts[0].type == "event" else b""
    tasks = [one._replace(stdin=raw) for one in manual_run.tasks(scripts, files, setting.env)]
    return tasks, [] if name else found.untrusted(type_ or "file")


def _report(setting: Setting, printer: Printer, done: list[Done], untrusted: list[Idle], found: Inventory) -> None:
    if untrusted:
        printer.line(("✗ ", "bad"), inventory.needs_trust(found, untrusted))
    if len(done) > 1:
        manual_run.summary(printer, done)
    if not done and not untrusted:
        printer.line("Nothing to run · jackline scripts lists what there is")


@command.command(
    "run",
    cls=Command,
    examples=[
        ("jackline scripts run", "the file scripts, over what differs from the last commit"),
        ("jackline scripts run lint --files src/a.py", "one script over one file"),
        ("jackline scripts run --event PreToolUse --payload call.json", "the scripts of an event, with that on stdin"),
        ("jackline scripts run --type session", "the session scripts, now"),
    ],
)
@click.argument("name", required=False, default="")
@click.argument("names", metavar="[FILE]...", nargs=-1)
@click.option("--event", metavar="EVENT", default="", help="The scripts bound to an event.")
@click.option(
    "--payload", "file", metavar="FILE", default="", help="What they get on standard input (-: what stands on ours)."
)
@click.option("--type", "type_", type=click.Choice(TYPES[1:]), help="All scripts of a type; without anything: file.")
@click.option("--files", "some", is_flag=True, help="The files named after it, instead of those that changed.")
@click.option("--all-files", "everything", is_flag=True, help="All files git knows.")
@click.option("--session", metavar="ID", default="", help="Note status and output in that session.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def run(
    setting: Setting,
    name: str,
    names: tuple[str, ...],
    event: str,
    file: str,
    type_: str | None,
    some: bool,
    everything: bool,
    session: str,
    as_json: bool,
) -> int:
    """Run one script now, or all of an event or type.

    NAME is its key, its name or its file's; without anything it is the file scripts, over the files that changed.
    Only what is trusted runs. The exit code is 0 when all succeed, 1 when one fails or is not trusted, 2 when it
    cannot be understood. Changes no session's status but that of --session; JACKLINE_SKIP=key,key leaves scripts out.
    """
    if some and (event or type_) and name:
        names, name = (name, *names), ""
    if some and not names:
        raise click.UsageError("--files needs names of files")
    if names and not some:
        raise click.UsageError(f"{names[0]!r}: files stand behind --files")
    format.check(str(setting.store))  # what comes of it is noted there
    found = inventory.load(setting)
    todo, untrusted = _tasks(setting, found, name, event, file, type_ or "", names, everything)
    place = choice.one(setting, session).folder if session else tree_place(setting)
    told = choice.one(setting, session).sid if session else ""

    def tell(script: Script, outcome: Outcome) -> None:
        try:
            system.make_dirs(place)
            status.record(place, script, outcome, host.now())
        except OSError as fault:
            raise click.ClickException(f"{place} · the status cannot be written: {fault.strerror}") from None

    printer = Printer()
    done = manual_run.run_all(
        setting, None if as_json else printer, todo, session=told, output=bool(name or event), tell=tell
    )
    failed = manual_run.failures(done)
    if as_json:
        printer.data(
            {"results": [one.data for one in done], "failed": failed, "untrusted": [one.key for one in untrusted]}
        )
    else:
        _report(setting, printer, done, untrusted, found)
    return FOUND if failed or untrusted else DONE


command.add_command(new_command)
