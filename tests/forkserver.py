"""A process that is ready to be the door or the command line, and becomes it in a fork for each call of a test.

    BASE -I -S forkserver.py 5 door STORE     what the door file of that store loads, up to where it takes its arguments
    python forkserver.py 5 MODULE             a module with `ready()`, and `enter()` for the forks

Starting and importing is most of what a process costs, and the same for each. A fork begins where a real process has
started: streams, folder, environment, session and mask are those of the call, and all that follows is the code of the
entry point itself. `forked.py` is the other end. Its life is one run of the tests: edited sources meet a new one.
"""

from __future__ import annotations

import ast
import gc
import importlib
import marshal
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

CALLS = int(sys.argv[1]) if __name__ == "__main__" else -1
"""The descriptor by which calls come."""
BUNDLE = f"hot-{sys.hexversion:x}.bin"
CUT = "TESTS_CUT"
"""A variable that cuts a call off: `kill 3` behind its third change of a file, `fail 3` at it, as on a full disk."""
CHANGES = ("write", "rename", "link", "unlink", "mkdir")
LARGEST = 1 << 17
"""Bytes of a call without its input."""
READERS = ("declare", "prepare", "bundle")
"""Modules of the compiler that read the package's own files."""


# --- calls and their forks ---


def serve() -> list[str]:
    """Answer calls, each in a fork. Returns in the fork, with the words of its call; ends when nobody can call."""
    calls = socket.socket(fileno=CALLS)
    running: dict[int, tuple[int, int]] = {}  # by a descriptor of the process: its id, where its end is told
    poll = select.poll()
    poll.register(CALLS, select.POLLIN)
    gc.collect()
    gc.freeze()  # what is here already is not touched in the forks
    while True:
        for fd, _ in poll.poll():
            if fd != CALLS:
                pid, end = running.pop(fd)
                poll.unregister(fd)
                os.close(fd)
                tell(end, os.waitpid(pid, 0)[1])
                os.close(end)
                continue
            data, fds, _, _ = socket.recv_fds(calls, LARGEST, 4)
            if not data:
                os._exit(0)
            pid = os.fork()
            if pid == 0:
                given = ast.literal_eval(data.decode())
                become(given, fds)
                return list(given["argv"])
            for one in fds[:3]:
                os.close(one)
            tell(fds[3], pid)
            process = os.pidfd_open(pid)
            running[process] = (pid, fds[3])
            poll.register(process, select.POLLIN)


def tell(end: int, number: int) -> None:
    try:
        os.write(end, number.to_bytes(4, "little"))
    except OSError:  # nobody waits for it any more
        pass


def become(given: Mapping[str, Any], fds: list[int]) -> None:
    """Be the process that was asked for."""
    for number, fd in enumerate(fds[:3]):
        os.dup2(fd, number)
    os.closerange(3, max(int(name) for name in os.listdir("/proc/self/fd")) + 1)
    if given["session"]:
        os.setsid()
    os.umask(given["umask"])
    os.chdir(given["cwd"])
    environment(given["env"])
    if given["client"]:
        below(given["client"])
    how, _, number = given["env"].get(CUT, "").partition(" ")
    if how:
        cut(how, int(number))


def cut(how: str, number: int) -> None:
    """Let this process die behind one of its changes of files, or let that one fail. What it answers is none."""
    import posix
    import stat

    left = [number]

    def of(real: Any, *, writes: bool) -> Any:
        def changes(*given: Any, **named: Any) -> Any:
            if writes and not stat.S_ISREG(os.fstat(given[0]).st_mode):
                return real(*given, **named)
            left[0] -= 1
            if left[0] == 0 and how == "fail":
                raise OSError(28, "No space left on device")
            made = real(*given, **named)
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return made

        return changes

    for name in CHANGES:
        setattr(posix, name, of(getattr(posix, name), writes=name == "write"))


def environment(env: Mapping[str, str]) -> None:
    """All three of them: that of `os`, that of `posix`, and that of C."""
    import posix

    for name in [*os.environ]:
        del os.environ[name]
    os.environ.update(env)
    posix.environ.clear()
    posix.environ.update({os.fsencode(name): os.fsencode(value) for name, value in env.items()})
    time.tzset()


def below(client: str) -> None:
    """Let a process of that name stand above this one, which waits for it and ends as it ended."""
    own = name_of_this(client)
    pid = os.fork()
    if pid:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os._exit(code if code >= 0 else 128 - code)
    name_of_this(own)


def name_of_this(name: str) -> str:
    """Give this process a name as /proc shows it; returns the one it had."""
    with open("/proc/self/comm", "r+") as file:
        had = file.read().rstrip("\n")
        file.write(name)
    return had


# --- what forks have already ---


def remember(module: Any, name: str, key: Callable[..., Any]) -> None:
    """Let a function answer a second time as it did before. `key`: what decides the answer, None where more does."""
    real = getattr(module, name)
    held: dict[Any, Any] = {}

    def answer(*given: Any) -> Any:
        known = key(*given)
        if known is None:
            return real(*given)
        if known not in held:
            held[known] = real(*given)
        return held[known]

    setattr(module, name, answer)


def read_once() -> None:
    """Remember what the files of this package say, which no test changes: most of what a compile costs.

    Those are the trees of the built-in features, their knobs, and the digest of all sources. All are only read.
    """
    declare, prepare, bundle = (importlib.import_module(f"jackline.compiler.{name}") for name in READERS)
    package = bundle.PACKAGE
    remember(declare, "parse", lambda data, where: (data, where) if where.startswith("<builtin>/") else None)
    remember(prepare, "_read_knobs", lambda found, *told: (found.slug, *told) if found.origin == "builtin" else None)
    remember(bundle, "sources", lambda: (*bundle.package_roots(),) if package == bundle.PACKAGE else None)


def compiler() -> None:
    """Import the compiler and read the features of ours, as the first compile of each machine does."""
    import shutil
    import tempfile

    read_once()
    folder = tempfile.mkdtemp()
    try:
        os.makedirs(f"{folder}/project/.ai")
        importlib.import_module("jackline.compiler.write").compile_table(f"{folder}/project", f"{folder}/store")
    finally:
        shutil.rmtree(folder)


# --- the door ---


class Entering(str):
    """The store of the door that is loaded. As it enters, it takes the store from here: each fork gets its own."""

    def __getitem__(self, key: Any) -> str:
        names = sys.modules["__main__"].__dict__
        before = [*sys.path]
        sys.path.extend(names["site_paths.ROOTS"])
        compiler()
        sys.path[:] = before
        opened = names["boot.FILES"]
        while opened:
            os.close(opened.pop())
        words = serve()
        sys.argv[:] = sys.orig_argv[3:] = words
        store = os.path.dirname(words[0])
        names["s"] = f"{store}/"
        os.open(f"{store}/{BUNDLE}", os.O_RDONLY | os.O_NONBLOCK)  # which a door leaves open
        return store


def door(store: str) -> None:
    """Load what the door file of a store loads, in a namespace of its own, as it does."""
    with open(f"{store}/{BUNDLE}", "rb") as file:
        data = file.read()
    main = type(sys)("__main__")
    sys.modules["__server__"], sys.modules["__main__"] = sys.modules["__main__"], main
    main.__dict__.update(
        s=Entering(f"{store}/"), d=data, marshal=marshal, posix=importlib.import_module("posix"), sys=sys
    )
    exec(marshal.loads(data), main.__dict__)


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if sys.argv[2] == "door":
        door(sys.argv[3])
    module = importlib.import_module(sys.argv[2])
    module.ready()
    sys.argv[:] = serve()
    module.enter()
