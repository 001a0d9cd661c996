"""Make `stored-NAME.txt` from a checkout of an earlier version: `cd tests && python -m upgrade.make OLD_CHECKOUT`.

Everything is done by that version itself, as a user and an agent do it: its command line, and its entry point as a
process below a living client. What only a person may say while that client lives is typed into a terminal that was
open before.
"""

from __future__ import annotations

import json
import marshal
import os
import pprint
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from screen import Screen
from upgrade import archive, further
from upgrade.archive import PHASED, Archive, Kept, Places
from upgrade.client import Client

HERE = Path(__file__).parent
"""Beside this file lie the user's projects: one with a feature, a script, intents; one that enforces phases."""

LEFT_OUT = ("loaded", "slow.py", "package", "git.bin", "git-door.py")


class Old:
    """A scratch machine with the version before on it."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.folder, self.home, self.root = folder, folder / "home", folder / "project"
        self.phased = folder / "phased"
        self.store = folder / archive.STORE
        self.home.mkdir()
        self.env = {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(checkout / "src"),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
        }
        for name in archive.PROJECTS:
            shutil.copytree(HERE / name, folder / name)
            self.run("git", "init", "-q", at=folder / name)
        self.screen = Screen(self.env, self.root)

    def _done(self, *words: str, at: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            env=self.env,
            cwd=at or self.root,
            capture_output=True,
            text=True,
            start_new_session=True,
            check=False,
        )

    def run(self, *words: str, at: Path | None = None) -> str:
        done = self._done(*words, at=at)
        assert done.returncode == 0, (words, done)
        return done.stdout

    def jackline(self, *words: str, at: Path | None = None) -> str:
        return self.run(sys.executable, "-m", "jackline.cli", *words, at=at)

    def typed(self, *words: str) -> str:
        """What a command says that a person types in the first project."""
        return self.screen.done(sys.executable, "-m", "jackline.cli", *words).rpartition("ended-")[0]

    def trust(self, at: Path | None = None) -> None:
        told = self._done(sys.executable, "-m", "jackline.cli", "trust", "--json", at=at).stdout
        self.jackline("trust", "--yes", json.loads(told)["digest"], at=at)

    def codes(self) -> dict[str, str]:
        """The code of each call that waits, by its command."""
        said = self.typed("approvals", "--json")
        told = json.loads(said[said.index("[") :])
        return {one["subject"]: one["approve"] for one in told}


def set_up(old: Old) -> dict[Path, bytes]:
    """Install, configure, trust; nobody works yet. Returns the hook tables that there are without copies."""
    (old.home / ".claude").mkdir()
    (old.home / ".claude" / "settings.json").write_text('{\n  "model": "opus",\n  "hooks": {}\n}\n')
    for root in (old.root, old.phased):
        old.jackline("init", "--client", "claude-code", "--yes", at=root)
        old.trust(root)
        old.jackline("compile", at=root)
    tables = {path: path.read_bytes() for path in (old.store / "wirings").glob("*.bin")}
    old.jackline("eject", "planGraph-exec", "--yes")
    old.jackline("eject", "session", "--yes")
    own = old.home / ".config/jackline/features"
    own.mkdir(parents=True)
    shutil.move(old.root / ".ai/hooks/features/session", own / "session")
    old.trust()
    allowed = ("--command", "git clean -fd build", "--reason", "made by the tests", "--days", "366")
    old.jackline("guard", "allow", "git.clean", *allowed, "--yes")
    return tables


def ask(old: Old, client: Client) -> str:
    """A session that asks a person and has a sub-agent. Returns its id."""
    client.send("SessionStart", source="startup")
    client.prompt("begin")
    assert client.pre("git push --force", "t1")["permissionDecision"] == "deny"
    waiting = ("touch once", "touch waits", "touch often", "touch src/auth/token.ts")
    for number, command in enumerate(waiting, 2):
        assert client.pre(command, f"t{number}")["permissionDecision"] == "deny", command
    codes = old.codes()
    old.typed("approve", codes["touch once"])
    old.typed("approve", codes["touch src/auth/token.ts"])
    old.typed("approve", codes["touch often"], "--for", "session")
    assert "permissionDecision" not in client.pre("touch often", "t6")
    client.post("touch often", "t6")
    client.send("SubagentStart", agent_id="ag1", agent_type="Explore")
    client.pre("ls", "t7", agent_id="ag1")
    client.send("Stop", stop_hook_active=False)
    client.prompt("go on")
    client.pre("ls", "t7")
    client.post("ls", "t7")
    (sid,) = {str(json.loads(path.read_text())["sid"]) for path in (old.store / "approvals").glob("*.ask")}
    old.typed("intents", "select", "INT-001", "--session", sid)
    old.typed("pause", "notes", "--minutes", "60", "--yes")
    return sid


def plan(old: Old, client: Client, session: str, **status: str) -> None:
    """A session whose sub-agent writes a plan: nodes that are as `status` says, and one that nobody may touch."""
    in_it, agent = {"session_id": session, "cwd": str(old.phased)}, f"ag-{session[:8]}"
    known = {*old.phased.glob(".ai/tmp/*/state.json")}
    client.send("SessionStart", source="startup", **in_it)
    client.prompt("begin", **in_it)
    assert client.pre("touch src/new.py", "t1", **in_it)["permissionDecision"] == "deny"
    client.send("SubagentStart", agent_id=agent, agent_type="Plan", **in_it)
    (state,) = {*old.phased.glob(".ai/tmp/*/state.json")} - known
    path = state.parent / f"plan-subagent-contract/output/sa/Plan/{agent}/planGraph.json"
    nodes = [{"id": name, "description": name, "scope": "src/**", "status": status[name]} for name in status]
    never = {"id": "keys", "description": "keys are the person's", "scope": "secret/**", "status": "forbidden"}
    written = {"file_path": str(path), "content": json.dumps({"nodes": [*nodes, never]})}
    tool = {"tool_name": "Write", "tool_input": written, "tool_use_id": "t2", "agent_id": agent, "agent_type": "Plan"}
    client.send("PreToolUse", **tool, **in_it)
    path.parent.mkdir(parents=True)
    path.write_text(written["content"])
    client.send("PostToolUse", **tool, tool_response={"success": True}, **in_it)
    client.send("SubagentStop", agent_id=agent, agent_type="Plan", stop_hook_active=False, **in_it)
    read = {"tool_name": "Read", "tool_input": {"file_path": str(path)}, "tool_use_id": "t3"}
    client.send("PreToolUse", **read, **in_it)
    told = json.loads(state.read_text())
    assert told["plan"]["status"] == "accepted"
    assert told["core"]["phase"] == ("COMPLETE" if {*status.values()} == {"done"} else "EXECUTING")


def enforce(old: Old, client: Client) -> None:
    """Sessions whose phases are enforced: one executes its plan, one has finished it, one is blocked, one plans."""
    plan(old, client, PHASED["EXECUTING"], parse="done", store="pending")
    plan(old, client, PHASED["COMPLETE"], parse="done", store="done")
    plan(old, client, PHASED["BLOCKED"], parse="pending", store="pending")
    blocked = {"session_id": PHASED["BLOCKED"], "cwd": str(old.phased)}
    assert client.pre("touch secret/key", "t4", **blocked)["permissionDecision"] == "deny"
    assert client.pre("touch src/new.py", "t5", **blocked)["permissionDecision"] == "deny"
    planning = {"session_id": PHASED["PLANNING"], "cwd": str(old.phased)}
    client.send("SessionStart", source="startup", **planning)
    client.prompt("begin", **planning)


def bindings(old: Old, sid: str) -> dict[str, list[Any]]:
    """What each approval binds, by its id."""
    calls = {}
    for path in sorted((old.store / "approvals").glob("*.ask")):
        told = json.loads(path.read_text())
        call = [sid, "u00", "shell", "Bash", {"command": told["subject"]}, str(old.root)]
        assert archive.keyed((old.store / "key").read_bytes(), call) == told["mark"], "a mark is something else now"
        calls[told["id"]] = call
    return calls


def check_chains(old: Old) -> None:
    for path in old.folder.rglob("events.jsonl"):
        text = path.read_text()
        whole = archive.bound(text, (old.store / "key").read_bytes(), path.parent.name)
        assert whole == text, "a chain is something else now"


def made_of(old: Old) -> Archive:
    """Which of the earlier versions this one is."""
    (table,) = {int(path.read_bytes().split(b" ")[2]) for path in (old.store / "wirings").glob("*.bin")}
    chained = all(archive.CHAIN in path.read_text() for path in old.folder.rglob("events.jsonl"))
    (found,) = [one for one in archive.ARCHIVES if (one.table, one.chained) == (table, chained)]
    return found


def table(data: bytes, folder: Path) -> str:
    """A hook table for every interpreter and no place: a path of the same length stands for ours."""
    line = data.index(b"\n") + 1
    filler = "/" + "x" * (len(str(folder)) - 1)
    rest = data[line + 8 :].replace(str(folder).encode(), filler.encode())
    marshal.loads(rest)
    return archive.packed(rest)


def kept(path: Path, name: str, places: Places, folder: Path) -> Kept:
    """One file for the archive."""
    if path.is_symlink():
        return Kept(name, 0, "link", places.lift(os.readlink(path)))
    data, mode = path.read_bytes(), path.stat().st_mode & 0o777
    if "/sessions/" in name or "/intents/read~" in name or name.endswith(".trusted"):
        told = pprint.pformat(marshal.loads(data), width=110, sort_dicts=False)
        return Kept(name, mode, "marshal", places.lift(told))
    if "/wirings/" in name:
        return Kept(name, mode, "wiring", table(data, folder))
    try:
        return Kept(name, mode, "text", places.lift(data.decode()))
    except UnicodeDecodeError:
        assert name.endswith("/key"), name
        return Kept(name, mode, "hex", data.hex())


def files(folder: Path) -> list[Path]:
    """What is kept: no bundle, git, locks; the interpreter is this machine's.

    Nor what `init` writes for editors (schemas), and what only saves work (pieces of compiled features).
    """
    below = [path for name in ("home", *archive.PROJECTS) for path in sorted((folder / name).rglob("*"))]
    found = [path for path in below if path.is_symlink() or path.is_file()]
    return [
        path
        for path in found
        if not {".git", "schema"} & {*path.relative_to(folder).parts}
        and path.name not in LEFT_OUT
        and not path.name.startswith("sources-")
        and path.suffix not in (".lock", ".parts")
        and path.parent not in (folder / archive.STORE / "bin",)
        and not (path.suffix == ".bin" and path.parent == folder / archive.STORE)
    ]


def with_positions(found: dict[str, Kept], raw: Mapping[str, str], places: Places) -> None:
    """Positions in files with paths, as positions in their texts with placeholders."""
    for name, one in list(found.items()):
        if name.endswith("/state.json"):
            told = json.loads(one.text)
            log = raw[name.replace("state.json", "events.jsonl")]
            told["core"]["lastEventOffset"] = len(places.lift(log[: told["core"]["lastEventOffset"]]))
            found[name] = one._replace(text=archive.compact(told) + "\n")
        elif name.endswith("/installs.json"):
            told = json.loads(one.text)
            for install in told["installs"]:
                text = raw[install["path"].replace("${home}", "home")]
                (step,) = install["steps"]
                step["splices"] = [
                    [len(places.lift(text[:start])), len(places.lift(text[:end])), new]
                    for start, end, new in step["splices"]
                ]
            found[name] = one._replace(text=json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def once(found: dict[str, Kept]) -> None:
    """Copies of what was trusted are the project's own files: those say it."""
    own = {one.text: name for name, one in found.items() if name.startswith((*archive.PROJECTS,))}
    for name, one in list(found.items()):
        if "/trusted/" in name and one.text in own:
            found[name] = one._replace(kind="same", text=own[one.text])


def gathered(old: Old, tables: Mapping[Path, bytes], places: Places) -> dict[str, Kept]:
    """The files as they are now; hook tables as they were before the copies came.

    Those with copies are long, and no other version reads either.
    """
    found, raw = {}, {}
    for path in files(old.folder):
        name = places.name(str(path))
        found[name] = kept(path, name, places, old.folder)
        if path in tables:
            found[name] = found[name]._replace(text=table(tables[path], old.folder))
        if found[name].kind == "text":
            raw[name] = path.read_text()
    with_positions(found, raw, places)
    once(found)
    return found


def live(old: Old) -> dict[str, Kept]:
    """Install, configure, work; what there is then, and what is answered to what comes next."""
    tables = set_up(old)
    base = os.path.realpath(sys._base_executable)  # type: ignore[attr-defined]
    client = Client(old.folder, old.store, old.root, old.env, base)
    try:
        sid = ask(old, client)
        enforce(old, client)
        check_chains(old)
        places = Places(old.folder, (old.store / "host").read_text().strip())
        found = gathered(old, tables, places)
        calls = places.lift(json.dumps(bindings(old, sid), indent=1))
        ms = int(time.time() * 1000)
        said = archive.packed(json.dumps(further.answers(client, old.folder)).encode())
    finally:
        client.close()
        old.screen.close()
    found[archive.CALLS] = Kept(archive.CALLS, 0, "text", calls)
    found[archive.MADE] = Kept(archive.MADE, 0, "text", json.dumps({"ms": ms}))
    found[archive.ANSWERS] = Kept(archive.ANSWERS, 0, "xz", said)
    return found


def main(checkout: str) -> None:
    folder = Path(tempfile.mkdtemp()).resolve()
    try:
        old = Old(Path(checkout).resolve(), folder)
        found = live(old)
        text = archive.write(list(found.values()))
        for word in (folder.name, str(Path(checkout).resolve())):
            assert word not in text, f"{word}: {text[text.index(word) - 200 :][:400]}"
        place = made_of(old).place
        place.write_text(text)
        print(f"{place.name}: {len(found)} files, {len(text.encode()) >> 10} KB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1])
