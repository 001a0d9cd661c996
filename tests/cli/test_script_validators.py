"""A file script as a validator: a node names it, and it holds that node; others hold no task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scene import git

from .conftest import Desk
from .test_validators import STRICT, planned, stop

TIDY = """#!/bin/sh
#---
# name: No tabs
# type: file
# pattern: "*.py"
#---
echo "$JACKLINE_CHANGED_FILES" >> "$(git rev-parse --show-toplevel)/ran.log"
! grep -n tab $JACKLINE_CHANGED_FILES /dev/null
"""
FIX = {"id": "fix", "scope": "*.py", "validators": ["tidy"]}


@pytest.fixture
def tidy(desk: Desk) -> Desk:
    """A project with a trusted file script and no row, and a task in it."""
    desk.env["PATH"] = "/usr/bin:/bin"
    (desk.root / "a.py").write_text("good\n")
    (desk.root / ".gitignore").write_text("*.log\n")
    place = desk.hooks / "scripts/tidy.sh"
    place.parent.mkdir(parents=True)
    place.write_text(TIDY)
    place.chmod(0o755)
    desk.manifest({"version": 1, "modules": STRICT})
    desk.trust()
    git(desk.root, "init", "-q")
    git(desk.root, "add", "-A")
    git(desk.root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first")
    desk.begin()
    desk.prompt("make it better")
    return desk


def write(desk: Desk, text: str) -> None:
    """The agent's tool changes the file."""
    for event in ("PreToolUse", "PostToolUse"):
        (desk.root / "a.py").write_text(text)
        given = {"file_path": str(desk.root / "a.py"), "content": text}
        desk.say(desk.tool(event=event, tool_name="Write", tool_input=given, tool_response={}))


def begun(desk: Desk, *nodes: dict[str, Any]) -> None:
    """A plan whose first node is begun."""
    planned(desk, *nodes)
    desk.jackline("plan", "node", "start", "fix")


def ran(desk: Desk) -> list[str]:
    path = desk.root / "ran.log"
    return path.read_text().splitlines() if path.exists() else []


def phase(desk: Desk) -> str:
    desk.say(desk.tool("ls", event="PostToolUse"))
    return str(desk.state()["core"]["phase"])


def test_it_holds_the_node_that_names_it(tidy: Desk) -> None:
    begun(tidy, FIX)
    write(tidy, "a tab\n")
    said = tidy.jackline("plan", "node", "done", "fix", code=1)
    assert "fix · tidy is red (exit 1)" in said.out + said.err and "a.py:1:a tab" in said.out + said.err
    assert ran(tidy) == ["a.py"]
    assert phase(tidy) == "EXECUTING"
    write(tidy, "good again\n")
    tidy.jackline("plan", "node", "done", "fix")
    assert ran(tidy) == ["a.py", "a.py"]
    assert phase(tidy) == "COMPLETE"


def test_by_hand_it_is_run_as_the_refusal_says(tidy: Desk) -> None:
    begun(tidy, FIX)
    write(tidy, "a tab\n")
    assert "✗ tidy  exit 1" in tidy.jackline("validators", "run", "tidy", code=1).out
    write(tidy, "good again\n")
    assert "✓ tidy  passed" in tidy.jackline("validators", "run", "tidy").out


def test_one_that_no_node_names_holds_nothing(tidy: Desk) -> None:
    begun(tidy, {**FIX, "validators": []}, {"id": "look", "kind": "validate", "dependsOn": ["fix"]})
    write(tidy, "a tab\n")
    for name in ("fix", "look"):
        tidy.jackline("plan", "node", "done", name)
    assert (phase(tidy), ran(tidy)) == ("COMPLETE", [])


def test_what_it_came_to_at_the_end_of_a_turn_counts(tidy: Desk) -> None:
    begun(tidy, FIX)
    write(tidy, "good again\n")
    assert stop(tidy) == {}
    assert ran(tidy) == ["a.py"]
    tidy.jackline("plan", "node", "done", "fix")
    assert (ran(tidy), phase(tidy)) == (["a.py"], "COMPLETE")


def test_what_it_came_to_on_another_content_does_not(tidy: Desk) -> None:
    begun(tidy, FIX, {"id": "more", "kind": "validate", "dependsOn": ["fix"]})
    write(tidy, "good again\n")
    tidy.jackline("plan", "node", "done", "fix")
    write(tidy, "a tab\n")
    tidy.jackline("plan", "node", "done", "more")
    assert phase(tidy) == "EXECUTING", "it passed on what is not there any more"
    assert "No tabs" in json.dumps(stop(tidy)), "it runs by itself at the end of the turn"
    assert phase(tidy) == "EXECUTING"
    write(tidy, "better\n")
    stop(tidy)
    assert phase(tidy) == "COMPLETE"


def test_one_that_nobody_trusted_is_none(tidy: Desk) -> None:
    place = tidy.hooks / "scripts/tidy.sh"
    place.rename(place.with_name("other.sh"))
    path = Path(tidy.folder) / "plan.json"
    path.write_text(json.dumps({"nodes": [{**FIX, "description": "x", "validators": ["other"]}]}))
    said = tidy.jackline("plan", "check", str(path), code=1).out
    assert "no trusted validator is called 'other'" in said
    assert ran(tidy) == []
