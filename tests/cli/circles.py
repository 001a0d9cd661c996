"""A task as a machine to be searched: its states, what leads from one to another, what an agent tries in each, and how
refusals lead it.

Everything is real: doors, commands, files. A state that was reached is kept as files and put back for each try.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import forked
from jackline import system
from jackline.intents import active
from jackline.store import tasks
from scene import Said, git

from .conftest import Desk

NAMES = ("work-init", "plan-graph", "tool-gate", "pre-compact", "planGraph-exec")
MORE = {"intents": ("intent-scope",), "pack": ("context-pack",), "validators": ("validators",)}
"""What the gate works with, by the word that stands for it here."""
PATCH = "*** Begin Patch\n*** Add File: {}\n+tokens\n*** End Patch\n"
CLIENTS: dict[str, tuple[str, str, Callable[[str], tuple[str, dict[str, Any]]], bool]] = {
    # Client: its dialect, its shell, how it writes a file, and whether it tells before it cuts an agent's context.
    "claude-code": ("claude-code", "Bash", lambda path: ("Write", {"file_path": path, "content": "tokens\n"}), True),
    "codex": ("codex", "Bash", lambda path: ("apply_patch", {"command": PATCH.format(path)}), True),
    "vscode": ("github", "run_in_terminal", lambda path: ("create_file", {"filePath": path, "content": "x"}), True),
    "copilot-cli": ("github", "Bash", lambda path: ("Write", {"path": path, "file_text": "x\n"}), False),
}
STEPS = 8
"""Commands after which whoever does what refusals say has got through."""
COMMAND = re.compile(r"jackline [a-z][^;\n`]*")
ASKED = re.compile(r"jackline approve [0-9a-f]{6}")
"""What is said where a person is asked whom the client has no dialog for."""
PERSONS = ("intents expand", "intents new")
"""Commands that a refusal names for a person."""
OF_SESSION = ("plan", "pack", "work")
"""Commands that are about a session."""
ROWS = "validators:\n  - {id: check, command: [grep, -q, tokens, src/a.py], paths: ['src/**'], baseline: false}\n"
INTENTS = """active_intents:
  - {id: INT-001, name: Tokens, status: IN_PROGRESS, owned_scope: ["src/**"]}
  - {id: INT-002, name: Pages, status: IN_PROGRESS, owned_scope: ["docs/pages/**"]}
"""
Kept = dict[str, bytes]


def prepared(desk: Desk, more: tuple[str, ...]) -> Desk:
    """A project in which these features are strict, with what they need to be of use."""
    for name in ("src/a.py", "docs/b.md"):
        (desk.root / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / name).write_text("a: refresh tokens\n")
    desk.hooks.mkdir(parents=True, exist_ok=True)
    (desk.hooks / "validators.yaml").write_text(ROWS)
    (desk.root / ".orchestration").mkdir()
    (desk.root / ".orchestration/active_intents.yaml").write_text(INTENTS)
    git(desk.root, "add", "-A")
    git(desk.root, "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "tokens")
    names = (*NAMES, *[name for one in more for name in MORE[one]])
    desk.manifest({"version": 1, "modules": {name: {"enabled": True, "mode": "enforce"} for name in names}})
    if "validators" in more:
        desk.trust()
    return desk


class Client:
    """One client of a desk: each session of it is a path of events."""

    number = 0
    place: Path

    def __init__(self, desk: Desk, name: str, more: tuple[str, ...] = ()) -> None:
        self.desk, self.name, self.more = desk, name, more
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

    def write(self, path: str, event: str = "PreToolUse") -> Said:
        return self.tool(event, *self.writes(f"{self.desk.root}/{path}"))

    def prompt(self, text: str) -> None:
        """A person's prompt, and what is done behind the client's back for it."""
        before = (self.parts.get("validators") or {}).get("work")
        self.say("UserPromptSubmit", prompt=text)
        if "validators" in self.more and before != self.work:
            self.until(lambda: "began" in (self.task.get("validators") or {}))
        if "pack" in self.more and len(text.split()) > 3 and not self.task.get("context"):
            self.run("ls")
            self.until(lambda: self.task.get("context"))
            self.run("ls")

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
    def parts(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.place / "state.json").read_text())
        return found

    @property
    def work(self) -> str:
        return str(self.parts["core"]["workId"])

    @property
    def task(self) -> dict[str, Any]:
        return tasks.read(str(self.desk.store), self.sid, self.work)

    @property
    def state(self) -> tuple[Any, ...]:
        """What the gate goes by, without times and names of plans."""
        known = self.task
        nodes = tuple(sorted((name, one["status"]) for name, one in known.get("nodes", {}).items()))
        context = known.get("context") or {}
        chosen = active(str(self.desk.store), self.sid)
        held = ((known.get("validators") or {}).get("held") or {}).get("times", 0) > 2
        return (known.get("phase"), bool(known.get("plan")), known.get("locked", ""), nodes,
                tuple(sorted(known.get("leases") or {})), bool(context.get("hash")), context.get("status"),
                chosen and (chosen.id, chosen.given), (self.desk.root / "src/a.py").read_text(), held)  # fmt: skip

    def command(self, *words: str) -> tuple[int, str]:
        """A command as a shell runs it; its exit code, and what it says."""
        more = ("--session", self.sid) if words[0] in OF_SESSION or words[:2] == ("intents", "select") else ()
        argv = self.desk.command(*words, *more)
        ran = forked.run(argv, b"", self.desk.env, self.desk.root, 60, session=True)
        assert ran is not None and ran.code in (0, 1), (words, ran)
        return int(ran.code), (ran.out + ran.err).decode()

    def jackline(self, *words: str) -> tuple[int, str]:
        """The same in the agent's shell, as its client tells of it."""
        done = self.command(*words)
        self.tool("PostToolUse", self.shell, {"command": shlex.join(["jackline", *words])})
        return done

    # --- states ---

    def _places(self) -> Iterator[Path]:
        """Every file that events may change, but for the bundle, git's, and the index of the project."""
        without = {".git", "retrieval"}
        for top in (self.desk.root, self.desk.store):
            for at, folders, files in os.walk(top):
                folders[:] = [one for one in folders if one not in without]
                yield from [Path(at, one) for one in files if at != str(self.desk.store) or one == "log"]

    def keep(self) -> Kept:
        """All files as they are, when nobody works behind the client's back any more."""
        self.settle()
        return {str(path): path.read_bytes() for path in self._places() if not path.is_symlink()}

    def back(self, kept: Kept) -> None:
        """The files as they were."""
        for path in [*self._places()]:
            if str(path) not in kept:
                path.unlink()
        for name, data in kept.items():
            path = Path(name)
            if not path.exists() or path.read_bytes() != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.unlink(missing_ok=True)
                path.write_bytes(data)

    def settle(self) -> None:
        """Wait for workers that the last event left behind."""
        for path in [*self.desk.store.glob("jobs/*"), *self.desk.store.glob("validators/*/*.lock")]:
            system.close(system.lock(str(path), 20_000))

    def until(self, what: Callable[[], object]) -> None:
        """Wait until a worker has done this."""
        for _ in range(800):
            if what():
                return
            time.sleep(0.025)
        raise AssertionError("nobody does it")


# --- what leads from a state to another ----------------------------------------------------------------------------


def _prompt(client: Client) -> None:
    client.prompt("go on")


def _work(client: Client) -> None:
    """A prompt that asks for work: a pack is made for it."""
    client.prompt("rotate the refresh tokens now")


def _vague(client: Client) -> None:
    """The same, of which nothing in the project speaks."""
    client.prompt("frobnicate every quux zyzzyva")


def _plan(client: Client) -> None:
    nodes = [
        {"id": "one", "description": "one", "scope": "src/**", "validators": ["check"]},
        {"id": "two", "description": "two", "kind": "validate", "dependsOn": ["one"]},
    ]
    path = client.desk.folder / "plan.json"
    path.write_text(json.dumps({"nodes": nodes}))
    client.jackline("plan", "submit", str(path))


def _pack(client: Client) -> None:
    client.jackline("pack", "make", "rotate the refresh tokens")


def _begin(client: Client) -> None:
    if client.run("touch src/new.py").decision == "":
        (client.desk.root / "src/new.py").write_text("x\n")


def _done(client: Client) -> None:
    for name in ("one", "two"):
        client.jackline("plan", "node", "skip", name, "--reason", "x")
    if "validators" in client.more:
        client.jackline("validators", "run", "check")


def _stuck(client: Client) -> None:
    for _ in range(3):
        client.run("touch docs/new.md")


def _cut(client: Client) -> None:
    if client.tells:
        client.say("PreCompact", trigger="auto")
    else:
        client.say("SessionStart", source="compact")


def _select(client: Client) -> None:
    client.jackline("intents", "select", "INT-001")


def _close(client: Client) -> None:
    client.jackline("intents", "status", "INT-001", "COMPLETED")


def _redden(client: Client) -> None:
    """The file that the validator judges is bad, whoever made it so."""
    (client.desk.root / "src/a.py").write_text("bad\n")
    client.write("src/a.py", "PostToolUse")


def _stop(client: Client) -> None:
    client.say("Stop", stop_hook_active=False)


def _spent(client: Client) -> None:
    """The turn ends as often as validators may hold it."""
    for _ in range(4):
        _stop(client)


ALWAYS = (_prompt, _pack, _plan, _begin, _done, _stuck, _cut)
EVENTS_OF = {"intents": (_select, _close), "pack": (_work, _vague), "validators": (_redden, _spent)}


def events_of(client: Client) -> tuple[Callable[[Client], None], ...]:
    return (*ALWAYS, *[one for name in client.more for one in EVENTS_OF[name]])


class Reached(NamedTuple):
    """A state: the events that led there, and its files."""

    path: tuple[str, ...]
    kept: Kept


def reach(client: Client, path: tuple[str, ...]) -> Reached:
    """A session of its own that comes through these events."""
    client.start()
    known = {one.__name__: one for one in events_of(client)}
    for name in path:
        known[name](client)
    return Reached(path, client.keep())


def states(client: Client, deep: int) -> Iterator[Reached]:
    """Every state that so many events lead to."""
    first = reach(client, ())
    seen = {client.state}
    level = [first]
    for depth in range(deep + 1):
        after = []
        for one in level:
            yield one
            for event in events_of(client) if depth < deep else ():
                client.back(one.kept)
                event(client)
                if client.state not in seen:
                    seen.add(client.state)
                    after.append(Reached((*one.path, event.__name__), client.keep()))
        level = after


# --- what an agent tries, and how it is led ------------------------------------------------------------------------

CALLS: Mapping[str, Callable[[Client], Said]] = {
    "write": lambda client: client.write("docs/new.md"),
    "shell": lambda client: client.run("sed -i s/a/b/ src/a.py docs/b.md"),
    "push": lambda client: client.run("git push origin main"),
    "unknown": lambda client: client.run("frobnicate --all"),
    "read": lambda client: client.run("cat docs/b.md"),
    "search": lambda client: client.run("rg x docs"),
    "tests": lambda client: client.run("pytest -q"),
    "mend": lambda client: client.write("src/a.py"),
}
WISHES = {"push": {"kind": "side_effect"}, "read": {"tool": "kind:read"}, "search": {"tool": "kind:search"}}
MAY_FAIL = ("pack check",)
"""Commands that do what they shall and end with 1."""


def _words(client: Client, command: str, probe: str, text: str) -> list[str]:
    """The words of a command that a refusal names, with something for each blank."""
    Client.number += 1
    node = {"id": f"n{Client.number}", "description": f"plan {Client.number}", "validators": ["check"]}
    path = client.desk.folder / f"plan-{Client.number}.json"
    path.write_text(json.dumps({"nodes": [{**node, **WISHES.get(probe, {})}]}))
    chosen = active(str(client.desk.store), client.sid)
    blanks = {
        "WHAT": f"refresh tokens {Client.number}", "FILE": str(path), "GLOB": "src/**" if chosen else "**",
        "PATH": "docs/b.md", "ID": "".join(re.findall(r"open: (INT-\d+)", text)), "…": "because",
    }  # fmt: skip
    return [blanks.get(one, one) for one in shlex.split(command)[1:]]


def _obey(client: Client, probe: str, text: str) -> str:
    """Do the first thing that a refusal names, as the agent's shell would be let to; all that it names can be run."""
    named = [str(one).strip() for one in COMMAND.findall(text)]
    assert named, ("no command", text)
    lines = [_words(client, command, probe, text) for command in named]
    for words in lines:
        run = client.run(shlex.join(["jackline", *words]))
        assert " ".join(words[:2]) in PERSONS or run.decision == "", ("cannot be run", words, run.reason)
    code, said = client.jackline(*lines[0])
    assert code == 0 or " ".join(lines[0][:2]) in MAY_FAIL, ("does not do it", lines[0], said)
    for words in lines:
        if " ".join(words[:2]) in PERSONS:  # the person does what the agent asks for
            client.command(*words, "--yes")
    return named[0]


def lead(client: Client, probe: str) -> list[str]:
    """Do what refusals say until a call gets through: the commands. AssertionError where they lead nowhere."""
    done: list[str] = []
    while (said := CALLS[probe](client)).decision == "deny" and not ASKED.search(said.reason):
        text = said.reason.partition('\n{"type"')[0]
        assert len(done) < STEPS, ("in a circle", done, text)
        done.append(_obey(client, probe, text))
    return done


def _mend(client: Client) -> None:
    """The agent mends what the validator judges, by its own tool."""
    lead(client, "mend")
    (client.desk.root / "src/a.py").write_text("tokens\n")
    client.write("src/a.py", "PostToolUse")


def end(client: Client) -> None:
    """The agent ends its turn; what keeps it going is mended, and what that names is run."""
    for _ in range(STEPS):
        body = client.say("Stop", stop_hook_active=False).body
        if (body.get("decision") or body.get("hookSpecificOutput", {}).get("decision")) != "block":
            return
        text = str(body.get("reason") or body.get("hookSpecificOutput", {}).get("reason"))
        _mend(client)
        _obey(client, "mend", text)
    raise AssertionError("its turn does not end")


def finish(client: Client) -> None:
    """The agent finishes each step that has begun, and does what is said where that cannot be."""
    for name in [name for name, one in client.task.get("nodes", {}).items() if one["status"] == "started"]:
        for _ in range(STEPS):
            assert client.run(f"jackline plan node done {name}").decision == ""
            code, text = client.jackline("plan", "node", "done", name)
            if code == 0:
                break
            if "is red" in text:
                _mend(client)
            _obey(client, "mend", text.replace(" · ", "\n"))
        else:
            raise AssertionError(("cannot be finished", name, text))


PROBES: Mapping[str, Callable[[Client], object]] = {
    **{name: lambda client, name=name: lead(client, name) for name in CALLS},  # type: ignore[misc]
    "end": end,
    "finish": finish,
}
