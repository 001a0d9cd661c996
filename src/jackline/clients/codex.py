"""Codex's dialect, as measured on 0.169.0 (contract claude-code-and-codex, sections 4, 5 and 9.1).

Codex drops an answer whole when one field of it is not to its taste, and then runs what was denied:
only fields that were measured together go together (tests/contract/measured.json).
"""

from __future__ import annotations

from jackline.clients.answers import answer, said, told
from jackline.clients.payload import again, begin, describe, text, tool_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.clients.payload import Vocabulary
    from jackline.model import Answer, Event, Verdict
    from jackline.runtime.request import Request

DIALECT = "codex"

# tool: kind, command, paths, query, patch
VOCABULARY: Vocabulary = {
    "Bash": ("shell", "command", (), "", ""),
    "apply_patch": ("edit", "", (), "", "command"),
    "shell": ("shell", "command", (), "", ""),
    "shell_command": ("shell", "command", (), "", ""),
    "local_shell": ("shell", "command", (), "", ""),
    "exec_command": ("shell", "cmd", (), "", ""),
    "write_stdin": ("shell", "chars", (), "", ""),
    "view_image": ("read", "", ("path",), "", ""),
    "read_file": ("read", "", ("file_path",), "", ""),
    "list_dir": ("list", "", ("dir_path",), "", ""),
    "grep_files": ("search", "", ("path",), "pattern", ""),
    "web_search": ("fetch", "", (), "query", ""),
    "list_mcp_resources": ("read", "", (), "", ""),
    "list_mcp_resource_templates": ("read", "", (), "", ""),
    "read_mcp_resource": ("read", "", (), "uri", ""),
    "spawn_agent": ("subagent", "", (), "", ""),
    "send_input": ("subagent", "", (), "", ""),
    "resume_agent": ("subagent", "", (), "", ""),
    "close_agent": ("subagent", "", (), "", ""),
    "wait": ("read", "", (), "", ""),
    "wait_agent": ("read", "", (), "", ""),
    "update_plan": ("todo", "", (), "", ""),
    "request_user_input": ("question", "", (), "", ""),
}

BLOCKING = ("UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop")
LISTENING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart")


def _outcome(event: Event) -> str:
    """Only patches and MCP results say how it went; a shell command's result has no exit code."""
    response = event.response
    if event.patch and type(response) is str and response.startswith("Exit code: "):
        return "ok" if response.startswith("Exit code: 0\n") else "error"
    if event.kind == "mcp" and type(response) is dict:
        return "error" if response.get("isError") is True else "ok"
    return ""


def parse(request: Request, client: str, payload: dict[str, Any], faults: list[str]) -> Event:
    """One event of Codex. Never raises."""
    event = begin(request, DIALECT, client, payload, payload, faults)
    if "tool_name" in payload:
        describe(event, text(payload, "tool_name", faults), tool_input(payload, faults), VOCABULARY)
        event.tool_use_id = text(payload, "tool_use_id", faults)
        if event.name == "PostToolUse":
            event.response = payload.get("tool_response")
            event.outcome = _outcome(event)
    event.fault = "; ".join(faults)
    return event


def rewritten(event: Event, given: Mapping[str, Any]) -> Event:
    """What `event` would be with `given` for its tool's input, for those who judge a rewrite."""
    return again(event, given, VOCABULARY)


def _before_tool(event: Event, verdict: Verdict) -> dict[str, Any]:
    if verdict.decision == "deny":
        return {"permissionDecision": "deny", "permissionDecisionReason": said(event, verdict)}
    if verdict.updated_input is not None:
        return {"permissionDecision": "allow", "updatedInput": dict(verdict.updated_input)}
    return {}


def _permission(event: Event, verdict: Verdict) -> dict[str, Any]:
    if verdict.decision == "approve":
        return {"decision": {"behavior": "allow"}}
    if verdict.decision == "deny":
        return {"decision": {"behavior": "deny", "message": said(event, verdict)}}
    return {}


def render(event: Event, verdict: Verdict) -> Answer:
    """The bytes Codex takes for `verdict`, which `degrade` has fitted to it."""
    body: dict[str, Any] = {}
    specific: dict[str, Any] = {"hookEventName": event.name}
    if event.name == "PreToolUse":
        specific.update(_before_tool(event, verdict))
    elif event.name == "PermissionRequest":
        specific.update(_permission(event, verdict))
    elif event.name in BLOCKING and verdict.decision == "block":
        body["decision"] = "block"
        body["reason"] = said(event, verdict)
    if verdict.context and event.name in LISTENING:
        specific["additionalContext"] = told(event, verdict)
    if len(specific) > 1:
        body["hookSpecificOutput"] = specific
    if verdict.notes and event.name:
        body["systemMessage"] = "\n".join(verdict.notes)
    return answer(body)
