"""Agents at work in one tree, in process: their calls go through `stale-file` before and after, as by a client."""

from __future__ import annotations

import itertools
import json
import subprocess
from pathlib import Path
from typing import Any

from jackline.clients.payload import describe
from jackline.clients.specs import tools_of
from jackline.features.stale_file.hook import handle
from jackline.model import Action, Event
from jackline.sdk import Context, Ids

from .feature import FEATURES

TOOLS = {dialect: tools_of(dialect) for dialect in ("claude-code", "codex")}
numbers = itertools.count()


class Tree:
    """A project with a store beside it. Time goes on by a second with every call."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.store = folder / "store"
        (self.root / ".ai").mkdir(parents=True)
        self.store.mkdir()
        self.now = 1_900_000_000_000

    def path(self, name: str) -> Path:
        return Path(name) if name[0] == "/" else self.root / name

    def text(self, name: str) -> str:
        return self.path(name).read_text()

    def put(self, name: str, text: str) -> None:
        """Somebody outside of any session writes a file."""
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_text(text)


class Agent:
    """One agent of one session of a client."""

    def __init__(
        self, tree: Tree, sid: str = "0badcafe", agent: str = "u00", client: str = "claude-code", **knobs: Any
    ) -> None:
        self.tree, self.sid, self.agent, self.client = tree, sid, agent, client
        self.session = tree.root / ".ai/tmp" / sid
        self.session.mkdir(parents=True, exist_ok=True)
        self.config = json.loads((FEATURES / "stale_file/defaults.json").read_text()) | knobs

    def event(self, tool: str, given: dict[str, Any], name: str = "PreToolUse", use: str = "", **fields: Any) -> Event:
        root = str(self.tree.root)
        event = Event(name, root=root, cwd=root, client=self.client, tool_use_id=use, **fields)
        if tool:
            describe(event, tool, given, TOOLS.get(self.client, TOOLS["claude-code"]))
        return event

    def hear(self, event: Event, *, dry: bool = False) -> Action | None:
        self.tree.now += 1_000
        context = Context(
            "stale-file",
            Ids(self.sid, "w001", self.agent, 1, "x"),
            str(self.tree.root),
            str(self.session),
            {},
            self.config,
            lambda: 0,
            start_ms=self.tree.now,
            protected={"store": str(self.tree.store)},
            later=None if dry else [],
        )
        return handle(event, context)

    def begin(self, tool: str, given: dict[str, Any], use: str = "") -> Action | None:
        """What is said before a call."""
        return self.hear(self.event(tool, given, use=use))

    def end(self, tool: str, given: dict[str, Any], use: str = "", *, failed: bool = False, **fields: Any) -> None:
        name = "PostToolUseFailure" if failed else "PostToolUse"
        self.hear(self.event(tool, given, name, use, outcome="error" if failed else "ok", **fields))

    def carry_out(self, tool: str, given: dict[str, Any]) -> bool:
        """Do what a call asks, as the client would; whether it could be done."""
        if tool in ("Bash", "exec_command"):
            command = given.get("command") or given["cmd"]
            done = subprocess.run(["bash", "-c", command], cwd=self.tree.root, capture_output=True, check=False)
            return done.returncode == 0
        path = self.tree.path(given["file_path"])
        if tool == "Read":
            return path.exists()
        if tool == "Write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(given["content"])
            return True
        if not path.exists() or given["old_string"] not in path.read_text():
            return False
        path.write_text(path.read_text().replace(given["old_string"], given["new_string"], 1))
        return True

    def do(self, tool: str, given: dict[str, Any], *, told: bool = True) -> Action | None:
        """A whole call: judged, carried out if it may be, its end told. Returns the refusal."""
        use = f"toolu_{next(numbers)}"
        action = self.begin(tool, given, use)
        if action is not None and action.decision in ("deny", "ask"):
            return action
        done = self.carry_out(tool, given)
        if told:
            self.end(tool, given, use, failed=not done)
        return None

    def read(self, name: str) -> Action | None:
        return self.do("Read", {"file_path": name})

    def write(self, name: str, text: str, **more: Any) -> Action | None:
        return self.do("Write", {"file_path": name, "content": text}, **more)

    def edit(self, name: str, old: str, new: str, **more: Any) -> Action | None:
        return self.do("Edit", {"file_path": name, "old_string": old, "new_string": new}, **more)

    def run(self, command: str, **more: Any) -> Action | None:
        return self.do("Bash", {"command": command}, **more)

    def stop(self) -> None:
        self.hear(self.event("", {}, "Stop"))
