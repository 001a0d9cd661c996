"""A project, a home, a store and an installation on disk, and the guards that are on by default, in this process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from features.feature import context_of
from jackline.clients.router import receive
from jackline.features.command_guard.hook import handle as command_guard
from jackline.features.self_protect.hook import handle as self_protect
from jackline.file_stat import modified_ms
from jackline.processes import Process
from jackline.runtime.request import Request

from .case import Case

GUARDS = {"self-protect": self_protect, "command-guard": command_guard}
ORDER = ("pass", "ask", "deny")

FILES = {
    "R/README.md": "# Project\n",
    "R/src/x": "x\n",
    "R/src/app.py": "print('x')\n",
    "R/tests/test_app.py": "def test_it():\n    assert True\n",
    "R/package.json": '{"scripts": {"build": "tsc", "test": "vitest run", "step": "bash scripts/step.sh"}}\n',
    "R/Makefile": "build:\n\tcc -o app src/app.c\nstep: scripts/step.sh\n\tsh $<\n-include scripts/own.mk\n",
    "R/scripts/all.sh": "#!/bin/sh\nset -e\nsh scripts/step.sh\n",
    "R/scripts/all.py": "import subprocess\nsubprocess.run(['bash', 'scripts/step.sh'])\n",
    "R/scripts/hooks.sh": "cp src/x .git/hooks/pre-commit\n",
    "R/.ai/hooks/config.json": "{}\n",
    "R/.claude/settings.json": "{}\n",
    "H/.claude/settings.json": "{}\n",
    "H/.claude/projects/-p/abc.jsonl": "{}\n",
    "H/.codex/config.toml": "",
    "H/.bashrc": "alias ll='ls -l'\n",
    "H/.gitconfig": "[user]\n\tname = p\n",
    "H/.ssh/id_ed25519": "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    "H/.ssh/config": "Host x\n",
    "H/.aws/credentials": "[default]\n",
    "H/.netrc": "machine x\n",
    "H/.config/systemd/user/x.service": "[Unit]\n",
    "S/door.py": "\n",
    "S/trust.json": "{}\n",
    "S/authority.jsonl": "",
    "P/__init__.py": "",
    "L/python/bin/python3.11": "",
    "L/python/lib/python3.11/os.py": "",
    "L/venv/pyvenv.cfg": "",
    "H/.local/share/claude/versions/2.1.0": "",
    "S/loaded": """= <L>/bin/python3
= <L>/python/bin/python3.11
= <L>/python/lib/libpython3.11.so.1.0
l <L>/python/lib/python3.11
s <L>/python/lib/python3.11/site-packages
e <L>/venv
s <L>/venv/lib/python3.11/site-packages
e <R>/.venv
s <R>/.venv/lib/python3.11/site-packages
/ <R>/.venv/lib/python3.11/site-packages/yaml
/ <P>
= <H>/.local/bin/jackline
c <H>/.local/bin/claude
c <H>/.local/share/claude/versions/2.1.0
c <L>/node/bin/codex
C <L>/node/lib/node_modules/@openai/codex
""",
}
LINKS = {"H/links/keys": "H/.ssh", "H/links/deep/hooks": "R/.git/hooks", "H/links/deep/src": "R/src"}
"""Links, each with what it leads to."""
LONG_AGO = 1_600_000_000

ABOVE = (
    Process(4242, 100, "claude", "/home/p/.local/share/claude/versions/2.1.0", ("claude", "--continue")),
    Process(4100, 90, "zsh", "/usr/bin/zsh", ("-zsh",), leads=True),
    Process(4000, 80, "tmux: server", "/usr/bin/tmux", ("tmux", "new", "-s", "work")),
)
"""The processes above the door: the client, the shell it was typed into, the terminal."""


class World:
    """`decide` puts a case to the guards; a world is made once for a table, and what a case wrote goes with it."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.root = self.home / "code/project"
        self.store = self.home / ".local/state/jackline"
        self.package = base / "opt/lib/jackline"
        self.places = {"R": self.root, "H": self.home, "S": self.store, "P": self.package, "L": base / "opt"}
        for name, text in FILES.items():
            self._write(self.places[name[0]] / name[2:], self.spell(text), LONG_AGO)
        for name, target in LINKS.items():
            path = self.places[name[0]] / name[2:]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(self.places[target[0]] / target[2:])
        (self.store / "bin").mkdir()
        (self.store / "bin/python").symlink_to(sys.executable)
        for words in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-qm", "begin"],
        ):
            subprocess.run(["git", *words], cwd=self.root, check=True, env=self.env())
        self.begin()

    def begin(self) -> None:
        """A session begins: all that stands here is older. The clock of files ticks every few milliseconds only."""
        probe = self.home / ".begun"
        probe.touch()
        self.began = modified_ms(str(probe)) + 1
        while modified_ms(str(probe)) < self.began:
            probe.touch()

    def env(self) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": os.environ["PATH"], "TMPDIR": "/tmp", "GIT_CONFIG_NOSYSTEM": "1"}

    def spell(self, given: Any) -> Any:
        """The marks of a call or a text as the paths they stand for."""
        if isinstance(given, dict):
            return {self.spell(key): self.spell(value) for key, value in given.items()}
        if isinstance(given, list):
            return [self.spell(one) for one in given]
        if isinstance(given, str):
            for mark, place in self.places.items():
                given = given.replace(f"<{mark}>", str(place))
        return given

    def _write(self, path: Path, text: str, when: int = 0) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        if when:
            os.utime(path, (when, when))

    def protected(self) -> dict[str, Any]:
        places = {"store": str(self.store), "package": str(self.package), "home": str(self.home)}
        return {**places, "ancestors": lambda: ABOVE}

    def payload(self, case: Case) -> dict[str, Any]:
        given = self.spell(case.call)
        return {
            "session_id": "s",
            "prompt_id": "p",
            "cwd": str(self.root),
            "hook_event_name": "PreToolUse",
            "tool_name": case.tool,
            "tool_input": {"command": given} if isinstance(given, str) else given,
            "tool_use_id": "t",
        }

    def judge(self, case: Case) -> dict[str, str]:
        """What each guard says to a case: `pass`, `ask` or `deny`."""
        raw = json.dumps(self.payload(case)).encode()
        env = {**self.env(), **{name: self.spell(value) for name, value in case.env}}
        request = Request("claude-code", "PreToolUse", raw, env, str(self.root), home=str(self.home))
        event = receive(request)[1]
        event.root = str(self.root)
        event.home = str(self.home)
        said: dict[str, str] = {}
        for name, handle in GUARDS.items():
            state = {"core": {"createdTs": self.began}}
            action = handle(event, context_of(name, self.root, protected=self.protected(), state=state))
            said[name] = (action.decision if action is not None else "") or "pass"
        return said

    @contextmanager
    def written(self, case: Case) -> Iterator[None]:
        """What the session wrote before lies there."""
        before = {}
        if case.files:
            self.begin()
        for name, text in case.files:
            path = Path(self.spell(name))
            path = path if path.is_absolute() else self.root / path
            before[path] = path.read_bytes() if path.is_file() else None
            self._write(path, self.spell(text))
        try:
            yield
        finally:
            for path, held in before.items():
                if held is None:
                    path.unlink(missing_ok=True)
                else:
                    path.write_bytes(held)
                    os.utime(path, (LONG_AGO, LONG_AGO))

    def decide(self, case: Case) -> str:
        """The strictest answer to a case."""
        with self.written(case):
            return max(self.judge(case).values(), key=ORDER.index)

    def end(self) -> None:
        shutil.rmtree(self.home.parent, ignore_errors=True)


def holds(case: Case, said: str) -> bool:
    return said != "pass" if case.says == "stop" else said == case.says
