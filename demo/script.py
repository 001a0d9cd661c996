"""What is played: each client's recorded payloads joined into one session, then three calls with three ends.

An outcome is what the log says was decided and what the answer holds. Every payload has one here, written by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from jackline.clients.specs import SPECS

RECORDED = Path(__file__).resolve().parent.parent / "tests/recorded"

CLIENTS = {
    "claude-code": ("claude-code", "recorded from Claude Code 2.1.330"),
    "codex": ("codex", "recorded from Codex 0.169.0"),
    "vscode": ("vscode", "from source: VS Code was not run"),
    "copilot-cli": ("copilot-cli/pascal", "recorded from Copilot CLI 1.0.102"),
    **{
        name: (name, f"recorded from {SPECS[name].title} {SPECS[name].version}")
        for name in SPECS
        if name not in ("claude-code", "codex", "vscode", "copilot-cli")
    },
}

ORDER = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure",
    "SubagentStart", "SubagentStop", "Notification", "PreCompact", "PostCompact", "Error", "Interrupt", "Stop",
    "SessionEnd",
)  # fmt: skip
"""The order of a session, in our words; what is in none of these is not registered with any client."""

OTHERWISE = {
    ("claude-code", "PreToolUse-Grep.json"): "rewrite",
    ("copilot-cli", "PreToolUse.Grep.json"): "rewrite",
    ("factory-droid", "PreToolUse.Grep.json"): "rewrite",
}
"""Recorded searches over a whole project: Jackline caps them."""
REFUSED = ".refused.json"
"""How a recorded call ends that was refused when it was recorded. All other recorded payloads pass."""


class Step(NamedTuple):
    """One payload to play. `expected`: allow | deny | rewrite."""

    client: str
    event: str
    name: str
    payload: dict[str, Any]
    expected: str


def _event(name: str) -> str:
    return name.replace(".", "-").split("-")[0]


def canonical(client: str, event: str) -> str:
    """A client's event in our words."""
    return SPECS[client].native.get(event, event)


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
    paths = [path for path in sorted((RECORDED / folder).glob("*.json")) if path.name != "_env.json"]
    held = {path.name: json.loads(path.read_text()) for path in paths}
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
        if canonical(client, event) not in ORDER:
            left.append(name)
            continue
        expected = OTHERWISE.get((client, name), "deny" if name.endswith(REFUSED) else "allow")
        steps.append(Step(client, event, name, _mapped(payload, places), expected))
    paired = {"PostToolUse": "PreToolUse", "PostToolUseFailure": "PreToolUse", "PermissionRequest": "PreToolUse"}

    def place(step: Step) -> tuple[int, str, int]:
        ours = canonical(step.client, step.event)
        return ORDER.index(paired.get(ours, ours)), _subject(step), ORDER.index(ours)

    return sorted(steps, key=place), left


def _subject(step: Step) -> str:
    name, given = call_of(step.payload)
    return f"{name}{json.dumps(given)}"


def call_of(payload: dict[str, Any]) -> tuple[str, Any]:
    """The tool of a payload and its input, wherever they stand."""
    inner = payload.get("tool_call") or payload.get("tool_result") or {}
    return str(payload.get("tool_name") or inner.get("name", "")), payload.get("tool_input") or inner.get("input", "")


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
    "opencode": (
        ("bash", {"command": "rm .opencode/plugin/jackline.js", "description": "clean up"}, "deny"),
        ("bash", {"command": "rg alpha", "description": "look everywhere"}, "rewrite"),
        ("read", {"filePath": "{root}/src/app/main.py"}, "allow"),
    ),
    "kilo": (
        ("bash", {"command": "rm -rf ~/.config/kilo", "description": "clean up"}, "deny"),
        ("bash", {"command": "rg alpha", "description": "look everywhere"}, "rewrite"),
        ("read", {"filePath": "{root}/src/app/main.py"}, "allow"),
    ),
    "pi": (
        ("edit", {"path": "~/.pi/agent/settings.json", "edits": [{"oldText": "a", "newText": "b"}]}, "deny"),
        ("bash", {"command": "rg alpha"}, "rewrite"),
        ("read", {"path": "{root}/src/app/main.py"}, "allow"),
    ),
    "gemini-cli": (
        ("replace", {"file_path": "~/.gemini/settings.json", "old_string": "a", "new_string": "b"}, "deny"),
        ("run_shell_command", {"command": "rg alpha", "description": "look everywhere"}, "rewrite"),
        ("read_file", {"file_path": "{root}/src/app/main.py"}, "allow"),
    ),
    "qwen-code": (
        ("run_shell_command", {"command": "rm -rf ~/.qwen", "description": "clean up"}, "deny"),
        ("run_shell_command", {"command": "rg alpha", "description": "look everywhere"}, "deny"),
        ("read_file", {"file_path": "{root}/src/app/main.py"}, "allow"),
    ),
    "cline": (
        ("run_commands", {"commands": ["echo hi", "rm ~/.cline/hooks/PreToolUse"]}, "deny"),
        ("editor", {"path": "{root}/.clinerules/hooks/PreToolUse", "new_text": "x"}, "deny"),
        ("read_files", {"files": [{"path": "{root}/src/app/main.py"}]}, "allow"),
    ),
    "factory-droid": (
        ("Edit", {"file_path": "{root}/.factory/hooks.json", "old_str": "a", "new_str": "b"}, "deny"),
        ("Execute", {"command": "rg alpha", "summary": "look everywhere"}, "rewrite"),
        ("Read", {"file_path": "{root}/src/app/main.py"}, "allow"),
    ),
    "kimi-code": (
        ("Bash", {"command": "sed -i s/a/b/ ~/.kimi-code/config.toml"}, "deny"),
        ("Bash", {"command": "rg alpha"}, "deny"),
        ("Read", {"path": "{root}/src/app/main.py"}, "allow"),
    ),
    "hermes-agent": (
        ("write_file", {"path": "~/.hermes/config.yaml", "content": "x"}, "deny"),
        ("terminal", {"command": "rg alpha"}, "deny"),
        ("read_file", {"path": "{root}/src/app/main.py"}, "allow"),
    ),
}
"""Three calls per client: what is refused, what is narrowed (refused where a client cannot carry that), what passes."""


def ends(client: str, root: Path, like: Step) -> list[Step]:
    """The three last calls, in the shape of a recorded one."""
    made = []
    for number, (tool, given, expected) in enumerate(ENDS[client]):
        placed = {key: _mapped(value, {"{root}": str(root)}) for key, value in given.items()}
        inner = like.payload.get("tool_call")
        if inner:
            payload = {**like.payload, "tool_call": {**inner, "id": f"end_{number}", "name": tool, "input": placed}}
        else:
            payload = {**like.payload, "tool_name": tool, "tool_input": placed}
        for key in ("tool_use_id", "tool_call_id"):
            if key in payload:
                payload[key] = f"end_{number}"
        made.append(Step(client, like.event, f"end {number + 1} of 3", payload, expected))
    return made
