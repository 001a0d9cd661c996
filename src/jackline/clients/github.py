"""The dialect of `.github/hooks`: Copilot CLI as measured on 1.0.102 and VS Code from its source, one file for both.

Every answer is written twice, at the top and in `hookSpecificOutput`, since each client reads the other place
(contract copilot-gemini-qwen-cline-vscode, section 0); an entry with a camel-case name gets the top form only.
"""

from __future__ import annotations

from jackline.clients.answers import answer, said, told
from jackline.clients.payload import PATCH_START, again, begin, describe, text, tool_input
from jackline.wire import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.clients.payload import Vocabulary
    from jackline.model import Answer, Event, Verdict
    from jackline.runtime.request import Request

DIALECT = "github"

SNAKE = {
    "sessionId": "session_id",
    "transcriptPath": "transcript_path",
    "hookEventName": "hook_event_name",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolInput": "tool_input",
    "toolResult": "tool_result",
    "toolUseId": "tool_use_id",
    "toolResponse": "tool_response",
    "agentId": "agent_id",
    "agentType": "agent_type",
    "parentAgentId": "parent_agent_id",
    "stopHookActive": "stop_hook_active",
    "errorContext": "error_context",
    "notificationType": "notification_type",
}

# tool: kind, command, paths, query, patch
VOCABULARY: Vocabulary = {
    # VS Code
    "run_in_terminal": ("shell", "command", (), "", ""),
    "send_to_terminal": ("shell", "command", (), "", ""),
    "create_and_run_task": ("shell", "task", (), "", ""),
    "get_terminal_output": ("read", "", (), "", ""),
    "terminal_last_command": ("read", "", (), "", ""),
    "terminal_selection": ("read", "", (), "", ""),
    "get_task_output": ("read", "", (), "", ""),
    "create_file": ("write", "", ("filePath",), "", ""),
    "create_directory": ("write", "", ("dirPath",), "", ""),
    "create_new_jupyter_notebook": ("notebook", "", ("filePath",), "", ""),
    "replace_string_in_file": ("edit", "", ("filePath",), "", ""),
    "multi_replace_string_in_file": ("edit", "", ("replacements",), "", ""),
    "insert_edit_into_file": ("edit", "", ("filePath",), "", ""),
    "edit_files": ("edit", "", ("files",), "", ""),
    "edit_notebook_file": ("notebook", "", ("filePath",), "", ""),
    "run_notebook_cell": ("notebook", "", ("filePath",), "", ""),
    "copilot_getNotebookSummary": ("read", "", ("filePath",), "", ""),
    "read_notebook_cell_output": ("read", "", ("filePath",), "", ""),
    "memory": ("edit", "", ("path", "old_path", "new_path"), "", ""),
    "read_file": ("read", "", ("filePath",), "", ""),
    "view_image": ("read", "", ("filePath", "path"), "", ""),
    "get_errors": ("read", "", ("filePaths",), "", ""),
    "get_changed_files": ("read", "", (), "", ""),
    "testFailure": ("read", "", (), "", ""),
    "test_failure": ("read", "", (), "", ""),
    "get_vscode_api": ("read", "", (), "query", ""),
    "get_project_setup_info": ("read", "", (), "", ""),
    "tool_search": ("read", "", (), "query", ""),
    "list_dir": ("list", "", ("path",), "", ""),
    "read_project_structure": ("list", "", (), "", ""),
    "file_search": ("search", "", (), "query", ""),
    "grep_search": ("search", "", (), "query", ""),
    "semantic_search": ("search", "", (), "query", ""),
    "test_search": ("search", "", ("filePaths",), "", ""),
    "search_workspace_symbols": ("search", "", (), "symbolName", ""),
    "list_code_usages": ("search", "", ("filePaths",), "symbolName", ""),
    "get_search_view_results": ("search", "", (), "", ""),
    "fetch_webpage": ("fetch", "", (), "urls", ""),
    "github_repo": ("fetch", "", (), "query", ""),
    "github_text_search": ("fetch", "", (), "query", ""),
    "open_simple_browser": ("browser", "", (), "url", ""),
    "open_browser_page": ("browser", "", (), "url", ""),
    "navigate_page": ("browser", "", (), "url", ""),
    "read_page": ("browser", "", (), "", ""),
    "click_element": ("browser", "", (), "", ""),
    "hover_element": ("browser", "", (), "", ""),
    "drag_element": ("browser", "", (), "", ""),
    "type_in_page": ("browser", "", (), "", ""),
    "handle_dialog": ("browser", "", (), "", ""),
    "screenshot_page": ("browser", "", (), "", ""),
    "run_playwright_code": ("browser", "", (), "", ""),
    "runSubagent": ("subagent", "", (), "", ""),
    "search_subagent": ("subagent", "", (), "query", ""),
    "explore_subagent": ("subagent", "", (), "", ""),
    "execution_subagent": ("subagent", "", (), "", ""),
    "vscode_askQuestions": ("question", "", (), "", ""),
    "vscode_get_confirmation": ("question", "", (), "", ""),
    "vscode_get_confirmation_with_options": ("question", "", (), "", ""),
    "vscode_get_terminal_confirmation": ("question", "", (), "", ""),
    "vscode_reviewPlan": ("plan", "", (), "", ""),
    "manage_todo_list": ("todo", "", (), "", ""),
    # both
    "apply_patch": ("edit", "", (), "", "input"),
    # Copilot CLI, camel case
    "bash": ("shell", "command", (), "", ""),
    "powershell": ("shell", "command", (), "", ""),
    "write_bash": ("shell", "input", (), "", ""),
    "write_powershell": ("shell", "input", (), "", ""),
    "read_bash": ("read", "", (), "", ""),
    "read_powershell": ("read", "", (), "", ""),
    "list_bash": ("read", "", (), "", ""),
    "list_powershell": ("read", "", (), "", ""),
    "create": ("write", "", ("path", "file_path"), "", ""),
    "edit": ("edit", "", ("path", "file_path"), "", ""),
    "str_replace_editor": ("edit", "", ("path",), "", ""),
    "view": ("read", "", ("path",), "", ""),
    "grep": ("search", "", ("path", "paths"), "pattern", ""),
    "glob": ("search", "", ("path", "paths"), "pattern", ""),
    "rg": ("search", "", ("path", "paths"), "pattern", ""),
    "web_fetch": ("fetch", "", (), "url", ""),
    "web_search": ("fetch", "", (), "query", ""),
    "task": ("subagent", "", (), "", ""),
    "ask_user": ("question", "", (), "", ""),
    "update_todo": ("todo", "", (), "", ""),
    "report_intent": ("todo", "", (), "", ""),
    "exit_plan_mode": ("plan", "", (), "", ""),
    # Copilot CLI, Pascal case: Claude's names with Copilot's arguments
    "Bash": ("shell", "command", (), "", ""),
    "PowerShell": ("shell", "command", (), "", ""),
    "Write": ("write", "", ("path", "file_path"), "", ""),
    "Edit": ("edit", "", ("path", "file_path"), "", ""),
    "Read": ("read", "", ("path", "file_path"), "", ""),
    "Grep": ("search", "", ("path", "paths"), "pattern", ""),
    "Glob": ("search", "", ("path", "paths"), "pattern", ""),
    "WebFetch": ("fetch", "", (), "url", ""),
    "WebSearch": ("fetch", "", (), "query", ""),
    "Agent": ("subagent", "", (), "", ""),
    "AskUserQuestion": ("question", "", (), "", ""),
    "TodoWrite": ("todo", "", (), "", ""),
    "ExitPlanMode": ("plan", "", (), "", ""),
}

CAMEL_ALWAYS = ("PermissionRequest", "SubagentStart")
"""Copilot sends these in camel case under a Pascal-case entry too."""
TAIL = "__vscode-"
"""What VS Code adds to the model's call id, anew for every event."""
EXITED = "completed with exit code "
DECISIONS = {"deny": "deny", "ask": "ask", "approve": "allow"}
BLOCKING = ("UserPromptSubmit", "PostToolUse")
TURN_END = ("Stop", "SubagentStop")
LISTENING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart")


def _outcome(event: Event) -> str:
    """VS Code runs this event for tools that succeeded only; Copilot calls a failed shell command a success."""
    result = event.response
    if type(result) is not dict:
        return "" if event.kind == "shell" else "ok"
    kind = result.get("result_type") or result.get("resultType")
    if kind != "success":
        return "error" if type(kind) is str else ""
    shown = result.get("text_result_for_llm") or result.get("textResultForLlm")
    if event.kind == "shell" and type(shown) is str:
        last = shown.rstrip().rpartition("\n")[2]
        if EXITED in last:
            return "ok" if last.rpartition(EXITED)[2].rstrip(">") == "0" else "error"
    return "ok"


def _arguments(given: str, tool: str) -> Any:
    """Arguments sent as text: JSON, or the one free-form argument of a shell or a patch."""
    try:
        value = loads(given)
    except (ValueError, RecursionError):
        value = given
    if type(value) is dict:
        return value
    known = VOCABULARY.get(tool)
    if known and known[1]:
        return {known[1]: given}
    return {"input": given} if (known and known[4]) or PATCH_START in given else given


def _tool(event: Event, fields: dict[str, Any], faults: list[str]) -> None:
    tool = text(fields, "tool_name", faults)
    given = fields.get("tool_input")
    if type(given) is str:
        fields = {**fields, "tool_input": _arguments(given, tool)}
    describe(event, tool, tool_input(fields, faults), VOCABULARY)
    event.tool_use_id = text(fields, "tool_use_id", faults).partition(TAIL)[0]
    if event.name == "PostToolUse":
        event.response = fields["tool_result"] if "tool_result" in fields else fields.get("tool_response")
        event.outcome = _outcome(event)
    elif event.name == "PostToolUseFailure":
        event.response = fields.get("error")
        event.outcome = "error"


def parse(request: Request, client: str, payload: dict[str, Any], faults: list[str]) -> Event:
    """One event of VS Code or Copilot CLI, whatever configuration they read it from. Never raises."""
    fields = payload
    if "sessionId" in payload or "hookEventName" in payload or "toolName" in payload:
        fields = {SNAKE.get(key, key): value for key, value in payload.items()}
    event = begin(request, DIALECT, client, payload, fields, faults)
    parent = text(fields, "parent_agent_id", faults)
    if parent != event.session:
        event.parent_session = parent
    if "tool_name" in fields:
        _tool(event, fields, faults)
    event.fault = "; ".join(faults)
    return event


def rewritten(event: Event, given: Mapping[str, Any]) -> Event:
    """What `event` would be with `given` for its tool's input, for those who judge a rewrite."""
    return again(event, given, VOCABULARY)


def _camel(event: Event) -> bool:
    """Whether the entry's name is camel case: Copilot then reads the top form only, and VS Code never sends it so."""
    if event.client != "copilot-cli":
        return False
    return event.native[:1].islower() or (
        "sessionId" in event.payload and event.name not in CAMEL_ALWAYS and "hook_event_name" not in event.payload
    )


def _permission(event: Event, verdict: Verdict) -> dict[str, Any]:
    if verdict.decision == "approve":
        return {"behavior": "allow"}
    if verdict.decision == "deny":
        return {"behavior": "deny", "message": said(event, verdict)}
    return {}


def _decided(event: Event, verdict: Verdict) -> tuple[dict[str, Any], dict[str, Any]]:
    """The decision in its (top, nested) forms."""
    top: dict[str, Any] = {}
    nested: dict[str, Any] = {}
    if event.name == "PermissionRequest":
        top = _permission(event, verdict)
    elif event.name == "PreToolUse":
        if verdict.decision in DECISIONS:
            top["permissionDecision"] = DECISIONS[verdict.decision]
            if verdict.reason or verdict.decision != "approve":
                top["permissionDecisionReason"] = said(event, verdict)
        nested = dict(top)
        if verdict.updated_input is not None and verdict.decision != "deny":
            top["modifiedArgs"] = nested["updatedInput"] = dict(verdict.updated_input)
    elif verdict.decision == "block" and event.name in BLOCKING:
        top = {"decision": "block", "reason": said(event, verdict)}
    elif verdict.decision == "block" and event.name in TURN_END:
        top = {"decision": "block", "reason": said(event, verdict)}
        nested = dict(top)
    return top, nested


def render(event: Event, verdict: Verdict) -> Answer:
    """The bytes both clients take for `verdict`, which `degrade` has fitted to the one found. Never `stopReason`:
    alone it aborts the request on VS Code."""
    body, nested = _decided(event, verdict)
    if verdict.context and event.name in LISTENING:
        body["additionalContext"] = nested["additionalContext"] = told(event, verdict)
    if nested and not _camel(event):
        body["hookSpecificOutput"] = {"hookEventName": event.name, **nested}
    if verdict.notes and event.client == "vscode" and event.name:
        body["systemMessage"] = "\n".join(verdict.notes)
    return answer(body)
