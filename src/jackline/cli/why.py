"""`jackline why`: one decision, whole: what was asked, who said what, what came of it, and what the client was told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from jackline import system
from jackline.cli.command import Command
from jackline.cli.exits import DONE, FOUND
from jackline.cli.printer import Column, Printer, foreign, style_of, table, text
from jackline.cli.runs import Run, clock, milliseconds, reasons, rewrite, runs, subject
from jackline.cli.setting import Setting, pass_setting
from jackline.store import approvals, journal
from jackline.store.listing import Listed, sessions

SLACK_MS = 60_000
"""How far a file's time may be from the clock of the records in it."""
HEX = frozenset("0123456789abcdef")


def _means(run: Run, name: str) -> bool:
    """Whether `name` is the beginning of a record's id of this call, or its hookRunId."""
    records = (run.row, *run.others)
    return any(str(one.get("id", "")).startswith(name) or one.get("hookRunId") == name for one in records)


def _search(session: Listed, name: str) -> list[Run]:
    """The calls of a session that are meant. The log is read as bytes first: most sessions hold no such id."""
    for file in (journal.EVENTS, journal.ALIASES[journal.EVENTS]):
        try:
            raw = system.read(f"{session.folder}/{file}")
        except OSError:
            continue
        if name.encode() in raw:
            return [run for run in runs(journal.parse(raw)[0]) if _means(run, name)]
    return []


def _may_hold(session: Listed, name: str) -> bool:
    """Whether a session was there when such an id was made: its first 12 digits are milliseconds."""
    if not HEX.issuperset(name):
        return True
    low, high = (int(name[:12].ljust(12, digit), 16) for digit in "0f")
    return session.born - SLACK_MS <= high and (not session.last or session.last + SLACK_MS >= low)


def find(setting: Setting, name: str) -> Iterator[tuple[Listed, Run]]:
    """The calls that are meant: those of this project's sessions, newest first, then of any other."""
    here = sessions(setting.store, setting.root)
    known = {one.folder for one in here}
    for session in [*here, *[one for one in sessions(setting.store) if one.folder not in known]]:
        for run in _search(session, name) if _may_hold(session, name) else ():
            yield session, run


def _asked(setting: Setting, name: str) -> Iterator[tuple[Listed, Run]]:
    """The call that waits, or waited, for a person under this id."""
    request = approvals.load(str(setting.store), name)
    return find(setting, request.call) if request is not None else iter(())


def _said(one: dict[str, Any]) -> str:
    word = str(one.get("decision") or "allow")
    return "rewrite" if word == "allow" and one.get("rewrote") else word


def _word(one: dict[str, Any]) -> str:
    """What a feature said besides its decision."""
    parts = [str(one[key]) for key in ("reason", "rule") if one.get(key)]
    if one.get("rewrote"):
        parts.append(f"changed {', '.join(map(str, one['rewrote']))}")
    if one.get("error"):
        parts.append(f"failed [{one['error']}]")
    return " · ".join(parts)


def _hooks(printer: Printer, run: Run) -> None:
    rows = [
        (
            text((str(one.get("feature")), "name")),
            text((_said(one), style_of(_said(one)) or "rewrite")),
            text((f"{milliseconds(one.get('ms'))} ms", "quiet")),
            foreign(_word(one)),
        )
        for one in run.actions
    ]
    for one in run.data.get("skipped") or ():
        if isinstance(one, dict):
            rows.append(
                (
                    text((str(one.get("feature")), "name")),
                    text(("skipped", "quiet")),
                    text(""),
                    foreign(str(one.get("why"))),
                )
            )
    if rows:
        columns: list[Column] = [{"no_wrap": True}, {"no_wrap": True}, {"no_wrap": True, "justify": "right"}, {}]
        printer.labelled("hooks", table(columns, rows, head=False))


def _told(run: Run) -> str:
    answered = run.data.get("answered")
    if answered == "silence":
        return "no objection: the client's own rules decide (this event cannot carry the decision there)"
    if answered:
        return f"{answered}, since this client cannot be told otherwise here"
    return "no objection: the client's own rules decide" if run.decision == "allow" else "as decided"


def show(printer: Printer, setting: Setting, session: Listed, run: Run) -> None:
    """One call on a page."""
    row, data = run.row, run.data
    tool = str(row.get("toolName") or "")
    printer.heading(
        str(row.get("event")), f"  {tool}" if tool else "", "  ", (run.decision, style_of(run.decision) or "rewrite")
    )
    agent = "main agent" if row.get("agentId") in (None, "u00") else f"agent {row.get('agentId')}"
    where = [clock(row.get("ts"), "%Y-%m-%d %H:%M:%S"), f"turn {row.get('turnId', 0)}", str(row.get("workId")), agent]
    where += [f"session {session.sid}", str(data.get("client") or session.client), str(row.get("phase") or "")]
    printer.line((" · ".join(part for part in where if part), "quiet"))
    printer.blank()
    asked = subject(run)
    if asked:
        printer.labelled("asked", foreign(asked))
    _hooks(printer, run)
    by = ", ".join(map(str, row.get("by") or ()))
    verdict = text((run.decision, style_of(run.decision) or "rewrite"))
    if by:
        verdict.append_text(text(" by ", (by, "name")))
    if row.get("code"):
        verdict.append_text(text((f"  {row['code']}", "quiet")))
    printer.labelled("verdict", verdict)
    for label, said in (("", "\n".join(reasons(run))), ("rewrite", rewrite(run)), ("told", _told(run))):
        if said:
            printer.labelled(label, foreign(said, lines=True))
    for note in data.get("notes") or ():
        printer.labelled("note", foreign(str(note)))
    _rest(printer, run)
    printer.labelled("took", text(f"{milliseconds(row.get('ms'))} ms"))
    printer.labelled(
        "record", text(str(row.get("id")), ("  in ", "quiet"), setting.short(session.folder) + "/events.jsonl")
    )


def _rest(printer: Printer, run: Run) -> None:
    """The other records of the call, in a word each."""
    rows = []
    for one in run.others:
        error = one.get("error")
        said = error.get("message") if isinstance(error, dict) else one.get("reason") or one.get("data") or ""
        if isinstance(said, dict):
            said = ", ".join(f"{key} {value}" for key, value in said.items() if not isinstance(value, (dict, list)))
        if one.get("kind") != "STATE_PATCH":
            rows.append((text((str(one.get("producer")), "name")), text(str(one.get("kind"))), foreign(str(said))))
    if rows:
        printer.labelled("also", table([{"no_wrap": True}, {"no_wrap": True}, {}], rows, head=False))


@click.command(
    cls=Command,
    examples=[
        ("jackline why 01a20054c6", "the beginning of an id, as `jackline log` shows it"),
        ("jackline why 4f1c02", "a call that waits for a person, as `jackline approvals` shows it"),
        ("jackline why PreToolUse-1-1795301885566", "a hook run, as state and artifacts name it"),
        ("jackline why 01a20054c6 --json", "every record of the call"),
    ],
)
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Every record of the call, as data.")
@pass_setting
def command(setting: Setting, name: str, as_json: bool) -> int:
    """Explain one decision.

    ID is a record's id, its beginning, a hookRunId, or the id of a call that waits for a person. Shows what was
    asked, what every hook said, the verdict, and what this client was told.
    """
    wanted = name.lower() if HEX.issuperset(name.lower()) else name
    if len(wanted) < 4:
        raise click.UsageError("ID needs four characters or more")
    found = list(find(setting, wanted)) or list(_asked(setting, wanted))
    printer = Printer()
    if as_json:
        printer.data([{"session": one.sid, "call": run.call, "records": [run.row, *run.others]} for one, run in found])
        return DONE if found else FOUND
    if not found:
        printer.line(f"No record's id begins with {name} · jackline log shows the ids of this project")
        return FOUND
    if len(found) > 1 and any(run.row.get("hookRunId") != found[0][1].row.get("hookRunId") for _, run in found):
        printer.line(f"{name} is the beginning of {len(found)} ids:")
        for session, run in found[:20]:
            printer.line(
                (run.call, "name"), f"  {run.row.get('event')}  {subject(run)}  ", (session.sid, "quiet"), indent=2
            )
        return FOUND
    for at, (session, run) in enumerate(found):
        if at:
            printer.blank()
        show(printer, setting, session, run)
    return DONE
