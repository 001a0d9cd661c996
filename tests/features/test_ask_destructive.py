"""ask-destructive: a person is asked before each tool that can change something, and before no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jackline.features.ask_destructive.hook import handle
from jackline.model import Action
from scene import Scene

from .feature import call, context_of

DESTRUCTIVE = [
    ("Write", "write"),
    ("Edit", "edit"),
    ("delete", "write"),
    ("NotebookEdit", "notebook"),
    ("tracker/comment", "mcp"),
    ("browser_action", "browser"),
    ("a_tool_nobody_knows", "other"),
    ("Agent", "subagent"),
]
SAFE = [("Read", "read"), ("Grep", "search"), ("LS", "list"), ("WebFetch", "fetch"), ("TodoWrite", "todo")]
ASKABLE = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}


def asked(root: Path, tool: str, kind: str, command: str = "", **knobs: Any) -> Action | None:
    return handle(call(tool, kind, {}, root, command=command), context_of("ask-destructive", root, **knobs))


@pytest.mark.parametrize(("tool", "kind"), DESTRUCTIVE)
def test_what_can_change_something_is_asked_about(tmp_path: Path, tool: str, kind: str) -> None:
    action = asked(tmp_path, tool, kind)
    assert action is not None and (action.decision, action.risk) == ("ask", "DESTRUCTIVE")
    assert action.rule.startswith("ask-destructive")


@pytest.mark.parametrize(("tool", "kind"), SAFE)
def test_what_only_looks_passes(tmp_path: Path, tool: str, kind: str) -> None:
    assert asked(tmp_path, tool, kind) is None


@pytest.mark.parametrize(
    ("command", "knobs", "asks"),
    [
        ("ls", {}, True),
        ("make", {}, True),
        ("ls", {"harmlessCommands": "pass"}, False),
        ("git status", {"harmlessCommands": "pass"}, False),
        ("make", {"harmlessCommands": "pass"}, False),
        ("rm a", {"harmlessCommands": "pass"}, True),
        ("echo x > a", {"harmlessCommands": "pass"}, True),
        ("", {"harmlessCommands": "pass"}, True),
    ],
)
def test_commands(tmp_path: Path, command: str, knobs: dict[str, Any], asks: bool) -> None:
    """003 asks about every command; the knob lets those pass in which no guard sees harm."""
    assert (asked(tmp_path, "Bash", "shell", command, **knobs) is not None) is asks


@pytest.fixture
def asking(scene: Scene) -> Scene:
    scene.manifest({"version": 1, "modules": {"ask-destructive": {"enabled": True}}})
    scene.begin()
    return scene


def test_at_a_client_by_its_own_dialog(asking: Scene) -> None:
    given = {"file_path": f"{asking.root}/a.py", "content": "x = 1\n"}
    said = asking.say(asking.tool(tool_name="Write", tool_input=given), env=ASKABLE)
    assert said.decision == "ask"
    assert "files: a.py" in said.reason and "+x = 1" in said.reason
    assert asking.say(asking.tool(tool_name="Read", tool_input={"file_path": "a.py"}), env=ASKABLE).body == {}


def test_at_a_client_that_cannot_ask_the_call_waits(asking: Scene) -> None:
    alone = {"CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    said = asking.say(asking.tool("make"), env=alone)
    assert said.decision == "deny"
    assert '"code":"HITL_PENDING"' in said.reason and "— pending approval " in said.reason
