"""The engine's hooks for the Claude Agent SDK (`pip install jackline[claude-agent-sdk]`).

    options = ClaudeAgentOptions(**claude_sdk.options(engine, ask_approval=ask))

Every tool call of the agent is judged before it runs, a rewritten one goes on as rewritten, and a question goes through
the client's own permission flow to `ask_approval`. A hook that fails refuses (`on_failure="block"`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jackline.inprocess.invocation import called, of

if TYPE_CHECKING:
    from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny, ToolPermissionContext

    from jackline.inprocess.engine import HookEngine
    from jackline.inprocess.tool_call import Passage
    from jackline.inprocess.types import AskApproval, Status

SECONDS = 60.0
"""What the client gives a hook; the features have less."""
REJECTED = "Rejected by the person"
CALLER = ("agent_id", "agent_type", "cwd")


def refusal(passage: Passage) -> str:
    """What the model reads of a refusal: its lines, then the JSON."""
    error = passage.error
    assert error is not None
    return f"{error['message']}\n{json.dumps(error)}"


class Bridge:
    """The calls of one client that are under way, by the ids of the client."""

    def __init__(self, engine: HookEngine, session: Mapping[str, Any], ask: AskApproval | None) -> None:
        self._engine = engine
        self._session = session
        self._ask = ask
        self._open: dict[str, Passage] = {}

    # --- hooks ---

    async def before(self, given: Any, tool_use_id: str | None, context: Any) -> Any:
        """PreToolUse."""
        told = {"id": given.get("session_id"), **{key: given[key] for key in CALLER if given.get(key)}, **self._session}
        passage = await self._engine.before(given["tool_name"], given["tool_input"], session=told, defer=True)
        specific: dict[str, Any] = {"hookEventName": "PreToolUse"}
        if passage.decision == "deny":
            specific |= {"permissionDecision": "deny", "permissionDecisionReason": refusal(passage)}
        elif passage.decision == "ask":
            specific |= {"permissionDecision": "ask", "permissionDecisionReason": passage.verdict.reason}
        if passage.rewritten and passage.decision != "deny":
            specific["updatedInput"] = passage.invocation.payload
        if passage.context:
            specific["additionalContext"] = "\n".join(text for _, text in passage.context)
        if passage.decision == "deny":
            await self._engine.after(passage)
        else:
            self._open[tool_use_id or passage.invocation.invocation_id] = passage
        notes = {"systemMessage": "\n".join(passage.notes)} if passage.notes else {}
        return {**notes, **({"hookSpecificOutput": specific} if len(specific) > 1 else {})}

    async def after(self, given: Any, tool_use_id: str | None, context: Any) -> Any:
        """PostToolUse and PostToolUseFailure."""
        passage = self._open.pop(tool_use_id or "", None)
        if passage is None:
            return {}
        if given["hook_event_name"] == "PostToolUse":
            await self._engine.after(passage, result=given.get("tool_response"))
        else:
            status: Status = "cancelled" if given.get("is_interrupt") else "failed"
            await self._engine.after(passage, status, error=RuntimeError(str(given.get("error") or "")))
        return {}

    async def stop(self, given: Any, tool_use_id: str | None, context: Any) -> Any:
        """Stop and SubagentStop: what an agent began and was never heard of again was refused or given up."""
        agent = given.get("agent_id") or ""
        for name in [name for name, one in self._open.items() if one.invocation.event.agent_id == agent]:
            await self._engine.after(self._open.pop(name), "cancelled")
        return {}

    # --- questions ---

    async def can_use_tool(
        self, tool_name: str, given: dict[str, Any], context: ToolPermissionContext
    ) -> PermissionResultAllow | PermissionResultDeny:
        """The person's word, for what our hooks ask about and for what the client does."""
        from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny

        assert self._ask is not None
        tool_use_id = of(context, "tool_use_id")
        passage = self._open.get(tool_use_id)
        reason = of(context, "decision_reason") or ""
        if passage is not None:
            question = await passage.invocation.question(reason)
        else:
            question = {"tool": tool_name, "reason": reason or None}
        if (await called(self._ask, "tool", json.dumps(question, default=str))) is True:
            return PermissionResultAllow(updated_input=given)
        if passage is None:
            return PermissionResultDeny(message=REJECTED)
        del self._open[tool_use_id]
        await passage.reject(f"{REJECTED}: {reason}" if reason else REJECTED)
        await self._engine.after(passage)
        return PermissionResultDeny(message=refusal(passage))


def options(
    engine: HookEngine, *, ask_approval: AskApproval | None = None, session: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The `hooks` and, with `ask_approval`, the `can_use_tool` of `ClaudeAgentOptions`.

    `session` adds to what the client says of its own (`id`, `cwd`, the agent's): an active intent, say.
    Without `ask_approval` a question is the client's to ask.
    """
    from claude_agent_sdk import HookMatcher

    bridge = Bridge(engine, session or {}, ask_approval)

    made: dict[str, Any] = {
        "hooks": {
            "PreToolUse": [HookMatcher(hooks=[bridge.before], timeout=SECONDS, on_failure="block")],
            "PostToolUse": [HookMatcher(hooks=[bridge.after], timeout=SECONDS)],
            "PostToolUseFailure": [HookMatcher(hooks=[bridge.after], timeout=SECONDS)],
            "Stop": [HookMatcher(hooks=[bridge.stop], timeout=SECONDS)],
            "SubagentStop": [HookMatcher(hooks=[bridge.stop], timeout=SECONDS)],
        }
    }
    if ask_approval is not None:
        made["can_use_tool"] = bridge.can_use_tool
    return made
