"""`jackline log`: the timeline of a session."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import click
from rich.table import Table
from rich.text import Text

from jackline import host
from jackline.cli import choice
from jackline.cli.command import Command
from jackline.cli.exits import DONE
from jackline.cli.printer import Printer, foreign, style_of, table, text
from jackline.cli.runs import CALL, NOTABLE, ROWS, Run, clock, milliseconds, reasons, rewrite, runs, short_ids, subject
from jackline.cli.setting import Setting, pass_setting
from jackline.store import journal, pauses
from jackline.store.listing import Listed, sessions

WIDE = 120
TAIL = 1 << 16
"""Bytes of log that a call may have left; `--last` reads so many for each."""
PAUSE_S = 0.2
RESCAN_S = 2.0
"""How often `--follow` looks for new records, and for new sessions."""


def _said(run: Run) -> Text:
    decision, answered = run.decision, run.data.get("answered")
    if answered and str(answered) != "silence":
        return text((decision, style_of(decision)), "→", (str(answered), style_of(str(answered))))
    return text((decision, "quiet" if decision == "allow" else style_of(decision) or "rewrite"))


def _tool(run: Run) -> Text:
    tool = run.row.get("toolName")
    made = text((str(tool), "name"), " ") if tool else Text()
    outcome = run.row.get("outcome")
    if outcome == "error":
        made.append_text(text(("failed ", "warn")))
    agent = run.row.get("agentId")
    if agent not in (None, "u00"):
        made.append_text(text((f"[{agent}] ", "quiet")))
    return made.append_text(foreign(subject(run)))


def _details(run: Run, name: str, wide: bool) -> Iterator[Text]:
    """What stands below a row: its id where it has no column, who decided and why, what was rewritten, what failed."""
    by = ", ".join(map(str, run.row.get("by") or ()))
    lines = reasons(run)
    lead = () if wide else ((name, "quiet"), "  ")
    if run.decision == "rewrite":
        who = ", ".join(str(one.get("feature")) for one in run.actions if one.get("rewrote"))
        yield text(*lead, (who, "name"), f": {rewrite(run)}")
    elif lines:
        yield text(*lead, (by or "kernel", "name"), f": {lines[0]}")
    for one in run.notable:
        error = one.get("error")
        said = str(error.get("message", "") if isinstance(error, dict) else one.get("reason") or "")
        said = said.removeprefix(f"{one.get('producer')} failed: ")
        word = f"would {one.get('decision')}" if one.get("kind") == "OBSERVED" else str(one.get("kind"))
        yield text((str(one.get("producer")), "name"), " ", (word, "warn"), f" {said}".rstrip())


EVENT, DECISION, MS, ID = 18, 10, 6, 14
"""Widths of columns, as the longest words need them."""
INDENT = 10


def timeline(printer: Printer, found: Sequence[Run], names: dict[str, str]) -> None:
    """These calls, a row each, with what needs a word below it."""
    wide = printer.width >= WIDE
    event = EVENT if wide else max([len(str(run.row.get("event"))) for run in found], default=0)
    decision = DECISION if wide else max([len(_said(run)) for run in found], default=0)
    for run in found:
        name = names.get(run.call, run.call)
        cells = [
            text((clock(run.row.get("ts")), "quiet")),
            text((str(run.row.get("event")), "head" if run.row.get("event") == "UserPromptSubmit" else "")),
            _said(run),
            text((milliseconds(run.row.get("ms")), "quiet")),
            _tool(run),
        ]
        printer.show(_line([*cells, text((name, "quiet"))] if wide else cells, [8, event, decision, MS, 0, ID]))
        for line in _details(run, name, wide):
            printer.show(table([{"no_wrap": True}, {}], [(text(("└", "quiet")), line)], head=False), indent=INDENT)


def _line(cells: Sequence[Text], widths: Sequence[int]) -> Table:
    """One row with fixed columns; the one of width 0 takes what is left and is cut there."""
    made = table([], [], head=False)
    made.expand = True
    for at, (cell, width) in enumerate(zip(cells, widths, strict=False)):
        cell.no_wrap, cell.overflow = True, "ellipsis"
        right: Literal["right", "left"] = "right" if at == 3 else "left"
        made.add_column(
            width=width or None, ratio=None if width else 1, no_wrap=True, overflow="ellipsis", justify=right
        )
    made.add_row(*cells)
    return made


def header(printer: Printer, setting: Setting, session: Listed, count: int) -> None:
    """Which session this is, and whatever is paused."""
    core = session.state().get("core", {})
    born = clock(session.born, "%Y-%m-%d %H:%M:%S") if session.born else "unknown"
    printer.line(
        ("session ", "quiet"),
        (session.sid, "head"),
        (f"  {session.client or 'unidentified'}", "name"),
        f"  {setting.short(session.root)}",
    )
    life = "alive" if session.live else "ended"
    done = f"turn {core.get('lastTurnId', 0)} · {core.get('workId', 'w001')} · {core.get('phase', '')} · {count} events"
    printer.line((f"from {born}, {life} · {done}", "quiet"))
    now = host.now() // 1_000_000
    for pause in pauses.load(str(setting.store), now, session.root):
        printer.line((f"! {pauses.words(pause, now)}", "warn"))


def _wanted(record: dict[str, Any], everything: bool) -> bool:
    kind = record.get("kind")
    return everything or kind in NOTABLE or (record.get("producer") == "kernel" and kind in ROWS)


def _follow(printer: Printer, setting: Setting, name: str, everything: bool, as_json: bool) -> None:
    """New records as they come, for ever; new sessions of the project too, unless one was named."""
    cursors: dict[str, int] = {}
    looked = 0.0
    watched = choice.chosen(setting, name or choice.ALL)
    for one in watched:
        cursors[one.folder] = max(one.size, 0)
    while True:
        if not name and time.monotonic() - looked > RESCAN_S:
            watched, looked = sessions(setting.store, setting.root), time.monotonic()
        fresh: list[dict[str, Any]] = []
        for one in watched:
            records, cursors[one.folder] = journal.since(one.folder, cursors.get(one.folder, 0))
            fresh += records
        fresh = [one for one in fresh if _wanted(one, everything)]
        if as_json:
            for record in fresh:
                printer.datum(record)
        elif fresh:
            found = runs(fresh)
            timeline(printer, found, {run.call: run.call[:14] for run in found})
            printer.stream.flush()
        if not fresh:
            time.sleep(PAUSE_S)


def _records(session: Listed, last: int, everything: bool) -> list[dict[str, Any]]:
    """The records of a session, or of its last calls alone: those are read off the end of the log."""
    records = journal.since(session.folder, max(session.size - last * TAIL, 0))[0] if last else session.events()
    records = [one for one in records if _wanted(one, everything)]
    if not last:
        return records
    keep = {run.call for run in runs(records)[-last:]}
    return [one for one in records if str(one.get("id", ""))[:CALL] in keep]


@click.command(
    cls=Command,
    examples=[
        ("jackline log", "the newest session of this project"),
        ("jackline log --follow", "what happens, as it happens"),
        ("jackline log --session all --json", "every session of this project, a record a line"),
    ],
)
@choice.option
@click.option("--follow", "-f", is_flag=True, help="Go on with what comes.")
@click.option("--last", "-n", default=0, metavar="N", help="The last N events only.")
@click.option("--all", "everything", is_flag=True, help="Every record, not only one row an event.")
@click.option("--json", "as_json", is_flag=True, help="A record a line.")
@pass_setting
def command(setting: Setting, name: str, follow: bool, last: int, everything: bool, as_json: bool) -> int:
    """Show what happened in a session: event, decision, milliseconds, tool; below it who decided and why.

    The id on the right is what `jackline why` takes.
    """
    printer = Printer()
    found = choice.chosen(setting, name)
    if not found and not follow:
        if not as_json:
            printer.line("No event was seen in this project yet.")
        return DONE
    for session in reversed(found):
        records = _records(session, last, everything)
        if as_json:
            for record in records:
                printer.datum(record)
            continue
        calls = runs(records)
        header(printer, setting, session, len(calls))
        printer.blank()
        if everything:
            _rows(printer, records)
        else:
            timeline(printer, calls, short_ids([run.call for run in calls]))
    if follow:
        _follow(printer, setting, name, everything, as_json)
    return DONE


def _rows(printer: Printer, records: list[dict[str, Any]]) -> None:
    """Every record, in one line each."""
    producer = max([len(str(one.get("producer"))) for one in records], default=0)
    kind = max([len(str(one.get("kind"))) for one in records], default=0)
    for one in records:
        cells = [
            text((clock(one.get("ts")), "quiet")),
            text((str(one.get("producer")), "name")),
            text(str(one.get("kind"))),
            text(""),
            text((json.dumps(one.get("data", one.get("reason", "")), ensure_ascii=False), "quiet")),
        ]
        printer.show(_line(cells, [8, producer, kind, 1, 0]))
