"""The protocol of Gemini's models, as much of it as Gemini CLI speaks."""

from __future__ import annotations

import json
from typing import Any

from .script import Turn
from .text import flat

STREAM, WHOLE = ":streamGenerateContent", ":generateContent"
"""Behind the name of the model in a path."""
USAGE = {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}


def _contents(body: dict[str, Any], role: str) -> list[dict[str, Any]]:
    """The parts of everything said in a role."""
    return [part for one in body.get("contents") or [] if one.get("role") == role for part in one.get("parts") or []]


def opening(body: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in _contents(body, "user") if "text" in part)


def has_tools(body: dict[str, Any]) -> bool:
    return any(one.get("functionDeclarations") for one in body.get("tools") or [])


def told(body: dict[str, Any]) -> list[str]:
    """All the model is told: instructions, what users say, results of its calls."""
    system = body.get("systemInstruction") or {}
    return [flat(system.get("parts")), opening(body), *results(body).values()]


def results(body: dict[str, Any]) -> dict[str, str]:
    """What the model reads for each of its tool calls."""
    answers = [part["functionResponse"] for part in _contents(body, "user") if "functionResponse" in part]
    return {str(one.get("id") or one["name"]): _said(one.get("response")) for one in answers}


def _said(response: Any) -> str:
    found = response if isinstance(response, dict) else {}
    return str(found.get("error") or found.get("output") or json.dumps(response))


def answer(number: int, body: dict[str, Any], turn: Turn) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The answer whole, and as the events of a stream."""
    parts: list[dict[str, Any]] = [{"text": turn.text}] if turn.text else []
    for index, tool in enumerate(turn.tools):
        call = {"id": tool.id or f"call_{number:03}_{index}", "name": tool.name, "args": dict(tool.input)}
        parts.append({"functionCall": call})
    said = {"content": {"role": "model", "parts": parts}, "index": 0, "finishReason": "STOP"}
    response = {"candidates": [said], "modelVersion": "scripted", "usageMetadata": USAGE}
    return response, [response]
