"""The log read call by call: the kernel's row of each, what else it left, and how a person names it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from jackline.scripts import consequence

Record = dict[str, Any]

ROWS = ("TOOL_DECISION", "PERMISSION_DECISION", "TOOL_OUTCOME", "HOOK_EVENT")
"""Kinds of the kernel's own row of a call."""

NOTABLE = (
    "ERROR_MODULE",
    "ERROR_MODULE_CRITICAL",
    "BUDGET_EXCEEDED",
    "CONTINUATION_END",
    "PATCH_DROPPED",
    "TAMPERED",
    "PAUSE",
    "PAUSE_END",
    "REPAIR",
    "UNINSTALL",
    "WORK_NEW",
    "APPROVAL_ASKED",
    "APPROVED",
    "REJECTED",
    "GRANT_USED",
    "GRANT_REJECTED",
    "UNIT_STATE",
    "LOG_CHAIN",
    "LOG_BREAK",
)
"""Kinds that a timeline shows beside it: what went wrong, and what a person did."""

FAILED = ("ERROR_MODULE", "ERROR_MODULE_CRITICAL", "BUDGET_EXCEEDED")
"""Of these, a hook that failed or was cut off."""
SCRIPT = "SCRIPT_RUN"
"""A script that ran: it is noted beside its call where it failed."""

CALL = 28
"""Digits of a record's id that all records of one call share (the rest counts them)."""

SHORT = 10
"""Digits of the shortest id that is shown."""


class Run(NamedTuple):
    """One call: its row (or the first record, where an entry point died before its row), and the other records."""

    call: str
    row: Record
    others: tuple[Record, ...] = ()

    @property
    def data(self) -> Record:
        found = self.row.get("data")
        return found if isinstance(found, dict) else {}

    @property
    def actions(self) -> list[Record]:
        found = self.data.get("actions")
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []

    @property
    def notable(self) -> list[Record]:
        return [one for one in self.others if is_notable(one)]

    @property
    def silenced(self) -> list[str]:
        """The hooks that had no say because a person paused them."""
        skipped = self.data.get("skipped")
        found = [one for one in skipped if isinstance(one, dict)] if isinstance(skipped, list) else []
        return [str(one.get("feature")).removeprefix("script:") for one in found if one.get("why") == "paused"]

    @property
    def decision(self) -> str:
        """The verdict's word; a rewrite that goes with no objection is one."""
        said = str(self.row.get("decision") or "allow")
        return "rewrite" if said == "allow" and isinstance(self.data.get("rewrite"), dict) else said


def has_failed(record: Record) -> bool:
    """Whether a script's run counts for nothing: it failed, was too late, or could not be run. A refusal is none."""
    found = record.get("data")
    data = found if isinstance(found, dict) else {}
    return record.get("kind") == SCRIPT and data.get("result") == "failure" and not data.get("decision")


def is_would(record: Record) -> bool:
    """Whether it says what a hook in mode `observe` or `warn` would have decided: `WOULD_DENY`, `WOULD_ASK` …"""
    return str(record.get("kind")).startswith("WOULD_")


def is_notable(record: Record) -> bool:
    """Whether a timeline shows a record beside its call's row."""
    return record.get("kind") in NOTABLE or is_would(record) or has_failed(record)


def script_state(record: Record, row: Record) -> tuple[str, str]:
    """What became of a script's run that failed, in a word, and what is to be said of it; `row` is its call's."""
    data = record["data"]
    late = bool(data.get("late"))
    what = f"did not end within {took(data.get('ms'))}" if late else data.get("fault") or _ended(data.get("exit"))
    if late and _is_row(row):  # a file script's row is written before anybody knows
        what = "; ".join([one for one in (what, _came(row)) if one])
    return "timed out" if late else "failed", str(data.get("said") or what)


def _came(row: Record) -> str:
    """What came of a call, in the words that a script which judged nothing is told of with."""
    data = row.get("data")
    answered = data.get("answered") if isinstance(data, dict) else None
    by = row.get("by")
    return consequence.words(
        str(row.get("event")), str(answered or row.get("decision")), tuple(map(str, by)) if isinstance(by, list) else ()
    )


def _ended(code: Any) -> str:
    return f"ended by signal {-code}" if isinstance(code, int) and code < 0 else f"exit {code}"


def _is_row(record: Record) -> bool:
    return record.get("producer") == "kernel" and record.get("kind") in ROWS


def runs(records: Iterable[Record]) -> list[Run]:
    """Group records into calls, in the order of the log.

    File scripts leave their rows at once, with ids of their own: they belong to the call of their hookRunId.
    """
    records = list(records)
    own = {str(one.get("hookRunId")): str(one.get("id", ""))[:CALL] for one in records if _is_row(one)}
    found: dict[str, list[Record]] = {}
    for record in records:
        call = str(record.get("id", ""))[:CALL]
        if str(record.get("kind", "")).startswith("SCRIPT_"):
            call = own.get(str(record.get("hookRunId")), call)
        found.setdefault(call, []).append(record)
    made = []
    for call, some in found.items():
        row = next((one for one in some if _is_row(one)), some[0])
        made.append(Run(call, row, tuple(one for one in some if one is not row)))
    return made


def short_ids(calls: Sequence[str]) -> dict[str, str]:
    """The shortest beginning of each id that names it alone among these."""
    ordered = sorted(set(calls))
    made = {}
    for at, call in enumerate(ordered):
        near = [*ordered[max(at - 1, 0) : at], *ordered[at + 1 : at + 2]]
        size = SHORT
        while size < len(call) and any(other[:size] == call[:size] for other in near):
            size += 1
        made[call] = call[:size]
    return made


def _first(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def subject(run: Run) -> str:
    """What the call was about, in one line: command, paths, query, turn, source."""
    data, row = run.data, run.row
    if data.get("command"):
        return str(data["command"])
    paths = row.get("paths")
    where = ", ".join(map(str, paths[:3])) if isinstance(paths, list) and paths else ""
    if data.get("query"):
        return f"{data['query']}" + (f" in {where}" if where else "")
    if where:
        return where
    if row.get("event") == "UserPromptSubmit":
        return f"turn {row.get('turnId', 0)}"
    return str(data.get("source") or "")


def rewrite(run: Run) -> str:
    """What became of the tool's input, in one line."""
    changed = run.data.get("rewrite")
    if not isinstance(changed, dict):
        return ""
    return ", ".join(
        _first(value) if key == "command" else f"{key} = {_first(value)}" for key, value in changed.items()
    )


def reasons(run: Run) -> list[str]:
    """The lines of the verdict's reason."""
    return [line for line in str(run.row.get("reason") or "").split("\n") if line.strip()]


def clock(ts: Any, form: str = "%H:%M:%S") -> str:
    """A record's time as the person's wall clock shows it."""
    return time.strftime(form, time.localtime(ts / 1000)) if isinstance(ts, (int, float)) else "?"


def took(ms: Any) -> str:
    """How long it took, with its unit; no more digits than tell something."""
    if not isinstance(ms, (int, float)):
        return ""
    if ms < 1000:
        return f"{ms:.1f} ms"
    return f"{ms / 1000:.1f} s" if ms < 60_000 else f"{ms / 60_000:.1f} min"


def milliseconds(ms: Any) -> str:
    return f"{ms:.1f}" if isinstance(ms, (int, float)) else ""
