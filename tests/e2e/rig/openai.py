"""The OpenAI Responses protocol, as much of it as Codex speaks: read a request, write an answer."""

from __future__ import annotations

import json
from typing import Any

from .script import Tool, Turn
from .text import flat

PATH = "/v1/responses"
USAGE = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 120,
}
OUTPUTS = ("function_call_output", "custom_tool_call_output")


def _items(body: dict[str, Any]) -> list[dict[str, Any]]:
    given = body.get("input")
    return [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []


def opening(body: dict[str, Any]) -> str:
    """Everything said in the user's role: a sub-agent's thread is known by it."""
    return "\n".join(flat(item.get("content")) for item in _items(body) if item.get("role") == "user")


def has_tools(body: dict[str, Any]) -> bool:
    return bool(body.get("tools")) or any(item.get("type") == "additional_tools" for item in _items(body))


def told(body: dict[str, Any]) -> list[str]:
    """All the model is told: instructions, messages that are not its own, outputs of its calls."""
    texts = [str(body.get("instructions") or "")]
    for item in _items(body):
        if item.get("type") in OUTPUTS:
            texts.append(flat(item.get("output")))
        elif item.get("role") in ("user", "developer", "system"):
            texts.append(flat(item.get("content")))
    return texts


def results(body: dict[str, Any]) -> dict[str, str]:
    """What the model reads for each of its tool calls."""
    return {str(item["call_id"]): flat(item.get("output")) for item in _items(body) if item.get("type") in OUTPUTS}


def _call(number: int, index: int, tool: Tool) -> dict[str, Any]:
    item = {"call_id": tool.id or f"call_{number:03}_{index}", "name": tool.name}
    if tool.raw:
        item |= {"type": "custom_tool_call", "id": f"ctc_{number:03}_{index}", "input": tool.raw}
    else:
        item |= {"type": "function_call", "id": f"fc_{number:03}_{index}", "arguments": json.dumps(dict(tool.input))}
    if tool.namespace:
        item["namespace"] = tool.namespace
    return item


def answer(number: int, body: dict[str, Any], turn: Turn) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The answer whole, and as the events of a stream."""
    items: list[dict[str, Any]] = []
    if turn.text:
        said = [{"type": "output_text", "text": turn.text, "annotations": []}]
        items.append({"type": "message", "role": "assistant", "id": f"msg_{number:03}", "content": said})
    items += [_call(number, index, tool) for index, tool in enumerate(turn.tools)]
    response = {
        "id": f"resp_{number:03}",
        "object": "response",
        "status": "completed",
        "model": body.get("model"),
        "output": items,
        "usage": {**USAGE, **turn.usage},
    }
    begun = {"id": response["id"], "status": "in_progress"}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for index, item in enumerate(items):
        events += [
            {"type": f"response.output_item.{step}", "output_index": index, "item": item} for step in ("added", "done")
        ]
    return response, [*events, {"type": "response.completed", "response": response}]
