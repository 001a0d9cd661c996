"""A scratch person: home, store, git repository, and Jackline installed for every client by its own command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from jackline.clients.specs import SPECS
from jackline.install import dialect, installs, shapes
from jackline.install.dialect import Dialect


class Stage:
    """The scratch world. `run` plays one payload as the client would: its shell, our line, stdin, stdout."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.root = folder / "project"
        for path in (self.home, self.root / "src/app"):
            path.mkdir(parents=True)
        self.env = {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "LANG": "C.UTF-8",
            "XDG_STATE_HOME": str(self.home / ".local/state"),
        }
        for name in ("a.txt", "new.txt", "src/app/main.py"):
            (self.root / name).write_text("alpha\nbeta\n")
        subprocess.run(["git", "init", "-q", str(self.root)], check=True, env=self.env)

    @property
    def store(self) -> Path:
        return Path(self.env["XDG_STATE_HOME"]) / "jackline"

    def jackline(self, *words: str) -> str:
        """Run the command as a person would. CalledProcessError when it says no."""
        done = subprocess.run(
            [sys.executable, "-m", "jackline.cli", *words],
            cwd=self.root, env=self.env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"jackline {' '.join(words)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def entries(self, client: str) -> dict[str, str]:
        """event, as the client spells it → the installed command line."""
        found = {}
        for install in installs.load(self.store):
            if client in install.client.split():
                data = Path(install.path).read_bytes()
                for one in shapes.ours_in(install.shape, data, install.path, lambda command: "door.py" in command):
                    found[one.event] = one.command
        return found

    def run(self, client: str, line: str, payload: str) -> tuple[int, str, str]:
        """(exit, stdout, stderr) of one event: with the shell that the client starts our line with (measured)."""
        done = subprocess.run(
            [spoken(client).written.runs_in, "-c", line],
            cwd=self.root, env={**self.env, **MARKS.get(client, {})}, input=payload, capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def shell(self, command: str) -> tuple[str, str]:
        """(stdout, stderr) of a command as an agent's shell runs it; `jackline` is this one."""
        line = re.sub(r"^jackline ", f"{sys.executable} -m jackline.cli ", command)
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            cwd=self.root, env={**self.env, "CLAUDECODE": "1"}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.stdout, done.stderr

    def folders(self) -> list[Path]:
        """The folders of the sessions so far."""
        return sorted(path.parent for path in (self.root / ".ai/tmp").glob("*/events.jsonl"))


def spoken(client: str) -> Dialect:
    return dialect.of(SPECS[client].dialect)


MARKS = {
    "claude-code": {"CLAUDE_PROJECT_DIR": "", "CLAUDECODE": "1"},
    "copilot-cli": {"COPILOT_CLI": "1", "COPILOT_HOOK_DIR": "/nonexistent"},
}
"""What a client puts into its hooks' environment, as far as it says who it is."""


def rows(folder: Path) -> list[dict[str, Any]]:
    """The log of one session."""
    return [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines() if line]
