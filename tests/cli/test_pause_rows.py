"""A pause, its end and a repair leave rows; a call that passes meanwhile says so in `log` and in `why`."""

from __future__ import annotations

import json
import time
from typing import Any

from jackline.store import authority
from screen import Screen

from .conftest import Desk

KINDS = ("PAUSE", "PAUSE_END", "REPAIR")


def rows(desk: Desk) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in desk.jackline("log", "--json").out.splitlines()]
    return [one for one in found if one["kind"] in KINDS]


def shown(desk: Desk, width: int) -> str:
    return desk.jackline("log", env={"COLUMNS": str(width)}).out


def test_a_pause_and_its_end_leave_rows(desk: Desk) -> None:
    desk.begin()
    desk.jackline("pause", "graph-pretooluse", "--minutes", "5", "--yes")
    desk.jackline("pause", "--end")
    begun, over = rows(desk)
    assert (begun["kind"], begun["reason"]) == ("PAUSE", "search-bounds paused for 5 minutes")
    assert (over["kind"], over["reason"]) == ("PAUSE_END", "search-bounds in force again: ended by hand")
    assert begun["data"]["by"] == over["data"]["by"] != "kernel"
    for width in (80, 200):
        said = shown(desk, width)
        assert "person: search-bounds paused for 5 minutes" in said
        assert "person: search-bounds in force again: ended by hand" in said
    assert [one["kind"] for one in authority.read(str(desk.store))] == ["PAUSE", "PAUSE_END"]


def _hurry(desk: Desk) -> None:
    """The pause's time is over."""
    path = desk.store / "pause.json"
    given = json.loads(path.read_text())
    for one in given["pauses"]:
        one["until"] = int(time.time() * 1000) - 1000
    path.write_text(json.dumps(given))


def test_a_pause_whose_time_is_over_leaves_one_row(desk: Desk) -> None:
    desk.begin()
    desk.begin(session_id="another")
    desk.jackline("pause", "--minutes", "5", "--yes")
    _hurry(desk)
    desk.pre()
    desk.pre(session_id="another")
    desk.jackline("status", code=1)
    assert not (desk.store / "pause.json").exists()
    assert [one["kind"] for one in authority.read(str(desk.store))] == ["PAUSE", "PAUSE_END"]
    said = [json.loads(line) for line in desk.jackline("log", "--session", "all", "--json").out.splitlines()]
    [over] = [one for one in said if one["kind"] == "PAUSE_END"]
    assert over["reason"] == "every hook in force again: the time was up"
    assert over["data"]["at"] == over["data"]["until"]
    assert (over["event"], over["producer"]) == ("Jackline", "kernel"), "nobody did it"


def test_where_nobody_comes_a_command_ends_it(desk: Desk) -> None:
    desk.begin()
    desk.jackline("pause", "--minutes", "5", "--yes")
    _hurry(desk)
    assert "every hook in force again: the time was up" in shown(desk, 100)


def test_every_living_session_of_the_project_is_told(desk: Desk) -> None:
    screen = Screen(desk.env, desk.root)
    client = desk.living()
    desk.begin(session_id="newer")
    screen.done(*desk.command("pause", "--minutes", "5"))
    screen.close()
    said = [json.loads(line) for line in desk.jackline("log", "--session", "all", "--json").out.splitlines()]
    client.communicate()
    assert [one["kind"] for one in said].count("PAUSE") == 2


def test_what_passed_meanwhile_says_so(desk: Desk) -> None:
    desk.begin()
    desk.pre("grep -r password .")
    desk.jackline("pause", "graph-pretooluse", "--yes")
    desk.pre("grep -r secret .")
    desk.jackline("pause", "--yes")
    desk.pre("git push --force origin main")
    assert desk.decided() == ["allow"] * 3
    said = shown(desk, 200)
    assert said.count("paused search-bounds had no say") == 1
    assert "paused self-protect, search-bounds, command-guard, plan-scope had no say" in said
    calls = [json.loads(line) for line in desk.jackline("log", "--json").out.splitlines()]
    ids = [one["id"] for one in calls if one.get("kind") == "TOOL_DECISION"]
    assert "paused" not in desk.jackline("why", ids[0]).out
    assert "a person had paused search-bounds: no say" in desk.jackline("why", ids[1]).out


def test_a_read_that_nobody_paused_is_about_says_nothing(desk: Desk) -> None:
    desk.begin()
    desk.jackline("pause", "planGraph-exec", "--yes")
    desk.jackline("pause", "graph-pretooluse", "--yes")
    desk.say(desk.payload("Stop", stop_hook_active=False))
    assert "had no say" not in shown(desk, 200)


def test_a_script_that_was_paused_says_so(desk: Desk) -> None:
    folder = desk.hooks / "scripts"
    folder.mkdir(parents=True)
    (folder / "lint.sh").write_text('#!/bin/sh\n#---\n# name: lint\n# type: file\n# pattern: "*.py"\n#---\nexit 0\n')
    (folder / "lint.sh").chmod(0o755)
    desk.trust()
    desk.begin()
    desk.jackline("pause", "lint", "--yes")
    desk.say(desk.payload("Stop", stop_hook_active=False))
    assert "paused lint had no say" in shown(desk, 100)


def test_a_repair_leaves_a_row(desk: Desk) -> None:
    desk.jackline("init", "--client", "claude-code", "--no-project")
    desk.begin()
    (desk.home / ".claude/settings.json").write_text("{}")
    desk.jackline("doctor", "--repair", "--yes")
    [row] = rows(desk)
    assert (row["kind"], row["producer"]) == ("REPAIR", "person")
    assert "person: changed ~/.claude/settings.json" in shown(desk, 200)
    assert any("TAMPERED" in line for line in desk.jackline("log", "--json").out.splitlines())
