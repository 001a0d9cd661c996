"""The client is found by what it sends; where that says nothing, by marks only hooks carry, then by the process."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.clients.router import client_of, process_client
from jackline.processes import Process

from .calls import call, parsed


def chain(*names: str) -> tuple[Process, ...]:
    """Ancestors by executable, nearest first."""
    return tuple(Process(100 - at, 1, exe.rpartition("/")[2][:15], exe) for at, exe in enumerate(names))


PROCESSES = {
    "claude": (Process(1, 1, "claude", "/opt/claude-code/2.1.330/claude"), "claude-code"),
    "claude that runs on node": (Process(1, 1, "claude", "/usr/bin/node"), "claude-code"),
    "codex": (Process(1, 1, "codex", "/usr/lib/codex"), "codex"),
    "copilot is named MainThread": (
        Process(1, 1, "MainThread", "/home/user/.cache/copilot/pkg/copilot"),
        "copilot-cli",
    ),
    "code": (Process(1, 1, "code", "/usr/share/code/code"), "vscode"),
    "remote VS Code": (Process(1, 1, "node", "/home/user/.vscode-server/cli/servers/x/server/node"), "vscode"),
    "shell": (Process(1, 1, "sh", "/bin/dash"), ""),
    "any node": (Process(1, 1, "node", "/usr/bin/node"), ""),
}


@pytest.mark.parametrize(("process", "client"), PROCESSES.values(), ids=PROCESSES)
def test_process_is_a_client_by_its_executable_or_name(process: Process, client: str) -> None:
    assert process_client(process) == client


AMBIGUOUS = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "p", "cwd": "/w"}
NODE = "/usr/bin/node"

FOUND: dict[str, tuple[str, dict[str, Any] | bytes, dict[str, str], tuple[str, ...], str]] = {
    # door, payload, environment, ancestors → client
    "shape beats everything": (
        "claude-code",
        {**AMBIGUOUS, "prompt_id": "p"},
        {"COPILOT_HOOK_DIR": "/x"},
        ("/usr/share/code/code",),
        "claude-code",
    ),
    "copilot's mark": ("github", b"", {"COPILOT_HOOK_DIR": "/x"}, ("/bin/claude",), "copilot-cli"),
    "gemini's mark": ("claude-code", b"", {"GEMINI_SESSION_ID": "x"}, (), "gemini-cli"),
    "nearest client wins": ("github", b"", {}, ("/bin/sh", "/x/copilot", "/usr/share/code/code"), "copilot-cli"),
    "claude's pid is asked last": ("github", b"", {"CLAUDE_PID": "1"}, ("/bin/sh", "/x/copilot"), "copilot-cli"),
    "claude's pid": ("github", b"", {"CLAUDE_PID": "1"}, ("/bin/sh", NODE), "claude-code"),
    "qwen is only a node": ("claude-code", b"", {"QWEN_CODE_SESSION_ID": "1"}, (NODE, NODE), "qwen-code"),
    "marks a model's shell passes on mean nothing": (
        "codex",
        b"",
        {"CLAUDECODE": "1", "COPILOT_CLI": "1", "GEMINI_CLI": "1", "CLAUDE_PROJECT_DIR": "/x"},
        (),
        "codex",
    ),
    "nothing tells: the dialect's own": ("claude-code", b"", {}, (), "claude-code"),
    "nothing tells at the shared door": ("github", b"", {}, (), "vscode"),
    "without time only Claude and Codex": ("claude-code", AMBIGUOUS, {}, ("/usr/share/code/code",), "claude-code"),
    "codex without a transcript": ("codex", {**AMBIGUOUS, "transcript_path": None}, {}, (), "codex"),
    "VS Code without a session file": (
        "github",
        {"timestamp": "t", **AMBIGUOUS},
        {},
        (),
        "vscode",
    ),
    "copilot begins with the event's name": ("github", {**AMBIGUOUS, "timestamp": "t"}, {}, (), "copilot-cli"),
    "copilot's mark at an unclear payload": (
        "github",
        {"timestamp": "t", **AMBIGUOUS},
        {"COPILOT_HOOK_DIR": "/x"},
        (),
        "copilot-cli",
    ),
    "VS Code in its documented spelling": (
        "github",
        {"timestamp": "t", "hookEventName": "Stop", "sessionId": "s"},
        {},
        (),
        "vscode",
    ),
    "transcript in a home of its own": (
        "github",
        {**AMBIGUOUS, "timestamp": "t", "transcript_path": "/x/GitHub.copilot-chat/transcripts/s.jsonl"},
        {},
        (),
        "vscode",
    ),
}


@pytest.mark.parametrize(("door", "payload", "env", "exes", "client"), FOUND.values(), ids=FOUND)
def test_client_is_found(
    door: str, payload: dict[str, Any] | bytes, env: dict[str, str], exes: tuple[str, ...], client: str
) -> None:
    assert parsed(door, "UserPromptSubmit", payload, env=env, ancestors=chain(*exes)).client == client


def test_ancestors_are_not_read_when_the_payload_tells() -> None:
    def never() -> tuple[Process, ...]:
        raise AssertionError("/proc was read")

    asked = call("claude-code", "PreToolUse", b"")._replace(ancestors=never)
    for payload in ({"prompt_id": "p"}, {"session_id": "s"}, {"turn_id": "t"}, {"sessionId": "s"}):
        assert client_of(asked, payload, "claude-code")


def test_dialect_is_the_one_the_client_speaks() -> None:
    """Copilot through `.claude/settings.json`: Copilot's vocabulary and Copilot's answer, whatever the door says."""
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "t", "cwd": "/w"}
    event = parsed("claude-code", "PreToolUse", {**payload, "tool_name": "Write", "tool_input": {"path": "/w/a"}})
    assert (event.client, event.dialect, event.targets) == ("copilot-cli", "github", ("/w/a",))


def test_documented_vscode_spelling_is_read_whole() -> None:
    payload = {
        "timestamp": "t",
        "hookEventName": "PreToolUse",
        "sessionId": "s",
        "transcript_path": "/t",
        "tool_name": "read_file",
        "tool_input": {"filePath": "/w/a"},
        "tool_use_id": "u__vscode-1",
        "cwd": "/w",
    }
    event = parsed("github", "preToolUse", payload)
    assert (event.session, event.native, event.targets, event.tool_use_id) == ("s", "PreToolUse", ("/w/a",), "u")
