"""A machine with an earlier version on it, and a client that has sessions open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.conftest import SRC, Desk, Done
from jackline.store import approvals
from jackline.store.ids import digest
from once import sitecustomize
from scene import BASE, git
from screen import Screen
from upgrade import archive
from upgrade.archive import PHASED, Archive
from upgrade.client import Client

SID = "b7618e14"
OLDEST, UNCHAINED, BEFORE = archive.ARCHIVES
OLDER = [OLDEST, UNCHAINED]


def only(*archives: Archive) -> pytest.MarkDecorator:
    """What concerns some of the earlier versions."""
    return pytest.mark.parametrize("old", archives, indirect=True, ids=lambda one: one.name)


class Machine(Desk):
    """A machine with an earlier version on it, and a client that has a session open."""

    def __init__(self, folder: Path, made: Path, before: Archive) -> None:
        self.archive = before
        self.folder, self.home, self.root = folder, folder / "home", folder / "project"
        self.store, self.hooks = folder / archive.STORE, self.root / ".ai/hooks"
        self.env = {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": f"{SRC}:{Path(sitecustomize.__file__).parent}",
            sitecustomize.MADE: str(made),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
        }
        for name in archive.PROJECTS if before.chained else ("project",):
            (folder / name).mkdir(parents=True)
            git(folder / name, "init", "-q")
        self.screen = Screen(self.env, self.root)
        self.client = Client(folder, self.store, self.root, self.env, BASE)
        archive.lay_out(folder, archive.Client(self.client.process.pid, self.client.started), before)
        (self.store / "bin").mkdir(mode=0o700)
        (self.store / "bin/python").symlink_to(BASE)
        self.before = {path: path.read_bytes() for path in self.files()}

    @property
    def phased(self) -> Path:
        return self.folder / "phased"

    def sessions(self) -> list[Path]:
        """The folders of the first project's sessions."""
        return [one for one in super().sessions() if one.is_relative_to(self.root)]

    def folder_of(self, phase: str) -> Path:
        """The folder of the second project's session that is in this phase."""
        (found,) = [one for one in super().sessions() if one.name == digest(f"claude-code {PHASED[phase]}", 64)[:8]]
        return found

    def files(self) -> list[Path]:
        return [path for path in sorted(self.store.rglob("*")) if path.is_file() and not path.is_symlink()]

    def typed(self, *words: str, keys: bytes = b"") -> Done:
        """What a person types in a terminal that was open before the session."""
        self.screen.run(*self.command(*words))
        code, said = self.screen.ended()
        assert code == 0, said
        return Done(code, said, "")

    def upgrade(self) -> str:
        return self.typed("init", "--client", "claude-code", "--yes").out

    def unpause(self) -> None:
        """The pause is over; how a person ends it has a test of its own."""
        (self.store / "pause.json").unlink()

    @property
    def place(self) -> Path:
        return self.root / ".ai/tmp" / SID

    def request(self, command: str) -> approvals.Request:
        (found,) = [one for one in approvals.requests(str(self.store)) if one.subject == command]
        return found

    def new(self, *kinds: str) -> list[dict[str, Any]]:
        """Rows that came after those of the version before."""
        return [one for one in self.log()[self.count :] if one["kind"] in kinds]

    @property
    def count(self) -> int:
        return len(archive.stored(self.archive)[f"project/.ai/tmp/{SID}/events.jsonl"].text.splitlines())

    def standing(self, command: str) -> str:
        told = self.jackline("approvals", "--all", "--json").data
        return next(str(one["standing"]) for one in told if one["subject"] == command)


def logs(machine: Machine, code: int = 0) -> list[str]:
    """What doctor says of logs; status says as much."""
    found = [one for one in machine.jackline("doctor", "--json", code=code).data["findings"] if one["code"] == "log"]
    rows = machine.jackline("status", "--json", code=code).data["rows"]
    assert len([row for row in rows if row["about"] == "log"]) == len(found), (rows, found)
    return [str(one["what"]) for one in found]
