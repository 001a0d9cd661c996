"""A run knows of the outside what its request says: the same request on the same store gives the same bytes."""

from __future__ import annotations

import ast
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import jackline
from jackline.model import Answer
from jackline.processes import Process
from jackline.runtime import pipeline
from jackline.runtime.request import Request, Store

PACKAGE = Path(jackline.__path__[0])
NOW = 1_800_000_000_000_000_000
CALLS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "read": ("Read", {"file_path": "a.py"}),
    "shell": ("Bash", {"command": "git status"}),
    "rewritten": ("Bash", {"command": "grep -rn x ."}),
    "asked": ("Bash", {"command": "git reset --hard"}),
    "waits": ("Bash", {"command": "rm -rf ../elsewhere"}),
    "refused": ("Write", {"file_path": ".ai/hooks/config.json", "content": "{}"}),
}
CLIENT = Process(99_000_001, 1_000, "claude", "/opt/claude/claude", ("claude",))


class Machine:
    """A project and a store in one folder, which can be put back as it was."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.path.realpath(folder))
        self.root, self.store, self.kept = self.folder / "project", self.folder / "store", self.folder / "kept"
        (self.root / ".ai").mkdir(parents=True)
        (self.root / ".git").mkdir()
        (self.root / "a.py").write_text("a\n")
        self.store.mkdir()
        for event, fields in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": "do it"})):
            self.send(event, **fields)

    def send(self, event: str, agent: str = "", **fields: Any) -> bytes:
        payload = {"session_id": "s", "prompt_id": "p", "cwd": str(self.root), "hook_event_name": event, **fields}
        if agent:
            payload["agent_id"] = agent
        request = Request(
            "claude-code",
            event,
            json.dumps(payload).encode(),
            {},
            str(self.root),
            ancestors=lambda: (CLIENT,),
            now=NOW,
            entropy=bytes(range(32)),
            clock=lambda: 5_000_000_000,
            home=str(self.folder / "home"),
            pid=99_000_002,
            uid=os.getuid(),
        )
        answers: list[Answer] = []
        outcome = pipeline.run(request, Store(str(self.store)), answers.append)
        assert (outcome.fault, len(answers)) == ("", 1)
        return answers[0].out

    def call(self, name: str, agent: str = "") -> bytes:
        tool, given = CALLS[name]
        return self.send("PreToolUse", agent, tool_name=tool, tool_input=given, tool_use_id="u-1")

    def keep(self) -> None:
        """Remember both trees, times and all."""
        for name in ("project", "store"):
            shutil.copytree(self.folder / name, self.kept / name, symlinks=True)

    def put_back(self) -> None:
        for name in ("project", "store"):
            shutil.rmtree(self.folder / name)
            shutil.copytree(self.kept / name, self.folder / name, symlinks=True)

    def written(self) -> dict[str, bytes]:
        """All that stands on disk, but the hook table: it carries times of files that were laid anew."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            inside = path.relative_to(self.folder)
            if path.is_file() and inside.parts[0] != "kept" and "wirings" not in inside.parts:
                found[str(inside)] = path.read_bytes()
        return found


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("agent", ["", "agent-1"])
@pytest.mark.parametrize("name", CALLS)
def test_the_same_request_on_the_same_store_gives_the_same_bytes(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, name: str, agent: str
) -> None:
    """Answer, log, bus, state, approvals: whatever the machine's own clock, chance, home and processes are then."""
    machine.call(name, agent)  # the hook table is compiled
    machine.keep()
    machine.put_back()
    first = machine.call(name, agent), machine.written()
    machine.put_back()
    monkeypatch.setenv("HOME", "/nonexistent/other")
    monkeypatch.setenv("TMPDIR", "/nonexistent/tmp")
    monkeypatch.setenv("CLAUDECODE", "1")
    second = machine.call(name, agent), machine.written()
    assert first[0] == second[0]
    assert first[1] == second[1]


def test_chance_differs_where_the_request_says_so(machine: Machine) -> None:
    """The bytes above are the same because of the request, not because nobody asks for chance."""
    drawn = []
    for entropy in (bytes(32), bytes(range(32))):
        request = Request("claude-code", "Stop", b"{}", {}, str(machine.root), entropy=entropy)
        outcome = pipeline.begin(request, Store(str(machine.store)), lambda answer: None)
        drawn.append((outcome.draw(16), outcome.draw(16), outcome.next_id()))
        outcome.close()
    assert len({one for both in drawn for one in both}) == 6


ASKING = {
    "time": {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter"},
    "posix": {"environ", "urandom", "getpid", "getppid", "getcwd", "getlogin", "ttyname"},
    "os": {"environ", "urandom", "getpid", "getppid", "getcwd", "getenv", "environb"},
}
ROOMS = ("runtime", "policy", "clients", "features", "store", "shell", "intents", "edits", "mutation")
LEFT = {
    "store/journal.py": "`log --follow` waits for rows",
    "store/session_index.py": "for commands",
}


def asked(text: str) -> list[tuple[int, str]]:
    """Where a module asks the system for time, chance, the process or its environment."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in ASKING.get(node.value.id, ()):
                found.append((node.lineno, f"{node.value.id}.{node.attr}"))
        elif isinstance(node, ast.ImportFrom):
            found += [
                (node.lineno, f"{node.module}.{one.name}")
                for one in node.names
                if one.name in ASKING.get(node.module or "", ())
            ]
    return found


def test_no_room_of_a_run_asks_the_system() -> None:
    """`host` is forbidden to them by the import contract; nor do they go round it."""
    strange = {}
    for room in ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            name = str(path.relative_to(PACKAGE))
            if name not in LEFT and (found := asked(path.read_text())):
                strange[name] = found
    assert strange == {}


@pytest.mark.parametrize("text", ["import time\ntime.time_ns()", "from posix import environ", "import os\nos.getpid"])
def test_who_goes_round_the_contract_is_seen(text: str) -> None:
    assert asked(text) != []
