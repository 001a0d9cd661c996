"""Claude Code's dialect, as measured on 2.1.330 (contract claude-code-and-codex, sections 2 and 3)."""

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

DIALECT = "claude-code"

# tool: kind, command, paths, query, patch
VOCABULARY: Vocabulary = {
    "Bash": ("shell", "command", (), "", ""),
    "PowerShell": ("shell", "command", (), "", ""),
    "Monitor": ("shell", "command", (), "", ""),
    "Write": ("write", "", ("file_path",), "", ""),
    "Edit": ("edit", "", ("file_path",), "", ""),
    "MultiEdit": ("edit", "", ("file_path",), "", ""),
    "NotebookEdit": ("notebook", "", ("notebook_path",), "", ""),
    "Read": ("read", "", ("file_path",), "", ""),
    "NotebookRead": ("read", "", ("notebook_path",), "", ""),
    "LSP": ("read", "", ("filePath", "file_path"), "", ""),
    "ToolSearch": ("read", "", (), "query", ""),
    "TaskOutput": ("read", "", (), "", ""),
    "BashOutput": ("read", "", (), "", ""),
    "ListMcpResourcesTool": ("read", "", (), "", ""),
    "ReadMcpResourceTool": ("read", "", (), "uri", ""),
    "Grep": ("search", "", ("path",), "pattern", ""),
    "Glob": ("search", "", ("path",), "pattern", ""),
    "LS": ("list", "", ("path",), "", ""),
    "WebFetch": ("fetch", "", (), "url", ""),
    "WebSearch": ("fetch", "", (), "query", ""),
    "Agent": ("subagent", "", (), "", ""),
    "Task": ("subagent", "", (), "", ""),
    "SendMessage": ("subagent", "", (), "", ""),
    "AskUserQuestion": ("question", "", (), "", ""),
    "TodoWrite": ("todo", "", (), "", ""),
    "TodoRead": ("todo", "", (), "", ""),
    "TaskCreate": ("todo", "", (), "", ""),
    "TaskUpdate": ("todo", "", (), "", ""),
    "TaskList": ("todo", "", (), "", ""),
    "TaskGet": ("todo", "", (), "", ""),
    "EnterPlanMode": ("plan", "", (), "", ""),
    "ExitPlanMode": ("plan", "", (), "", ""),
    # Qwen Code speaks this dialect with its own tool names
    "run_shell_command": ("shell", "command", (), "", ""),
    "write_file": ("write", "", ("file_path",), "", ""),
    "edit": ("edit", "", ("file_path",), "", ""),
    "read_file": ("read", "", ("file_path",), "", ""),
    "grep_search": ("search", "", ("path",), "pattern", ""),
    "glob": ("search", "", ("path",), "pattern", ""),
    "list_directory": ("list", "", ("path",), "", ""),
    "web_fetch": ("fetch", "", (), "url", ""),
    "agent": ("subagent", "", (), "", ""),
}

DECISIONS = {"deny": "deny", "ask": "ask", "approve": "allow"}
BLOCKING = ("UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SubagentStop")
LISTENING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart")
"""Events whose context reaches the model without other effect (on Stop it would start another turn)."""


def _outcome(event: Event, payload: dict[str, Any]) -> None:
    if event.name == "PostToolUse":
        event.response = payload.get("tool_response")
        cut_off = type(event.response) is dict and event.response.get("interrupted") is True
        event.outcome = "error" if cut_off else "ok"
    elif event.name == "PostToolUseFailure":
        event.response = payload.get("error")
        event.outcome = "error"


def parse(request: Request, client: str, payload: dict[str, Any], faults: list[str]) -> Event:
    """One event of Claude Code, or of a client that reads its configuration. Never raises."""
    event = begin(request, DIALECT, client, payload, payload, faults)
    if "tool_name" in payload:
        describe(event, text(payload, "tool_name", faults), tool_input(payload, faults), VOCABULARY)
        # Qwen makes up a tool_use_id per event and keeps the model's here
        key = "tool_call_id" if "tool_call_id" in payload else "tool_use_id"
        event.tool_use_id = text(payload, key, faults)
        _outcome(event, payload)
    event.fault = "; ".join(faults)
    return event


def rewritten(event: Event, given: Mapping[str, Any]) -> Event:
    """What `event` would be with `given` for its tool's input, for those who judge a rewrite."""
    return again(event, given, VOCABULARY)


def _before_tool(event: Event, verdict: Verdict, specific: dict[str, Any]) -> None:
    if verdict.decision in DECISIONS:
        specific["permissionDecision"] = DECISIONS[verdict.decision]
        if verdict.reason or verdict.decision != "approve":
            specific["permissionDecisionReason"] = said(event, verdict)
    if verdict.updated_input is not None and verdict.decision != "deny":
        specific["updatedInput"] = dict(verdict.updated_input)


def _permission(event: Event, verdict: Verdict, specific: dict[str, Any]) -> None:
    if verdict.decision == "approve":
        specific["decision"] = {"behavior": "allow"}
    elif verdict.decision == "deny":
        specific["decision"] = {"behavior": "deny", "message": said(event, verdict)}


def render(event: Event, verdict: Verdict) -> Answer:
    """The bytes Claude Code takes for `verdict`, which `degrade` has fitted to it."""
    body: dict[str, Any] = {}
    specific: dict[str, Any] = {"hookEventName": event.name}
    if event.name == "PreToolUse":
        _before_tool(event, verdict, specific)
    elif event.name == "PermissionRequest":
        _permission(event, verdict, specific)
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
