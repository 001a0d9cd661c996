"""Who asks, and in what words: the client behind an entry, and the codec of its dialect, before anything else is read.

Clients read each other's configuration (Copilot and VS Code read Claude's), and a variable may be inherited from a
client further up, so no single sign is enough: the payload's shape, else its transcript, marks only hooks carry, its
process (design section 6).
"""

from __future__ import annotations

import sys

from jackline import roots
from jackline.clients import SPEAKS
from jackline.wire import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from jackline.model import Answer, Event, Verdict
    from jackline.processes import Process
    from jackline.runtime.request import Request

    class Codec(Protocol):
        """What a run needs once its event is read. Neither raises."""

        def rewritten(self, event: Event, given: Mapping[str, Any]) -> Event: ...
        def render(self, event: Event, verdict: Verdict) -> Answer: ...

    class Adapter(Codec, Protocol):
        """One dialect: what a client sends becomes an Event, what we decided becomes its bytes. Neither raises."""

        VOCABULARY: Mapping[str, tuple[str, str, tuple[str, ...], str, str]]

        def parse(self, request: Request, client: str, payload: dict[str, Any], faults: list[str]) -> Event: ...


ADAPTERS = {
    "claude-code": "jackline.clients.claude_code",
    "codex": "jackline.clients.codex",
    "github": "jackline.clients.github",
}

BOM = b"\xef\xbb\xbf"
SHAPES = (
    # client, keys that are there, keys that are not
    ("claude-code", ("prompt_id",), ("timestamp",)),
    ("codex", ("turn_id",), ("timestamp", "sessionId")),
    ("cline", ("hookName", "taskId"), ()),
    ("copilot-cli", ("sessionId",), ("hookEventName",)),
    ("vscode", ("hookEventName",), ()),
    ("qwen-code", ("timestamp", "permission_mode"), ()),
    ("vscode", ("timestamp", "tool_use_id"), ()),
    ("copilot-cli", ("timestamp", "tool_result"), ()),
    ("copilot-cli", ("timestamp", "stop_reason"), ()),
    ("copilot-cli", ("timestamp", "parent_agent_id"), ()),
    ("copilot-cli", ("timestamp", "agent_name"), ()),
    ("copilot-cli", ("timestamp", "initial_prompt"), ()),
    ("copilot-cli", ("timestamp", "error_context"), ()),
    ("copilot-cli", ("timestamp", "tool_input"), ("transcript_path",)),
    ("copilot-cli", ("timestamp", "reason"), ("transcript_path",)),
    ("gemini-cli", ("timestamp", "tool_input", "transcript_path"), ()),
    ("gemini-cli", ("timestamp", "llm_request"), ()),
    ("gemini-cli", ("timestamp", "prompt_response"), ()),
)
"""Sure signs, first match wins. `timestamp` and `permission_mode` together: Qwen only; a tool event with `timestamp`
and `tool_use_id`: VS Code only; Copilot's camel case has `sessionId` and no name of the event."""
TRANSCRIPTS = (
    ("/rollout-", "codex"),
    ("/.claude/", "claude-code"),
    ("/.gemini/", "gemini-cli"),
    ("/.qwen/", "qwen-code"),
    ("/.copilot/", "copilot-cli"),
    ("/GitHub.copilot-chat/", "vscode"),
)
MARKS = (("COPILOT_HOOK_DIR", "copilot-cli"), ("GEMINI_SESSION_ID", "gemini-cli"))
"""Variables that hooks get and a model's shell does not pass on."""
FIRST = {"timestamp": "vscode", "hook_event_name": "copilot-cli", "session_id": "gemini-cli"}
"""The first key of a payload with a `timestamp`, where nothing else tells."""
EXECUTABLES = {
    "claude": "claude-code",
    "codex": "codex",
    "copilot": "copilot-cli",
    "code": "vscode",
    "code-insiders": "vscode",
    "code-oss": "vscode",
    "codium": "vscode",
}
REMOTE = "/.vscode-server"
"""VS Code's remote extension host is a `node` below this folder."""
INHERITED = (("QWEN_CODE_SESSION_ID", "qwen-code"), ("CLAUDE_PID", "claude-code"))
"""Variables a model's shell passes on too: asked last."""
WITHOUT_TIME = ("claude-code", "codex")
"""Who sends no `timestamp`; neither reads the other's configuration."""
DEFAULT = {"claude-code": "claude-code", "codex": "codex", "github": "vscode"}


def process_client(process: Process) -> str:
    """The client a process is, "" when it is none we know (Gemini and Qwen are only `node`)."""
    if REMOTE in process.exe:
        return "vscode"
    return EXECUTABLES.get(process.exe.rpartition("/")[2]) or EXECUTABLES.get(process.name, "")


def _shape(payload: Mapping[str, Any]) -> str:
    for client, has, lacks in SHAPES:
        if all(key in payload for key in has) and not any(key in payload for key in lacks):
            return client
    transcript = payload.get("transcript_path")
    if type(transcript) is str:
        for mark, client in TRANSCRIPTS:
            if mark in transcript:
                return client
    return ""


def client_of(request: Request, payload: Mapping[str, Any], dialect: str) -> str:
    """The client behind a call: one of the names in `recorded/`, or the dialect's own when nothing tells."""
    client = _shape(payload)
    if client:
        return client
    for mark, client in MARKS:
        if request.env.get(mark):
            return client
    if "timestamp" in payload:
        client = FIRST.get(next(iter(payload)), "")
        if client:
            return client
    elif "session_id" in payload and dialect in WITHOUT_TIME:
        return DEFAULT[dialect]
    for process in request.ancestors():
        client = process_client(process)
        if client:
            return client
    for mark, client in INHERITED:
        if request.env.get(mark):
            return client
    return DEFAULT.get(dialect, "")


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


def adapter(name: str) -> Adapter:
    """Load the adapter of a dialect (or client). KeyError when nobody speaks it."""
    module = ADAPTERS[SPEAKS[name]]
    found: Adapter = sys.modules.get(module) or roots.take(module)
    return found


def receive(request: Request) -> tuple[Codec, Event]:
    """The event of a request, and the codec that answers it. A client we have none for is read as its entry says."""
    payload, faults = read(request.raw)
    dialect = SPEAKS[request.dialect]
    client = client_of(request, payload, dialect)
    spoken = adapter(client if client in SPEAKS else dialect)
    return spoken, spoken.parse(request, client, payload, faults)
