"""A fresh machine for the README: Jackline installed from this checkout by pip, two clients in use, one repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from docs.regions import REPO
from scene import git


class Machine:
    """`home`, `project`; commands run as a person types them, with the installed `jackline` first on the path."""

    def __init__(self, folder: Path) -> None:
        self.prefix = folder / "prefix"
        self.home = folder / "home"
        self.project = folder / "project"
        for path in (self.home / ".claude", self.home / ".codex", self.project):
            path.mkdir(parents=True)
        git(self.project, "init", "-q")
        (self.project / "notes.txt").write_text("TODO: sail\n")
        site = Path(sysconfig.get_path("purelib", vars={"base": str(self.prefix), "platbase": str(self.prefix)}))
        self.env = {
            "HOME": str(self.home),
            "PATH": f"{self.prefix}/bin:{Path(sys.executable).parent}:/usr/bin:/bin",
            "PYTHONPATH": str(site),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "100",
            # `pip install .` as written, without a network and beside the environment that runs the tests
            "PIP_PREFIX": str(self.prefix),
            "PIP_IGNORE_INSTALLED": "1",  # else pip takes away the one that runs the tests
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_NO_CACHE_DIR": "1",  # newer ones (of 3.13's age) leave what they built in the home folder
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }

    def run(self, script: str, *, code: int = 0) -> str:
        """Run one block of shell text: in the checkout where it installs, else in the project. Returns what it said."""
        done = subprocess.run(
            ["/bin/sh", "-e", "-c", script],
            cwd=REPO if "pip install" in script else self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, f"{script}\n{done.stdout}"
        assert "Traceback" not in done.stdout, done.stdout
        return done.stdout

    def command(self, event: str) -> str:
        """The entry of Claude Code as it stands in its settings."""
        settings = json.loads((self.home / ".claude/settings.json").read_text())
        found: str = settings["hooks"][event][0]["hooks"][0]["command"]
        return found

    def event(self, event: str, **fields: object) -> bytes:
        """One event through the installed entry, from a client process that ends with it."""
        claude = self.home / "claude"
        if not claude.exists():
            shutil.copy("/bin/sh", claude)
        payload = {
            "session_id": "s-1",
            "prompt_id": "p-1",
            "cwd": str(self.project),
            "hook_event_name": event,
            **fields,
        }
        done = subprocess.run(
            [claude, "-c", '/bin/sh -c "$1"; exit $?', "claude", self.command(event)],
            input=json.dumps(payload).encode(),
            cwd=self.project,
            env={key: value for key, value in self.env.items() if key in ("HOME", "PATH")},
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), done
        return done.stdout

    def files(self) -> list[str]:
        """Every file of the home folder, without what Python caches."""
        found = [path for path in self.home.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        return sorted(os.path.relpath(path, self.home) for path in found)
