"""`log`, `why`, `sessions`, `report`, `profile`: what happened, read off the logs."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from jackline.cli import profile, report
from jackline.cli.parts import runs
from jackline.cli.parts.runs import Run
from jackline.feature_names import shown

from .conftest import Desk

DENY = 'return {"decision": "deny", "reason": "never \x1b[31mred", "rule": "a rule", "safer": "ask"}'


def denied(desk: Desk) -> str:
    """A session with a call that a trusted feature of the project denied; the id of its row."""
    desk.feature("no", DENY, critical=True)
    desk.trust()
    desk.pre("echo hi \u202e\x07")
    [row] = desk.rows("TOOL_DECISION")
    return str(row["id"])


# --- log -----------------------------------------------------------------------------------------------------------


def test_a_session_is_a_row_an_event(desk: Desk) -> None:
    desk.one_session()
    lines = desk.jackline("log").out.splitlines()
    assert lines[0].startswith(f"session {desk.place.name}  claude-code  ")
    assert lines[1].startswith("from 20")
    assert lines[1].endswith(", ended · turn 1 · w001 · PLANNING · 5 events")
    rows = [line.split()[1:3] for line in lines[3:] if line[:1].isdigit()]
    assert rows == [
        ["SessionStart", "allow"],
        ["UserPromptSubmit", "allow"],
        ["PreToolUse", "rewrite"],
        ["PreToolUse", "allow"],
        ["Stop", "allow"],
    ]
    assert any("search-bounds: grep -m 50 --exclude-dir=.ai -r password ." in line for line in lines)


def test_foreign_text_in_it_is_escaped(desk: Desk) -> None:
    denied(desk)
    said = desk.jackline("log").out
    assert "echo hi \\u202e\\x07" in said
    assert "no: never \\x1b[31mred" in said


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_is_longer_than_the_terminal(desk: Desk, width: int) -> None:
    desk.one_session()
    desk.pre("x" * 300)
    said = desk.jackline("log", env={"COLUMNS": str(width)}).out
    assert max(len(line) for line in said.splitlines()[3:]) <= width


def test_the_data_is_the_records_themselves(desk: Desk) -> None:
    desk.one_session()
    shown = [json.loads(line) for line in desk.jackline("log", "--json").out.splitlines()]
    assert shown == desk.rows("TOOL_DECISION", "TOOL_OUTCOME", "HOOK_EVENT", "PERMISSION_DECISION")
    every = [json.loads(line) for line in desk.jackline("log", "--json", "--all").out.splitlines()]
    assert every == desk.log()


def test_the_last_ones_alone(desk: Desk) -> None:
    desk.one_session()
    shown = [json.loads(line)["event"] for line in desk.jackline("log", "--json", "--last", "2").out.splitlines()]
    assert shown == ["PreToolUse", "Stop"]


def test_a_session_is_named_by_the_beginning_of_either_id(desk: Desk) -> None:
    desk.one_session()
    first = desk.place.name
    desk.session = "99999999-2222-3333-4444-555555555555"
    desk.begin()
    assert desk.jackline("log").out.splitlines()[1].endswith("1 events")
    assert desk.jackline("log", "--session", first[:4]).out.startswith(f"session {first} ")
    assert desk.jackline("log", "--session", "11111111").out.startswith(f"session {first} ")
    both = desk.jackline("log", "--session", "all", "--json").out.splitlines()
    assert len(both) == 6
    assert "no session 'zz'" in desk.jackline("log", "--session", "zz", code=2).err


def test_no_session_yet_is_no_fault(desk: Desk) -> None:
    assert desk.jackline("log").out == "No event was seen in this project yet.\n"
    assert desk.jackline("log", "--json").out == ""


def test_it_follows_what_comes(desk: Desk) -> None:
    desk.begin()
    child = subprocess.Popen(
        desk.command("log", "--follow", "--json", "--last", "1"), env=desk.env, cwd=desk.root, stdout=subprocess.PIPE
    )
    try:
        assert child.stdout is not None
        assert json.loads(child.stdout.readline())["event"] == "SessionStart"
        desk.prompt()
        assert json.loads(child.stdout.readline())["event"] == "UserPromptSubmit"
        desk.session = "99999999-2222-3333-4444-555555555555"
        desk.pre()
        assert json.loads(child.stdout.readline())["event"] == "PreToolUse"
    finally:
        child.terminate()
        child.communicate()


def test_a_pause_is_shown_at_the_top(desk: Desk) -> None:
    desk.one_session()
    desk.jackline("pause", "--yes", "--minutes", "5")
    assert "! every hook is paused for 5 more minutes" in desk.jackline("log").out


def test_a_door_that_died_before_its_row_is_still_there() -> None:
    died = {"id": "0" * 32, "event": "PreToolUse", "producer": "x", "kind": "NOTE"}
    assert runs.runs([died]) == [Run("0" * 28, died, ())]


@pytest.mark.parametrize(
    ("calls", "short"),
    [
        (["a" * 28], ["a" * 10]),
        (["a" * 28, "a" * 12 + "b" * 16], ["a" * 13, "a" * 12 + "b"]),
        (["a" * 28, "b" * 28], ["a" * 10, "b" * 10]),
    ],
)
def test_an_id_is_shown_as_short_as_it_is_alone(calls: list[str], short: list[str]) -> None:
    assert list(runs.short_ids(calls).values()) == short


# --- why -----------------------------------------------------------------------------------------------------------


def test_a_decision_is_explained(desk: Desk) -> None:
    name = denied(desk)
    said = desk.jackline("why", name).out
    assert said.startswith("PreToolUse  Bash  deny\n")
    for part in ("asked     echo hi \\u202e\\x07", "self-protect", "deny by no", "never \\x1b[31mred", "a rule", name):
        assert part in said, said


@pytest.mark.parametrize("by", ["beginning", "upper case", "hook run", "other record"])
def test_it_is_found_by_any_of_its_names(desk: Desk, by: str) -> None:
    name = denied(desk)
    [row] = desk.rows("TOOL_DECISION")
    other = next(one["id"] for one in desk.log() if one["kind"] == "SESSION_INIT")
    given = {
        "beginning": name[:16],
        "upper case": name[:16].upper(),
        "hook run": row["hookRunId"],
        "other record": other,
    }
    assert "deny by no" in desk.jackline("why", given[by]).out


def test_several_that_begin_alike_are_listed(desk: Desk) -> None:
    desk.one_session()
    done = desk.jackline("why", desk.rows("TOOL_DECISION")[0]["id"][:6], code=1)
    assert "is the beginning of 5 ids:" in done.out


def test_a_name_of_nothing_is_said(desk: Desk) -> None:
    desk.one_session()
    assert "jackline log shows the ids" in desk.jackline("why", "ffff", code=1).out
    assert desk.jackline("why", "ffff", "--json", code=1).data == []
    desk.jackline("why", "f", code=2)


def test_every_record_of_the_call_as_data(desk: Desk) -> None:
    name = denied(desk)
    [told] = desk.jackline("why", name, "--json").data
    assert told["session"] == desk.place.name
    assert {one["hookRunId"] for one in told["records"]} == {desk.rows("TOOL_DECISION")[0]["hookRunId"]}


def test_a_session_of_another_project_is_found_too(desk: Desk, tmp_path: Any) -> None:
    name = denied(desk)
    assert "deny by no" in desk.jackline("why", name, cwd=tmp_path).out


# --- sessions ------------------------------------------------------------------------------------------------------


def test_the_sessions_of_a_project(desk: Desk) -> None:
    assert desk.jackline("sessions", "--json").data == []
    assert "No session" in desk.jackline("sessions").out
    desk.one_session()
    [one] = desk.jackline("sessions", "--json").data
    assert (one["session"], one["client"], one["live"], one["turn"]) == (desk.place.name, "claude-code", False, 1)
    assert one["clientSession"] == desk.session
    assert one["folder"] == str(desk.place)
    assert "ended" in desk.jackline("sessions").out


def test_those_of_every_project(desk: Desk, tmp_path: Any) -> None:
    desk.one_session()
    assert desk.jackline("sessions", "--json", cwd=tmp_path).data == []
    [one] = desk.jackline("sessions", "--everywhere", "--json", cwd=tmp_path).data
    assert one["root"] == str(desk.root)


def test_a_session_that_lives_is_told(desk: Desk) -> None:
    client = desk.living()
    [one] = desk.jackline("sessions", "--json").data
    assert one["live"] is True
    assert "is alive" in desk.jackline("sessions", "forget", one["session"], "--yes", code=2).err
    client.communicate(b"\n")


@pytest.mark.parametrize("mode", ["tree", "store"])
def test_a_forgotten_session_is_gone(desk: Desk, mode: str) -> None:
    if mode == "store":
        (desk.root / ".ai").rmdir()
    desk.one_session()
    place = desk.place
    desk.jackline("sessions", "forget", place.name, code=2)
    desk.jackline("sessions", "forget", place.name, "--yes")
    assert not place.exists()
    assert list((desk.store / "sessions").iterdir()) == []
    assert desk.jackline("sessions", "--json").data == []


def test_forgetting_follows_no_link(desk: Desk, tmp_path: Any) -> None:
    """The folder stands where an agent may write: it could lead elsewhere by now."""
    desk.one_session()
    place = desk.place
    precious = tmp_path / "precious"
    (precious / place.name).mkdir(parents=True)
    (precious / place.name / "file").write_text("x")
    place.parent.rename(place.parent.with_name("moved"))
    place.parent.symlink_to(precious)
    desk.jackline("sessions", "forget", place.name, "--yes", code=1)
    assert (precious / place.name / "file").exists()
    place.parent.unlink()


# --- report --------------------------------------------------------------------------------------------------------


def test_what_was_observed_is_counted(desk: Desk) -> None:
    desk.manifest({"modules": {"graph-pretooluse": {"mode": "observe"}}})
    desk.pre("grep -r x .")
    desk.pre("grep -r y .")
    desk.pre("echo hi")
    assert desk.decided() == ["allow", "allow", "allow"]
    told = desk.jackline("report", "--json").data
    assert (told["calls"], told["events"]) == (2, 3)
    assert [(one["feature"], one["decision"], one["count"]) for one in told["would"]] == [
        ("graph-pretooluse", "rewrite", 2)
    ]
    said = desk.jackline("report").out
    assert "2 of 3 events" in said
    assert "2 ×  search-bounds would rewrite" in said
    assert '"mode": "enforce" for graph-pretooluse' in said


def test_nothing_observed_is_said(desk: Desk) -> None:
    desk.one_session()
    assert "Nothing was observed" in desk.jackline("report").out


def test_reports_are_grouped_by_who_and_why_the_most_frequent_first() -> None:
    def call(number: int, who: str, why: str) -> Run:
        row = {"id": f"{number:032x}", "producer": "kernel", "kind": "TOOL_DECISION"}
        seen = {**row, "producer": who, "kind": "WOULD_DENY", "decision": "deny", "reason": f"{why}\nrule"}
        return Run(f"{number:028x}", row, (seen,))

    found = report.observed([call(1, "a", "x"), call(2, "b", "y"), call(3, "b", "y"), call(4, "b", "z")])
    assert [(one.feature, one.reason, len(one.calls)) for one in found] == [("b", "y", 2), ("a", "x", 1), ("b", "z", 1)]


# --- profile -------------------------------------------------------------------------------------------------------


def test_times_by_event_and_feature(desk: Desk) -> None:
    desk.one_session()
    told = desk.jackline("profile", "--json").data
    assert told["events"]["PreToolUse"]["number"] == 2
    assert {(one["feature"], one["event"], one["number"]) for one in told["features"]} >= {("session", "PreToolUse", 2)}
    said = desk.jackline("profile").out
    assert "search-bounds" in said
    assert "p99" in said


@pytest.mark.parametrize(
    ("values", "p50", "p90", "p99"),
    [([5.0], 5.0, 5.0, 5.0), ([float(n) for n in range(1, 101)], 50.0, 90.0, 99.0), ([3.0, 1.0, 2.0], 2.0, 3.0, 3.0)],
)
def test_percentiles_are_values_that_occurred(values: list[float], p50: float, p90: float, p99: float) -> None:
    found = profile.times(values)
    assert (found.p50, found.p90, found.p99) == (p50, p90, p99)
    assert (found.number, found.longest, found.total) == (len(values), max(values), sum(values))


# --- what failed, in log and why -----------------------------------------------------------------------------------


def troubled(desk: Desk) -> None:
    """A session with a feature that raises, one that sleeps, a guard that fails, and scripts that fail and sleep."""
    desk.feature("breaks", "def inner(x):\n    return {}[x]\nreturn inner('key')")
    desk.feature("sleeps", "import time\ntime.sleep(9)", priority=51)
    scripts = desk.hooks / "scripts"
    scripts.mkdir()
    for name, front, body in (
        ("slow.sh", "name: Slow check\n# timeout: 0.3\n# block: true\n# events: PreToolUse", "sleep 9"),
        ("bad.sh", "name: Bad check\n# block: true\n# events: PreToolUse", "echo no >&2; exit 7"),
        ("plain.sh", "name: Plain check\n# events: PreToolUse", "echo nothing there >&2; exit 3"),
        ("types.sh", "name: Type check\n# timeout: 0.3\n# type: file\n# pattern: '*.txt'", "sleep 9"),
    ):
        (scripts / name).write_text(f"#!/bin/sh\n#---\n# {front}\n#---\n{body}\n")
        (scripts / name).chmod(0o755)
    desk.trust()
    desk.begin()
    desk.prompt()
    desk.pre("echo " + "long " * 40)
    (desk.root / "a.txt").write_text("x")
    desk.say(desk.payload("Stop", stop_hook_active=False))


@pytest.mark.parametrize("width", [80, 140])
def test_what_failed_stands_below_its_call(desk: Desk, width: int) -> None:
    """Every fault and timeout, an id at any width, headings and units, and nothing of these is cut."""
    troubled(desk)
    said = desk.jackline("log", env={"COLUMNS": str(width)}).out
    heads, *lines = said.splitlines()[3:]
    assert heads.split() == ["time", "event", "decision", "took", "id", "what"]
    assert max(map(len, said.splitlines()[3:])) <= width
    calls = [line for line in lines if line[:1].isdigit()]
    ids = [row["id"] for row in desk.rows("HOOK_EVENT", "TOOL_DECISION")]
    assert len(calls) == len(ids) == 4
    for line, name in zip(calls, ids, strict=True):
        cells = line[line.index("ms" if " ms" in line else " s") :].split()
        assert name.startswith(cells[1])
        assert len(cells[1]) >= 10
    flat = " ".join(said.split())
    for part in (
        "└ breaks failed: KeyError: 'key' at .ai/hooks/features/breaks/hook.py:7",
        "└ sleeps timed out: did not end within ",
        "└ Bad check failed (exit 7): no; the call passed",
        "└ Plain check failed (exit 3): nothing there",
        "└ Slow check timed out: did not end within ",
        "and was stopped; the call passed",
        "└ Type check timed out: did not end within ",
        "; the turn ended",
    ):
        assert part in flat, said
    assert f".ai/hooks/features/breaks/hook.py:{7}" in said, "no line breaks within a place"


def test_a_unit_that_is_not_as_it_was_trusted_stands_below_the_event_that_found_it(desk: Desk) -> None:
    desk.feature("breaks", "return None")
    desk.trust()
    desk.feature("breaks", "return 1")
    desk.begin()
    assert "└  .ai/hooks/features/breaks changed since you trusted it" in desk.jackline("log").out


def test_why_shows_the_traceback(desk: Desk) -> None:
    troubled(desk)
    [row] = desk.rows("TOOL_DECISION")
    said = desk.jackline("why", row["id"], env={"COLUMNS": "80"}).out
    place = ".ai/hooks/features/breaks/hook.py"
    log = f".ai/tmp/{desk.place.name}/breaks/logs/debug.log"
    for part in (
        "  breaks         failed        ",
        f"      KeyError: 'key' at {place}:7\n",
        f"raised  breaks  the whole of it in {log}\n    {place}:8 in handle\n    {place}:7 in inner\n",
        "in inner\n    KeyError: 'key'\n",
        "  script:slow    timed out     ",
        "  script:bad     failed        ",
    ):
        assert part in said, said
    [failed] = desk.rows("ERROR_MODULE")
    told = row["data"]["notes"]
    assert f"breaks failed: KeyError at {place}:7 [{failed['error']['stackHash']}]" in told
    assert desk.jackline("why", failed["error"]["stackHash"], env={"COLUMNS": "80"}).out == said, "by what was told"
    assert any(one.startswith("sleeps did not end") and one.endswith("/sleeps/hook.py:7") for one in told)
    [stop] = [row for row in desk.rows("HOOK_EVENT") if row["event"] == "Stop"]
    assert "did not end within" in desk.jackline("why", stop["id"]).out
    (desk.place / "breaks" / "logs" / "debug.log").unlink()
    assert f"KeyError: 'key' at {place}:7" in desk.jackline("why", row["id"]).out


def test_the_last_ones_are_calls_and_not_rows(desk: Desk) -> None:
    troubled(desk)
    said = desk.jackline("log", "--last", "2").out
    assert [line.split()[1] for line in said.splitlines() if line[:1].isdigit()] == ["PreToolUse", "Stop"]


@pytest.mark.parametrize(
    ("ms", "told"),
    [(0.04, "0.0 ms"), (999.94, "999.9 ms"), (1000, "1.0 s"), (59_940, "59.9 s"), (900_000, "15.0 min"), (None, "")],
)
def test_how_long_it_took_has_its_unit(ms: float | None, told: str) -> None:
    assert runs.took(ms) == told


@pytest.mark.parametrize("width", [80, 140])
def test_every_record_has_its_id(desk: Desk, width: int) -> None:
    desk.one_session()
    heads, *lines = desk.jackline("log", "--all", env={"COLUMNS": str(width)}).out.splitlines()[3:]
    assert heads.split() == ["time", "id", "who", "kind", "what"]
    rows = [line.split() for line in lines if line[:1].isdigit()]
    assert [(cells[2], cells[3]) for cells in rows] == [(shown(one["producer"]), one["kind"]) for one in desk.log()]
    assert all(one["id"].startswith(cells[1]) for one, cells in zip(desk.log(), rows, strict=True))
    assert max(map(len, lines)) <= width
