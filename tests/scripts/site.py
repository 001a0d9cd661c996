"""A project with scripts as wired, and events of a session in it: what a door's run is made of, without the door."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jackline import host
from jackline.builtin import builtin_table
from jackline.clients.router import receive
from jackline.runtime.outcome import Outcome
from jackline.runtime.request import Request, Store
from jackline.script import Script
from jackline.staleness import content
from jackline.store import journal

if TYPE_CHECKING:
    from jackline.script import Type


def write(path: Path, text: str, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


class Site:
    """A scratch project and its session `s1`."""

    def __init__(self, base: Path) -> None:
        self.root, self.store = base / "project", base / ".local/state/jackline"
        (self.root / ".ai").mkdir(parents=True)
        self.store.mkdir(parents=True)
        self.scripts: dict[str, tuple[Script, ...]] = {}

    def script(self, key: str, body: str, type: Type = "session", **fields: Any) -> Script:
        path = write(self.root / f".ai/hooks/scripts/{key}.sh", f"#!/bin/sh\n{body}\n")
        made = Script(key, type, str(path), content(str(path)), name=key, timeout=30.0, folder=".ai/hooks/scripts")
        made = made._replace(**fields)
        self.scripts[type] = (*self.scripts.get(type, ()), made)
        return made

    def run(self, event: str, deadline_s: float = 30.0, **payload: Any) -> Outcome:
        given = {"session_id": "s1", "hook_event_name": event, "cwd": str(self.root), **payload}
        request = Request(
            "claude-code", event, json.dumps(given).encode(), env={"PATH": os.environ["PATH"], "HOME": "/nowhere"},
            cwd=str(self.root), uid=os.getuid(), now=host.now(), entropy=host.entropy(), clock=host.clock,
            deadline=host.clock() + int(deadline_s * 1e9), home="/nowhere", pid=os.getpid(),
        )  # fmt: skip
        codec, spoken = receive(request)
        table = builtin_table(str(self.store))
        table.scripts = lambda name: self.scripts.get(name, ())  # type: ignore[method-assign]
        table.scripted = lambda name: name in self.scripts  # type: ignore[method-assign]
        return Outcome(request, spoken, codec, Store(str(self.store)), table)

    @property
    def place(self) -> Path:
        (found,) = [path for path in (self.root / ".ai/tmp").iterdir() if path.is_dir()]
        return found

    def rows(self, kind: str) -> list[dict[str, Any]]:
        return [row["data"] for row in journal.read(str(self.place))[0] if row["kind"] == kind]

    def text(self, name: str) -> str:
        path = self.root / name
        return path.read_text() if path.exists() else ""


def until(true: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait for something another process does."""
    end = host.clock() + int(seconds * 1e9)
    while not true():
        assert host.clock() < end, "it did not happen"
        os.sched_yield()
