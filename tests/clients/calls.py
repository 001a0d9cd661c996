"""Calls as a client would make them, from recorded payloads or from fields given by a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jackline.clients.router import receive
from jackline.clients.specs import SPEAKS, SPECS
from jackline.model import Event
from jackline.processes import Process
from jackline.runtime.request import Request

RECORDED = Path(__file__).parent.parent / "recorded"
CLIENTS = tuple(SPECS)


def recorded(client: str) -> list[Path]:
    """Every recorded payload of a client, raw ones included."""
    found = [path for path in (RECORDED / client).rglob("*") if path.suffix in (".json", ".stdin")]
    return sorted(path for path in found if path.name != "_env.json")


def entry_of(path: Path) -> str:
    """The event name of the entry that got this payload: the first word of the file's name."""
    return path.name.split(".")[0].split("-")[0]


def call(
    door: str,
    event: str,
    payload: dict[str, Any] | bytes,
    env: dict[str, str] | None = None,
    ancestors: tuple[Process, ...] = (),
) -> Request:
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Request(door, event, raw, env or {}, "/here", ancestors=lambda: ancestors)


def parsed(door: str, event: str, payload: dict[str, Any] | bytes, **more: Any) -> Event:
    return receive(call(door, event, payload, **more))[1]


def tool(door: str, name: str, given: Any, event: str = "PreToolUse", **fields: Any) -> Event:
    """A tool event in the door's own shape."""
    shapes: dict[str, dict[str, Any]] = {
        "claude-code": {"session_id": "s", "prompt_id": "p", "cwd": "/w", "hook_event_name": event},
        "codex": {"session_id": "s", "turn_id": "t", "cwd": "/w", "hook_event_name": event},
        "vscode": {"timestamp": "2026-04-01T10:00:00.000Z", "hook_event_name": event, "session_id": "s", "cwd": "/w"},
    }
    payload = {**shapes[door], "tool_name": name, "tool_input": given, "tool_use_id": "call_1", **fields}
    return parsed(SPEAKS[door], event, payload)
