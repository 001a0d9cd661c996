"""The OpenAI chat protocol, as much of it as clients speak that take any model: read a request, write an answer."""

from __future__ import annotations

import json
from typing import Any

from .script import Turn
from .text import flat

PATH = "/v1/chat/completions"
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def _messages(body: dict[str, Any], *roles: str) -> list[dict[str, Any]]:
    return [one for one in body.get("messages") or [] if isinstance(one, dict) and one.get("role") in roles]


def opening(body: dict[str, Any]) -> str:
    """The first thing that was said in the user's role: a sub-agent's thread is known by it."""
    return "\n".join(flat(one.get("content")) for one in _messages(body, "user")[:1])


def has_tools(body: dict[str, Any]) -> bool:
    return bool(body.get("tools"))


def told(body: dict[str, Any]) -> list[str]:
    """All the model is told: messages that are not its own."""
    return [flat(one.get("content")) for one in _messages(body, "system", "user", "developer", "tool")]


def results(body: dict[str, Any]) -> dict[str, str]:
    """What the model reads for each of its tool calls."""
    return {str(one["tool_call_id"]): flat(one.get("content")) for one in _messages(body, "tool")}


def answer(number: int, body: dict[str, Any], turn: Turn) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The answer whole, and as the pieces of a stream."""
    calls = [
        {
            "index": index,
            "id": tool.id or f"call_{number:03}_{index}",
            "type": "function",
            "function": {"name": tool.name, "arguments": json.dumps(dict(tool.input))},
        }
        for index, tool in enumerate(turn.tools)
    ]
    end, usage = "tool_calls" if calls else "stop", {**USAGE, **turn.usage}
    head = {"id": f"chat_{number:03}", "created": 1, "model": body.get("model")}
    message = {"role": "assistant", "content": turn.text or None, **({"tool_calls": calls} if calls else {})}
    choice = {"index": 0, "message": message, "finish_reason": end}
    whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}

    def piece(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        return {**head, "type": "piece", "object": "chat.completion.chunk", "choices": choices}

    pieces = [piece({"role": "assistant", "content": ""})]
    pieces += [piece({"content": turn.text})] if turn.text else []
    pieces += [piece({"tool_calls": [one]}) for one in calls]
    return whole, [*pieces, piece({}, end), {**piece({}), "choices": [], "usage": usage}]
