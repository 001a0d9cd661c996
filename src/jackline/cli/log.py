"""`jackline log`: the timeline of a session."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import click
from rich.cells import cell_len
from rich.text import Text

from jackline import host
from jackline.cli.parts import choice, logbreaks
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, foreign, style_of, table, text
from jackline.cli.parts.runs import (
    CALL,
    FAILED,
    ROWS,
    Run,
    clock,
    has_failed,
    is_notable,
    reasons,
    rewrite,
    runs,
    script_state,
    short_ids,
    subject,
    took,
)
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.trustwatch import show_watched
from jackline.cli.parts.verb import Verb
from jackline.feature_names import shown
from jackline.store import journal, pauses
from jackline.store.log_check import Break
from jackline.store.session_index import SessionEntry, sessions

VERB = Verb(
    group="Look",
    order=10,
    brief="The timeline of a session",
    authority="open",
)

TAIL = 1 << 16
"""Bytes of log that a call may have left; `--last` reads so many for each."""
PAUSE_S = 0.2
RESCAN_S = 2.0
"""How often `--follow` looks for new records, and for new sessions."""


def _said(run: Run) -> Text:
    if run.row.get("kind") not in ROWS:  # a person's own row, or the time's: no call that anybody judged
        words = (
            script_state(run.row, run.row)[0]
            if has_failed(run.row)
            else str(run.row.get("kind")).lower().replace("_", " ")
        )
        return text((words, "warn"))
    decision, answered = run.decision, run.data.get("answered")
    if answered and str(answered) != "silence":
        return text((decision, style_of(decision)), "→", (str(answered), style_of(str(answered))))
    return text((decision, "quiet" if decision == "allow" else style_of(decision) or "rewrite"))


def _about(run: Run) -> Text:
    tool = run.row.get("toolName")
    made = text((str(tool), "name"), " ") if tool else Text()
    outcome = run.row.get("outcome")
    if outcome == "error":
        made.append_text(text(("failed ", "warn")))
    agent = run.row.get("agentId")
    if agent not in (None, "u00"):
        made.append_text(text((f"[{agent}] ", "quiet")))
    if has_failed(run.row):
        return made.append_text(text((_script(run.row), "name"), ": ", script_state(run.row, run.row)[1]))
    return made.append_text(foreign(subject(run)))


def _script(record: dict[str, Any]) -> str:
    """A script as its author calls it."""
    data = record["data"]
    return str(data.get("name") or data.get("script"))


UNITS = {
    "changed": "changed since you trusted it",
    "broken": "cannot be read as you trusted it",
    "gone": "is gone, though you trusted it",
    "older": "is older than what you trusted last",
    "moved": "was trusted at another place",
    "new": "is not trusted",
    "holds": "cannot run as you trusted it",
}
"""How a unit stands to a person's trust, by its state."""


def _notable(one: dict[str, Any], row: dict[str, Any]) -> Text:
    """One record beside a call: who, what in a word, and what there is to say."""
    kind, producer = str(one.get("kind")), str(one.get("producer"))
    error = one.get("error")
    said = str(error.get("message", "") if isinstance(error, dict) else one.get("reason") or "")
    said = said.removeprefix(f"{producer} failed: ").removeprefix(f"{producer} ")
    word = kind.lower().replace("_", " ")
    style = "warn"
    if has_failed(one):
        producer, (word, said), style = _script(one), script_state(one, row), "bad"
        said = said.removeprefix(f'"{producer}" ').removeprefix(f"{word} ")
    elif kind == logbreaks.KIND:
        producer, word, style = "the log", "was touched", "bad"
    elif kind == "UNIT_STATE":
        data = one.get("data") or {}
        producer, word = str(data.get("place")), UNITS.get(str(data.get("state")), str(data.get("state")))
    elif kind in FAILED and isinstance(error, dict):
        word, style = ("timed out" if kind == "BUDGET_EXCEEDED" else "failed"), "bad"
    elif kind == "BUDGET_EXCEEDED":
        data = one.get("data") or {}
        word, said = "skipped", f"{', '.join(data.get('skipped', ()))}: the {data.get('budgetMs'):g} ms were over"
    return text((producer, "name"), " ", (word, style), said and (f" {said}" if said[:1] == "(" else f": {said}"))


def _details(run: Run) -> Iterator[Text]:
    """What stands below a row: who decided and why, what was rewritten, what failed."""
    by = ", ".join(map(str, run.row.get("by") or ()))
    lines = reasons(run)
    if run.decision == "rewrite":
        who = ", ".join(str(one.get("feature")) for one in run.actions if one.get("rewrote"))
        yield text((who, "name"), f": {rewrite(run)}")
    elif lines:
        yield text((by or str(run.row.get("producer") or "kernel"), "name"), f": {lines[0]}")
    if run.data.get("fault"):
        yield text(("payload ", "name"), ("unreadable", "bad"), f": {run.data['fault']}")
    if run.silenced:
        yield text(("paused ", "warn"), f"{shown(', '.join(run.silenced))} had no say")
    for one in run.notable:
        yield _notable(one, run.row)


TIME, EVENT, DECISION, TOOK, ID = 8, 18, 13, 9, 14
"""Widths of columns, as the longest words need them: none of these is ever cut."""
HEADS = ("time", "event", "decision", "took", "id", "what")
INDENT = 10
GAP = 2
ROOM = 44
"""Columns that what a call was about needs beside the others; with less it stands below them where it is longer."""


class Columns(NamedTuple):
    """How wide each column is."""

    event: int = EVENT
    decision: int = DECISION
    took: int = TOOK
    id: int = ID

    @property
    def before(self) -> int:
        """Columns before what the call was about."""
        return TIME + sum(self) + (len(self) + 1) * GAP


def columns_of(found: Sequence[Run], names: dict[str, str]) -> Columns:
    """As wide as these calls need them."""
    rows = [(str(run.row.get("event")), _said(run).plain, _took(run), names.get(run.call, run.call)) for run in found]
    widest = [max([cell_len(row[at]) for row in rows], default=0) for at in range(4)]
    return Columns(*[max(wide, len(head)) for wide, head in zip(widest, HEADS[1:], strict=False)])


def _took(run: Run) -> str:
    return took(run.row.get("ms", run.data.get("ms")))


def headings(printer: Printer, columns: Columns) -> None:
    event, decision, ms, name = columns
    cells = ["time".ljust(TIME), "event".ljust(event), "decision".ljust(decision), "took".rjust(ms), "id".ljust(name)]
    printer.show(text(("  ".join([*cells, HEADS[-1]]), "quiet")))


def timeline(printer: Printer, found: Sequence[Run], names: dict[str, str], columns: Columns) -> None:
    """These calls, a row each, with what needs a word below it."""
    room = printer.width - columns.before
    for run in found:
        about = _about(run)
        beside = about.cell_len <= room or room >= ROOM
        event, said = str(run.row.get("event")), _said(run)
        line = text(
            (clock(run.row.get("ts")), "quiet"),
            "  ",
            (event.ljust(columns.event), "head" if event == "UserPromptSubmit" else ""),
            "  ",
            said,
            " " * (columns.decision - said.cell_len + GAP),
            (_took(run).rjust(columns.took), "quiet"),
            "  ",
            (names.get(run.call, run.call).ljust(columns.id), "quiet"),
        )
        if beside:
            line.append_text(text("  ", about))
        _cut(printer, line)
        if not beside:
            _cut(printer, text(" " * INDENT, about))
        for detail in _details(run):
            printer.show(table([{"no_wrap": True}, {}], [(text(("└", "quiet")), detail)], head=False), indent=INDENT)


def _cut(printer: Printer, line: Text) -> None:
    """One line of the terminal: what is too long of it is cut at its end."""
    line.truncate(printer.width, overflow="ellipsis")
    line.no_wrap = True
    printer.show(line)


def header(printer: Printer, setting: Setting, session: SessionEntry, count: int, broken: Sequence[Break]) -> None:
    """Which session this is, whether its log was touched, and whatever is paused."""
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
    if broken:
        printer.line((f"✗ the log was touched · {logbreaks.sentence(broken)}", "bad"))
    now = host.now() // 1_000_000
    for pause in pauses.load(str(setting.store), now, session.root):
        printer.line((f"! {pauses.words(pause, now)}", "warn"))
    show_watched(printer, setting)


def _wanted(record: dict[str, Any], everything: bool) -> bool:
    kind = record.get("kind")
    return everything or is_notable(record) or (record.get("producer") == "kernel" and kind in ROWS)


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
            timeline(printer, found, {run.call: run.call[:ID] for run in found}, Columns())
            printer.stream.flush()
        if not fresh:
            time.sleep(PAUSE_S)


def _records(session: SessionEntry, last: int, everything: bool, broken: Sequence[Break]) -> list[dict[str, Any]]:
    """The records of a session, or of its last calls alone: those are read off the end of the log."""
    if last:
        records = journal.since(session.folder, max(session.size - last * TAIL, 0))[0]
    else:
        records = logbreaks.placed(session.folder, broken) if broken else session.events()
    records = [one for one in records if _wanted(one, everything)]
    if not last:
        return records
    keep = {id(one) for run in runs(records)[-last:] for one in (run.row, *run.others)}
    return [one for one in records if id(one) in keep]


@click.command(
    cls=Command,
    shape={"id": "str", "ts": "int", "kind": "str", "event?": "str", "producer?": "str", "data?": "any", "*": "any"},
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
    """Show what happened in a session: event, decision, how long it took, its id, and what it was about.

    Below it who decided and why, and every hook that failed or timed out. The id is what `jackline why` takes.
    Where the log is not as it was written, a line says so at that place, and the exit code is 1.
    """
    printer = Printer()
    found = choice.chosen(setting, name)
    if not found and not follow:
        if not as_json:
            printer.line("No event was seen in this project yet.")
        return DONE
    touched = False
    for session in reversed(found):
        broken = logbreaks.of(setting, session)
        touched = touched or any(one.bad for one in broken)
        records = _records(session, last, everything, broken)
        if as_json:
            for record in records:
                printer.datum(record)
            continue
        calls = runs(records)
        header(printer, setting, session, len([run for run in calls if run.row.get("kind") in ROWS]), broken)
        printer.blank()
        if everything:
            _rows(printer, records)
        elif calls:
            names = {run.call: run.call[:ID] for run in calls} if follow else short_ids([run.call for run in calls])
            columns = Columns() if follow else columns_of(calls, names)
            headings(printer, columns)
            timeline(printer, calls, names, columns)
    if follow:
        _follow(printer, setting, name, everything, as_json)
    return FOUND if touched else DONE


def _rows(printer: Printer, records: list[dict[str, Any]]) -> None:
    """Every record, in one line each; what it holds stands below where the terminal is too narrow for both."""
    calls = [str(one.get("id", ""))[:CALL] for one in records]
    names = short_ids(calls)
    wide = [TIME, max(map(len, names.values()), default=0)]
    who = [shown(str(one.get("producer"))) for one in records]
    wide += [max(map(len, who), default=0), max([len(str(one.get("kind"))) for one in records], default=0)]
    room = printer.width - sum(wide) - GAP * len(wide)
    heads = [head.ljust(width) for head, width in zip(("time", "id", "who", "kind"), wide, strict=True)]
    printer.show(text(("  ".join([*heads, HEADS[-1]]), "quiet")))
    for one, call, producer in zip(records, calls, who, strict=True):
        said = foreign(json.dumps(one.get("data", one.get("reason", "")), ensure_ascii=False), "quiet")
        line = text(
            (clock(one.get("ts")), "quiet"),
            "  ",
            (names[call].ljust(wide[1]), "quiet"),
            "  ",
            (producer.ljust(wide[2]), "name"),
            "  ",
            str(one.get("kind")).ljust(wide[3]),
        )
        beside = room >= ROOM or said.cell_len <= room
        _cut(printer, text(line, "  ", said) if beside else line)
        if not beside:
            _cut(printer, text(" " * INDENT, said))
