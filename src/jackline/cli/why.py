"""`jackline why`: one decision, whole: what was asked, who said what, what came of it, and what the client was told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click

from jackline import system
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.hook_states import ACTED, LATE, PAUSED, SILENT, SKIPPED, WORDS, State
from jackline.cli.parts.hook_states import FAILED as STATE_FAILED
from jackline.cli.parts.hook_states import show as show_states
from jackline.cli.parts.printer import Printer, foreign, style_of, table, text
from jackline.cli.parts.runs import (
    CALL,
    FAILED,
    Run,
    clock,
    has_failed,
    reasons,
    rewrite,
    runs,
    script_state,
    subject,
    took,
)
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.feature_names import shown
from jackline.store import approvals, journal
from jackline.store.session_index import SessionEntry, sessions
from jackline.store.sessions import safe_name

VERB = Verb(
    group="Look",
    order=20,
    brief="One decision: what was asked, who said what, which rule",
    authority="open",
)

SLACK_MS = 60_000
"""How far a file's time may be from the clock of the records in it."""
HEX = frozenset("0123456789abcdef")


def _means(run: Run, name: str) -> bool:
    """Whether `name` is the beginning of a record's id of this call, or its hookRunId."""
    records = (run.row, *run.others)
    return any(str(one.get("id", "")).startswith(name) or one.get("hookRunId") == name for one in records)


def _search(session: SessionEntry, name: str, means: Callable[[Run, str], bool] = _means) -> list[Run]:
    """The calls of a session that are meant. The log is read as bytes first: most sessions hold no such id."""
    for file in (journal.EVENTS, journal.ALIASES[journal.EVENTS]):
        try:
            raw = system.read(f"{session.folder}/{file}")
        except OSError:
            continue
        if name.encode() in raw:
            return [run for run in runs(journal.parse(raw)[0]) if means(run, name)]
    return []


def _may_hold(session: SessionEntry, name: str) -> bool:
    """Whether a session was there when such an id was made: its first 12 digits are milliseconds."""
    if not HEX.issuperset(name):
        return True
    low, high = (int(name[:12].ljust(12, digit), 16) for digit in "0f")
    return session.born - SLACK_MS <= high and (not session.last or session.last + SLACK_MS >= low)


def find(setting: Setting, name: str) -> Iterator[tuple[SessionEntry, Run]]:
    """The calls that are meant: those of this project's sessions, newest first, then of any other."""
    here = sessions(setting.store, setting.root)
    known = {one.folder for one in here}
    for session in [*here, *[one for one in sessions(setting.store) if one.folder not in known]]:
        for run in _search(session, name) if _may_hold(session, name) else ():
            yield session, run


def _asked(setting: Setting, name: str) -> Iterator[tuple[SessionEntry, Run]]:
    """The call that waits, or waited, for a person under this id."""
    request = approvals.load(str(setting.store), name)
    return find(setting, request.call) if request is not None else iter(())


def _is_of(run: Run, mark: str) -> bool:
    """Whether a hook failed in a call at the place that a mark names."""
    errors = [one.get("error") for one in run.others]
    return any(isinstance(one, dict) and one.get("stackHash") == mark for one in errors)


def _failed_at(setting: Setting, mark: str) -> Iterator[tuple[SessionEntry, Run]]:
    """The last call in which a hook failed at a place, by the mark that the person was told, in brackets."""
    for session in sessions(setting.store, setting.root):
        found = _search(session, mark, _is_of)
        if found:
            yield session, found[-1]
            return


def _said(one: dict[str, Any]) -> str:
    word = str(one.get("decision") or "allow")
    return "rewrite" if word == "allow" and one.get("rewrote") else word


def _word(one: dict[str, Any]) -> str:
    """What a feature said besides its decision."""
    parts = [str(one[key]) for key in ("reason", "rule") if one.get(key)]
    if one.get("rewrote"):
        parts.append(f"changed {', '.join(map(str, one['rewrote']))}")
    return " · ".join(parts)


def _failure(run: Run, hook: str) -> tuple[str, str]:
    """What became of a hook that failed, in a word and a sentence; ("", "") when it did not."""
    for one in run.others:
        error = one.get("error")
        if one.get("producer") == hook and one.get("kind") in FAILED and isinstance(error, dict):
            return (LATE if one["kind"] == "BUDGET_EXCEEDED" else STATE_FAILED), str(error.get("message") or "")
        if one.get("producer") == hook and has_failed(one):
            state, said = script_state(one, run.row)
            return state, said.removeprefix(f'"{one["data"].get("name")}" ').removeprefix(f"{state} ")
    return "", ""


def _state(run: Run, one: dict[str, Any]) -> State:
    """What a hook of the call's row came to."""
    hook, did = str(one.get("feature")), _said(one)
    made: State = {"hook": hook, "state": SILENT if did == "allow" else ACTED, "did": did, "said": _word(one)}
    if isinstance(one.get("ms"), (int, float)):
        made["ms"] = one["ms"]
    state, said = _failure(run, hook)
    if state or one.get("error"):
        made |= {"state": state or STATE_FAILED, "said": said or str(one.get("error"))}
        if did == "allow":
            del made["did"]
    return made


def _hooks(printer: Printer, run: Run) -> None:
    states = [_state(run, one) for one in run.actions]
    for one in run.data.get("skipped") or ():
        if isinstance(one, dict):
            why = str(one.get("why"))
            state = PAUSED if why == PAUSED else SKIPPED
            states.append(
                {
                    "hook": str(one.get("feature")),
                    "state": state,
                    "said": "" if state == PAUSED else WORDS.get(why, why),
                }
            )
    if states:
        printer.line(("hooks", "quiet"))
        show_states(printer, states)


def _kept(session: SessionEntry, run: Run, hook: str) -> list[str]:
    """The traceback that a feature's own log has of this call."""
    try:
        raw = system.read(f"{session.folder}/{hook}/logs/debug.log")
    except OSError:
        return []
    for line in reversed(journal.parse(raw)[0]):
        data = line.get("data")
        if (
            isinstance(data, dict)
            and str(data.get("call"))[:CALL] == run.call
            and isinstance(data.get("traceback"), list)
        ):
            return [str(one) for one in data["traceback"]]
    return []


def _tracebacks(printer: Printer, setting: Setting, session: SessionEntry, run: Run) -> None:
    """What features that failed have raised, from their own logs."""
    for one in run.actions:
        hook = str(one.get("feature"))
        lines = _kept(session, run, hook) if one.get("error") and safe_name(hook) == hook else []
        if len(lines) < 2:
            continue
        printer.line(("raised", "quiet"), "  ", (hook, "name"), ("  the whole of it in ", "quiet"),
                     setting.short(f"{session.folder}/{hook}/logs/debug.log"))  # fmt: skip
        for at, line in enumerate(lines):
            printer.line(foreign(line, "bad" if at == len(lines) - 1 else ""), indent=4)


def _told(run: Run) -> str:
    answered = run.data.get("answered")
    if answered == "silence":
        return "no objection: the client's own rules decide (this event cannot carry the decision there)"
    if answered:
        return f"{answered}, since this client cannot be told otherwise here"
    return "no objection: the client's own rules decide" if run.decision == "allow" else "as decided"


def show(printer: Printer, setting: Setting, session: SessionEntry, run: Run) -> None:
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
    if run.silenced:
        printer.labelled("paused", text(("a person had paused ", "warn"), f"{shown(', '.join(run.silenced))}: no say"))
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
    _rest(printer, setting, run)
    _tracebacks(printer, setting, session, run)
    printer.labelled("took", text(took(row.get("ms"))))
    printer.labelled(
        "record", text(str(row.get("id")), ("  in ", "quiet"), setting.short(session.folder) + "/events.jsonl")
    )


def _rest(printer: Printer, setting: Setting, run: Run) -> None:
    """The other records of the call, in a word each."""
    rows = []
    known = [str(one.get("feature")) for one in run.actions]
    for one in run.others:
        if one.get("producer") in known and (one.get("kind") in FAILED or has_failed(one)):
            continue  # it stands beside its hook
        error = one.get("error")
        said = error.get("message") if isinstance(error, dict) else one.get("reason") or one.get("data") or ""
        if isinstance(said, dict):
            plain = {key: value for key, value in said.items() if not isinstance(value, (dict, list))}
            said = ", ".join(f"{key} {setting.short(str(value))}" for key, value in plain.items())
        if one.get("kind") != "STATE_PATCH":
            rows.append((text((str(one.get("producer")), "name")), text(str(one.get("kind"))), foreign(str(said))))
    if rows:
        printer.labelled("also", table([{"no_wrap": True}, {"no_wrap": True}, {}], rows, head=False))


@click.command(
    cls=Command,
    shape=[{"session": "str", "call": "str", "records": ["object"]}],
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

    ID is a record's id, its beginning, a hookRunId, the id of a call that waits for a person, or the mark of a hook's
    failure as you were told it: the last such call. Shows what was asked, what every hook said, the verdict, and what
    this client was told.
    """
    wanted = name.lower() if HEX.issuperset(name.lower()) else name
    if len(wanted) < 4:
        raise click.UsageError("ID needs four characters or more")
    found = list(find(setting, wanted)) or list(_asked(setting, wanted)) or list(_failed_at(setting, wanted))
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
