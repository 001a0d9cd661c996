"""Run the door and the command line as forks of a process that is ready for them (`forkserver.py`), where that says
the same as a process of its own would; `run` says None where it would not, and the caller starts a real one.

Real ones are asked for with `@pytest.mark.process`, and for all tests with JACKLINE_PROCESSES=1.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

BASE = os.path.realpath(sys._base_executable)  # type: ignore[attr-defined]
TESTS = Path(__file__).resolve().parent
SRC = TESTS.parent / "src"
UNDER = ["-c", '"$@"; exit $?', "claude"]
"""Behind a shell that is called like a client: it starts the door and waits for it."""
LOCALE = ("LC_ALL", "LC_CTYPE", "LANG")


class Ran(NamedTuple):
    """How a process ended, and what it said."""

    code: int
    out: bytes
    err: bytes


class Server:
    """One process that is ready, and how to call it."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], what: Sequence[str]) -> None:
        self.calls, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            words = [*argv, str(TESTS / "forkserver.py"), str(theirs.fileno()), *what]
            self.process = subprocess.Popen(
                words, env={**env}, cwd="/", stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
            )
        self.called = 0

    def call(self, given: Mapping[str, object], fds: Sequence[int]) -> None:
        self.called += 1
        socket.send_fds(self.calls, [repr(dict(given)).encode()], [*fds])

    def end(self) -> None:
        self.calls.close()
        self.process.wait()


SERVERS: dict[tuple[str, ...], Server] = {}
"""What is ready in this process, by what it is; the door's begins with a store of the bundle it loaded."""
ONE = threading.Lock()
OFF: list[str] = []
"""Why calls of this test have processes of their own, where they do."""
BUNDLE: list[Path] = []
"""The store with the bundle that all scratch machines of a run share."""


def end() -> None:
    """Let all servers end."""
    while SERVERS:
        SERVERS.popitem()[1].end()


def count() -> int:
    """How many forks there were."""
    return sum(one.called for one in SERVERS.values())


def children() -> list[int]:
    """The children of this process that are no servers, dead ones that nobody asked after among them."""
    found = [int(one) for path in Path("/proc/self/task").glob("*/children") for one in path.read_text().split()]
    return sorted({*found} - {one.process.pid for one in SERVERS.values()})


def server(what: tuple[str, ...], argv: Sequence[str], env: Mapping[str, str]) -> Server:
    with ONE:
        if what not in SERVERS:
            SERVERS[what] = Server(argv, env, what)
        return SERVERS[what]


# --- which calls a fork answers as a process would ---

SEEN: dict[tuple[int, int, int, int], bytes] = {}
"""Digests of files, by inode, times and size."""


def content(path: str) -> bytes:
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):  # a pipe would wait for somebody to write
        raise OSError(errno.EINVAL, "no file", path)
    key = (found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)
    if key not in SEEN:
        SEEN[key] = blake2b(Path(path).read_bytes()).digest()
    return SEEN[key]


def is_same(path: str, other: str) -> bool:
    """Whether two files have one content. What is one file is not read: each link to it alters its times."""
    return os.path.samefile(path, other) or content(path) == content(other)


def is_shared(store: str) -> bool:
    """Whether the files of the bundle in this store are those that the server loaded."""
    try:
        return all(is_same(f"{store}/{name}", f"{BUNDLE[0]}/{name}") for name in os.listdir(BUNDLE[0]))
    except OSError:
        return False


def locale(env: Mapping[str, str]) -> dict[str, str] | None:
    """The environment as Python leaves it when it starts; None where its locale is none of those that servers have."""
    given = {env[name] for name in LOCALE if name in env}
    if given == {"C.UTF-8"}:
        return {**env}
    return {**env, "LC_CTYPE": "C.UTF-8"} if not given else None


def of_python(env: Mapping[str, str]) -> dict[str, str]:
    """What an interpreter heeds when it starts, and the command line's processes get for the bundle."""
    return {name: env[name] for name in env if name.startswith("PYTHON") or name == "TESTS_BUNDLE"}


class Plan(NamedTuple):
    """Which server answers a call, and with what."""

    server: Server
    argv: list[str]
    env: dict[str, str]
    client: str


def planned(argv: Sequence[str], env: Mapping[str, str]) -> Plan | None:
    """How a fork answers a command line; None where that takes a process of its own."""
    client = ""
    words = [*argv]
    given = locale(env)
    if given is None:
        return None
    if len(words) > 4 and words[1:4] == UNDER and os.path.basename(words[0]) == UNDER[-1]:
        client, words = UNDER[-1], words[4:]
    if len(words) > 3 and words[:3] == [BASE, "-I", "-S"] and words[3].endswith("/door.py"):
        if not BUNDLE or not is_shared(os.path.dirname(words[3])):
            return None
        what = ("door", str(BUNDLE[0]))
        return Plan(server(what, words[:3], {"PATH": "/usr/bin:/bin"}), words[3:], given, client)
    if words[:3] == [sys.executable, "-m", "jackline.cli"] and env.get("PYTHONPATH", "").startswith(str(SRC)):
        held = of_python(env)
        started = server(("forkedcli", *map(str, sorted(held.items()))), words[:1], {**held, "LC_ALL": "C.UTF-8"})
        return Plan(started, words[3:], given, client)
    return None


def is_plain() -> bool:
    """Whether this process hands nothing on that a server has not: no mask, no other way of its signals."""
    return (
        not OFF
        and "JACKLINE_PROCESSES" not in os.environ
        and hasattr(os, "pidfd_open")
        and not signal.pthread_sigmask(signal.SIG_BLOCK, ())
    )


def umask() -> int:
    """The mask of this process."""
    with open("/proc/self/status", "rb") as status:
        for line in status:
            if line.startswith(b"Umask:"):
                return int(line.split()[1], 8)
    return 0o022


def communicate(argv: Sequence[str], raw: bytes, fds: list[int], timeout: float) -> Ran:
    """Give a process its input and hear what it says and how it ends. `fds` are closed as they come to their end."""
    feed, out, err, told = fds
    left = memoryview(raw)
    said = {out: b"", err: b"", told: b""}
    until = time.monotonic() + timeout
    poll = select.poll()
    for fd in fds:
        os.set_blocking(fd, False)
        poll.register(fd, select.POLLOUT if fd == feed else select.POLLIN)
    while fds:
        ready = poll.poll(max(until - time.monotonic(), 0) * 1000)
        if not ready:
            kill(said[told])
            raise subprocess.TimeoutExpired([*argv], timeout, said[out], said[err])
        for fd, _ in ready:
            if fd == feed:
                left, done = fed(feed, left)
            else:
                part = os.read(fd, 1 << 16)
                said[fd] += part
                done = not part
            if done:
                poll.unregister(fd)
                fds.remove(fd)
                os.close(fd)
    assert len(said[told]) == 8, f"the server of forks ended: {said}"
    status = int.from_bytes(said[told][4:], "little")
    return Ran(os.waitstatus_to_exitcode(status), said[out], said[err])


def fed(feed: int, left: memoryview) -> tuple[memoryview, bool]:
    """Write what goes in; what is left, and whether that was all or nobody reads it."""
    try:
        left = left[os.write(feed, left) :]
    except BrokenPipeError:
        return left, True
    return left, not left


def kill(told: bytes) -> None:
    """End the process that was told of, unless it ended."""
    if len(told) == 4:
        os.kill(int.from_bytes(told, "little"), signal.SIGKILL)


def call(plan: Plan, raw: bytes, cwd: str | Path, timeout: float, *, session: bool = False, mask: int = -1) -> Ran:
    """The end of one fork of a server that was given these bytes."""
    pipes = [os.pipe() for _ in range(4)]
    (stdin, feed), (out, stdout), (err, stderr), (told, end) = pipes
    theirs, ours = [stdin, stdout, stderr, end], [feed, out, err, told]
    given = {
        "argv": plan.argv, "env": plan.env, "cwd": str(cwd), "umask": umask() if mask < 0 else mask,
        "session": session, "client": plan.client,
    }  # fmt: skip
    try:
        plan.server.call(given, theirs)
        while theirs:
            os.close(theirs.pop())
        return communicate(plan.argv, raw, ours, timeout)
    finally:
        for fd in (*theirs, *ours):
            os.close(fd)


def run(
    argv: Sequence[str], raw: bytes, env: Mapping[str, str], cwd: str | Path, timeout: float, *, session: bool = False
) -> Ran | None:
    """The end of a command line, given these bytes, in a fork; None where that takes a process of its own."""
    plan = planned(argv, env) if is_plain() and os.path.isdir(cwd) else None
    return None if plan is None else call(plan, raw, cwd, timeout, session=session)


def ready(module: str) -> Server:
    """A server with a module of the tests: `ready()` and `enter()`."""
    return server((module,), [sys.executable], {"PYTHONPATH": str(SRC), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
