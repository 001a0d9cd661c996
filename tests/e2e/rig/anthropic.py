"""The Anthropic Messages protocol, as much of it as Claude Code speaks: read a request, write an answer."""

from __future__ import annotations

import json
from typing import Any

from .script import Turn
from .text import flat

PATH = "/v1/messages"
USAGE = {"input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def opening(body: dict[str, Any]) -> str:
    """The first message: a sub-agent's thread is known by it."""
    messages = body.get("messages") or [{}]
    return flat(messages[0].get("content"))


def has_tools(body: dict[str, Any]) -> bool:
    return bool(body.get("tools"))


def told(body: dict[str, Any]) -> list[str]:
    """All the model is told: the system text and every message that is not its own."""
    messages = [message for message in body.get("messages") or [] if message.get("role") != "assistant"]
    return [flat(body.get("system")), *(flat(message.get("content")) for message in messages)]


def results(body: dict[str, Any]) -> dict[str, str]:
    """What the model reads for each of its tool calls."""
    found = {}
    for message in body.get("messages") or []:
        content = message.get("content")
        for block in content if isinstance(content, list) else []:
            if block.get("type") == "tool_result":
                found[str(block["tool_use_id"])] = flat(block.get("content"))
    return found


def _message(number: int, body: dict[str, Any], turn: Turn) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": turn.text}] if turn.text else []
    for index, tool in enumerate(turn.tools):
        called = tool.id or f"toolu_{number:03}_{index}"
        blocks.append({"type": "tool_use", "id": called, "name": tool.name, "input": dict(tool.input)})
    return {
        "id": f"msg_{number:03}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model") or "scripted",
        "content": blocks,
        "stop_reason": "tool_use" if turn.tools else "end_turn",
        "stop_sequence": None,
        "usage": {**USAGE, **turn.usage},
    }


def _block_events(index: int, block: dict[str, Any]) -> list[dict[str, Any]]:
    if block["type"] == "text":
        empty: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": block["text"]}
    else:
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        {"type": "content_block_start", "index": index, "content_block": empty},
        {"type": "content_block_delta", "index": index, "delta": delta},
        {"type": "content_block_stop", "index": index},
    ]


def answer(number: int, body: dict[str, Any], turn: Turn) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The answer whole, and as the events of a stream."""
    message = _message(number, body, turn)
    events = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}]
    for index, block in enumerate(message["content"]):
        events += _block_events(index, block)
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events += [{"type": "message_delta", "delta": ended, "usage": message["usage"]}, {"type": "message_stop"}]
    return message, events
