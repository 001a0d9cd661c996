"""A dry run says what would happen, and provably leaves nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.compiler import schemas
from scene import listing

from .conftest import Desk

SEARCH = {"tool_name": "Bash", "tool_input": {"command": "grep -r password ."}}


def everything(desk: Desk) -> dict[str, tuple[int, int, bytes]]:
    return listing(desk.folder)


def payload(desk: Desk, **more: Any) -> bytes:
    return json.dumps(desk.payload("PreToolUse", **SEARCH, **more)).encode()


def test_the_outcome_has_exactly_this_shape(desk: Desk) -> None:
    told = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk)).data
    assert list(told) == ["client", "dialect", "event", "verdict", "actions", "skipped", "answer"]
    assert list(told["verdict"]) == ["decision", "reason", "updatedInput", "inputMetadata", "additionalContext"]
    assert [list(one) for one in told["actions"]] == [["feature", "action", "ms"]] * len(told["actions"])
    assert all(list(one) == ["feature", "why"] for one in told["skipped"])
    assert list(told["answer"]) == ["exit", "stdout", "stderr"]
    assert (told["client"], told["dialect"], told["event"]) == ("claude-code", "claude-code", "PreToolUse")
    assert told["actions"][0]["feature"] == "session"
    for one in told["actions"]:
        assert schemas.validate("hook-action", one["action"]) == []
    assert told["verdict"]["updatedInput"] == {"command": "grep -m 50 -r password ."}
    answer = json.loads(told["answer"]["stdout"])["hookSpecificOutput"]
    assert answer["updatedInput"] == told["verdict"]["updatedInput"]
    assert (told["answer"]["exit"], told["answer"]["stderr"]) == (0, "")


@pytest.mark.parametrize("begun", [False, True], ids=["new session", "known session"])
def test_nothing_is_written(desk: Desk, begun: bool) -> None:
    if begun:
        desk.one_session()
    before = everything(desk)
    for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStart"):
        told = json.dumps(desk.payload(event, **SEARCH, prompt="x", source="startup")).encode()
        desk.jackline("try", "claude-code", event, stdin=told)
        desk.jackline("try", "claude-code", event, "--json", stdin=told)
    assert everything(desk) == before


def test_it_answers_as_the_door_would(desk: Desk) -> None:
    tried = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk)).data
    assert json.loads(tried["answer"]["stdout"]) == desk.say(desk.payload("PreToolUse", **SEARCH)).body


WRITING = """
import os
said = []
for name in ("a file", "{log}"):
    try:
        with open(name, "a") as file:
            file.write("x")
        said.append(name)
    except OSError as fault:
        said.append(fault.strerror)
return {"reason": "; ".join(said)}
"""


def test_a_feature_that_writes_by_itself_cannot(desk: Desk) -> None:
    desk.one_session()
    desk.feature("scribe", WRITING.replace("{log}", str(desk.place / "events.jsonl")))
    desk.trust()
    desk.jackline("compile")
    before = everything(desk)
    told = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk)).data
    [said] = [one["action"]["reason"] for one in told["actions"] if one["feature"] == "scribe"]
    assert said == "File too large; File too large"
    after = everything(desk)
    assert {path: one for path, one in after.items() if path != f"{desk.root}/a file"} == before


STUCK = """
import time
while True:
    try:
        time.sleep(60)
    except BaseException:
        pass
"""


def test_a_feature_that_never_ends_is_said(desk: Desk) -> None:
    """The door would leave without it; a dry run tells what the client would have read."""
    desk.feature("stuck", STUCK, priority=-5)
    desk.trust()
    said = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk), code=1)
    assert said.err.startswith("jackline · a feature did not end in its time; the client would have been told '{")
    line = json.dumps({"client": "claude-code", "event": "PreToolUse", "payload": {}}).encode()
    assert "did not end" in desk.jackline("try", "--jsonl", stdin=line, code=1).out


def test_what_a_feature_prints_is_no_part_of_it(desk: Desk) -> None:
    desk.feature("loud", 'print("{}"); import os; os.write(1, b"loud"); os.write(2, b"loud")')
    desk.trust()
    done = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk))
    assert "loud" in [one["feature"] for one in done.data["actions"]]
    assert done.err == ""


def test_a_stale_wiring_is_compiled_in_memory_alone(desk: Desk) -> None:
    desk.jackline("compile")
    desk.feature("strict", 'return {"decision": "deny", "reason": "never"}')
    desk.trust()
    before = everything(desk)
    told = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk)).data
    assert told["verdict"]["decision"] == "deny"
    assert everything(desk) == before


@pytest.mark.parametrize(
    ("client", "event", "given", "found"),
    [
        ("vscode", "PreToolUse", {"tool_name": "run_in_terminal", "tool_input": {"command": "ls"}}, "vscode"),
        ("copilot-cli", "preToolUse", {"toolName": "bash", "toolArgs": '{"command":"ls"}'}, "copilot-cli"),
        ("codex", "PreToolUse", {"tool_name": "exec_command", "tool_input": {"cmd": "ls"}}, "codex"),
        ("claude-code", "PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "ls"}}, "claude-code"),
    ],
)
def test_the_named_client_is_the_one_that_is_answered(
    desk: Desk, client: str, event: str, given: dict[str, Any], found: str
) -> None:
    """Whoever runs it, and from whichever client's shell."""
    env = {"CLAUDECODE": "1", "CLAUDE_PID": "1", "GEMINI_CLI": "1", "COPILOT_PROJECT_DIR": "/"}
    told = desk.jackline("try", client, event, "--json", stdin=json.dumps(given).encode(), env=env).data
    assert (told["client"], told["event"]) == (found, "PreToolUse")


def test_lines_are_answered_one_by_one_in_their_order(desk: Desk) -> None:
    calls: list[Any] = [
        {"client": "claude-code", "event": "PreToolUse", "payload": desk.payload("PreToolUse", **SEARCH)},
        {"client": "codex", "event": "Stop", "payload": "not json at all"},
        {"client": "nobody", "event": "Stop"},
        ["no", "object"],
        {"client": "vscode", "event": "SessionStart", "payload": {}},
    ]
    before = everything(desk)
    lines = "\n".join(json.dumps(one) for one in calls) + "\n{\n\n"
    done = desk.jackline("try", "--jsonl", stdin=lines.encode(), code=2)
    told = [json.loads(line) for line in done.out.splitlines()]
    assert [one.get("client", "") for one in told] == ["claude-code", "codex", "", "", "vscode", ""]
    assert [one["error"].partition(" · ")[0] for one in told if "error" in one] == ["line 3", "line 4", "line 6"]
    assert everything(desk) == before


def test_every_line_is_answered_at_once(desk: Desk) -> None:
    """A program may wait for each answer before it asks again."""
    import subprocess

    child = subprocess.Popen(
        desk.command("try", "--jsonl"), env=desk.env, cwd=desk.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    for event in ("SessionStart", "Stop"):
        child.stdin.write(json.dumps({"client": "codex", "event": event}).encode() + b"\n")
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["event"] == event
    child.stdin.close()
    child.stdout.close()
    assert child.wait() == 0


def test_a_payload_may_stand_in_a_file(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "payload.json").write_bytes(payload(desk))
    done = desk.jackline("try", "claude-code", "PreToolUse", str(tmp_path / "payload.json"))
    assert "rewrite" in done.out
    assert "grep -m 50 -r password ." in done.out


def test_an_unknown_client_is_wrong_use(desk: Desk) -> None:
    assert "one of: claude-code" in desk.jackline("try", "emacs", "PreToolUse", code=2).err


def test_client_and_event_are_needed_or_lines(desk: Desk) -> None:
    for words in ((), ("codex",), ("codex", "Stop", "--jsonl")):
        said = desk.jackline("try", *words, code=2)
        assert said.out == ""
        assert "Usage" in said.err or "try" in said.err
