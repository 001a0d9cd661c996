"""A scratch machine in a folder: a home with the user's store, a git repository with `.ai/`, and the door as a process.

Everything is real: the store is written by the bundle, logs are files, and doors are processes of the base interpreter
(`start`), or forks of one that has the bundle loaded (`send`, where `forked` knows that to be the same).
`audit` holds what must be true of every session whatever happened to it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import forked
from jackline.compiler import schemas
from jackline.compiler.collect import survey, trust_all
from jackline.hook_table import HookTable, load, path_of
from jackline.services.artifacts import content_hash
from jackline.store.ids import digest, is_sid
from jackline.store.journal import parse
from jackline.store.reducer import fold

BASE = forked.BASE
RECORDED = Path(__file__).parent / "recorded"
ADVANCED = ("lastEventOffset",)
"""What `state.json` says about itself: how far into the log it reaches. No patch carries it."""

FEATURE = """
from jackline.sdk import *

@hook(name="{name}", supports={supports!r}, priority={priority}, critical={critical}, runner="{runner}"{more})
def handle(event, ctx):
{body}
"""


class Said(NamedTuple):
    """What a door said and how long it took."""

    exit: int
    out: bytes
    err: bytes
    ms: float

    @property
    def body(self) -> dict[str, Any]:
        """The answer, held to what every client needs: exit 0, nothing on stderr, one JSON object and a newline."""
        assert (self.exit, self.err) == (0, b""), self
        assert self.out.endswith(b"\n") and self.out.count(b"\n") == 1, self
        found = json.loads(self.out)
        assert isinstance(found, dict), self
        return found

    @property
    def decision(self) -> str:
        """The permission decision as the client reads it, "" for none."""
        body = self.body
        return str(body.get("hookSpecificOutput", body).get("permissionDecision", ""))

    @property
    def reason(self) -> str:
        body = self.body
        return str(body.get("hookSpecificOutput", body).get("permissionDecisionReason", body.get("reason", "")))


class Scene:
    """One machine: `home`, `store` (where a user's store stands), `root` (a repository with `.ai/`)."""

    def __init__(self, folder: Path, made: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.store = self.home / ".local" / "state" / "jackline"
        self.root = folder / "project"
        self.hooks = self.root / ".ai" / "hooks"
        shutil.copytree(made, self.store, copy_function=os.link)  # one bundle for all: replace its files, never change
        self.store.chmod(0o700)
        self.root.mkdir()
        (self.root / ".ai").mkdir()
        git(self.root, "init", "-q")
        self.env = {"HOME": str(self.home), "PATH": "/usr/bin:/bin"}
        self.session = "11111111-2222-3333-4444-555555555555"

    # --- what a client sends ---

    def payload(self, event: str, **fields: Any) -> dict[str, Any]:
        """A payload of Claude Code's shape."""
        made: dict[str, Any] = {"session_id": self.session, "cwd": str(self.root), "hook_event_name": event}
        if event != "SessionStart":
            made["prompt_id"] = "p-1"
        return {**made, **fields}

    def tool(self, command: str = "echo hi", event: str = "PreToolUse", **fields: Any) -> dict[str, Any]:
        """A shell call of Claude Code."""
        made = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"toolu_{time.monotonic_ns()}"}
        if event == "PostToolUse":
            made["tool_response"] = {"stdout": "", "stderr": "", "interrupted": False}
        return self.payload(event, **{**made, **fields})

    def recorded(self, path: str, **fields: Any) -> dict[str, Any]:
        """A recorded payload with its places mapped to this repository."""
        text = (RECORDED / path).read_text()
        for old in ("/workspace/project", "/workspace"):
            text = text.replace(old, str(self.root))
        found: dict[str, Any] = json.loads(text)
        return {**found, **fields}

    # --- the door ---

    def argv(self, event: str, dialect: str = "claude-code", *more: str) -> list[str]:
        return [BASE, "-I", "-S", str(self.store / "door.py"), dialect, event, *more]

    def start(
        self,
        event: str,
        *more: str,
        dialect: str = "claude-code",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        **popen: Any,
    ) -> subprocess.Popen[bytes]:
        """A door that waits for its payload."""
        pipe = subprocess.PIPE
        streams: dict[str, Any] = {"stdin": pipe, "stdout": pipe, "stderr": pipe} | popen
        argv = self.argv(event, dialect, *more)
        door: subprocess.Popen[bytes] = subprocess.Popen(
            argv, env={**self.env, **(env or {})}, cwd=cwd or self.root, **streams
        )
        return door

    def send(
        self, raw: bytes, event: str, *more: str, timeout: float = 30, process: bool = False, **options: Any
    ) -> Said:
        """Give these bytes to a door and wait for its end. `process`: one of its own, and no fork."""
        begun = time.monotonic()
        if not process and options.keys() <= {"dialect", "env", "cwd"}:
            argv = self.argv(event, options.get("dialect", "claude-code"), *more)
            env = {**self.env, **(options.get("env") or {})}
            ran = forked.run(argv, raw, env, options.get("cwd") or self.root, timeout)
            if ran is not None:
                return Said(*ran, (time.monotonic() - begun) * 1000)
        door = self.start(event, *more, **options)
        try:
            out, err = door.communicate(raw, timeout)
        except subprocess.TimeoutExpired:
            door.kill()
            door.communicate()
            raise
        return Said(door.returncode, out or b"", err or b"", (time.monotonic() - begun) * 1000)

    def say(self, payload: Mapping[str, Any], *more: str, event: str = "", **options: Any) -> Said:
        """Give a payload to the door of its event."""
        name = event or payload.get("hook_event_name") or payload.get("hookEventName") or ""
        return self.send(json.dumps(payload).encode(), str(name), *more, **options)

    def pre(self, command: str = "echo hi", **fields: Any) -> Said:
        return self.say(self.tool(command, **fields))

    def prompt(self, text: str = "do it", **fields: Any) -> Said:
        return self.say(self.payload("UserPromptSubmit", prompt=text, **fields))

    def begin(self, **fields: Any) -> Said:
        return self.say(self.payload("SessionStart", source="startup", **fields))

    # --- what a person configures ---

    def manifest(self, value: Mapping[str, Any]) -> None:
        """The user's own manifest."""
        folder = self.home / ".config" / "jackline"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "dispatch.manifest.json").write_text(json.dumps(value))

    def feature(
        self,
        name: str,
        body: str,
        *,
        supports: Sequence[str] = ("PreToolUse",),
        priority: int = 50,
        critical: bool = False,
        runner: str = "inline",
        more: str = "",
        root: Path | None = None,
    ) -> None:
        """Write a project feature whose handler has this body. It counts once `trust` was called."""
        lines = "\n".join("    " + line for line in body.strip("\n").split("\n"))
        text = FEATURE.format(
            name=name,
            supports=list(supports),
            priority=priority,
            critical=critical,
            runner=runner,
            more=more,
            body=lines,
        )
        folder = (root or self.root) / ".ai" / "hooks" / "features" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "hook.py").write_text(text)

    def trust(self, root: Path | None = None) -> None:
        """A person says yes to all that the project brings."""
        at = str(root or self.root)
        trust_all(str(self.store), at, survey(at, str(self.store)), "person")

    def table(self) -> HookTable:
        from jackline.store.ids import slot

        found = load(path_of(str(self.store), slot(str(self.root))))
        assert found is not None
        return found

    # --- what is left behind ---

    def sessions(self) -> list[Path]:
        """The folders of all sessions, in trees and in the store."""
        places = [*self.folder.glob("*/.ai/tmp/*"), *self.store.glob("repos/*/tmp/*")]
        return sorted(path for path in places if path.is_dir() and is_sid(path.name))

    @property
    def place(self) -> Path:
        """The folder of the one session there is."""
        found = self.sessions()
        assert len(found) == 1, found
        return found[0]

    def place_of(self, session: str, client: str = "claude-code") -> Path:
        """The folder of one session, by its client's id for it."""
        sid = digest(f"{client} {session}", 64)[:8]
        return next(folder for folder in self.sessions() if folder.name == sid)

    def log(self, folder: Path | None = None) -> list[dict[str, Any]]:
        """All records of a session's log; no line may be torn."""
        records, torn = parse(((folder or self.place) / "events.jsonl").read_bytes())
        assert torn == 0
        return records

    def rows(self, *kinds: str, folder: Path | None = None) -> list[dict[str, Any]]:
        return [one for one in self.log(folder) if one["kind"] in kinds]

    def decided(self) -> list[str]:
        """The decisions of tool calls, in the order of the log."""
        return [row["decision"] for row in self.rows("TOOL_DECISION")]

    def state(self, folder: Path | None = None) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(((folder or self.place) / "state.json").read_text())
        return found

    def crashes(self) -> list[dict[str, Any]]:
        return [json.loads(line) for path in (self.store / "crash").glob("*") for line in path.read_text().splitlines()]


def git(root: Path, *words: str) -> str:
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null"}
    return subprocess.run(["git", *words], cwd=root, env=env, check=True, capture_output=True, text=True).stdout


def settled(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state without what it says about itself: equal to the fold of the log it has seen."""
    core = {key: value for key, value in state.get("core", {}).items() if key not in ADVANCED}
    return {**state, "core": core}


def audit(folder: Path, *, torn: int = 0) -> list[dict[str, Any]]:
    """Hold a session's files to what must always be true; at most `torn` unreadable lines. Returns the records."""
    try:
        data = (folder / "events.jsonl").read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return []
    records, lost = parse(data)
    assert lost <= torn, f"{lost} torn lines in {folder}"
    ids = [one["id"] for one in records]
    assert len(ids) == len(set(ids)), "a record is there twice"
    for one in records:
        assert schemas.validate("event-record", one) == [], one
    if (folder / "registry.jsonl").exists():
        bus, lost = parse((folder / "registry.jsonl").read_bytes())
        assert lost <= torn
        for one in bus:
            assert schemas.validate("artifact-record", one) == [], one
        _announced(folder, bus)
    _posted(folder)
    if (folder / "state.json").exists():
        state = json.loads((folder / "state.json").read_text())
        assert schemas.validate("state", state) == [], state
        seen = state["core"].get("lastEventOffset", 0)
        assert settled(state) == settled(fold(parse(data[:seen])[0])), f"not the fold of its {seen} bytes"
    return records


ANNOUNCED = {
    "context_pack": "context-pack",
    "plan_accepted": "plan-graph",
    "validator_manifest": "validator-manifest",
    "resume_capsule": "resume-capsule",
    "retrospective": "retrospective",
}
"""By kind of artifact, the schema of its file."""


def _announced(folder: Path, bus: Iterable[dict[str, Any]]) -> None:
    """Files that are as they were announced have the form of their kind; what a test put in their place need not."""
    for one in bus:
        path = folder / str(one.get("ref", ""))
        data = path.read_bytes() if one["kind"] in ANNOUNCED and path.is_file() else b""
        if data and content_hash(data) == one.get("hash"):
            found = json.loads(data)
            assert schemas.validate(ANNOUNCED[one["kind"]], found) == [], (path, found)


def _posted(folder: Path) -> None:
    """Entries of mailboxes that are as they were posted, with their lines of the index; others are an agent's words."""
    for index in folder.glob("work/*/mailbox/index.jsonl"):
        for row in parse(index.read_bytes())[0]:
            path = folder / str(row.get("ref", ""))
            data = path.read_bytes() if path.is_file() else b""
            if data and content_hash(data) == row.get("hash"):
                for one in (row, json.loads(data)):
                    assert schemas.validate("mailbox-entry", one) == [], (path, one)


def listing(base: Path, without: Iterable[Path] = ()) -> dict[str, tuple[int, int, bytes]]:
    """Every file below `base` with mode, size and content, but for some places: to hold that nothing else changed."""
    skip = [str(path) for path in without]
    found = {}
    for at, folders, files in os.walk(base):
        folders[:] = [name for name in folders if f"{at}/{name}" not in skip]
        for name in (*folders, *files):
            path = f"{at}/{name}"
            if path in skip:
                continue
            mode = os.lstat(path)
            content = os.readlink(path).encode() if os.path.islink(path) else b""
            if os.path.isfile(path) and not os.path.islink(path):
                content = Path(path).read_bytes()
            found[path] = (mode.st_mode, 0 if os.path.isdir(path) else mode.st_size, content)
    return found
