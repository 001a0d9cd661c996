"""Answers in both places, for two clients that read one file (`.github/hooks`: Copilot CLI and VS Code).

Every answer is written twice, at the top and in `hookSpecificOutput`, since each client reads the other place
(contract copilot-gemini-qwen-cline-vscode, section 0); an entry with a camel-case name gets the top form only.
"""

from __future__ import annotations

from jackline.clients.answers import answer, context, reason
from jackline.clients.payload import PATCH_START, begin, describe, of_spec, text, tool_input, tool_of, with_input
from jackline.jsonio import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Answer, Event, Verdict
    from jackline.runtime.request import Request

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

CAMEL_ALWAYS = ("PermissionRequest", "SubagentStart")
"""Copilot sends these in camel case under a Pascal-case entry too."""
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


def _arguments(event: Event, given: str, tool: str) -> Any:
    """Arguments sent as text: JSON, or the one free-form argument of a shell or a patch."""
    try:
        value = loads(given)
    except (ValueError, RecursionError):
        value = given
    if type(value) is dict:
        return value
    known = tool_of(event, tool)
    if known and known[1]:
        return {known[1]: given}
    return {"input": given} if (known and known[4]) or PATCH_START in given else given


def _tool(event: Event, fields: dict[str, Any], faults: list[str]) -> None:
    tail = of_spec(event, "WIRE")["id_tail"]
    tool = text(fields, "tool_name", faults)
    given = fields.get("tool_input")
    if type(given) is str:
        fields = {**fields, "tool_input": _arguments(event, given, tool)}
    describe(event, tool, tool_input(fields, faults))
    event.tool_use_id = text(fields, "tool_use_id", faults)
    if tail:  # what the client adds to the model's call id, anew for every event
        event.tool_use_id = event.tool_use_id.partition(tail)[0]
    if event.name == "PostToolUse":
        event.response = fields["tool_result"] if "tool_result" in fields else fields.get("tool_response")
        event.outcome = _outcome(event)
    elif event.name == "PostToolUseFailure":
        event.response = fields.get("error")
        event.outcome = "error"


def parse(request: Request, dialect: str, client: str, payload: dict[str, Any], faults: list[str]) -> Event:
    """One event of VS Code or Copilot CLI, whatever configuration they read it from. Never raises."""
    fields = payload
    if "sessionId" in payload or "hookEventName" in payload or "toolName" in payload:
        fields = {SNAKE.get(key, key): value for key, value in payload.items()}
    event = begin(request, dialect, client, payload, fields, faults)
    parent = text(fields, "parent_agent_id", faults)
    if parent != event.session:
        event.parent_session = parent
    if "tool_name" in fields:
        _tool(event, fields, faults)
    event.fault = "; ".join(faults)
    return event


def rewritten(event: Event, given: Mapping[str, Any]) -> Event:
    """What `event` would be with `given` for its tool's input, for those who judge a rewrite."""
    return with_input(event, given)


def _camel(event: Event) -> bool:
    """Whether the entry's name is camel case: Copilot then reads the top form only, and VS Code never sends it so."""
    if not of_spec(event, "WIRE")["camel"]:
        return False
    return event.native[:1].islower() or (
        "sessionId" in event.payload and event.name not in CAMEL_ALWAYS and "hook_event_name" not in event.payload
    )


def _permission(event: Event, verdict: Verdict) -> dict[str, Any]:
    if verdict.decision == "approve":
        return {"behavior": "allow"}
    if verdict.decision == "deny":
        return {"behavior": "deny", "message": reason(event, verdict)}
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
                top["permissionDecisionReason"] = reason(event, verdict)
        nested = dict(top)
        if verdict.updated_input is not None and verdict.decision != "deny":
            top["modifiedArgs"] = nested["updatedInput"] = dict(verdict.updated_input)
    elif verdict.decision == "block" and event.name in BLOCKING:
        top = {"decision": "block", "reason": reason(event, verdict)}
    elif verdict.decision == "block" and event.name in TURN_END:
        top = {"decision": "block", "reason": reason(event, verdict)}
        nested = dict(top)
    return top, nested


def render(event: Event, verdict: Verdict) -> Answer:
    """The bytes both clients take for `verdict`, which `degrade` has fitted to the one found. Never `stopReason`:
    alone it aborts the request on VS Code."""
    body, nested = _decided(event, verdict)
    if verdict.context and event.name in LISTENING:
        body["additionalContext"] = nested["additionalContext"] = context(event, verdict)
    if nested and not _camel(event):
        body["hookSpecificOutput"] = {"hookEventName": event.name, **nested}
    if verdict.notes and event.name and of_spec(event, "WIRE")["notes"]:
        body["systemMessage"] = "\n".join(verdict.notes)
    return answer(body)
