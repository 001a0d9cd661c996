"""Play one case: events of a session, sent one by one to the entry point on a scratch machine, and what came of it.

All that knows the product stands here. Each event runs in a fork, as it has a process of its own in life: nothing of
one event reaches the next but what is on disk. Environment, home, entropy, the monotonic clock and
the processes above the entry point are the same in every run. The wall clock is the real one, since files carry real
times and are compared with it; `words.py` takes times, ids and places out of what is written down.
"""

from __future__ import annotations

import importlib
import json
import os
import posix
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import forked as forks
from forkserver import compiler
from jackline import hook, host, system
from jackline.clients.specs import SPEAKS
from jackline.compiler.collect import survey, trust_all
from jackline.processes import Process
from jackline.store import approvals
from jackline.store.ids import digest, is_sid, slot

RECORDED = Path(__file__).parent.parent / "recorded"
SESSION = "11111111-2222-3333-4444-555555555555"
STORE = "home/.local/state/jackline"
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
CLIENTS = {
    "claude-code": Process(99_000_001, 1_000, "claude", "/opt/claude/claude", ("claude",)),
    "codex": Process(99_000_002, 2_000, "codex", "/opt/codex/codex", ("codex",)),
    "copilot-cli": Process(99_000_003, 3_000, "copilot", "/opt/copilot/copilot", ("copilot",)),
    "vscode": Process(99_000_004, 4_000, "code", "/opt/code/code", ("code",)),
    "gemini-cli": Process(99_000_005, 5_000, "node", "/opt/node/bin/node", ("node", "gemini")),
    "qwen-code": Process(99_000_006, 6_000, "node", "/opt/node/bin/node", ("node", "qwen")),
    "cline": Process(99_000_007, 7_000, "cline", "/opt/cline/cline", ("cline",)),
    "factory-droid": Process(99_000_008, 8_000, "droid", "/opt/droid/droid", ("droid",)),
    "kimi-code": Process(99_000_009, 9_000, "kimi", "/opt/kimi/kimi", ("kimi",)),
    "hermes-agent": Process(99_000_010, 10_000, "hermes", "/opt/hermes/hermes", ("hermes",)),
    "opencode": Process(99_000_011, 11_000, "opencode", "/opt/opencode/opencode", ("opencode",)),
    "kilo": Process(99_000_012, 12_000, "kilo", "/opt/kilo/kilo", ("kilo",)),
    "pi": Process(99_000_013, 13_000, "pi", "/opt/node/bin/node", ("pi",)),
}
"""What each client's process is said to be; the numbers are above any that a machine gives."""
DOORS = SPEAKS
"""The dialect a client's entry names."""

FEATURE = """
from jackline.sdk import *

@hook(name="{name}", supports={supports!r}, priority={priority}, critical={critical}, runner="{runner}"{more})
def handle(event, ctx):
{body}
"""


class Reply(NamedTuple):
    """What a client got."""

    exit: int
    out: bytes
    err: bytes


class Entry(NamedTuple):
    """One start of the entry point: its words, its input, its surroundings."""

    words: tuple[str, ...]
    raw: bytes
    cwd: Path
    env: Mapping[str, str]
    client: str
    real_time: bool = False
    number: int = 0


class Machine:
    """A scratch machine: `home`, the store in it, and `root`, a repository with `.ai/`."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.path.realpath(folder))
        self.home = self.folder / "home"
        self.store = self.folder / STORE
        self.root = self.folder / "project"
        self.ran = 0
        self.requests: dict[str, str] = {}
        self.store.mkdir(parents=True, mode=0o700)
        repository(self.root)

    def trust(self, root: Path | None = None) -> None:
        """A person says yes to all that a project brings."""
        at, store = str(root or self.root), str(self.store)
        with home(self.home):
            trust_all(store, at, survey(at, store), "person")

    def sessions(self) -> list[Path]:
        """The folders of all sessions, in trees and in the store."""
        places = [*self.folder.glob("*/.ai/tmp/*"), *self.store.glob("repos/*/tmp/*")]
        return sorted(path for path in places if path.is_dir() and is_sid(path.name))

    def look(self) -> None:
        """Remember requests by the order in which they came: their names are drawn."""
        for path in sorted(self.store.glob("approvals/*.ask"), key=lambda path: path.stat().st_mtime_ns):
            self.requests.setdefault(path.stem, f"<request {len(self.requests) + 1}>")

    def names(self) -> dict[str, str]:
        """What stands for this machine in files and answers, and what is written down for it."""
        try:
            host = (self.store / "host").read_text()
        except OSError:
            host = "no host"
        found = {
            **self.requests,
            str(self.store): "<store>",
            str(self.home): "<home>",
            str(self.root): "<root>",
            str(self.folder): "<machine>",
            host: "<host>",
        }
        for path in sorted(self.folder.iterdir()):
            if path.is_dir() and path != self.home:
                found[slot(host + str(path))] = f"<repo of {path.name}>"
                found[slot(str(path))] = f"<slot of {path.name}>"
                found[digest(str(path / ".git"), 8)] = f"<trust of {path.name}>"
                for below in path.glob("*/.git"):
                    name = f"{path.name}/{below.parent.name}"
                    found |= {slot(str(below.parent)): f"<slot of {name}>", digest(str(below), 8): f"<trust of {name}>"}
        return found


def repository(path: Path) -> None:
    """What git init leaves, as far as anybody here looks at it."""
    (path / ".git" / "objects").mkdir(parents=True)
    (path / ".git" / "refs").mkdir()
    (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (path / ".git" / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    (path / ".ai").mkdir()


def git_init(path: Path) -> None:
    """A repository as git itself makes it, for what asks git."""
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_TEMPLATE_DIR": ""}
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=path, env=env, check=True)


class home:  # noqa: N801 - a verb of `with`
    """This process has that home for a while."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        self.before = {**posix.environ}
        posix.environ[b"HOME"] = str(self.path).encode()

    def __exit__(self, *_: object) -> None:
        posix.environ.clear()
        posix.environ.update(self.before)


def feature(machine: Machine, name: str, given: Mapping[str, Any], root: Path | None = None) -> None:
    """Write a project's feature; it counts once `trust` was called."""
    fields = {"supports": ["PreToolUse"], "priority": 50, "critical": False, "runner": "inline", **given}
    body = "\n".join("    " + line for line in str(fields.pop("code")).strip("\n").split("\n"))
    known = {key: fields.pop(key) for key in ("supports", "priority", "critical", "runner")}
    more = "".join(f", {key}={value!r}" for key, value in fields.items())
    path = (root or machine.root) / ".ai" / "hooks" / "features" / name / "hook.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FEATURE.format(name=name, body=body, more=more, **known))


# --- the entry point, in a fork ---


def ready() -> None:
    """Import once what the entry point and the compiler import, so that the forks have it."""
    from jackline.compiler.bundle_modules import later_modules

    for name in (*later_modules(), "jackline.install.follow"):
        importlib.import_module(name)
    compiler()


def fixed(folder: Path, number: int, client: str, real_time: bool) -> None:
    """Put what is the same in every run in the place of what is not."""
    from _blake2 import blake2b

    drawn = 0

    def entropy(size: int = 16) -> bytes:
        nonlocal drawn
        drawn += 1
        return blake2b(f"{number} {drawn}".encode(), digest_size=max(size, 1)).digest()

    ticks = folder / "ticks"

    def clock() -> int:
        """Stands still, but that a feature moves it on by the milliseconds it writes."""
        return 1_000_000_000_000 + (int(ticks.read_text()) * 1_000_000 if ticks.exists() else 0)

    alarm = system.alarm

    def patient(seconds: float, handler: Callable[[], None], again: float = 0.0) -> None:
        alarm(seconds * 60, handler, again * 60)

    host.entropy = entropy
    host.ancestors = lambda limit=12: (CLIENTS[client],)
    if not real_time:
        system.alarm = patient
        host.clock = clock


def enter() -> None:
    """What a fork does: be the entry point of a machine, with what is the same in every run."""
    folder, number, client, real_time, *words = sys.argv
    sys.dont_write_bytecode = True
    fixed(Path(folder), int(number), client, bool(real_time))
    hook.main(f"{folder}/{STORE}", [word.encode("utf-8", "replace").decode() for word in words])


def forked(machine: Machine, entry: Entry) -> Reply:
    """Run the entry point in a fork of a process that is ready for it."""
    real_time = "real time" if entry.real_time else ""
    argv = [str(machine.folder), str(entry.number), entry.client, real_time, *entry.words]
    plan = forks.Plan(forks.ready("golden.play"), argv, {**entry.env}, "")
    return Reply(*forks.call(plan, entry.raw, entry.cwd, 120, mask=0o022))


# --- what is sent ---

TOOLS: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "bash": ("Bash", lambda text: {"command": text}),
    "read": ("Read", lambda text: {"file_path": f"<root>/{text}"}),
    "write": ("Write", lambda text: {"file_path": f"<root>/{text}", "content": "new\n"}),
    "edit": ("Edit", lambda text: {"file_path": f"<root>/{text}", "old_string": "old", "new_string": "new"}),
    "grep": ("Grep", lambda text: {"pattern": text}),
    "task": ("Agent", lambda text: {"description": text, "prompt": text, "subagent_type": "general-purpose"}),
    "mcp": ("mcp__memo__remember", lambda text: {"text": text}),
}
MOMENTS = {"after": "PostToolUse", "failed": "PostToolUseFailure", "permission": "PermissionRequest"}
OTHERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "SessionStart": lambda text: {"source": text or "startup"},
    "UserPromptSubmit": lambda text: {"prompt": text},
    "Stop": lambda text: {"stop_hook_active": text == "active"},
    "SubagentStart": lambda text: {"agent_id": text or "agent-1", "agent_type": "explore"},
    "SubagentStop": lambda text: {"agent_id": text or "agent-1", "agent_type": "explore", "stop_hook_active": False},
    "PreCompact": lambda text: {"trigger": text or "auto"},
    "PostCompact": lambda text: {"trigger": text or "auto"},
    "SessionEnd": lambda text: {"reason": text or "other"},
    "Notification": lambda text: {"message": text, "notification_type": "idle_prompt"},
}


def payload(machine: Machine, text: str, number: int) -> dict[str, Any]:
    """A payload of Claude Code's shape: `bash ls`, `after bash ls`, `Stop active`, `UserPromptSubmit do it`."""
    first, _, rest = text.partition(" ")
    made: dict[str, Any] = {"session_id": SESSION, "cwd": "<root>"}
    if first in OTHERS:
        made |= {"hook_event_name": first, **OTHERS[first](rest)}
    else:
        event = MOMENTS.get(first, "PreToolUse")
        if first in MOMENTS:
            first, _, rest = rest.partition(" ")
        tool, given = TOOLS[first]
        made |= {"hook_event_name": event, "tool_name": tool, "tool_input": given(rest), "tool_use_id": f"use-{number}"}
        if event == "PostToolUse":
            made["tool_response"] = {"stdout": "", "stderr": "", "interrupted": False}
        if event == "PostToolUseFailure":
            made["error"] = "exit 1"
    if made["hook_event_name"] != "SessionStart":
        made["prompt_id"] = "p-1"
    return made


def placed(machine: Machine, value: str) -> str:
    for path, name in ((machine.root, "<root>"), (machine.home, "<home>"), (machine.folder, "<machine>")):
        value = value.replace(name, str(path))
    return value


def recorded(machine: Machine, path: str) -> bytes:
    """A recorded payload with its places mapped to this machine."""
    raw = (RECORDED / path).read_bytes()
    for old in (b"/workspace/project", b"/workspace"):
        raw = raw.replace(old, str(machine.root).encode())
    return raw


def entry_of(machine: Machine, case: Mapping[str, Any], step: Mapping[str, Any]) -> Entry:
    """The start of the entry point that a step stands for."""
    machine.ran += 1
    client = step.get("client", case.get("client", "claude-code"))
    if "recorded" in step:
        path = Path(step["recorded"])
        client = step.get("client", path.parts[0])
        raw = recorded(machine, step["recorded"])
        event = step.get("event", path.name.split(".")[0].split("-")[0])
        if "with" in step or "without" in step:
            raw = json.dumps(changed(machine, json.loads(raw), step)).encode()
    elif "bytes" in step:
        raw, event = bytes_of(step["bytes"]), step.get("event", "PreToolUse")
    else:
        text = step["send"]
        if "<code>" in text:
            text = text.replace("<code>", code_of(machine))
        made = changed(machine, payload(machine, text, machine.ran), step)
        raw, event = placed(machine, json.dumps(made)).encode(), step.get("event", made["hook_event_name"])
    door = step.get("door", DOORS[client])
    words = tuple(step.get("words", (door, event, *step.get("more", ()))))
    env = {**ENVIRONMENT, "HOME": str(machine.home), **case.get("env", {}), **step.get("env", {})}
    env = {key: placed(machine, value) for key, value in env.items()}
    cwd = Path(placed(machine, step.get("cwd", "<root>")))
    return Entry(words, raw, cwd, env, client, bool(case.get("real_time")), machine.ran)


def changed(machine: Machine, made: dict[str, Any], step: Mapping[str, Any]) -> dict[str, Any]:
    for key, value in step.get("with", {}).items():
        made[key] = json.loads(placed(machine, json.dumps(value)))
    for key in step.get("without", ()):
        made.pop(key, None)
    return made


def bytes_of(given: Mapping[str, Any] | str) -> bytes:
    """Bytes as a case gives them: text, hex, or a text that is repeated."""
    if isinstance(given, str):
        return given.encode()
    if "hex" in given:
        return bytes.fromhex(given["hex"])
    times = int(given["times"])
    text = str(given.get("begin", "")) + str(given["repeat"]) * times + str(given.get("end", ""))
    return (text + str(given.get("repeat_end", "")) * times + str(given.get("last", ""))).encode()


def code_of(machine: Machine) -> str:
    """The code of the request that waits, as a person's terminal shows it."""
    waiting = approvals.waiting(str(machine.store), host.now() // 1_000_000)
    return approvals.code(str(machine.store), waiting[-1]) if waiting else "no code"


# --- what is done between events ---


def write(machine: Machine, step: Mapping[str, Any]) -> None:
    path = Path(placed(machine, step["write"]))
    path = path if path.is_absolute() else machine.root / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(placed(machine, step.get("text", "")))
    path.chmod(0o755 if step.get("text", "").startswith("#!") else 0o644)


def remove(machine: Machine, step: Mapping[str, Any]) -> None:
    path = Path(placed(machine, step["remove"]))
    path = path if path.is_absolute() else machine.root / path
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def pause(machine: Machine, step: Mapping[str, Any]) -> None:
    until = int((time.time() + step.get("minutes", 5) * 60) * 1000)
    one = {"feature": step["pause"], "until": until, "since": 0, "root": ""}
    (machine.store / "pause.json").write_text(json.dumps({"v": 1, "pauses": [one]}))


def forget(machine: Machine, step: Mapping[str, Any]) -> None:
    """Take away all sessions: what comes is the first event of one."""
    for path in (machine.root / ".ai" / "tmp", machine.store / "sessions"):
        shutil.rmtree(path, ignore_errors=True)


def await_file(machine: Machine, step: Mapping[str, Any]) -> None:
    """Wait for what a script does behind the entry point's back."""
    end = time.monotonic() + 20
    pattern = str(step["await"])
    while not any(path.stat().st_size for path in machine.root.glob(pattern)):
        assert time.monotonic() < end, f"{pattern} did not come"
        time.sleep(0.01)


DOINGS: dict[str, Callable[[Machine, Mapping[str, Any]], None]] = {
    "write": write,
    "remove": remove,
    "pause": pause,
    "forget": forget,
    "await": await_file,
    "trust": lambda machine, step: machine.trust(machine.folder / step["trust"]),
    "repository": lambda machine, step: repository(machine.folder / step["repository"]),
    "link": lambda machine, step: Path(placed(machine, step["link"])).symlink_to(placed(machine, step["to"])),
    "folder": lambda machine, step: Path(placed(machine, step["folder"])).mkdir(parents=True),
}


def prepare(machine: Machine, case: Mapping[str, Any]) -> None:
    """What the project and the person have before the first event."""
    for name, given in case.get("features", {}).items():
        feature(machine, name, given)
    for name, text in case.get("scripts", {}).items():
        write(machine, {"write": f".ai/hooks/scripts/{name}", "text": text})
    for path, text in case.get("files", {}).items():
        write(machine, {"write": path, "text": text})
    for key, path in (
        ("manifest", machine.home / ".config" / "jackline" / "dispatch.manifest.json"),
        ("project_manifest", machine.root / ".ai" / "hooks" / "dispatch.manifest.json"),
    ):
        if key in case:
            write(machine, {"write": str(path), "text": json.dumps(case[key])})
    if case.get("git", True) is not True:
        shutil.rmtree(machine.root / ".git")
    if case.get("git") == "init":
        git_init(machine.root)
    if not case.get("ai", True):
        shutil.rmtree(machine.root / ".ai")
    if case.get("trust", "features" in case or "scripts" in case):
        machine.trust()


def doing(step: Mapping[str, Any]) -> str:
    return next((name for name in DOINGS if name in step), "")
