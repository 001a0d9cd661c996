"""A project folder with a session's folder beside it, and an evaluation over both: no door, no client."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from jackline.script import Outcome, Script
from jackline.scripts import changes, pending
from jackline.scripts.evaluation import Evaluation, evaluate
from scene import git

OK = Outcome()
BAD = Outcome(exit=1, out=b"bad\n")


def script(key: str, *pattern: str, **fields: Any) -> Script:
    return Script(key, "file", f"/nowhere/{key}", b"", name=key, pattern=pattern or ("*.py",), **fields)


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the files that are read from now on to see whether they changed; it grows."""
    read: list[str] = []
    entry = changes._entry

    def reading(path: str, stamp: tuple[int, int, int, int]) -> changes.Entry:
        read.append(path)
        return entry(path, stamp)

    monkeypatch.setattr(changes, "_entry", reading)
    return read


class Tree:
    """`root` is the project (with git unless told), `place` the session's folder."""

    def __init__(self, folder: Path, *, with_git: bool = True) -> None:
        self.root = folder / "project"
        self.place = folder / "sessions" / "0123abcd"
        self.root.mkdir(parents=True)
        self.place.mkdir(parents=True)
        self.ran: list[tuple[str, tuple[str, ...]]] = []
        if with_git:
            self.git("init", "-q", "-b", "main")

    def git(self, *words: str) -> str:
        return git(self.root, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", *words)

    def write(self, name: str, text: str | bytes = "x\n") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def commit(self, *names: str) -> None:
        for name in names:
            self.write(name)
        self.git("add", "-A")
        self.git("commit", "-qm", "more", "--allow-empty")

    def snapshot(self) -> bool:
        return changes.snapshot(str(self.place), str(self.root))

    def changed(self) -> list[str]:
        """Names that changed since the last time we asked."""
        return list(self.evaluate([]).changed)

    def evaluate(
        self,
        scripts: Sequence[Script],
        results: Callable[[Script, Sequence[str]], Outcome] = lambda script, files: OK,
        **options: Any,
    ) -> Evaluation:
        """Run an evaluation whose scripts are a function; `ran` tells which ran on what."""

        def run(one: Script, files: Sequence[str], limit_s: float) -> Outcome:
            self.ran.append((one.key, tuple(files)))
            return results(one, files)

        self.ran = []
        return evaluate(str(self.place), str(self.root), scripts, run, **options)

    @property
    def pending(self) -> list[str]:
        return sorted(pending.keys(str(self.place)))


def settle() -> None:
    """Let a tick of the file system's clock pass."""
    time.sleep(0.03)
