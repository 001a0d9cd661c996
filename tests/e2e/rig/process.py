"""One process in a network namespace that has only a loopback, with the scripted model listening on it."""

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Self

from .model import Model

PORT = 18099  # free in every namespace: nobody else is there
INSIDE = str(Path(__file__).with_name("inside.py"))


def alone() -> list[str]:
    """What a command line begins with to be run without a network."""
    return ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-r", "-n"]


class NoNamespaceError(Exception):
    """This machine refuses network namespaces."""


REFUSED = (
    "the end-to-end tests run each client in a network namespace of its own, and this machine allows none · "
    "run them as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0; in a container --cap-add SYS_ADMIN)"
)


class TooLongError(Exception):
    """A client did not end in its time."""


def _spawn(
    command: Sequence[str], channel: socket.socket, cwd: Path, env: Mapping[str, str], err: IO[bytes]
) -> subprocess.Popen[bytes]:
    inside = [sys.executable, "-I", "-S", INSIDE, str(channel.fileno()), str(PORT), *command]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": err}
    try:
        return subprocess.Popen(
            [*alone(), *inside], cwd=cwd, env=dict(env), start_new_session=True, pass_fds=[channel.fileno()], **pipes
        )
    except FileNotFoundError as missing:
        err.close()
        raise NoNamespaceError(f"{REFUSED} · {missing}") from None


def _listener(channel: socket.socket, process: subprocess.Popen[bytes]) -> socket.socket:
    _, descriptors, _, _ = socket.recv_fds(channel, 16, 1)
    if descriptors:
        return socket.socket(fileno=descriptors[0])
    process.wait(10)
    raise NoNamespaceError(REFUSED)


class Process:
    """A running client. Its lines are read as they come; leaving the `with` ends its process group."""

    def __init__(
        self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], model: Model, seconds: float
    ) -> None:
        ours, theirs = socket.socketpair()
        self.started = time.monotonic()
        self.deadline = self.started + seconds
        self.model = model
        self._err = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        with ours, theirs:
            self._process = _spawn(command, theirs, cwd, env, self._err)
            theirs.close()
            try:
                model.serve(_listener(ours, self._process))
            except NoNamespaceError as refused:
                said = self.stderr()
                self.close()
                raise NoNamespaceError(f"{refused} · unshare said: {said.strip()}") from None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def hang_up(self) -> None:
        """Close the client's standard input."""
        assert self._process.stdin
        self._process.stdin.close()

    def messages(self) -> Iterator[dict[str, Any]]:
        """The JSON lines of the client's output until it closes it; other lines are dropped."""
        while line := self._line():
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if isinstance(message, dict):
                yield message

    def _line(self) -> bytes:
        try:
            return self._lines.get(timeout=self.left)
        except queue.Empty:
            raise TooLongError(
                f"the client still runs after {time.monotonic() - self.started:.0f} s and "
                f"{len(self.model.requests)} requests to the model · its stderr: {self.stderr()[-2000:]}"
            ) from None

    def end(self) -> int:
        """Wait for the client's own end."""
        try:
            code = self._process.wait(self.left)
        except subprocess.TimeoutExpired:
            raise TooLongError("the client closed its output but does not end") from None
        if self.model.fault:
            raise self.model.fault
        return code

    def stderr(self) -> str:
        self._err.seek(0)
        return self._err.read().decode("utf-8", "replace")

    def close(self) -> None:
        for step in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, step)
                self._process.wait(2)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        if hasattr(self, "_reader"):
            self._reader.join(2)
        self._process.stdout.close()
        self._err.close()
        self.model.close()
