"""Answers nested in `hookSpecificOutput`: JSON at exit 0, in the field names that many clients took over.

What is decided about a tool stands inside, a block and notes to the person at the top. A client may drop an answer
whole when one field of it is not to its taste: only what its `wire` names is said to it.
"""

from __future__ import annotations

from jackline.clients.answers import answer, context, reason
from jackline.clients.payload import begin, describe, of_spec, text, tool_input, with_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Answer, Event, Verdict
    from jackline.runtime.request import Request

BLOCKING = ("UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SubagentStop")
LISTENING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart")
"""Events whose context reaches the model without other effect (on Stop it would start another turn)."""


def _by_event(event: Event, payload: dict[str, Any]) -> None:
    """Where events say how it went: a failure has one of its own."""
    if event.name == "PostToolUse":
        event.response = payload.get("tool_response")
        cut_off = type(event.response) is dict and event.response.get("interrupted") is True
        event.outcome = "error" if cut_off else "ok"
    elif event.name == "PostToolUseFailure":
        event.response = payload.get("error")
        event.outcome = "error"


def _by_result(event: Event, payload: dict[str, Any]) -> None:
    """Where only patches and MCP results say how it went; a shell command's result has no exit code."""
    if event.name != "PostToolUse":
        return
    response = event.response = payload.get("tool_response")
    if event.patch and type(response) is str and response.startswith("Exit code: "):
        event.outcome = "ok" if response.startswith("Exit code: 0\n") else "error"
    elif event.kind == "mcp" and type(response) is dict:
        event.outcome = "error" if response.get("isError") is True else "ok"


def parse(request: Request, dialect: str, client: str, payload: dict[str, Any], faults: list[str]) -> Event:
    """One event of a client of this form, or of one that reads its configuration. Never raises."""
    event = begin(request, dialect, client, payload, payload, faults)
    if "tool_name" in payload:
        describe(event, text(payload, "tool_name", faults), tool_input(payload, faults))
        # Qwen makes up a tool_use_id per event and keeps the model's here
        key = "tool_call_id" if "tool_call_id" in payload else "tool_use_id"
        event.tool_use_id = text(payload, key, faults)
        if event.name != "PreToolUse":
            if of_spec(event, "WIRE")["outcome"] == "event":
                _by_event(event, payload)
            else:
                _by_result(event, payload)
    event.fault = "; ".join(faults)
    return event


def rewritten(event: Event, given: Mapping[str, Any]) -> Event:
    """What `event` would be with `given` for its tool's input, for those who judge a rewrite."""
    return with_input(event, given)


def _before_tool(event: Event, verdict: Verdict, specific: dict[str, Any]) -> None:
    wire = of_spec(event, "WIRE")
    word = wire["decisions"].get(verdict.decision, "")
    if word:
        specific["permissionDecision"] = word
        if verdict.reason or verdict.decision != "approve":
            specific["permissionDecisionReason"] = reason(event, verdict)
    if verdict.updated_input is not None and verdict.decision != "deny":
        if wire["rewrite"] and not word:
            specific["permissionDecision"] = wire["rewrite"]
        specific["updatedInput"] = dict(verdict.updated_input)


def _permission(event: Event, verdict: Verdict, specific: dict[str, Any]) -> None:
    if verdict.decision == "approve":
        specific["decision"] = {"behavior": "allow"}
    elif verdict.decision == "deny":
        specific["decision"] = {"behavior": "deny", "message": reason(event, verdict)}


def render(event: Event, verdict: Verdict) -> Answer:
    """The bytes the client takes for `verdict`, which `degrade` has fitted to it."""
    body: dict[str, Any] = {}
    specific: dict[str, Any] = {"hookEventName": event.name}
    if event.name == "PreToolUse":
        _before_tool(event, verdict, specific)
    elif event.name == "PermissionRequest":
        _permission(event, verdict, specific)
    elif event.name in BLOCKING and verdict.decision == "block":
        body["decision"] = "block"
        body["reason"] = reason(event, verdict)
    if verdict.context and event.name in LISTENING:
        specific["additionalContext"] = context(event, verdict)
    if len(specific) > 1:
        body["hookSpecificOutput"] = specific
    if verdict.notes and event.name:
        body["systemMessage"] = "\n".join(verdict.notes)
    return answer(body)
