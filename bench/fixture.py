"""The fixture: a scratch machine with a trusted project, its configuration as files of `project/`, and the payloads.

A project has `dispatch.manifest.json`, `config.json` and features of four files each (`project/feature`), which answer
rare events: 12 of them make 50 files, all of which the gate asks about at every event. `payloads/<dialect>` holds one
call of each sort. Of four events one changes the state: a typed prompt, which counts the turn; with default features
no call of a tool does. A figure over the set therefore is three parts of the tools' mean and one part of the prompt.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bench import parts  # noqa: F401 - makes src and tests importable
from jackline.compiler import bundle, write
from jackline.install import entry
from jackline.staleness import fresh
from scene import BASE, Scene

HERE = Path(__file__).resolve().parent
DIALECTS = ("claude-code", "codex", "github")
TOOLS = ("read", "write", "shell", "mcp")
PROMPT = "prompt"
RISKY = {
    "remove and push": "rm -rf build && git push --force origin main",
    "find and run": "find src -name '*.pyc' -exec rm {} +",
    "loop": 'for file in src/*.py; do sed -i "s/alpha/beta/" "$file"; done',
}
"""Commands that the screen cannot vouch for: each goes through the full parser."""
FEATURES = ("session", "self-protect", "graph-pretooluse", "command-guard", "planGraph-exec")
MAPPED = "/workspace/project"
SHELL = "/bin/sh"
"""By which clients start an entry, and we the unit it is held against: neither is the cheaper for its shell."""


class Start(NamedTuple):
    """One process to measure: its words, its input, where it runs."""

    argv: tuple[str, ...]
    raw: bytes
    cwd: str
    env: Mapping[str, str]


def bundled(folder: Path) -> Path:
    """A store as the bundle writes it, with the interpreter link that entries name."""
    store = folder / "bundle" / "jackline"
    bundle.build(str(store))
    (store / "bin").mkdir()
    (store / "bin/python").symlink_to(BASE)
    return store


class Fixture(Scene):
    """A scratch machine for one dialect, played until nothing is new any more."""

    def __init__(
        self,
        folder: Path,
        made: Path,
        dialect: str = "claude-code",
        *,
        files: int = 50,
        idle: int = 0,
        scripts: int = 0,
        without: Iterable[str] = (),
        prime: bool = True,
    ) -> None:
        super().__init__(folder, made)
        (self.store / "home").symlink_to(self.home)
        self.dialect = dialect
        self.env = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        self._project(files, idle)
        self._scripts(scripts)
        if without:
            self.manifest({"version": 1, "modules": {slug: {"enabled": False} for slug in without}})
        self.trust()
        time.sleep(0.05)  # what is younger than the clock's tick would be asked for its content
        self.compiled = self.compile()
        if prime:
            self.prime()

    def _project(self, files: int, idle: int) -> None:
        shutil.copytree(HERE / "project", self.hooks, ignore=shutil.ignore_patterns("feature", "idle.py"))
        count, rest = divmod(files - 2, 4)
        assert rest == 0, "two files, and four for each feature"
        for number in range(count):
            self._copy(HERE / "project/feature", f"house-{number:02}", "house-00")
        for number in range(idle):
            self._copy(HERE / "project/idle.py", f"idle-{number:02}", "idle-00")
        (self.root / "src").mkdir()
        (self.root / "src/parser.py").write_text("def parse(text):\n    return text.split()\n")

    def _scripts(self, count: int) -> None:
        """Scripts of an event that is not in the set."""
        for number in range(count):
            path = self.hooks / f"scripts/script-{number:03}.sh"
            path.parent.mkdir(exist_ok=True)
            fields = f"# name: Script {number}\n# event: SubagentStop\n# order: {number}\n"
            path.write_text(f"#!/bin/sh\n#---\n{fields}#---\nexit 0\n")
            path.chmod(0o755)

    def _copy(self, source: Path, name: str, old: str) -> None:
        folder = self.hooks / "features" / name
        folder.mkdir(parents=True)
        for path in [source] if source.is_file() else sorted(source.iterdir()):
            if path.is_file():
                target = "hook.py" if source.is_file() else path.name
                (folder / target).write_text(path.read_text().replace(old, name))

    def compile(self) -> write.Compiled:
        made = write.refresh(str(self.root), str(self.store))
        assert not made.faults, made.faults
        return made

    def edit(self, number: int) -> None:
        """Change one file of the project to what was trusted, or to something else: the next event compiles.

        Whoever compiled last saw the other one. Of a changed feature the version that was trusted runs.
        """
        (self.hooks / "features/house-00/words.py").write_bytes(self.versions[number % 2])
        assert fresh(self.table()) == "stale"
        assert self.table().row("house-00") is not None

    def two_versions(self) -> None:
        """Have two versions of a file, and trust for the first: the next event after an edit compiles."""
        words = (self.hooks / "features/house-00/words.py").read_bytes()
        self.versions = (words, words + b"\n# seen again\n")
        self.trust()
        (self.hooks / "features/house-00/words.py").write_bytes(self.versions[1])
        self.compile()

    # --- events ---

    def payload_of(self, sort: str, event: str = "") -> dict[str, Any]:
        """A payload of the set; `event` PostToolUse makes a call's outcome of it."""
        text = (HERE / "payloads" / self.dialect / f"{sort}.json").read_text().replace(MAPPED, str(self.root))
        found: dict[str, Any] = json.loads(text)
        if event == "PostToolUse":
            found |= {"hook_event_name": event, "tool_response": {"type": "text", "text": "done\n"}}
        return found

    def shell(self, command: str) -> dict[str, Any]:
        """The set's shell call with another command."""
        found = self.payload_of("shell")
        return found | {"tool_input": found["tool_input"] | {"command": command}}

    def door_of(self, payload: Mapping[str, Any]) -> Start:
        """The door as the entry's shell starts it."""
        argv = (str(self.store / "bin/python"), "-I", "-S", str(self.store / "door.py"))
        words = (*argv, self.dialect, str(payload["hook_event_name"]))
        return Start(words, json.dumps(payload).encode(), str(self.root), self.env)

    def start_of(self, payload: Mapping[str, Any]) -> Start:
        """The entry as a client starts it: one shell line, whose process becomes the door's."""
        line = entry.write(entry.Entry(str(self.store), self.dialect, str(payload["hook_event_name"])))
        return self.door_of(payload)._replace(argv=(SHELL, "-c", line))

    def shell_alone(self) -> Start:
        """The shell that becomes a door: it looks whether we are there, as ever, and ends where it would be one."""
        line, found, _ = self.start_of(self.payload_of(PROMPT)).argv[-1].partition("; exec ")
        assert found
        return Start((SHELL, "-c", f"{line}; exit 0"), b"", str(self.root), self.env)

    def bare(self) -> Start:
        """The unit: the same interpreter by the same shell, started and ended, nothing done."""
        return Start((SHELL, "-c", f"exec {BASE} -I -S -c pass"), b"", str(self.root), self.env)

    def bare_before_a_tool(self) -> Start:
        """The unit as the entry of a tool call starts it: the shell looks, waits, and prints what it was given."""
        line = self.start_of(self.payload_of("read")).argv[-1]
        lead, found, rest = line.partition("a=$(")
        _, ends, tail = rest.partition(" 2>/dev/null)")
        assert found and ends
        call = f"{BASE} -I -S -c pass"
        return Start((SHELL, "-c", f"{lead}{found}{call}{ends}{tail}"), b"", str(self.root), self.env)

    def prime(self) -> None:
        """Begin the session and play everything twice, then hold that the hook table is as fresh as in daily life."""
        begin = {**self.payload_of(PROMPT), "hook_event_name": "SessionStart", "source": "startup"}
        del begin["prompt"]
        played = [begin, self.payload_of(PROMPT)]
        played += [self.payload_of(sort, event) for sort in TOOLS for event in ("PreToolUse", "PostToolUse")]
        for payload in [*played, *played[1:]]:
            run(self.start_of(payload))
        assert fresh(self.table()) == "fresh"
        self.own = self.place


def run(start: Start) -> bytes:
    """Run it once, and hold it to a valid answer."""
    done = subprocess.run(start.argv, input=start.raw, cwd=start.cwd, env=start.env, capture_output=True, check=True)
    assert done.stderr == b"", done.stderr
    if start.raw:
        json.loads(done.stdout)
    return done.stdout


# --- what grows ---


def _rows(log: Path) -> list[bytes]:
    """The first rows of a log that are no patches."""
    return [line for line in log.read_bytes().splitlines(keepends=True)[:50] if b'"STATE_PATCH"' not in line]


def grow_log(fixture: Fixture, size: int = 1 << 30) -> Path:
    """Make the session's log `size` bytes of valid records; its state says it has seen them."""
    log = fixture.own / "events.jsonl"
    block = b"".join(_rows(log))
    block *= (4 << 20) // len(block)
    with log.open("ab") as file:
        while file.tell() < size:
            file.write(block)
        end = file.tell()
    path = fixture.own / "state.json"
    state = json.loads(path.read_text())
    state["core"]["lastEventOffset"] = end
    path.write_text(json.dumps(state, separators=(",", ":")) + "\n")
    return log


def leave_unfolded(fixture: Fixture, count: int = 10_000) -> None:
    """Append valid rows to the session's log that its snapshot has not seen: what calls of tools leave, no patch."""
    log = fixture.own / "events.jsonl"
    rows = _rows(log)
    with log.open("ab") as file:
        file.writelines(rows[at % len(rows)] for at in range(count))


def grow_sessions(fixture: Fixture, count: int = 10_000) -> None:
    """Other conversations beside ours: their records in the store, their folders in the tree."""
    record = next((fixture.store / "sessions").iterdir())
    data = record.read_bytes()
    prefix = record.name.partition("~")[0]
    for number in range(count):
        (fixture.store / "sessions" / f"{prefix}~bench-{number:08}").write_bytes(data)
        os.mkdir(fixture.root / f".ai/tmp/{number:08x}", 0o700)
