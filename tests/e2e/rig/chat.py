"""The OpenAI chat protocol, as much of it as clients speak that take any model: read a request, write an answer."""

from __future__ import annotations

import json
from typing import Any

from .script import Turn
from .text import flat

PATH = "/v1/chat/completions"
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def _messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in body.get("messages") or [] if isinstance(one, dict)]


def opening(body: dict[str, Any]) -> str:
    return "\n".join(flat(one.get("content")) for one in _messages(body) if one.get("role") == "user")


def has_tools(body: dict[str, Any]) -> bool:
    return bool(body.get("tools"))


def told(body: dict[str, Any]) -> list[str]:
    """All the model is told: whatever it did not say itself."""
    return [flat(one.get("content")) for one in _messages(body) if one.get("role") != "assistant"]


def results(body: dict[str, Any]) -> dict[str, str]:
    """What the model reads for each of its tool calls."""
    return {
        str(one.get("tool_call_id")): flat(one.get("content")) for one in _messages(body) if one.get("role") == "tool"
    }


def answer(number: int, body: dict[str, Any], turn: Turn) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The answer whole, and as the events of a stream."""
    calls = [
        {
            "index": index,
            "id": tool.id or f"call_{number:03}_{index}",
            "type": "function",
            "function": {"name": tool.name, "arguments": json.dumps(dict(tool.input))},
        }
        for index, tool in enumerate(turn.tools)
    ]
    said: dict[str, Any] = {"role": "assistant", "content": turn.text}
    if calls:
        said["tool_calls"] = calls
    head = {"id": f"chat_{number:03}", "created": 1, "model": body.get("model"), "usage": USAGE}
    end = "tool_calls" if calls else "stop"
    whole = {**head, "object": "chat.completion", "choices": [{"index": 0, "message": said, "finish_reason": end}]}
    choices = [{"index": 0, "delta": said, "finish_reason": None}], [{"index": 0, "delta": {}, "finish_reason": end}]
    return whole, [{**head, "object": "chat.completion.chunk", "choices": one} for one in choices]
