"""What is played: each client's recorded payloads joined into one session, then three calls with three ends.

An outcome is what the log says was decided and what the answer holds. Every payload has one here, written by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

RECORDED = Path(__file__).resolve().parent.parent / "tests/recorded"

CLIENTS = {
    "claude-code": ("claude-code", "recorded from Claude Code 2.1.330"),
    "codex": ("codex", "recorded from Codex 0.169.0"),
    "vscode": ("vscode", "from source: VS Code was not run"),
    "copilot-cli": ("copilot-cli/pascal", "recorded from Copilot CLI 1.0.102"),
}

ORDER = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure",
    "SubagentStart", "SubagentStop", "Notification", "PreCompact", "PostCompact", "ErrorOccurred", "Interrupt", "Stop",
    "SessionEnd",
)  # fmt: skip
"""The order of a session; what is in none of these is not registered with any client."""

REWRITTEN = {("claude-code", "PreToolUse-Grep.json"), ("copilot-cli", "PreToolUse.Grep.json")}
"""Recorded searches over a whole project: Jackline caps them. All other recorded payloads pass."""


class Step(NamedTuple):
    """One payload to play. `expected`: allow | deny | rewrite."""

    client: str
    event: str
    name: str
    payload: dict[str, Any]
    expected: str


def _event(name: str) -> str:
    return name.replace(".", "-").split("-")[0]


def _mapped(value: Any, places: dict[str, str]) -> Any:
    """Paths and session ids of the recording become those of the scratch world."""
    if isinstance(value, str):
        for old, new in places.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, dict):
        return {key: _mapped(item, places) for key, item in value.items()}
    return [_mapped(item, places) for item in value] if isinstance(value, list) else value


def recorded(client: str, root: Path, home: Path) -> tuple[list[Step], list[str]]:
    """The steps of one client in a session's order, and the names of payloads whose event nobody registers."""
    folder, _ = CLIENTS[client]
    held = {path.name: json.loads(path.read_text()) for path in sorted((RECORDED / folder).glob("*.json"))}
    mains = {
        str(payload.get("session_id") or payload.get("sessionId"))
        for payload in held.values()
        if not payload.get("parent_agent_id") or payload.get("hook_event_name") in (None, "SubagentStop")
    } - {"None"}
    for payload in held.values():
        mains.discard(str(payload.get("agent_id")))
    places = {"/workspace/project": str(root), "/workspace": str(root), "/home/dev": str(home), "/home/user": str(home)}
    places |= dict.fromkeys(mains, f"demo-{client}")
    steps, left = [], []
    for name, payload in held.items():
        event = _event(name)
        if event not in ORDER:
            left.append(name)
            continue
        expected = "rewrite" if (client, name) in REWRITTEN else "allow"
        steps.append(Step(client, event, name, _mapped(payload, places), expected))
    paired = {"PostToolUse": "PreToolUse", "PostToolUseFailure": "PreToolUse", "PermissionRequest": "PreToolUse"}

    def place(step: Step) -> tuple[int, str, int]:
        return ORDER.index(paired.get(step.event, step.event)), _subject(step), ORDER.index(step.event)

    return sorted(steps, key=place), left


def _subject(step: Step) -> str:
    return f"{step.payload.get('tool_name', '')}{json.dumps(step.payload.get('tool_input', ''))}"


ENDS: dict[str, tuple[tuple[str, dict[str, Any], str], ...]] = {
    "claude-code": (
        ("Edit", {"file_path": "{root}/.claude/settings.json", "old_string": "a", "new_string": "b"}, "deny"),
        ("Bash", {"command": "rg alpha", "description": "look everywhere"}, "rewrite"),
        ("Read", {"file_path": "{root}/src/app/main.py"}, "allow"),
    ),
    "codex": (
        ("Bash", {"command": "sed -i s/a/b/ ~/.codex/hooks.json"}, "deny"),
        ("Bash", {"command": "rg alpha"}, "rewrite"),
        ("Bash", {"command": "cat src/app/main.py"}, "allow"),
    ),
    "vscode": (
        ("create_file", {"filePath": "{root}/.github/hooks/mine.json", "content": "{}"}, "deny"),
        ("grep_search", {"query": "alpha", "isRegexp": False}, "rewrite"),
        ("read_file", {"filePath": "{root}/src/app/main.py", "startLine": 1, "endLine": 5}, "allow"),
    ),
    "copilot-cli": (
        ("Bash", {"command": "rm -rf .ai", "description": "clean up"}, "deny"),
        ("Bash", {"command": "rg alpha", "description": "look everywhere"}, "rewrite"),
        ("Read", {"path": "{root}/src/app/main.py"}, "allow"),
    ),
}
"""Three calls per client: what is refused, what is narrowed, what passes."""


def ends(client: str, root: Path, like: Step) -> list[Step]:
    """The three last calls, in the shape of a recorded one."""
    made = []
    for number, (tool, given, expected) in enumerate(ENDS[client]):
        placed = {key: _mapped(value, {"{root}": str(root)}) for key, value in given.items()}
        payload = {**like.payload, "tool_name": tool, "tool_input": placed}
        if "tool_use_id" in payload:
            payload["tool_use_id"] = f"end_{number}"
        made.append(Step(client, "PreToolUse", f"end {number + 1} of 3", payload, expected))
    return made
