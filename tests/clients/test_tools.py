"""What a tool call is about: kind, command, targets, query and patch, in each client's own words."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.clients.router import codec
from jackline.clients.specs import SPECS
from jackline.model import KINDS, Event
from jackline.patches import patched_files

from .calls import parsed, tool


def about(event: Event) -> tuple[str, str, str, tuple[str, ...], str]:
    return (event.kind, event.tool, event.command, event.targets, event.query)


PATCH = """*** Begin Patch
*** Update File: src/app.py
*** Move to: src/main.py
@@
-old *** Delete File: no.txt
+new
*** Add File: src/new.py
+*** Add File: not-this.txt
*** Delete File: src/gone.py
*** Update File: with blanks in it.txt
@@
 x
*** End Patch
"""
FILES = ("src/app.py", "src/main.py", "src/new.py", "src/gone.py", "with blanks in it.txt")

CALLS: dict[str, tuple[str, str, dict[str, Any], tuple[str, str, str, tuple[str, ...], str]]] = {
    "notebook": (
        "claude-code",
        "NotebookEdit",
        {"notebook_path": "/w/n.ipynb", "new_source": "x"},
        ("notebook", "NotebookEdit", "", ("/w/n.ipynb",), ""),
    ),
    "web": ("claude-code", "WebFetch", {"url": "https://a.b"}, ("fetch", "WebFetch", "", (), "https://a.b")),
    "background shell": ("claude-code", "Monitor", {"command": "tail -f x"}, ("shell", "Monitor", "tail -f x", (), "")),
    "mcp": ("claude-code", "mcp__fs__write", {"path": "/w/a"}, ("mcp", "fs/write", "", ("/w/a",), "")),
    "mcp shell": (
        "claude-code",
        "mcp__sh__run",
        {"command": "rm", "args": ["-rf", "/ x"]},
        ("mcp", "sh/run", "rm -rf '/ x'", (), ""),
    ),
    "mcp without a tool": ("claude-code", "mcp__odd", {}, ("mcp", "mcp__odd", "", (), "")),
    "mcp with more underscores": ("codex", "mcp__a_b__c__d", {}, ("mcp", "a_b/c__d", "", (), "")),
    "mcp of VS Code": ("vscode", "mcp_github_create_issue", {}, ("mcp", "github/create_issue", "", (), "")),
    "wrapper": (
        "claude-code",
        "use_mcp_tool",
        {"server_name": "fs", "tool_name": "move", "arguments": '{"source": "a", "destination": "b"}'},
        ("mcp", "fs/move", "", ("a", "b"), ""),
    ),
    "wrapper with an object": (
        "vscode",
        "use_mcp_tool",
        {"server_name": "fs", "tool_name": "read", "arguments": {"paths": ["a", "b"]}},
        ("mcp", "fs/read", "", ("a", "b"), ""),
    ),
    "wrapper with nonsense": (
        "codex",
        "use_mcp_tool",
        {"server_name": "fs", "tool_name": "read", "arguments": "{"},
        ("mcp", "fs/read", "", (), ""),
    ),
    "unknown tool": ("codex", "zap", {"file": "a", "cmd": "b"}, ("other", "zap", "b", ("a",), "")),
    "unknown tool with a patch": (
        "codex",
        "patcher",
        {"diff": "*** Begin Patch\n*** Add File: a\n*** End Patch"},
        ("other", "patcher", "", ("a",), ""),
    ),
    "unknown tool with edits": (
        "claude-code",
        "edit_all",
        {"edits": [{"path": "a"}, {"file_path": "b"}, 7]},
        ("other", "edit_all", "", ("a", "b"), ""),
    ),
    "patch": ("codex", "apply_patch", {"command": PATCH}, ("edit", "apply_patch", "", FILES, "")),
    "patch of VS Code": ("vscode", "apply_patch", {"input": PATCH}, ("edit", "apply_patch", "", FILES, "")),
    "task": (
        "vscode",
        "create_and_run_task",
        {"workspaceFolder": "/w", "task": {"label": "x", "type": "shell", "command": "rm", "args": ["-rf", "a b"]}},
        ("shell", "create_and_run_task", "rm -rf 'a b'", (), ""),
    ),
    "unknown tool that wraps its call": (
        "codex",
        "zap",
        {"call": {"command": ["rm", "x"], "path": "/w/a"}},
        ("other", "zap", "rm x", ("/w/a",), ""),
    ),
    "argument vector": (
        "codex",
        "shell",
        {"command": ["bash", "-lc", "ls; rm x"]},
        ("shell", "shell", "bash -lc 'ls; rm x'", (), ""),
    ),
    "file address": (
        "vscode",
        "read_file",
        {"filePath": "file:///w/.ai/a%20b.md"},
        ("read", "read_file", "", ("/w/.ai/a b.md",), ""),
    ),
    "file address with a host": (
        "vscode",
        "read_file",
        {"filePath": "FILE://localhost/w/%zz%"},
        ("read", "read_file", "", ("/w/%zz%",), ""),
    ),
    "many replacements": (
        "vscode",
        "multi_replace_string_in_file",
        {"replacements": [{"filePath": "/a"}, {"filePath": "/b"}, {"filePath": "/a"}]},
        ("edit", "multi_replace_string_in_file", "", ("/a", "/b"), ""),
    ),
    "addresses": ("vscode", "fetch_webpage", {"urls": ["u", "v?a=b"]}, ("fetch", "fetch_webpage", "", (), "u v?a=b")),
    "typed into a terminal": (
        "vscode",
        "send_to_terminal",
        {"id": "1", "command": "y"},
        ("shell", "send_to_terminal", "y", (), ""),
    ),
    "browser": ("vscode", "open_browser_page", {"url": "u"}, ("browser", "open_browser_page", "", (), "u")),
    "paths of the wrong type": ("claude-code", "Read", {"file_path": 7}, ("read", "Read", "", (), "")),
    "empty path": ("claude-code", "Read", {"file_path": ""}, ("read", "Read", "", (), "")),
    "no name": ("claude-code", "", {}, ("other", "", "", (), "")),
}


@pytest.mark.parametrize(("door", "name", "given", "expected"), CALLS.values(), ids=CALLS)
def test_call_is_described(door: str, name: str, given: dict[str, Any], expected: tuple[object, ...]) -> None:
    event = tool(door, name, given)
    assert about(event) == expected
    assert event.input == given


def test_patch_lines_may_be_indented_but_content_is_content() -> None:
    assert patched_files("  *** Add File: a \r\n+*** Add File: b\n-*** Delete File: c") == ["a"]


def test_sub_agents_prompt_is_told() -> None:
    assert tool("claude-code", "Agent", {"prompt": "P", "subagent_type": "x"}).prompt == "P"
    assert tool("codex", "spawn_agent", {"message": "M"}).prompt == "M"


COPILOT = {
    "object": ("bash", {"command": "ls"}, ("shell", "ls", ())),
    "JSON text": ("bash", '{"command": "ls"}', ("shell", "ls", ())),
    "plain text is a command": ("bash", "ls -l", ("shell", "ls -l", ())),
    "plain text is a patch": ("apply_patch", "*** Begin Patch\n*** Add File: a\n", ("edit", "", ("a",))),
    "patch of an unknown tool": ("zap", "*** Begin Patch\n*** Add File: a\n", ("other", "", ("a",))),
    "file": ("create", '{"path": "/w/a", "file_text": ""}', ("write", "", ("/w/a",))),
    "typed into a shell": ("write_bash", {"input": "rm x"}, ("shell", "rm x", ())),
    "old editor": ("str_replace_editor", {"command": "create", "path": "/w/a"}, ("edit", "", ("/w/a",))),
}


@pytest.mark.parametrize(("name", "given", "expected"), COPILOT.values(), ids=COPILOT)
def test_copilots_arguments_may_be_text(name: str, given: Any, expected: tuple[str, str, tuple[str, ...]]) -> None:
    event = parsed("github", "preToolUse", {"sessionId": "s", "cwd": "/w", "toolName": name, "toolArgs": given})
    assert (event.kind, event.command, event.targets) == expected
    assert event.fault == ""


def test_copilots_text_for_a_tool_without_one_is_a_fault() -> None:
    event = parsed("github", "preToolUse", {"sessionId": "s", "cwd": "/w", "toolName": "view", "toolArgs": "x"})
    assert (event.input, event.fault) == ({}, "tool_input is not an object")


@pytest.mark.parametrize("client", SPECS)
def test_tools_are_of_our_kinds(client: str) -> None:
    for name, (kind, *_) in SPECS[client].tools.items():
        assert kind in KINDS, name
        assert kind not in ("mcp", "other"), name


def test_rewritten_event_is_described_anew() -> None:
    event = tool("codex", "apply_patch", {"command": PATCH})
    event.root = "/w"
    assert event.paths
    new = codec("codex").rewritten(event, {"command": "*** Begin Patch\n*** Add File: b\n*** End Patch"})
    assert (new.targets, new.paths, new.root, new.session) == (("b",), ("b",), "/w", "s")
    assert event.targets == FILES


def test_rewritten_mcp_call_keeps_its_name() -> None:
    event = tool("claude-code", "mcp__fs__write", {"path": "/w/a"})
    new = codec("claude-code").rewritten(event, {"path": "/w/b"})
    assert about(new) == ("mcp", "fs/write", "", ("/w/b",), "")


OUTCOMES: dict[str, tuple[str, str, dict[str, Any], Any, str]] = {
    "cut off": ("claude-code", "Bash", {"command": "x"}, {"interrupted": True}, "error"),
    "patch that failed": ("codex", "apply_patch", {"command": PATCH}, "Exit code: 1\nOutput:\n", "error"),
    "patch that went": ("codex", "apply_patch", {"command": PATCH}, "Exit code: 0\nOutput:\n", "ok"),
    "patch of another form": ("codex", "apply_patch", {"command": PATCH}, "Done", ""),
    "shell without a code": ("codex", "Bash", {"command": "x"}, "Exit code: 0\n", ""),
    "mcp error": ("codex", "mcp__a__b", {}, {"content": [], "isError": True}, "error"),
    "mcp": ("codex", "mcp__a__b", {}, {"content": []}, "ok"),
    "terminal of VS Code": ("vscode", "run_in_terminal", {"command": "x"}, "text", ""),
}


@pytest.mark.parametrize(("door", "name", "given", "response", "outcome"), OUTCOMES.values(), ids=OUTCOMES)
def test_outcome(door: str, name: str, given: dict[str, Any], response: Any, outcome: str) -> None:
    event = tool(door, name, given, "PostToolUse", tool_response=response)
    assert (event.outcome, event.response) == (outcome, response)


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"resultType": "success", "textResultForLlm": "x\n<shellId: 0 completed with exit code 0>"}, "ok"),
        ({"resultType": "success", "textResultForLlm": "<shellId: 0 completed with exit code 127>\n"}, "error"),
        ({"resultType": "success", "textResultForLlm": "completed with exit code 3>\nfine"}, "ok"),
        ({"resultType": "failure", "textResultForLlm": ""}, "error"),
        ({"resultType": 7}, ""),
        ("text", ""),
    ],
)
def test_copilots_failed_command_is_no_success(result: Any, outcome: str) -> None:
    payload = {"sessionId": "s", "cwd": "/w", "toolName": "bash", "toolArgs": {"command": "x"}, "toolResult": result}
    assert parsed("github", "postToolUse", payload).outcome == outcome


@pytest.mark.parametrize(
    ("tasks", "count"),
    [
        ([], 0),
        ([{"type": "subagent", "status": "running"}, {"type": "subagent", "status": "completed"}], 1),
        ([{"type": "shell", "status": "running"}], 0),
        ([{"status": "somehow"}], 1),
        (["x", 7, None], 0),
        ({"a": 1}, 0),
    ],
)
def test_background_counts_what_comes_back_to_the_agent(tasks: Any, count: int) -> None:
    payload = {"session_id": "s", "cwd": "/w", "hook_event_name": "Stop", "background_tasks": tasks}
    assert parsed("claude-code", "Stop", payload).background == count
