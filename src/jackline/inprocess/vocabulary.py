"""Names of tools: those the document and its editor have, those of the clients, and the host's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jackline.affected_paths import CHANGING, named_paths
from jackline.clients import payload
from jackline.clients.specs import DIALECTS, tools_of
from jackline.inprocess.types import Tool
from jackline.model import KINDS, SILENCE, Answer, Event, Verdict

PATH = ("path", "file_path", "paths", "files")
EDITOR: dict[str, Tool] = {
    "read_file": Tool("read", paths=PATH),
    "stat": Tool("read", paths=PATH),
    "list": Tool("list", paths=PATH),
    "list_files": Tool("list", paths=PATH),
    "list_code_definition_names": Tool("list", paths=PATH),
    "search_files": Tool("search", paths=PATH, query="regex"),
    "codebase_search": Tool("search", paths=PATH, query="query"),
    "write_file": Tool("write", paths=PATH),
    "write_to_file": Tool("write", paths=PATH),
    "delete": Tool("write", paths=PATH),
    "delete_file": Tool("write", paths=PATH),
    "insert_content": Tool("edit", paths=PATH),
    "apply_diff": Tool("edit", paths=PATH),
    "edit": Tool("edit", paths=PATH),
    "edit_file": Tool("edit", paths=PATH),
    "search_and_replace": Tool("edit", paths=PATH),
    "search_replace": Tool("edit", paths=PATH),
    "generate_image": Tool("write", paths=(*PATH, "image")),
    "apply_patch": Tool("edit", paths=PATH, patch="patch"),
    "exec_bash": Tool("shell", command="command", cwd="cwd"),
    "execute_command": Tool("shell", command="command", cwd="cwd"),
    "read_command_output": Tool("read"),
    "browser_action": Tool("browser", query="url"),
    "ask_followup_question": Tool("question"),
    "attempt_completion": Tool("question"),
    "update_todo_list": Tool("todo"),
    "new_task": Tool("subagent"),
    "switch_mode": Tool("plan"),
}
"""Tools of the document and of the editor it was written for."""

LOCATED = CHANGING | {"read"}
"""Kinds of tools that always mean some file."""

DYNAMIC = "mcp_tool_use"
"""A call of a server's tool as models make it natively, beside `use_mcp_tool`."""
CAMEL = {"serverName": "server_name", "toolName": "tool_name"}
BUILT_IN: dict[str, tuple[str, str, tuple[str, ...], str, str]] = {
    **{name: row for dialect in reversed(DIALECTS) for name, row in tools_of(dialect).items()},
    **{name: tool[:5] for name, tool in EDITOR.items()},
}


def plain(value: Any) -> Any:
    """A copy in words of JSON: what is none stands as its text. Raises what JSON raises for a circle."""
    return json.loads(json.dumps(value, default=str))


class Vocabulary:
    """What an engine knows of tools. Also the codec of its events, for those who judge a rewritten call."""

    def __init__(self, own: Mapping[str, Tool]) -> None:
        for name, tool in own.items():
            if tool.kind not in KINDS:
                raise ValueError(f"{name}: {tool.kind} is no kind of tool · one of {', '.join(KINDS)}")
        self.VOCABULARY = {**BUILT_IN, **{name: Tool(*tool)[:5] for name, tool in own.items()}}
        self._folders = {name: tool.cwd for name, tool in {**EDITOR, **own}.items() if tool.cwd}

    def command_key(self, name: str) -> str:
        return self.VOCABULARY.get(name, ("", "command"))[1]

    def describe(self, event: Event, name: str, payload: Mapping[str, Any], cwd: str) -> Event:
        """Fill in what a call of this name with this payload is about."""
        given = plain(dict(payload))
        event.payload = {"tool_name": name, "tool_input": given}
        event.cwd = cwd
        return self._filled(event, name, given)

    def _filled(self, event: Event, name: str, given: dict[str, Any]) -> Event:
        folder = given.get(self._folders.get(name, ""))
        if isinstance(folder, str) and folder and "\0" not in folder:
            event.cwd = folder if folder.startswith("/") else f"{event.cwd}/{folder}"
        if name == DYNAMIC and name not in self.VOCABULARY:
            wrapped = {CAMEL.get(key, key): value for key, value in given.items()}
            payload.describe(event, "use_mcp_tool", wrapped, self.VOCABULARY)
            event.input = given
        else:
            payload.describe(event, name, given, self.VOCABULARY)
        if not event.targets and event.kind in LOCATED:
            event.targets = named_paths(
                given
            )  # a host may lay out its arguments in another way than the tool's first one
        return event

    def rewritten(self, event: Event, given: Mapping[str, Any]) -> Event:
        """The same event with another input."""
        new = event.underived()
        new.command = new.query = new.patch = new.prompt = ""
        new.targets = ()
        return self._filled(new, event.payload["tool_name"], dict(given))

    def render(self, event: Event, verdict: Verdict) -> Answer:
        """No bytes: the host reads the verdict itself."""
        return SILENCE
