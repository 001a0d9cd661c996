"""A small real repository, and a folder for its index."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Mapping
from pathlib import Path

from jackline.services.retrieval import Repository, database
from jackline.services.retrieval.search import Reader

START = 1_700_000_000
PROMPTS = (
    "rotate the refresh token when the session expires",
    "parse options of the command line",
    "getUserName returns the wrong name in src/user.py",
    "test the parser",
)


class Place:
    """A work tree at `root`, commits a minute apart, the index beside it."""

    def __init__(self, folder: Path, *, repository: bool = True) -> None:
        self.root, self.index = folder / "tree", folder / "index"
        self.root.mkdir(parents=True)
        self.clock = START
        if repository:
            self.git("init", "-q", "-b", "main")

    def git(self, *words: str, cwd: Path | None = None) -> str:
        env = {"PATH": os.environ["PATH"], "HOME": str(self.root), "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            env |= {f"GIT_{role}_NAME": "n", f"GIT_{role}_EMAIL": "e@example.invalid"}
            env |= {f"GIT_{role}_DATE": f"{self.clock} +0000"}
        done = subprocess.run(["git", *words], cwd=cwd or self.root, env=env, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, message: str, files: Mapping[str, str | bytes] | None = None) -> str:
        self.write(files or {})
        self.clock += 60
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def open(self, commit: str = "", index: Path | None = None) -> Repository:
        return Repository(str(self.root), str(index or self.index), commit=commit)

    def paths(self, prompt: str, commit: str = "") -> list[str]:
        """What is found for a prompt in the present state, best first."""
        with self.open(commit) as opened:
            opened.update()
            return [one.path for one in opened.find(prompt)]

    @property
    def file(self) -> Path:
        """The index's file."""
        return Path(database.place(str(self.index), str(self.root)))


SOURCES: dict[str, str] = {
    "src/user.py": '"""Users and their names."""\n\n\ndef getUserName(user):\n    return user.name\n',
    "src/auth/token.py": (
        '"""Rotate refresh tokens."""\n\nfrom src.user import getUserName\n\n\nclass RefreshToken:\n    pass\n'
    ),
    "src/cli/options.py": '"""Options of the command line."""\n\n\ndef parse_options(words):\n    return words\n',
    "tests/test_token.py": "from src.auth.token import RefreshToken\n\n\ndef test_it():\n    assert RefreshToken\n",
    "tests/test_options.py": "from src.cli.options import parse_options\n",
    "README.md": "# A program\n\nIt has a command line.\n",
}


def small(folder: Path) -> Place:
    """Three commits over a few files that name one another."""
    made = Place(folder)
    made.commit("users have names", {"src/user.py": SOURCES["src/user.py"]})
    made.commit("sessions expire: refresh tokens rotate", SOURCES)
    made.commit("command line: options are parsed", {"src/cli/options.py": SOURCES["src/cli/options.py"] + "\nX = 1\n"})
    return made


def state(place: Place, index: Path | None = None) -> dict[str, object]:
    """All that an index says, without the numbers of its rows."""
    path = database.place(str(index or place.index), str(place.root))
    opened = sqlite3.connect(path)
    try:
        opened.execute("CREATE VIRTUAL TABLE temp.f USING fts5vocab('main', 'fulltext', 'col')")
        opened.execute("CREATE VIRTUAL TABLE temp.m USING fts5vocab('main', 'message', 'row')")
        reader = Reader(opened)
        found: dict[str, object] = {prompt: reader.find(prompt) for prompt in PROMPTS}
        for name, asked in {
            "words": "SELECT term, col, doc, cnt FROM temp.f",
            "messages": "SELECT term, doc, cnt FROM temp.m",
            "files": "SELECT path, content, words, twin, module FROM file",
            "past": "SELECT hash, time, words, files FROM past",
            "renames": "SELECT old, time, hash, new FROM rename",
            "loose": "SELECT path, content FROM loose",
        }.items():
            found[name] = sorted(opened.execute(asked))
        return found
    finally:
        opened.close()
