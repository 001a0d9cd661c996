"""How far a plain call travels: the files it passes, and its moves from one file of ours to another.

Counted by a profiler over the run of one `Read` that nobody objects to, in the middle of a session, with the five
default features. Every file is one that a reader has to open to follow the call.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import jackline
from jackline import host
from jackline.runtime import pipeline
from jackline.runtime.outcome import Outcome
from jackline.runtime.request import Request, Store

FILES = 25
MOVES = 110
PACKAGE = os.path.realpath(jackline.__path__[0]) + "/"
FEATURES = ("session", "self_protect", "graph_pretooluse", "command_guard", "plan_graph_exec")


class Journey:
    """Who called whom across files of the package."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()
        self.moves: Counter[tuple[str, str]] = Counter()

    def note(self, frame: FrameType, what: str, argument: object) -> None:
        here = frame.f_code.co_filename
        if what != "call" or not here.startswith(PACKAGE):
            return
        self.files[here[len(PACKAGE) :]] += 1
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(PACKAGE):
            caller = caller.f_back
        if caller is not None and caller.f_code.co_filename != here:
            self.moves[caller.f_code.co_filename[len(PACKAGE) :], here[len(PACKAGE) :]] += 1

    def told(self) -> str:
        rows = [f"{count} {one} → {other}" for (one, other), count in self.moves.most_common()]
        return f"{len(self.files)} files, {sum(self.moves.values())} moves\n" + "\n".join(rows)


class Machine:
    """A project and a store, and calls of one session in this process."""

    def __init__(self, folder: Path) -> None:
        self.root, self.store = str(folder / "project"), str(folder / "store")
        (folder / "project/.ai").mkdir(parents=True)
        (folder / "project/.git").mkdir()
        (folder / "project/a.py").write_text("a\n")
        (folder / "store").mkdir()

    def request(self, event: str, **fields: Any) -> Request:
        payload = {"session_id": "s", "prompt_id": "p", "cwd": self.root, "hook_event_name": event, **fields}
        return Request(
            "claude-code",
            event,
            json.dumps(payload).encode(),
            {},
            self.root,
            uid=os.getuid(),
            now=host.now(),
            entropy=bytes(32),
            clock=host.clock,
            deadline=host.clock() + 13_000_000_000,
            home="/nonexistent",
            timers=True,
        )

    def read(self) -> Request:
        given = {"file_path": f"{self.root}/a.py"}
        return self.request("PreToolUse", tool_name="Read", tool_input=given, tool_use_id="u")

    def send(self, request: Request) -> Outcome:
        return pipeline.run(request, Store(self.store), lambda answer: None)


@pytest.fixture
def journey(tmp_path: Path) -> Iterator[Journey]:
    """A plain Read, once everything it needs was loaded."""
    machine = Machine(Path(os.path.realpath(tmp_path)))
    machine.send(machine.request("SessionStart", source="startup"))
    machine.send(machine.request("UserPromptSubmit", prompt="do it"))
    for _ in range(2):
        machine.send(machine.read())
    made, request = Journey(), machine.read()
    sys.setprofile(made.note)
    try:
        outcome = machine.send(request)
    finally:
        sys.setprofile(None)
    assert (outcome.answer.out, outcome.fault) == (b"{}\n", "")
    assert [one.hook for one in outcome.ran] == [
        *("session", "self-protect", "graph-pretooluse", "command-guard", "planGraph-exec")
    ]
    yield made


def test_a_plain_read_passes_few_files(journey: Journey) -> None:
    assert {f"features/{name}/hook.py" for name in FEATURES} <= journey.files.keys()
    assert len(journey.files) <= FILES, journey.told()


def test_a_plain_read_moves_seldom_between_files(journey: Journey) -> None:
    assert sum(journey.moves.values()) <= MOVES, journey.told()
