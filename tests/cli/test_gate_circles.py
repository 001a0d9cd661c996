"""No gate is circular: in every state that events lead to, for each client, a refusal names one command, this client
can run it now past every guard, and who does what refusals say, one after the other, gets through.

States are found by trying every event in every state found before; each is reached anew, by its events, for each try.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jackline.store import tasks
from scene import Said, git

from .conftest import Desk

NAMES = ("work-init", "plan-graph", "tool-gate", "pre-compact", "planGraph-exec")
PATCH = "*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch\n"
CLIENTS: dict[str, tuple[str, str, Callable[[str], tuple[str, dict[str, Any]]], bool]] = {
    # Client: its dialect, its shell, how it writes a file, and whether it tells before it cuts an agent's context.
    "claude-code": ("claude-code", "Bash", lambda path: ("Write", {"file_path": path, "content": "x\n"}), True),
    "codex": ("codex", "Bash", lambda path: ("apply_patch", {"command": PATCH.format(path)}), True),
    "vscode": ("github", "run_in_terminal", lambda path: ("create_file", {"filePath": path, "content": "x"}), True),
    "copilot-cli": ("github", "Bash", lambda path: ("Write", {"path": path, "file_text": "x\n"}), False),
}
DEEP = 3
"""Events that lead to a state."""
STEPS = 8
"""Commands after which whoever does what refusals say has got through."""
COMMAND = re.compile(r"jackline [a-z][^;\n]*")


class Client:
    """One client of a desk: each session of it is a path of events."""

    number = 0
    place: Path

    def __init__(self, desk: Desk, name: str) -> None:
        self.desk, self.name = desk, name
        self.dialect, self.shell, self.writes, self.tells = CLIENTS[name]
        self.session = ""

    # --- what is sent ---

    def say(self, event: str, **fields: Any) -> Said:
        payload = {"hook_event_name": event, "session_id": self.session, "cwd": str(self.desk.root), **fields}
        if self.name == "copilot-cli":
            payload.pop("tool_use_id", None)  # it has none, and begins with the event's name
        if self.dialect == "github":
            payload["timestamp"] = "2026-04-01T10:00:00.000Z"
        if self.name == "vscode":
            payload["transcript_path"] = f"/x/GitHub.copilot-chat/transcripts/{self.session}.jsonl"
        env = {"COPILOT_HOOK_DIR": "/x"} if self.name == "copilot-cli" else {}
        return self.desk.say(payload, dialect=self.dialect, env=env)

    def tool(self, event: str, tool: str, given: dict[str, Any]) -> Said:
        more = {"tool_response": {"stdout": ""}} if event == "PostToolUse" else {}
        return self.say(event, tool_name=tool, tool_input=given, tool_use_id="t", **more)

    def run(self, command: str) -> Said:
        return self.tool("PreToolUse", self.shell, {"command": command})

    def start(self) -> None:
        """A session of its own, and its folder."""
        Client.number += 1
        self.session = f"circle-{Client.number}"
        before = set(self.desk.sessions())
        self.say("SessionStart", source="startup")
        [self.place] = set(self.desk.sessions()) - before

    @property
    def sid(self) -> str:
        return self.place.name

    @property
    def task(self) -> dict[str, Any]:
        state = json.loads((self.place / "state.json").read_text())
        return tasks.read(str(self.desk.store), self.sid, state["core"]["workId"])

    @property
    def state(self) -> tuple[Any, ...]:
        """What the gate goes by, without times and names of plans."""
        known = self.task
        nodes = tuple(sorted((name, one["status"]) for name, one in known.get("nodes", {}).items()))
        return (known.get("phase"), bool(known.get("plan")), known.get("locked", ""), nodes,
                tuple(sorted(known.get("leases") or {})), bool((known.get("context") or {}).get("hash")))  # fmt: skip

    def jackline(self, *words: str) -> int:
        """A command as the agent's shell runs it; its exit code."""
        argv = self.desk.command(*words, "--session", self.sid)
        import forked

        ran = forked.run(argv, b"", self.desk.env, self.desk.root, 60, session=True)
        assert ran is not None and ran.code in (0, 1), (words, ran)
        self.tool("PostToolUse", self.shell, {"command": shlex.join(["jackline", *words])})
        return int(ran.code)


# --- what leads from a state to another ----------------------------------------------------------------------------


def _prompt(client: Client) -> None:
    client.say("UserPromptSubmit", prompt="go on")


def _plan(client: Client) -> None:
    nodes = [
        {"id": "one", "description": "one", "scope": "src/**", "validators": ["t"]},
        {"id": "two", "description": "two", "kind": "validate", "dependsOn": ["one"]},
    ]
    _submit(client, nodes)


def _submit(client: Client, nodes: list[dict[str, Any]]) -> None:
    path = client.desk.folder / "plan.json"
    path.write_text(json.dumps({"nodes": nodes}))
    client.jackline("plan", "submit", str(path))


def _pack(client: Client) -> None:
    client.jackline("pack", "make", "rotate the refresh tokens")


def _begin(client: Client) -> None:
    client.run("touch src/new.py")
    (client.desk.root / "src/new.py").write_text("x\n")


def _done(client: Client) -> None:
    for name in ("one", "two"):
        client.jackline("plan", "node", "skip", name, "--reason", "x")


def _stuck(client: Client) -> None:
    for _ in range(3):
        client.run("touch docs/new.md")


def _cut(client: Client) -> None:
    if client.tells:
        client.say("PreCompact", trigger="auto")
    else:
        client.say("SessionStart", source="compact")


EVENTS = {one.__name__: one for one in (_prompt, _pack, _plan, _begin, _done, _stuck, _cut)}


def reach(client: Client, path: tuple[str, ...]) -> None:
    """A session of its own that comes through these events."""
    client.start()
    for name in path:
        EVENTS[name](client)


def states(client: Client, deep: int) -> Iterator[tuple[str, ...]]:
    """A way to every state that so many events lead to."""
    seen: set[tuple[Any, ...]] = set()
    level: list[tuple[str, ...]] = [()]
    for _ in range(deep + 1):
        after = []
        for path in level:
            reach(client, path)
            if client.state not in seen:
                seen.add(client.state)
                yield path
                after += [(*path, name) for name in EVENTS]
        level = after


# --- what an agent tries, and how it is led ------------------------------------------------------------------------

PROBES: dict[str, Callable[[Client], Said]] = {
    "write": lambda client: client.tool("PreToolUse", *client.writes(f"{client.desk.root}/docs/new.md")),
    "shell": lambda client: client.run("sed -i s/a/b/ src/a.py docs/b.md"),
    "push": lambda client: client.run("git push origin main"),
    "unknown": lambda client: client.run("frobnicate --all"),
    "read": lambda client: client.run("cat docs/b.md"),
    "search": lambda client: client.run("rg x docs"),
    "tests": lambda client: client.run("pytest -q"),
}
WISHES = {"push": {"kind": "side_effect"}, "read": {"tool": "kind:read"}}


def _words(client: Client, command: str, probe: str) -> list[str]:
    """The words of a command that a refusal names, with something for each blank."""
    known = WISHES.get(probe, {})
    Client.number += 1
    node = {"id": f"n{Client.number}", "description": f"plan {Client.number}", "validators": ["t"], **known}
    path = client.desk.folder / f"plan-{Client.number}.json"
    path.write_text(json.dumps({"nodes": [node]}))
    blanks = {"WHAT": f"work {Client.number}", "FILE": str(path), "GLOB": "**", "PATH": "docs/b.md"}
    return [blanks.get(one, one) for one in shlex.split(command)[1:]]


def lead(client: Client, probe: str) -> list[str]:
    """Do what refusals say until a call gets through: the commands. AssertionError where they lead nowhere."""
    done: list[str] = []
    while (said := PROBES[probe](client)).decision == "deny":
        text = said.reason.partition('\n{"type"')[0]
        named = COMMAND.findall(text)
        assert len(named) == 1, ("not one command", text)
        assert len(done) < STEPS, ("in a circle", done, text)
        words = _words(client, named[0], probe)
        run = client.run(shlex.join(["jackline", *words]))
        assert run.decision == "", ("cannot be run", named[0], run.reason)
        client.jackline(*words)
        done.append(named[0])
    return done


@pytest.fixture
def shop(desk: Desk) -> Desk:
    for name in ("src/a.py", "docs/b.md"):
        (desk.root / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / name).write_text("a: refresh tokens\n")
    git(desk.root, "add", "-A")
    git(desk.root, "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "tokens")
    desk.manifest({"version": 1, "modules": {name: {"enabled": True, "mode": "enforce"} for name in NAMES}})
    return desk


def hold(desk: Desk, name: str, knobs: dict[str, Any], paths: Iterable[tuple[str, ...]] = (), probes: str = "") -> str:
    """Try everything in every state, or in these; the phases they were in."""
    (desk.home / ".config/jackline/config.json").write_text(json.dumps({"tool-gate": knobs}))
    client, phases, faults = Client(desk, name), set(), []
    for path in list(paths or states(client, DEEP)):
        for probe in probes.split() or PROBES:
            reach(client, path)
            phases.add(str(client.task.get("phase")))
            try:
                lead(client, probe)
            except AssertionError as fault:
                faults.append((path, probe, fault.args))
    assert not faults, "\n".join([str(one) for one in faults])
    return " ".join(sorted(phases))


LETTER = {"reading": "lease", "small": "off"}


SOME = (
    (), ("_prompt",), ("_prompt", "_stuck"), ("_prompt", "_plan"), ("_prompt", "_plan", "_begin", "_stuck"),
    ("_prompt", "_pack", "_plan", "_cut"), ("_prompt", "_plan", "_done"),
)  # fmt: skip
"""A way to each phase, and to locked tools."""


@pytest.mark.parametrize(("name", "knobs", "probes"), [("claude-code", {}, "push"),
                         ("codex", LETTER, "write search")], ids=["free", "to the letter"])  # fmt: skip
def test_who_does_what_refusals_say_gets_through(shop: Desk, name: str, knobs: dict[str, Any], probes: str) -> None:
    assert hold(shop, name, knobs, SOME, probes) == "BLOCKED COMPLETE EXECUTING PLANNING UNINITIALIZED"


@pytest.mark.slow
@pytest.mark.parametrize("knobs", [{}, {"start": "explicit"}, {"reading": "pack"}, LETTER],
                         ids=["free", "explicit", "pack", "to the letter"])  # fmt: skip
@pytest.mark.parametrize("name", CLIENTS)
def test_in_every_state_for_each_client(shop: Desk, name: str, knobs: dict[str, Any]) -> None:
    assert hold(shop, name, knobs) == "BLOCKED COMPLETE EXECUTING PLANNING UNINITIALIZED"
