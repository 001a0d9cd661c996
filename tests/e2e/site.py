"""A person's machine in a folder: a HOME, a git repository, and Jackline installed from the wheel of this tree."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from screen import Screen

from .rig import codex
from .rig.claude import run_claude
from .rig.clients import program
from .rig.codex import run_codex, run_codex_server
from .rig.environment import clean
from .rig.gemini_family import run_member
from .rig.opencode import run_opencode
from .rig.process import alone
from .rig.run import Run

PROGRAMS = {
    "claude": "claude-code",
    "codex": "codex",
    "gemini": "gemini-cli",
    "qwen": "qwen-code",
    "opencode": "opencode",
}
SETTINGS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    "qwen-code": ".qwen/settings.json",
    "opencode": ".opencode/plugin/jackline.js",
}


class Done(NamedTuple):
    """A finished command."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err


class Site:
    """`command` starts the installed `jackline`."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.home, self.project, self._command = folder / "home", folder / "project", command
        self.store = self.home / ".local/state/jackline"
        self._screen: Screen | None = None
        self.env = clean(self.home)
        self.env["PATH"] = f"{self._clients(folder / 'bin')}:{self.env['PATH']}"
        (self.home / ".gitconfig").write_text("[user]\n\tname = Person\n\temail = person@example.org\n")
        shutil.copytree(Path(__file__).parent / "project", self.project)
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "begin")
        codex.configure(self.home, self.project)

    @property
    def program(self) -> Path:
        """The installed command."""
        return Path(self._command[0])

    def _clients(self, folder: Path) -> Path:
        """The clients on the person's path, under the names they are known by."""
        folder.mkdir()
        for name, client in PROGRAMS.items():
            (folder / name).symlink_to(program(client))
        return folder

    def run(self, *command: str, cwd: Path | None = None) -> Done:
        done = subprocess.run(
            [*alone(), *command],
            cwd=cwd or self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def git(self, *arguments: str) -> str:
        done = self.run("git", *arguments)
        assert done.code == 0, done
        return done.out

    def jackline(self, *arguments: str, code: int | None = 0) -> Done:
        """A command as the person types it; `code` is the exit code it must have, None for any."""
        done = self.run(*self._command, *arguments)
        assert code is None or done.code == code, f"jackline {' '.join(arguments)}: {done}"
        return done

    def sit(self) -> None:
        """A person sits down at a terminal, before any session begins: while one lives, their word needs that."""
        self._screen = Screen(self.env, self.project)

    def leave(self) -> None:
        """They are gone."""
        if self._screen is not None:
            self._screen.close()

    def typed(self, *arguments: str) -> str:
        """A command as the person types it in their terminal, while a session may live; what they read."""
        assert self._screen is not None, "nobody sits there"
        said = self._screen.done(*self._command, *arguments)
        return said.rpartition("ended-")[0]

    def init(self, client: str, scope: str = "project", *options: str) -> Done:
        """Install for one client; on Codex the person then trusts the hooks in the client, the regular way."""
        done = self.jackline("init", "--client", client, "--scope", scope, *options)
        if client == "codex":
            codex.trust(self.project, self.home)
        return done

    def settings(self, client: str) -> Path:
        return self.project / SETTINGS[client]

    def feature(self, name: str, source: str) -> None:
        """Put a project feature in place."""
        folder = self.project / ".ai/hooks/features" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "hook.py").write_text(source)

    def trust(self) -> None:
        """Trust what the project brings, as the person who wrote it would."""
        digest = json.loads(self.jackline("trust", "--json", code=None).out)["digest"]
        self.jackline("trust", "--yes", digest)

    def sessions(self) -> list[Path]:
        """The folders of all sessions, in the project or in the store."""
        places = [*self.project.glob(".ai/tmp/*"), *self.store.glob("repos/*/tmp/*")]
        return sorted(folder for folder in places if folder.is_dir())

    def events(self) -> list[dict[str, Any]]:
        """Every row of every session's log, wherever it is kept."""
        kept = [folder / "events.jsonl" for folder in self.sessions()]
        return [json.loads(line) for log in kept for line in log.read_text().splitlines()]

    def rows(self, kind: str, **fields: Any) -> list[dict[str, Any]]:
        """Rows of one kind whose fields have these values."""
        return [
            row
            for row in self.events()
            if row["kind"] == kind and all(row.get(name) == value for name, value in fields.items())
        ]

    def claude(self, *turns: Any, **options: Any) -> Run:
        return run_claude(self.project, self.home, turns, **options)

    def codex(self, *turns: Any, **options: Any) -> Run:
        return run_codex(self.project, self.home, turns, **options)

    def member(self, client: str, *turns: Any, **options: Any) -> Run:
        """A run of Gemini CLI or Qwen Code."""
        return run_member(client, self.project, self.home, turns, **options)

    def opencode(self, *turns: Any, **options: Any) -> Run:
        return run_opencode(self.project, self.home, turns, **options)

    def codex_server(self, *turns: Any, **options: Any) -> Run:
        return run_codex_server(self.project, self.home, turns, **options)
