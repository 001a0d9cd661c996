"""The summary and the decision record of a task as Markdown, from the rows of its log. Pure."""

from __future__ import annotations

import time

from jackline.services import history
from jackline.services.history import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NamedTuple

    Row = dict[str, Any]
else:
    from jackline._record import NamedTuple

FILES = 30
SHOWN = 50
"""Rows of one section."""
MANY = 3
"""So often the same is a friction point."""
DECIDING = ("PLAN_", "GATE_")
"""How kinds of rows begin that tell of the plan."""
MISSING = "PLAN_GRAPH_MISSING"
"""Stands in the log of every task without a plan, so it alone is no decision."""
FAULTS = ("ERROR_MODULE", "ERROR_MODULE_CRITICAL")


class Task(NamedTuple):
    """What is told of a task: its ids, its phase, its goal, and the rows of its log."""

    sid: str
    work: str
    phase: str
    goal: str
    rows: Sequence[Row]


def _cell(text: object) -> str:
    """Foreign text in a table or a list: one line, no sign that would end it, no link and no markup of HTML."""
    made = line(text)
    for sign in "\\|`<>[]":
        made = made.replace(sign, "\\" + sign)
    return made


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    made = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return [*made, *[f"| {' | '.join([str(one) for one in row])} |" for row in rows], ""]


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [f"## {title}", "", *lines, ""] if lines else []


def _listed(lines: Sequence[str]) -> list[str]:
    more = [f"- and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return [f"- {one}" for one in lines[:SHOWN]] + more


# --- what the rows say -------------------------------------------------------------------------------------------


def _data(row: Row) -> Row:
    data = row.get("data")
    return data if isinstance(data, dict) else {}


def _error(row: Row) -> str:
    error = row.get("error")
    return str(error.get("message", "")) if isinstance(error, dict) else ""


def _duration(rows: Sequence[Row]) -> str:
    """From the first to the last call or prompt: another end of the turn makes a task no longer."""
    times = [row["ts"] for row in rows if row.get("event") != "Stop" and type(row.get("ts")) is int]
    seconds = (max(times) - min(times)) // 1000 if times else 0
    return f"{seconds // 60} min {seconds % 60} s"


def _usage(rows: Sequence[Row]) -> list[tuple[str, int, int, int]]:
    """By tool: calls, refused ones, failed ones; the most used first."""
    counts: dict[str, list[int]] = {}
    for row in rows:
        place = 1 if row.get("kind") == "TOOL_DECISION" else 3 if row.get("kind") == "TOOL_OUTCOME" else 0
        if not place:
            continue
        found = counts.setdefault(_cell(row.get("toolName")), [0, 0, 0])
        if place == 1:
            found[0] += 1
            found[1] += row.get("decision") == "deny"
        else:
            found[2] += row.get("outcome") == "error"
    return sorted(((name, *found) for name, found in counts.items()), key=lambda one: (-one[1], one[0]))  # type: ignore[misc]


def _decisions(rows: Sequence[Row]) -> list[str]:
    """Calls that were refused or asked about, with reason, code and how often."""
    made = []
    for one in history.denials(rows):
        who = ", ".join([_cell(part) for part in (one.by, one.code) if part])
        how = "denied" if one.decision == "deny" else "asked"
        times = f", {one.times} times" if one.times > 1 else ""
        made.append(f"{how} {_cell(one.tool)}: {_cell(one.reason)}" + (f" ({who}{times})" if who or times else ""))
    return made


def _friction(rows: Sequence[Row]) -> list[str]:
    """What was refused, or failed, again and again."""
    made = [
        f"{_cell(one.tool)} was refused {one.times} times: {_cell(one.reason)}"
        for one in history.denials(rows, ("deny",))
        if one.times >= MANY
    ]
    return made + [f"{name} failed {failed} times" for name, _, _, failed in _usage(rows) if failed >= MANY]


def _phases(rows: Sequence[Row]) -> list[str]:
    found = [_data(row) for row in rows if row.get("kind") == "PHASE_TRANSITION"]
    return [f"{_cell(one.get('from'))} → {_cell(one.get('to'))} ({_cell(one.get('trigger'))})" for one in found]


def _of_plan(rows: Sequence[Row]) -> list[str]:
    """Rows of the plan, each with what it says; one that stands there several times is counted."""
    counts: dict[str, int] = {}
    for row in rows:
        kind = row.get("kind")
        if isinstance(kind, str) and kind.startswith(DECIDING):
            data = _data(row)
            said = row.get("reason") or data.get("what") or data.get("node") or data.get("path") or ""
            told = f"{_cell(kind)}: {_cell(said)}" if said else _cell(kind)
            counts[told] = counts.get(told, 0) + 1
    return [told + (f" ({count} times)" if count > 1 else "") for told, count in counts.items()]


def _faults(rows: Sequence[Row]) -> list[str]:
    return [f"{_cell(row.get('producer'))}: {_cell(_error(row))}" for row in rows if row.get("kind") in FAULTS]


def _cut(rows: Sequence[Row]) -> list[str]:
    """Hooks that did not run, or did not end, in their time."""
    return [
        f"{_cell(row.get('event'))}: {_cell(row.get('producer'))}"
        for row in rows
        if row.get("kind") == "BUDGET_EXCEEDED"
    ]


# --- the pages ---------------------------------------------------------------------------------------------------


def has_decisions(rows: Sequence[Row]) -> bool:
    """Whether anything was decided: a call refused or asked about, or something about the plan."""
    return bool(history.denials(rows) or _of_plan([row for row in rows if row.get("kind") != MISSING]))


def _turns(rows: Sequence[Row]) -> int:
    return len(
        {
            row.get("turnId")
            for row in rows
            if row.get("kind") in history.CALLS or row.get("event") == "UserPromptSubmit"
        }
    )


def summary(task: Task) -> str:
    """What the task did; sections that would be empty are left out."""
    rows = task.rows
    files = [_cell(path) for path in history.changed(rows)]
    facts = [("session", task.sid), ("work unit", task.work), ("turns", _turns(rows)), ("duration", _duration(rows))]
    lines = [f"# Summary of {task.work}", "", *_table(("", ""), [*facts, ("final phase", task.phase)])]
    lines += _section("Tool Usage", _table(("tool", "calls", "refused", "failed"), _usage(rows))[:-1])
    lines += _section("Errors", _listed(_faults(rows)))
    lines += _section("Denials / Asks", _listed(_decisions(rows)))
    lines += _section("Friction Points", _listed(_friction(rows)))
    lines += _section("Budget Exceeded", _listed(_cut(rows)))
    lines += _section("Phase Transitions", _listed(_phases(rows)))
    more = [f"- and {len(files) - FILES} more"] if len(files) > FILES else []
    lines += _section("Files Touched", [*[f"- {one}" for one in files[-FILES:]], *more])
    return "\n".join(lines).rstrip() + "\n"


def record(task: Task) -> str:
    """The draft of a decision record, for a person to finish."""
    rows = task.rows
    last = max((row["ts"] for row in rows if type(row.get("ts")) is int), default=0)
    lines = [f"# Decisions of {task.work}", "", f"- Date: {time.strftime('%Y-%m-%d', time.gmtime(last / 1000))}"]
    lines += ["- Status: Draft", "", "## Context", "", _cell(task.goal) or "No goal was told."]
    lines += [f"Session {task.sid}, {_turns(rows)} turns, {task.phase} at the end.", ""]
    lines += _section("Decisions Made", _listed(_decisions(rows)))
    lines += _section("Plan Graph Events", _listed(_of_plan(rows)))
    lines += _section("Phase Transitions", _listed(_phases(rows)))
    return "\n".join([*lines, "## Consequences", "", "## Follow-ups"]) + "\n"
