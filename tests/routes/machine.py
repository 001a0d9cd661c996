"""A machine on which Jackline is installed for two clients, with what the routes lead to: files, links, archives."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli.conftest import SRC, Desk
from jackline.compiler import bundle
from jackline.install.home import make
from once.sitecustomize import reuse
from scene import git

from .table import Route

PATCH = "*** Begin Patch\n{}*** End Patch\n"
TOOLS = {
    "add": "*** Add File: {path}\n+{{}}\n",
    "update": "*** Update File: {path}\n@@\n-{{}}\n+x\n",
    "delete": "*** Delete File: {path}\n",
    "move": "*** Update File: src/x\n*** Move to: {path}\n@@\n-x\n+y\n",
}
"""Calls of `apply_patch`, by what they do to a path."""

INTENTS = """active_intents:
  - {id: INT-001, name: Sign-in, status: IN_PROGRESS, owned_scope: ["src/auth/**"]}
  - {id: INT-002, name: Billing, status: COMPLETED, owned_scope: ["src/billing/**"]}
"""

SCOPED = "Intents and scope"
CLIENTS = ("claude-code", "codex")


class Met(NamedTuple):
    """What a route met at the door: `deny` | `ask` | `-`, the guards that said it, and what the model reads."""

    says: str
    guards: list[str]
    text: str

    @property
    def held(self) -> str:
        return f"{self.says} {'+'.join(self.guards)}".strip()


def machine(folder: Path, made: Path) -> Desk:
    """Installed for both clients, in the user's files and in the project's."""
    desk = Desk(folder / "machine", made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "files", reuse(bundle, str(made)))
        make(desk.store)
    places = {
        ".bashrc": "alias ll='ls -l'\n",
        ".claude/projects/-p/abc.jsonl": "{}\n",
        ".codex/sessions/2026/01/01/rollout-x.jsonl": "{}\n",
        ".codex/config.toml": "",
        ".ssh/id_ed25519": "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    }
    for name, text in places.items():
        (desk.home / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.home / name).write_text(text)
    (desk.root / "src").mkdir()
    (desk.root / "src/x").write_text("x\n")
    (desk.root / "src/kept").mkdir()
    (desk.root / "src/kept/settings.json").write_text("{}\n")
    with zipfile.ZipFile(desk.root / "src/a.zip", "w") as archive:
        archive.writestr("settings.json", "{}\n")
    (desk.root / ".gitignore").write_text(".ai/tmp/\n")
    for scope in ("user", "project"):
        desk.jackline("init", "--client", "claude-code", "--client", "codex", "--scope", scope, "--yes")
    (desk.root / "src/conf").symlink_to("../.claude")
    _programs(desk)
    evil = desk.folder / "evil"
    (evil / ".claude").mkdir(parents=True)
    (evil / ".claude/settings.json").write_text("{}\n")
    for words in (
        ("tar", "cf", desk.root / "src/a.tar", "-C", evil, ".claude"),
        ("git", "-C", desk.root, "add", "-A"),
        ("git", "-C", desk.root, "-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-qnm", "begin"),
    ):
        subprocess.run([str(one) for one in words], check=True, env=desk.env)
    (desk.root / "src/evil.diff").write_text(_diff(desk))
    (desk.store / "approvals").mkdir(exist_ok=True)
    (desk.store / "approvals/abc123.ask").write_text("{}")
    git(desk.root, "branch", "other", _without(desk))
    _loaded(desk)
    return desk


def _loaded(desk: Desk) -> None:
    """What a machine has whose person installed all by the usual tools, beside what made this one."""
    told = desk.store / "loaded"
    found = told.read_text()
    told.unlink()  # all tests share the bundle's files
    here = (("=", ".local/bin/jackline"), ("c", ".local/bin/claude"), ("e", ".local/share/uv/tools/jackline"))
    told.write_text(found + "".join(f"{kind} {desk.home}/{name}\n" for kind, name in here))


def _programs(desk: Desk) -> None:
    """The command on the path, and what a project brings: what was there before a session, as `wrote` is not."""
    command = desk.folder / "bin/jackline"
    command.parent.mkdir()
    files = {
        command: f'#!/bin/sh\nexec {sys.executable} -m jackline.cli "$@"\n',
        desk.root / "approve.sh": f"{command} approve BCD-FGH --yes\n",
        desk.root
        / "src/approve.py": f"import os\nos.execv('{command}', ['{command}', 'approve', 'BCD-FGH', '--yes'])\n",
        desk.root / "src/tidy.py": "open('.claude/settings.json', 'w').write('{}')\n",
        desk.root / "Makefile": f"tidy:\n\tpython3 src/tidy.py\napprove:\n\t{command} approve BCD-FGH --yes\n",
    }
    for path, text in files.items():
        path.write_text(text)
        path.chmod(0o755)


def intents(desk: Desk) -> None:
    """Switch scopes on; every session must select an intent first."""
    desk.manifest({"version": 1, "modules": {"intent-scope": {"enabled": True}}})
    for name in (".orchestration", "src/auth", "src/other"):
        (desk.root / name).mkdir()
    (desk.root / "src/auth/out").symlink_to("../other")
    (desk.root / ".orchestration/active_intents.yaml").write_text(INTENTS)
    (desk.root / ".orchestration/agent_trace.jsonl").write_text("")


def _without(desk: Desk) -> str:
    """A commit in which the client's settings are not."""
    tree = "".join(f"{one}\n" for one in git(desk.root, "ls-tree", "HEAD").splitlines() if "\t.claude" not in one)
    made = subprocess.run(["git", "mktree"], cwd=desk.root, input=tree, capture_output=True, text=True, check=True)
    person = ("-c", "user.name=p", "-c", "user.email=p@example.org")
    return git(desk.root, *person, "commit-tree", made.stdout.strip(), "-m", "without").strip()


def _diff(desk: Desk) -> str:
    """A patch that takes our entries out of the client's settings, made by git itself."""
    path = desk.root / ".claude/settings.json"
    held = path.read_text()
    path.write_text("{}\n")
    text = git(desk.root, "diff", "--no-ext-diff")
    path.write_text(held)
    return text


def spelled(desk: Desk, text: str) -> str:
    """`<R>` the project, `<H>` the home, `<S>` the store, `<P>` the package, `<J>` our command, `\\n` a new line."""
    marks = {
        "<J>": desk.folder / "bin/jackline",
        "<R>": desk.root,
        "<H>": desk.home,
        "<S>": desk.store,
        "<P>": SRC / "jackline",
    }
    for mark, place in marks.items():
        text = text.replace(mark, str(place))
    return text.replace("\\n", "\n")


def call_of(desk: Desk, route: Route, client: str) -> tuple[str, dict[str, Any]] | None:
    """The tool and its arguments as this client sends them; None where it has no such tool."""
    text = spelled(desk, route.call)
    if not route.tool:
        return "Bash", {"command": text}
    path = text.partition(" ")[2]
    if route.tool in TOOLS:
        patch = PATCH.format(TOOLS[route.tool].format(path=path))
        return ("apply_patch", {"command": patch}) if client == "codex" else None
    if route.tool.startswith("mcp__"):
        return route.tool, {"path": path, "content": "{}"}
    if client == "codex":
        return None
    where = path if path.startswith("/") else f"{desk.root}/{path}"
    given: dict[str, dict[str, Any]] = {
        "Write": {"file_path": where, "content": "{}\n"},
        "Edit": {"file_path": where, "old_string": "jackline", "new_string": "hooksPath = x\n* filter=x\n"},
        "MultiEdit": {"file_path": where, "edits": [{"old_string": "jackline", "new_string": "x"}]},
        "NotebookEdit": {"notebook_path": where, "new_source": "x", "edit_mode": "insert"},
        "Read": {"file_path": where},
        "Grep": {"pattern": "approve", "path": where},
    }
    return route.tool, given[route.tool]


def payload(desk: Desk, client: str, tool: str, given: dict[str, Any], session: str) -> dict[str, Any]:
    made = desk.payload("PreToolUse", tool_name=tool, tool_input=given, session_id=session)
    made["tool_use_id"] = f"toolu_{time.monotonic_ns()}"
    if client == "codex":
        del made["prompt_id"]
        made |= {"turn_id": "t", "model": "m", "permission_mode": "bypassPermissions"}
    return made


def tried(desk: Desk, route: Route, client: str) -> Met | None:
    """Put a route to the door as this client would."""
    found = call_of(desk, route, client)
    if found is None:
        return None
    session = f"{client}-{route.number}"
    wrote(desk, session, client)
    if route.target == SCOPED:
        desk.say(payload(desk, client, "Bash", {"command": "jackline intents select INT-001"}, session), dialect=client)
    said = desk.say(payload(desk, client, *found, session), dialect=client)
    rows = desk.rows("TOOL_DECISION", folder=desk.place_of(session, client))
    row = rows[-1]
    return Met(said.decision or "-", list(row.get("by") or ()), said.reason)


OWN = {
    "own.sh": "<J> approve BCD-FGH --yes\n",
    "lib.sh": "yes() { <J> approve BCD-FGH --yes; }\n",
    "own.py": "import os\nos.execv('<J>', ['<J>', 'approve', 'BCD-FGH', '--yes'])\n",
    "own/__main__.py": "open('.claude/settings.json', 'w').write('{}')\n",
    "own.mk": "own:\n\techo '{}' > .claude/settings.json\n",
    "own/Makefile": "X := $(shell <J> pause)\nall:\n\ttrue\n",
    "own/package.json": '{"scripts": {"x": "<J> pause", "postinstall": "<J> uninstall"}}',
    "justfile": "x:\n  <J> pause\n",
    "nul.sh": "echo x \0\n<J> pause\n",
    "own.c": "int main() { return 0; }\n",
}
"""What the session writes before it takes a route that runs it."""


def wrote(desk: Desk, session: str, client: str) -> None:
    desk.say(payload(desk, client, "Read", {"file_path": f"{desk.root}/src/x"}, session), dialect=client)
    for name, text in OWN.items():
        path = desk.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(spelled(desk, text))
        path.chmod(0o755)


def taken(desk: Desk, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command for real, as an agent's shell would: below a client that has a session."""
    door = shlex.join([*Desk.argv(desk, "SessionStart")[4:]])
    told = shlex.quote(json.dumps(desk.payload("SessionStart", source="startup")))
    script = f"printf %s {told} | {door} >/dev/null; bash -c {shlex.quote(spelled(desk, command))}; exit $?"
    env = desk.env | {"PATH": f"{desk.folder}/bin:{os.environ['PATH']}", "CLAUDECODE": "1"}
    return subprocess.run(
        [str(desk.claude), "-c", script], env=env, cwd=desk.root, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, start_new_session=True, timeout=60, check=False,
    )  # fmt: skip
