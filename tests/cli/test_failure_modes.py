"""What goes wrong with agents, and what comes of it here (blueprint 13): one scenario each, through the entry.

The same search again stands in `test_answered`, drift after a compaction in `test_tool_lock`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scene import git

from .conftest import Desk
from .test_validators import CHECK, FIX, STRICT, change, phase, planned, ready, stop, task

ON = {**STRICT, "tool-gate": {"enabled": True}}


def test_a_script_that_hangs_is_ended_and_is_no_pass(desk: Desk) -> None:
    """13.1: its time is up, the node is not done, the task is not complete, and the turn ends with the reason."""
    ready(desk, ON, CHECK + "    timeout: 1\n    baseline: false\n", "grep -q good a.py && exit 0\nexec sleep 1000\n")
    planned(desk, FIX)
    given = {"file_path": str(desk.root / "a.py"), "content": "bad\n"}
    assert desk.say(desk.tool(tool_name="Write", tool_input=given)).decision == ""
    change(desk, "bad\n")
    said = desk.jackline("plan", "node", "done", "fix", code=1).out
    assert "check" in said and "1 s" in said
    assert (task(desk)["nodes"]["fix"]["status"], phase(desk)) == ("started", "EXECUTING")
    body = stop(desk)
    assert "check" in json.dumps(body) and phase(desk) != "COMPLETE"


def test_a_terminal_that_nobody_lent_is_refused(desk: Desk) -> None:
    """13.1: to the letter a script is run only where a node of the plan lends the terminal."""
    desk.manifest({"version": 1, "modules": {name: ON[name] for name in ("work-init", "plan-graph", "tool-gate")}})
    (desk.home / ".config/jackline/config.json").write_text(
        json.dumps({"tool-gate": {"reading": "lease", "small": "off"}})
    )
    desk.begin()
    desk.prompt("try it")
    said = desk.pre("while true; do sleep 1; done; bash /tmp/own.sh")
    assert said.decision == "deny" and "now: jackline plan quick" in said.reason
    planned(desk, {"id": "run", "tool": "Bash", "validators": ["t"]})
    assert desk.pre("bash run.sh").decision == ""


def _done(desk: Desk, *words: str, code: int = 0) -> str:
    return desk.jackline(*words, code=code).out


def test_where_hooks_are_forbidden_the_commands_do_the_work_by_hand(desk: Desk) -> None:
    """13.4: no event comes any more; what was made stays usable, and each step has a command."""
    (desk.root / "src").mkdir()
    (desk.root / "src/tokens.py").write_text("def rotate():\n    return 1\n")
    git(desk.root, "add", "-A")
    git(desk.root, "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "tokens")
    desk.manifest({"version": 1, "modules": {name: {"enabled": True} for name in ("work-init", "plan-graph")}})
    desk.begin()
    desk.prompt("rotate the tokens")
    told = len(desk.log())
    assert "1 files" in _done(desk, "pack", "make", "rotate the tokens in tokens.py")
    assert "src/tokens.py" in _done(desk, "pack", "show")
    _done(desk, "pack", "check")
    assert "accepted" in _done(desk, "plan", "quick", "rotate", "--files", "src/**")
    _done(desk, "plan", "node", "start", "change")
    (desk.root / "src/tokens.py").write_text("def rotate():\n    return 2\n")
    _done(desk, "plan", "node", "done", "change")
    _done(desk, "plan", "node", "done", "check")
    shown = json.loads(_done(desk, "plan", "show", "--json"))
    assert shown["complete"] is True and [one["status"] for one in shown["nodes"]] == ["done", "done"]
    assert "work_initialized" in _done(desk, "artifacts")
    _done(desk, "artifacts", "tree")
    _done(desk, "mailbox", "list")
    assert not any(row["event"] in ("PreToolUse", "PostToolUse") for row in desk.log()[told:])


@pytest.mark.parametrize(
    "words", [("plan", "show"), ("plan", "quick", "x", "--files", "src/**"), ("pack", "show"), ("artifacts",)]
)
def test_where_no_event_ever_came_a_command_says_so(desk: Desk, words: tuple[str, ...]) -> None:
    said = desk.jackline(*words, code=2)
    assert "session" in said.err and "·" in said.err


def test_a_plan_can_be_written_and_checked_without_any_session(desk: Desk) -> None:
    made: dict[str, Any] = json.loads(_done(desk, "plan", "template"))
    assert made["nodes"] and Path(desk.root).is_dir()
