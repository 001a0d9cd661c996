"""Fields to an Event: whatever a client sends gets safe values; what was wrong stands in the event's `fault`.

Knows the field names that clients share (Claude's, in snake case); each adapter brings its own differences. What a
tool call is about comes from a dialect's vocabulary, which maps a native tool name to (kind, command key, path keys,
query key, patch key). A tool it does not know is `other`, and everything that looks like a path or a command is still
taken, so that guards can see it.
"""

from __future__ import annotations

import sys

from jackline import site_paths
from jackline.clients.names import event_of
from jackline.clients.signs import SPEAKERS
from jackline.jsonio import loads
from jackline.model import EVENTS, Event
from jackline.paths import path_of_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.runtime.request import Request

    Tool = tuple[str, str, tuple[str, ...], str, str]
    Vocabulary = Mapping[str, Tool]

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
    asked = request.event or said
    name = asked if asked in EVENTS else event_of(dialect, asked)
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


# --- what a client's spec says of it ----------------------------------------------------------------------------------


def of_spec(event: Event, name: str) -> Any:
    """`TOOLS` or `WIRE` of the client that sent an event; for one without entries of ours whom its dialect means."""
    _, found, row = SPEAKERS.partition(f"\n{event.client}=")
    if not found:
        row = SPEAKERS.partition(f"\n{event.dialect}=")[2]
    module = row.partition("\n")[0].rpartition(" ")[2]
    held = sys.modules.get(module)
    return getattr(held, name) if held else site_paths.take(module, name)


def _elsewhere(event: Event, tool: str) -> Tool | None:
    """A tool of another client of this dialect: clients read each other's configuration."""
    from jackline.clients.facts import OF_DIALECT

    for name in OF_DIALECT.get(event.dialect, ()):
        found: Tool | None = site_paths.take(name, "TOOLS").get(tool)
        if found is not None:
            return found
    return None


def tool_of(event: Event, tool: str) -> Tool | None:
    """What a tool's name means in the dialect of an event."""
    found: Tool | None = of_spec(event, "TOOLS").get(tool)
    return _elsewhere(event, tool) if found is None else found


# --- the tool ---------------------------------------------------------------------------------------------------------

PATHLIKE = (
    "path",
    "file_path",
    "filePath",
    "file",
    "filename",
    "fileName",
    "absolute_path",
    "dirPath",
    "directory",
    "dir",
    "notebook_path",
    "source",
    "destination",
    "old_path",
    "new_path",
    "paths",
    "files",
    "filePaths",
    "edits",
)
"""Keys that hold paths in tools we do not know, and inside lists of objects."""
COMMANDLIKE = ("command", "cmd", "script")
WRAPPERS = {
    "use_mcp_tool": ("server_name", "tool_name", "arguments"),
    "call_mcp_tool": ("server_name", "tool_name", "arguments"),
    "access_mcp_resource": ("server_name", "uri", ""),
}
"""Tools that only carry a call to a server: keys of server, tool and arguments."""
PATCHED = ("edit", "write")
"""Kinds of tools that may be given a patch."""
PATCH_START = "*** Begin Patch"
DIFF_STARTS = ("--- ", "diff --git ", "Index: ")
CAP = 10_000
"""Targets taken from one call at most."""


def _paths(value: Any, found: list[str]) -> None:
    """Collect paths from a text, a list of texts, or a list of objects that name one."""
    if type(value) is str:
        if value:
            found.append(path_of_address(value))
    elif type(value) is list:
        for item in value[:CAP]:
            if type(item) is str:
                _paths(item, found)
            elif type(item) is dict:
                for key in PATHLIKE:
                    if type(item.get(key)) is str:
                        _paths(item[key], found)


def _patch(event: Event, value: str, found: list[str]) -> None:
    """Take a text for the patch of a call, when its heads name files."""
    from jackline.patches import patched_files

    named = patched_files(value)
    if named:
        event.patch = value
        found.extend(named)


def _carried(event: Event, given: Mapping[str, Any]) -> list[str]:
    """The files that patches among the texts of an edit name in their heads."""
    found: list[str] = []
    for value in given.values():
        if type(value) is str and (PATCH_START in value or "\n+++ " in value or "diff --git " in value):
            _patch(event, value, found)
    return found


def _quoted(word: str) -> str:
    if word and not any(char in word for char in " \t\n'\"\\$`;&|<>(){}*?[]#~!"):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def _words(value: Any) -> list[str]:
    return [word for word in value if type(word) is str] if type(value) is list else []


def _text(given: Mapping[str, Any], key: str) -> str:
    """A text value; the texts of a list with blanks between."""
    value = given.get(key)
    return value if type(value) is str else " ".join(_words(value))


def _command(given: Mapping[str, Any], key: str) -> str:
    """Shell text; an argument vector is quoted into it; a task holds its own command and arguments."""
    value = given.get(key)
    return value if type(value) is str else _joined(value)


def _joined(value: Any) -> str:
    if type(value) is dict:
        return " ".join([_command(value, "command"), *[_quoted(word) for word in _words(value.get("args"))]])
    return " ".join([_quoted(word) for word in _words(value)])


def _guess(event: Event, given: Mapping[str, Any]) -> None:
    """Take what looks like a command or a path from a tool that is in no vocabulary."""
    found: list[str] = []
    for holder in (given, *[value for value in given.values() if type(value) is dict]):
        for key in COMMANDLIKE:
            if not event.command and type(holder.get(key)) in (str, list):
                event.command = " ".join(
                    [_command(holder, key), *[_quoted(word) for word in _words(holder.get("args"))]]
                )
        for key in PATHLIKE:
            _paths(holder.get(key), found)
        for value in holder.values():
            # A text that begins as a diff is one; a comment may quote another.
            if type(value) is str and (PATCH_START in value or value.startswith(DIFF_STARTS)):
                _patch(event, value, found)
    event.targets = tuple(dict.fromkeys(found))


def _unwrapped(tool: str, given: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """`server/tool` and its arguments for a call to an MCP server, else None."""
    if tool.startswith("mcp__"):
        server, mark, name = tool[5:].partition("__")
        return (f"{server}/{name}" if mark else tool), given
    if tool.startswith("mcp_"):
        server, mark, name = tool[4:].partition("_")
        return (f"{server}/{name}" if mark else tool), given
    if tool not in WRAPPERS:
        return None
    server_key, tool_key, arguments_key = WRAPPERS[tool]
    arguments = given.get(arguments_key)
    if type(arguments) is str:
        try:
            arguments = loads(arguments)
        except (ValueError, RecursionError):
            arguments = None
    server, name = _text(given, server_key), _text(given, tool_key)
    return f"{server}/{name}", arguments if type(arguments) is dict else given


def describe(event: Event, tool: str, given: dict[str, Any], vocabulary: Vocabulary | None = None) -> None:
    """Fill what `event` says of its tool, by the tools of its client unless others are given. `input` stays native,
    whatever wraps the call.
    """
    event.tool = tool
    event.input = given
    known = (of_spec(event, "TOOLS") if vocabulary is None else vocabulary).get(tool)
    if known is None:
        unwrapped = _unwrapped(tool, given)
        known = None if unwrapped else _elsewhere(event, tool)
    if known is None:
        event.kind = "mcp" if unwrapped else "other"
        if unwrapped:
            event.tool, given = unwrapped
        _guess(event, given)
        return
    kind, command, paths, query, patch = known
    event.kind = kind
    if command:
        event.command = _command(given, command)
    if query:
        event.query = _text(given, query)
    found: list[str] = []
    for key in paths:
        _paths(given.get(key), found)
    if patch:
        from jackline.patches import patched_files

        event.patch = _text(given, patch)
        found.extend(patched_files(event.patch))
    if not found and kind in PATCHED:
        found = _carried(event, given)
    event.targets = tuple(found) if len(found) < 2 else tuple(dict.fromkeys(found))
    if kind == "subagent":
        event.prompt = _text(given, "prompt") or _text(given, "message")


def with_input(event: Event, given: Mapping[str, Any], native: Any = "") -> Event:
    """The same event with another tool input: what a rewritten call would be. `native`: its tool as it was sent."""
    new = event.underived()
    new.command = new.query = new.patch = new.prompt = ""
    new.targets = ()
    native = native or event.payload.get("tool_name") or event.payload.get("toolName")
    describe(new, native if isinstance(native, str) else event.tool, dict(given))
    return new
