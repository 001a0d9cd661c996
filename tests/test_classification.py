"""SAFE and DESTRUCTIVE, for the document's names, for every tool of every client, and for what nobody knows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.classification import NAMES, NORMAL, SAFE_KINDS, kind_of, normalized, risk
from jackline.clients.specs import DIALECTS, tools_of
from jackline.model import KINDS, MUTATING, Event

RECORDED = Path(__file__).parent / "recorded"

DOCUMENT = {
    "read_file": "SAFE",
    "stat": "SAFE",
    "list": "SAFE",
    "list_files": "SAFE",
    "write_file": "DESTRUCTIVE",
    "write_to_file": "DESTRUCTIVE",
    "delete": "DESTRUCTIVE",
    "exec_bash": "DESTRUCTIVE",
    "execute_command": "DESTRUCTIVE",
    "apply_diff": "DESTRUCTIVE",
    "apply_patch": "DESTRUCTIVE",
    "edit_file": "DESTRUCTIVE",
    "search_and_replace": "DESTRUCTIVE",
    "search_replace": "DESTRUCTIVE",
    "insert_content": "DESTRUCTIVE",
    "replace_in_file": "DESTRUCTIVE",
    "use_mcp_tool": "DESTRUCTIVE",
    "mcp_tool_use": "DESTRUCTIVE",
}


@pytest.mark.parametrize("tool", DOCUMENT)
def test_the_documents_own_names(tool: str) -> None:
    for kind in ("", "other"):
        assert risk(Event("PreToolUse", tool=tool, kind=kind)) == DOCUMENT[tool]


def test_every_kind_has_a_class_and_what_can_change_something_is_never_safe() -> None:
    assert SAFE_KINDS.isdisjoint(MUTATING)
    assert SAFE_KINDS | set(MUTATING) == set(KINDS)
    for kind in KINDS:
        expected = "DESTRUCTIVE" if kind in MUTATING else "SAFE"
        assert risk(Event("PreToolUse", tool="anything", kind=kind)) == expected
    assert set(NORMAL) == set(KINDS) - {"other"}


VOCABULARIES = [(dialect, tool, row[0]) for dialect in DIALECTS for tool, row in sorted(tools_of(dialect).items())]


@pytest.mark.parametrize(("dialect", "tool", "kind"), VOCABULARIES, ids=lambda value: str(value))
def test_a_tool_is_of_one_class_by_its_spec_and_by_its_name(dialect: str, tool: str, kind: str) -> None:
    by_adapter = risk(Event("PreToolUse", tool=tool, kind=kind))
    assert risk(Event("PreToolUse", tool=tool)) == by_adapter
    assert normalized(tool, kind) == normalized(tool)


STRANGE = (
    "mcp__fs__read_file",
    "mcp__memo__remember",
    "mcp_fs_list_files",
    "MCP:read_file",
    "fs/read_file",
    "@fs/read",
    "Frobnicate",
    "read_file ",
    "READ_FILE",
    "",
)


@pytest.mark.parametrize("tool", STRANGE)
def test_unknown_tools_and_servers_are_not_safe(tool: str) -> None:
    for kind in ("", "mcp", "other"):
        assert risk(Event("PreToolUse", tool=tool, kind=kind)) == "DESTRUCTIVE"


@given(st.text())
def test_a_name_that_no_table_holds_is_not_safe(tool: str) -> None:
    known = {one for _, one, _ in VOCABULARIES} | set(NAMES)
    assert tool in known or risk(Event("PreToolUse", tool=tool)) == "DESTRUCTIVE"


@pytest.mark.parametrize(
    "hints", [{"destructiveHint": True}, {"readOnlyHint": False}, {"readOnlyHint": True, "destructiveHint": True}]
)
def test_hints_make_stricter(hints: dict[str, Any]) -> None:
    assert risk(Event("PreToolUse", tool="read_file", kind="read"), hints) == "DESTRUCTIVE"


def test_hints_never_make_safe() -> None:
    for kind in MUTATING:
        event = Event("PreToolUse", tool="fs/read_file", kind=kind)
        assert risk(event, {"readOnlyHint": True, "destructiveHint": False}) == "DESTRUCTIVE"
    assert risk(Event("PreToolUse", tool="x"), {"readOnlyHint": True}) == "DESTRUCTIVE"


def recorded() -> dict[str, str]:
    """Native tool names in recorded payloads, with the file of each."""
    found: dict[str, str] = {}

    def walk(value: Any, where: str) -> None:
        if isinstance(value, dict):
            for key in ("tool_name", "toolName"):
                if isinstance(value.get(key), str):
                    found.setdefault(value[key], where)
            for one in value.values():
                walk(one, where)
        elif isinstance(value, list):
            for one in value:
                walk(one, where)

    for path in sorted(RECORDED.rglob("*.json")):
        try:
            walk(json.loads(path.read_text()), str(path.relative_to(RECORDED)))
        except ValueError:
            continue
    return found


READING = {
    "Glob", "Grep", "Read", "ToolSearch", "glob", "grep", "grep_search", "read_file", "read_files", "search_codebase",
    "view", "list_dir", "search_files", "read",
}  # fmt: skip
CHANGING = {
    "Agent", "Bash", "Edit", "Write", "agent", "apply_patch", "bash", "create", "create_file", "edit", "editor",
    "mcp__memo__remember", "multi_replace_string_in_file", "replace", "replace_string_in_file", "runSubagent",
    "run_commands", "run_in_terminal", "run_shell_command", "spawn_agent", "task", "write_file",
    "write", "Create", "Execute", "Task", "delegate_task", "patch", "terminal",
}  # fmt: skip


def test_every_recorded_tool_has_its_class() -> None:
    tools = recorded()
    assert len(tools) >= 25
    for tool in tools:
        expected = "SAFE" if tool in READING else "DESTRUCTIVE"
        assert tool in READING or tool in CHANGING or kind_of(tool) == "mcp", f"{tool}: name it in READING or CHANGING"
        assert risk(Event("PreToolUse", tool=tool)) == expected, tool


@pytest.mark.parametrize(
    ("tool", "kind", "name"),
    [
        ("write_file", "", "write_to_file"),
        ("write_to_file", "", "write_to_file"),
        ("Write", "write", "write_to_file"),
        ("exec_bash", "", "execute_command"),
        ("Bash", "shell", "execute_command"),
        ("list", "", "list_files"),
        ("stat", "", "stat"),
        ("delete", "", "delete"),
        ("apply_patch", "edit", "apply_patch"),
        ("Edit", "edit", "edit_file"),
        ("fs/read", "mcp", "use_mcp_tool"),
        ("Frobnicate", "other", "Frobnicate"),
    ],
)
def test_names_are_told_in_the_documents_words(tool: str, kind: str, name: str) -> None:
    assert normalized(tool, kind) == name
