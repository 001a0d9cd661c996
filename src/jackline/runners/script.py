"""Run one script in a process of its own session: deadline, bounded output, nothing left behind but what it meant to.

A child that hangs, prints without end, reads nothing, kills its group or leaves a daemon holding its output costs its
deadline and nothing else. What the child itself does before it becomes the script stands in `runners/child.py`.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found,unused-ignore]  # built in; typeshed knows `signal` only
import posix

from jackline import host, system
from jackline.runners.process import BoundedStream, Child, attend
from jackline.script import CHANGED, Outcome
from jackline.staleness import LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NamedTuple

    from jackline.script import Script
else:
    from jackline._record import NamedTuple


class User(NamedTuple):
    """Who a script runs as when it is not us."""

    uid: int
    gid: int
    name: str
    home: str


def _above(fd: int) -> int:
    """The descriptor moved out of the way of 0 to 2, which may be free in a process that was started oddly."""
    if fd > 2:
        return fd
    try:
        return _above(posix.dup(fd))
    finally:
        posix.close(fd)


def _pipe() -> tuple[int, int]:
    reading, writing = posix.pipe()
    return _above(reading), _above(writing)


def _judged(fd: int, digest: bytes) -> str:
    from _blake2 import blake2b

    if posix.fstat(fd).st_mode & system.FORMAT != system.REGULAR:
        return "is no file"
    found = blake2b(system.drain(fd, LIMIT + 1), digest_size=16).digest()
    return "" if found == digest[:16] else CHANGED


def _opened(script: Script) -> tuple[int, str]:
    """The script's file, opened, with the bytes that were compiled; or why it is not to be run."""
    try:
        fd = posix.open(script.path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except (OSError, ValueError) as error:
        return -1, f"cannot be read: {getattr(error, 'strerror', error)}"
    try:
        fault = _judged(fd, script.digest)
    except OSError as error:
        fault = f"cannot be read: {error.strerror}"
    if fault:
        system.close(fd)
        return -1, fault
    return _above(fd), ""


def run(
    script: Script,
    *,
    root: str,
    env: Mapping[str, str],
    stdin: bytes = b"",
    arguments: tuple[str, ...] = (),
    limit_s: float,
    wanted: Callable[[], bool] | None = None,
    user: User | None = None,
    writable: tuple[str, ...] = (),
    started: Callable[[int], None] | None = None,
) -> Outcome:
    """Run `script` in `root` to its end. Never raises for what a script does; `limit_s` 0 = no deadline.

    `wanted` is asked every 200 ms; False stops the script. `writable`: folders besides the root that a sandboxed one
    may write to. `started` is told the number of its process, which is that of its group and session too. An event
    script's streams mean different things and are read apart; the others print into one.
    """
    begun = host.clock()
    program, fault = _opened(script)
    if fault:
        return Outcome(exit=126, fault=fault)
    pipes: list[int] = [program]
    try:
        give, stdin_fd = _pipe() if stdin else (_above(posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)), -1)
        pipes += [give, stdin_fd]
        pipes += (out := _pipe())
        err = out
        if script.type == "event":
            pipes += (err := _pipe())
        pipes += (why := _pipe())
        theirs = (give, out[1], err[1], why[1])
        masked = _signal.pthread_sigmask(_signal.SIG_BLOCK, (_signal.SIGPIPE,))
        try:
            pid = posix.fork()
            if pid == 0:
                from jackline.runners.child import become

                become(script, program, theirs, root, env, arguments, user, (root, *writable))
            for fd in {program, *theirs}:
                posix.close(fd)
            pipes = []
            kept = BoundedStream(), BoundedStream(), BoundedStream(), BoundedStream()
            streams = {out[0]: (kept[0].add, kept[2].add), err[0]: (kept[1].add, kept[2].add), why[0]: (kept[3].add,)}
            if err is out:
                streams[out[0]] = (kept[0].add,)
            child = Child(pid, stdin_fd, stdin, streams)
            return _outcome(child, kept, begun, limit_s, wanted, started)
        finally:
            if _signal.SIGPIPE in _signal.sigpending():
                _signal.sigtimedwait((_signal.SIGPIPE,), 0)
            _signal.pthread_sigmask(_signal.SIG_SETMASK, masked)
    except OSError as error:
        return Outcome(exit=126, fault=f"could not be started: {error.strerror}")
    finally:
        for fd in pipes:
            system.close(fd)


def _outcome(
    child: Child,
    kept: tuple[BoundedStream, BoundedStream, BoundedStream, BoundedStream],
    begun: int,
    limit_s: float,
    wanted: Callable[[], bool] | None,
    started: Callable[[int], None] | None,
) -> Outcome:
    """See the child to its end. `kept`: output, errors, both as they came, why it could not be started."""
    try:
        if started is not None:
            started(child.pid)
        attend(child, begun + int(limit_s * 1e9) if limit_s else 0, wanted)
    except BaseException:
        child.signal(_signal.SIGKILL)
        child.reap()
        raise
    finally:
        child.reap(posix.WNOHANG)
        child.close()
    out, err, both, why = kept
    status = -int(_signal.SIGKILL) if child.status is None else child.status
    told = why.data().decode("utf-8", "replace")
    return Outcome(
        exit=status,
        out=out.data(),
        err=err.data(),
        ms=(host.clock() - begun) / 1e6,
        cut=bool(out.cut or err.cut),
        late=child.late,
        stopped=child.stopped,
        fault=told,
        both=both.data() if out.size and err.size else b"",
    )
