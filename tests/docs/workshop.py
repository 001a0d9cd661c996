"""A scratch machine for the pages about scripts: their blocks become files, their commands are typed, git commits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from cli.conftest import Desk
from docs.blocks import Block, blocks, shows
from docs.regions import REPO
from scene import BASE

EXECUTABLE = ("sh", "python", "javascript")


class Page:
    """A page of the documentation by its blocks."""

    def __init__(self, name: str) -> None:
        self.path = REPO / "docs" / name
        self.text = self.path.read_text()
        self.blocks = blocks(self.text)

    def files(self, begins: str = "") -> list[Block]:
        """The blocks that are files: behind their language stands a path that begins so."""
        return [one for one in self.blocks if "/" in one.note or one.note[:1] == "." if one.note.startswith(begins)]

    def one(self, language: str, note: str) -> str:
        """The text of one block."""
        (found,) = [one.text for one in self.blocks if (one.language, one.note) == (language, note)]
        return found

    def commands(self) -> list[Block]:
        """What a person types."""
        return [one for one in self.blocks if one.language == "sh" and not one.note]


class Workshop(Desk):
    """A project under git with a first commit, and `jackline` on the path as a person has it."""

    def __init__(self, folder: Path, made: Path) -> None:
        super().__init__(folder, made)
        names = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
        self.env |= {
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "GIT_CONFIG_NOSYSTEM": "1",
            **{f"GIT_{one}": "me" for one in names},
        }
        (self.store / "bin").mkdir(mode=0o700)
        (self.store / "bin/python").symlink_to(BASE)
        self.git("checkout", "-q", "-B", "main")
        self.git("commit", "-q", "--allow-empty", "-m", "first")

    def shell(self, text: str, *, code: int | None = 0, env: dict[str, str] | None = None) -> str:
        """Type shell text in the project; what it said on both streams."""
        done = subprocess.run(
            ["/bin/sh", "-c", text], cwd=self.root, env={**self.env, **(env or {})}, check=False, timeout=120,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        said = done.stdout.decode()
        assert code is None or done.returncode == code, f"{text}: {done.returncode}\n{said}"
        assert "Traceback" not in said
        return said

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.root, env=self.env, check=True, capture_output=True, text=True)
        return done.stdout

    def write(self, name: str, text: str, *, runs: bool = False) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if runs:
            path.chmod(0o755)
        return path

    def place_all(self, some: list[Block]) -> None:
        """Put blocks where they say; programs are executable."""
        for one in some:
            self.write(one.note, one.text, runs=one.language in EXECUTABLE)

    def agree(self) -> None:
        """A person reads and trusts, with the command that the pages name."""
        digest = self.jackline("trust", "--json", code=1).data["digest"]
        self.jackline("trust", "--yes", digest)

    def stop(self) -> dict[str, Any]:
        return self.say(self.payload("Stop", stop_hook_active=False)).body


def held(expected: str, said: str) -> None:
    """That what was said is what the page shows."""
    assert shows(expected, said), f"expected\n{expected}\ngot\n{said}"
