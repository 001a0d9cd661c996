"""A person at a desk: the scratch machine with the command line, and clients that are processes of their own."""

from __future__ import annotations

import json
import os
import pty
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import forked
from once import sitecustomize
from scene import BASE, Scene, audit

SRC = Path(__file__).resolve().parents[2] / "src"


class Done(NamedTuple):
    """A finished command."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


class Desk(Scene):
    """Doors are children of a process named `claude`, as under a real client; it ends with each event."""

    def __init__(self, folder: Path, made: Path) -> None:
        super().__init__(folder, made)
        self.claude = folder / "claude"
        shutil.copy("/bin/sh", self.claude)
        self.env |= {
            "PYTHONPATH": f"{SRC}:{Path(sitecustomize.__file__).parent}",
            sitecustomize.MADE: str(made),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
        }

    def argv(self, event: str, dialect: str = "claude-code", *more: str) -> list[str]:
        return [str(self.claude), "-c", '"$@"; exit $?', "claude", *super().argv(event, dialect, *more)]

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "jackline.cli", *words]

    def jackline(
        self,
        *words: str,
        code: int | None = 0,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        process: bool = False,
    ) -> Done:
        """A command without a terminal; `code`: what it must end with (None: anything). `process`: no fork."""
        argv, at, given = self.command(*words), cwd or self.root, {**self.env, **(env or {})}
        ran = None if process else forked.run(argv, stdin, given, at, 60, session=True)
        if ran is None:
            done = subprocess.run(
                argv, input=stdin, capture_output=True, env=given, cwd=at, timeout=60, start_new_session=True,
                check=False,
            )  # fmt: skip
            ran = forked.Ran(done.returncode, done.stdout, done.stderr)
        out, err = ran.out.decode(), ran.err.decode()
        assert code in (None, ran.code), f"jackline {shlex.join(words)}: {ran.code}\n{out}\n{err}"
        assert "Traceback" not in out + err
        return Done(ran.code, out, err)

    def typed(self, *words: str, keys: bytes = b"") -> Done:
        """A command in a terminal of its own, with what the person types."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.root)
            os.execve(sys.executable, self.command(*words), {**self.env, "TERM": "dumb", "COLUMNS": "200"})
        os.write(terminal, keys)
        said = b""
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            said += part
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        return Done(os.waitstatus_to_exitcode(status), said.decode().replace("\r\n", "\n"), "")

    def below_client(self, *words: str, payload: Mapping[str, Any] | None = None) -> Done:
        """One client process that sends an event, and then runs a command itself, as an agent's shell does."""
        door = shlex.join([BASE, "-I", "-S", str(self.store / "door.py"), "claude-code", "SessionStart"])
        told = shlex.quote(json.dumps(payload or self.payload("SessionStart", source="startup")))
        script = f"printf %s {told} | {door} >/dev/null; {shlex.join(self.command(*words))}; exit $?"
        done = subprocess.run(
            [str(self.claude), "-c", script], env=self.env, cwd=self.root, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, start_new_session=True, timeout=60, check=False,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr)

    def living(self) -> subprocess.Popen[bytes]:
        """A client that sent an event and lives on until its stdin is closed."""
        door = shlex.join([BASE, "-I", "-S", str(self.store / "door.py"), "claude-code", "SessionStart"])
        told = shlex.quote(json.dumps(self.payload("SessionStart", source="startup")))
        script = f"printf %s {told} | {door}; echo; read end; exit 0"
        child = subprocess.Popen(
            [str(self.claude), "-c", script], env=self.env, cwd=self.root, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert child.stdout is not None
        assert (child.stdout.readline(), child.stdout.readline()) == (b"{}\n", b"\n")
        return child

    def one_session(self) -> None:
        """A short session: a prompt, a rewritten search, a read, an end."""
        self.begin()
        self.prompt("find it")
        self.pre("grep -r password .")
        self.say(self.payload("PreToolUse", tool_name="Read", tool_input={"file_path": "a.py"}, tool_use_id="t2"))
        self.say(self.payload("Stop", stop_hook_active=False))


def desk_of(folder: Path, made: Path) -> Desk:
    return Desk(folder / "machine", made)


@pytest.fixture
def desk(tmp_path: Path, made_bundle: Path) -> Iterator[Desk]:
    made = desk_of(tmp_path, made_bundle)
    yield made
    for folder in made.sessions():
        audit(folder)
    assert made.crashes() == []
