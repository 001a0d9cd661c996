"""stale-file through real doors: what the client reads of a refusal, two clients in one tree, many doors at once."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scene import Said, Scene

ON = {"version": 1, "modules": {"stale-file": {"enabled": True}}}
CODEX = "99999999-2222-3333-4444-555555555555"


@pytest.fixture
def site(scene: Scene) -> Scene:
    scene.manifest(ON)
    (scene.root / "a.py").write_text("one\ntwo\nthree\n")
    scene.begin()
    scene.prompt("do it")
    return scene


def event(site: Scene, name: str, tool: str, given: dict[str, Any], use: str, **fields: Any) -> dict[str, Any]:
    made = site.payload(name, tool_name=tool, tool_input=given, tool_use_id=use, **fields)
    return made | ({"tool_response": {"type": "text"}} if name == "PostToolUse" else {})


def both(site: Scene, tool: str, given: dict[str, Any], use: str, **fields: Any) -> Said:
    """A call before and, unless it is refused, after."""
    said = site.say(event(site, "PreToolUse", tool, given, use, **fields))
    if said.decision != "deny":
        site.say(event(site, "PostToolUse", tool, given, use, **fields))
    return said


def read(site: Scene, use: str = "toolu_r", **fields: Any) -> None:
    assert both(site, "Read", {"file_path": str(site.root / "a.py")}, use, **fields).decision == ""


def write(site: Scene, use: str = "toolu_w", **fields: Any) -> Said:
    given = {"file_path": str(site.root / "a.py"), "content": "mine\n"}
    return site.say(event(site, "PreToolUse", "Write", given, use, **fields))


def codex(site: Scene, name: str, tool: str, given: dict[str, Any], use: str) -> Said:
    made = {"session_id": CODEX, "turn_id": "t", "cwd": str(site.root), "hook_event_name": name, "model": "m",
            "permission_mode": "default", "tool_name": tool, "tool_input": given, "tool_use_id": use}  # fmt: skip
    return site.say(made | ({"tool_response": "Output:\n"} if name == "PostToolUse" else {}), dialect="codex")


def test_a_refusal_as_the_model_reads_it(site: Scene) -> None:
    read(site)
    (site.root / "a.py").write_text("one\n2\nthree\n")
    said = write(site)
    assert said.decision == "deny"
    what, rule, safer, error, *preview = said.reason.split("\n")
    assert what.startswith("a.py changed since you read it at ") and what.endswith(": outside of any session")
    assert rule == "stale-file: nobody overwrites what he has not seen"
    assert safer == "read a.py again, then make the change anew"
    told = json.loads(error)
    assert (told["type"], told["code"], told["message"]) == ("tool_error", "STALE_FILE", what)
    assert told["meta"]["affected_files"] == ["a.py"]
    assert preview == ["--- a/a.py", "+++ b/a.py", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"]
    assert site.rows("TOOL_DECISION")[-1]["code"] == "STALE_FILE"
    read(site, "toolu_r2")
    assert write(site, "toolu_w2").decision == ""


def test_two_clients_in_one_tree(site: Scene) -> None:
    read(site)
    patch = {"command": "*** Begin Patch\n*** Update File: a.py\n@@\n-two\n+2\n*** End Patch\n"}
    assert codex(site, "PreToolUse", "apply_patch", patch, "call_1").decision == ""
    (site.root / "a.py").write_text("one\n2\nthree\n")
    codex(site, "PostToolUse", "apply_patch", patch, "call_1")
    said = write(site)
    sid = site.place_of(CODEX, "codex").name
    assert said.decision == "deny"
    assert f": by session {sid} (codex, the main agent) at " in said.reason.split("\n")[0]


def test_the_command_that_tries_a_payload_leaves_no_claim(site: Scene) -> None:
    """A dry run says what would be said; nobody is hindered by it."""
    payload = event(site, "PreToolUse", "Write", {"file_path": str(site.root / "a.py"), "content": "x"}, "toolu_x")
    site.say(payload | {"jackline_probe": True})
    assert not (site.store / "writers").exists()


def test_our_formatter_after_a_tool_is_ours(site: Scene) -> None:
    folder = site.hooks / "scripts"
    folder.mkdir(parents=True)
    script = folder / "format.sh"
    script.write_text(
        "#!/bin/sh\n#---\n# type: event\n# events: [PostToolUse]\n# tools: [kind:edit]\n#---\n"
        f"sed -i 's/ *$//; s/$/  # formatted/' {site.root}/a.py\n"
    )
    script.chmod(0o755)
    site.trust()
    read(site)
    given = {"file_path": str(site.root / "a.py"), "old_string": "two", "new_string": "2"}
    assert site.say(event(site, "PreToolUse", "Edit", given, "toolu_e")).decision == ""
    (site.root / "a.py").write_text("one\n2\nthree\n")
    site.say(event(site, "PostToolUse", "Edit", given, "toolu_e"))
    assert (site.root / "a.py").read_text() == "one  # formatted\n2  # formatted\nthree  # formatted\n"
    assert write(site).decision == ""


def test_of_many_doors_that_want_to_write_at_once_one_agents_pass(site: Scene) -> None:
    """24 doors of 8 agents: calls of one agent may pass, all others are refused and told who writes.

    A machine that is too busy to judge a call in five seconds refuses it, too.
    """
    for number in range(8):
        read(site, f"toolu_r{number}", agent_id=f"agent{number}", agent_type="x")
    given = {"file_path": str(site.root / "a.py"), "content": "mine\n"}
    doors = []
    for number in range(24):
        payload = event(site, "PreToolUse", "Write", given, f"toolu_w{number}", agent_id=f"agent{number % 8}")
        doors.append((number % 8, site.start("PreToolUse", stderr=subprocess.DEVNULL), json.dumps(payload).encode()))
    for _, door, raw in doors:
        assert door.stdin is not None
        door.stdin.write(raw)
        door.stdin.close()
    passed = set()
    for agent, door, _ in doors:
        assert door.stdout is not None
        with door.stdout:
            body = json.loads(door.stdout.read())
        assert door.wait(60) == 0
        if body == {}:
            passed.add(agent)
        else:
            reason = body["hookSpecificOutput"]["permissionDecisionReason"]
            assert "a.py is being written right now by agent a" in reason or "BUDGET_EXCEEDED" in reason
    assert len(passed) == 1, passed
    assert Path(site.store / "writers").is_dir()
