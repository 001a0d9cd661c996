"""Bytes to fields: whatever a client sends becomes an Event with safe values; what was wrong stands in its `fault`.

Knows the field names that clients share (Claude's, in snake case); each adapter brings its own differences.
"""

from __future__ import annotations

from jackline.adapters import event_of
from jackline.model import Event
from jackline.wire import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.runtime.request import Request

BOM = b"\xef\xbb\xbf"
SOURCE = {
    "SessionStart": "source",
    "UserPromptSubmit": "source",
    "PreCompact": "trigger",
    "PostCompact": "trigger",
    "SessionEnd": "reason",
    "Notification": "notification_type",
    "Error": "error_context",
}
"""Where an event says why it happened."""
ENDED = ("completed", "failed", "cancelled", "canceled", "killed", "stopped", "error")
"""Words for a background task that no longer runs."""


def read(raw: bytes) -> tuple[dict[str, Any], list[str]]:
    """The payload and what was wrong with it. Never raises."""
    if raw.startswith(BOM):
        raw = raw[3:]
    if not raw or raw.isspace():
        return {}, ["empty"]
    faults = []
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "surrogateescape")
        faults.append("invalid UTF-8")
    try:
        payload = loads(text)
    except (ValueError, RecursionError) as error:
        return {}, [*faults, f"not JSON: {error}"]
    if type(payload) is not dict:
        return {}, [*faults, "not an object"]
    return payload, faults


def text(fields: Mapping[str, Any], key: str, faults: list[str]) -> str:
    """A text field; "" when it is missing or something else."""
    value = fields.get(key)
    if type(value) is str:
        return value
    if value is not None:
        faults.append(f"{key} is not text")
    return ""


def _running(tasks: Any) -> int:
    """Background tasks that will come back to the agent. Shells are not counted: a server never ends."""
    if type(tasks) is not list:
        return 0
    return sum(
        1
        for task in tasks
        if type(task) is dict and task.get("status") not in ENDED and task.get("type") not in ("shell", "bash")
    )


def _names(request: Request, dialect: str, said: str, faults: list[str]) -> tuple[str, str]:
    """(canonical, native) name of the event: the command line rules over the payload."""
    name = event_of(dialect, request.event or said)
    if not request.event:
        return name, said
    if said and said != request.event:
        same = event_of(dialect, said)
        if same == name:
            return name, said
        faults.append(f"event {request.event} on the command line, {said} in the payload")
    return name, request.event


def begin(
    request: Request, dialect: str, client: str, payload: dict[str, Any], fields: Mapping[str, Any], faults: list[str]
) -> Event:
    """An Event with all that is no tool: names, session, agent, place, prompt, state of a Stop."""
    name, native = _names(request, dialect, text(fields, "hook_event_name", faults), faults)
    event = Event(name)
    event.native = native
    event.dialect = dialect
    event.client = client
    event.payload = payload
    event.home = request.home
    event.env = request.env
    event.session = text(fields, "session_id", faults)
    event.transcript = text(fields, "transcript_path", faults)
    event.cwd = text(fields, "cwd", faults)
    if event.cwd[:1] != "/" or "\0" in event.cwd:
        if event.cwd:
            faults.append("cwd is not an absolute path")
        event.cwd = request.cwd
    if "agent_id" in fields:
        event.agent_id = text(fields, "agent_id", faults)
        event.agent_type = text(fields, "agent_type", faults)
    if name in SOURCE:
        event.source = text(fields, SOURCE[name], faults)
    if name == "UserPromptSubmit":
        event.prompt = text(fields, "prompt", faults)
    elif name == "Stop" or name == "SubagentStop":
        event.stop_active = fields.get("stop_hook_active") is True
        event.background = _running(fields.get("background_tasks"))
    return event


def tool_input(fields: Mapping[str, Any], faults: list[str]) -> dict[str, Any]:
    """The tool's input; {} when it is missing or no object."""
    given = fields.get("tool_input")
    if type(given) is dict:
        return given
    if given is not None:
        faults.append("tool_input is not an object")
    return {}
