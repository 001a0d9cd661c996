"""Terminals of a test: a real one with a shell in it that a person types into."""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from jackline import processes
from jackline.processes import Process

TICK_S = 0.05
WAIT_S = 30


def end_session(leader: int) -> None:
    """End what runs in the session of processes that a process leads or is in."""
    try:
        session = os.getsid(leader)
    except ProcessLookupError:
        return
    for name in os.listdir("/proc"):
        found = host_process(int(name)) if name.isdecimal() else None
        if found is not None and found.session == session != os.getsid(0):
            with suppress(ProcessLookupError):
                os.kill(found.pid, signal.SIGKILL)


def host_process(pid: int) -> Process | None:
    chain = processes.above(pid, 1)
    return chain[0] if chain else None


class Screen:
    """A terminal with a shell in it that a person types into."""

    def __init__(self, env: Mapping[str, str], root: Path) -> None:
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(root)
            os.execve("/bin/sh", ["sh"], {**env, "TERM": "dumb", "COLUMNS": "200", "PS1": "", "PS2": ""})
        self.said = ""
        self.type("stty -echo")
        time.sleep(TICK_S)  # whatever starts now is younger
        self.lines = 0

    def type(self, line: str) -> None:
        os.write(self.terminal, line.encode() + b"\n")

    def until(self, sign: str) -> str:
        """What came since the last call, up to a sign."""
        end = time.monotonic() + WAIT_S
        while not re.search(sign, self.said):
            assert time.monotonic() < end, (sign, self.said)
            if select.select([self.terminal], [], [], 0.2)[0]:
                self.said += os.read(self.terminal, 4096).decode().replace("\r\n", "\n")
        said, self.said = self.said, ""
        return said

    def run(self, *words: str) -> None:
        self.lines += 1
        self.type(f"{shlex.join(words)}; echo ended-{self.lines}=$?")

    def ended(self) -> tuple[int, str]:
        said = self.until(rf"ended-{self.lines}=\d+\n")
        return int(said.rpartition("=")[2]), said

    def done(self, *words: str) -> str:
        """What a command says that ends with 0."""
        self.run(*words)
        code, said = self.ended()
        assert code == 0, said
        return said

    def close(self) -> None:
        end_session(self.pid)
        os.close(self.terminal)
        os.waitpid(self.pid, 0)
