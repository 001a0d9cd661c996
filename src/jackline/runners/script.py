"""Run one script in a process of its own session: deadline, bounded output, nothing left behind but what it meant to.

A child that hangs, prints without end, reads nothing, kills its group or leaves a daemon holding its output costs its
deadline and nothing else. What the child itself does before it becomes the script stands in `runners/child.py`.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found,unused-ignore]  # built in; typeshed knows `signal` only
import posix
import select

from jackline import system
from jackline.script import Outcome
from jackline.wiring import LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NamedTuple

    from jackline.script import Script
else:
    from jackline._record import NamedTuple

KEEP = 1 << 16
"""Bytes that are kept of a stream's beginning, and as many of its end."""
ASK_NS = 200_000_000
"""How often somebody is asked whether the script is still wanted."""
LINGER_NS = 200_000_000
"""How long the streams are waited for when the script itself has ended: somebody it left may hold them."""
GRACE_NS = 1_000_000_000
"""Between TERM and KILL."""
SLICE_MS = 20
"""How often a child is looked after where its end cannot be polled for."""

CHANGED = "changed since it was compiled"


class User(NamedTuple):
    """Who a script runs as when it is not us."""

    uid: int
    gid: int
    name: str
    home: str


class _Kept:
    """What is kept of one stream: its head and its tail."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.size = 0

    def add(self, part: bytes) -> None:
        self.size += len(part)
        room = KEEP - len(self.head)
        self.head += part[:room]
        self.tail += part[room:] if room else part
        if len(self.tail) > 4 * KEEP:
            del self.tail[:-KEEP]

    @property
    def cut(self) -> int:
        """Bytes that were not kept."""
        return self.size - len(self.head) - min(len(self.tail), KEEP)

    def data(self) -> bytes:
        mark = b"\n[... %d bytes left out ...]\n" % self.cut if self.cut else b""
        return bytes(self.head) + mark + bytes(self.tail[-KEEP:])


class _Child:
    """A script under way: its process, the ends of its streams that are ours, and what was asked of it."""

    def __init__(self, pid: int, stdin: int, data: bytes, reading: tuple[int, int, int]) -> None:
        self.pid = pid
        self.stdin = stdin
        self.rest = memoryview(data)
        self.kept = (_Kept(), _Kept(), _Kept())  # output, errors, why it could not be started
        self.open = dict(zip(reading, self.kept, strict=True))
        self.poll = select.poll()
        for fd in reading:
            posix.set_blocking(fd, False)
            self.poll.register(fd, select.POLLIN)
        if stdin >= 0:
            posix.set_blocking(stdin, False)
            self.poll.register(stdin, select.POLLOUT)
        self.ended = self._watch()
        self.status: int | None = None
        self.late = self.stopped = False
        self.killed = 0  # when KILL is due or was sent, 0 before TERM
        self.forced = False

    def _watch(self) -> int:
        """A descriptor that tells the child's end; -1 where the system has none."""
        try:
            fd: int = posix.pidfd_open(self.pid)  # type: ignore[attr-defined,unused-ignore]
        except (AttributeError, OSError):
            return -1
        self.poll.register(fd, select.POLLIN)
        return fd

    # --- streams ---

    def serve(self, wait_ms: int) -> None:
        """Wait for what comes, feed and read."""
        for fd, _ in self.poll.poll(wait_ms):
            if fd == self.stdin:
                self._feed()
            elif fd in self.open:
                self._read(fd)
            else:  # its end: it stays readable
                self.poll.unregister(fd)

    def _feed(self) -> None:
        try:
            self.rest = self.rest[posix.write(self.stdin, self.rest[: 1 << 16]) :]
        except BlockingIOError:
            return
        except OSError:  # it reads no more
            self.rest = self.rest[:0]
        if not self.rest:
            self.poll.unregister(self.stdin)
            system.close(self.stdin)
            self.stdin = -1

    def _read(self, fd: int) -> None:
        try:
            part = posix.read(fd, 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        if part:
            self.open[fd].add(part)
            return
        self.poll.unregister(fd)
        del self.open[fd]
        system.close(fd)

    # --- the process ---

    def over(self) -> bool:
        """Whether the child has ended. It is not reaped yet: until then its group's number is nobody else's."""
        if self.status is not None:
            return True
        try:
            return posix.waitid(posix.P_PID, self.pid, posix.WEXITED | posix.WNOHANG | posix.WNOWAIT) is not None
        except AttributeError:
            self.reap(posix.WNOHANG)
            return self.status is not None
        except ChildProcessError:  # somebody else has seen its end
            self.status = 0
            return True

    def reap(self, how: int = 0) -> None:
        if self.status is None:
            try:
                pid, status = posix.waitpid(self.pid, how)
                if pid == self.pid:
                    self.status = posix.waitstatus_to_exitcode(status)
            except ChildProcessError:
                self.status = 0

    def signal(self, number: int) -> None:
        """To the whole group; to the child alone while it has none yet."""
        for send in (posix.killpg, posix.kill):
            try:
                send(self.pid, number)
            except OSError:
                continue
            return

    def end(self, now: int) -> None:
        """Ask it to end: KILL follows."""
        self.signal(_signal.SIGTERM)
        self.killed = now + GRACE_NS

    def close(self) -> None:
        for fd in (self.stdin, self.ended, *self.open):
            system.close(fd)


def _attend(child: _Child, deadline: int, wanted: Callable[[], bool] | None) -> None:
    """Serve the child until it is over, and its streams are, or nobody waits for them any longer."""
    ask = system.clock() + ASK_NS
    over = 0
    while True:
        now = system.clock()
        if not over and child.over():
            over = now
        if child.killed and not child.forced and (now >= child.killed or (over and not child.open)):
            child.signal(_signal.SIGKILL)
            child.forced = True
            child.killed = now
        if over and (not child.open or (not child.killed and now >= over + LINGER_NS)):
            return
        if child.forced and now >= child.killed + (LINGER_NS if over else GRACE_NS):
            return
        if not over and not child.killed:
            if deadline and now >= deadline:
                child.late = True
                child.end(now)
            elif wanted is not None and now >= ask:
                ask = now + ASK_NS
                if not wanted():
                    child.stopped = True
                    child.end(now)
        nearest = min(
            [time for time in (deadline, ask if wanted else 0, child.killed, over and over + LINGER_NS) if time > now],
            default=now + ASK_NS,
        )
        wait = min((nearest - now) // 1_000_000 + 1, ASK_NS // 1_000_000)
        child.serve(min(wait, SLICE_MS) if child.ended < 0 else wait)


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
    may write to. `started` is told the number of its process, which is that of its group and session too.
    """
    begun = system.clock()
    program, fault = _opened(script)
    if fault:
        return Outcome(exit=126, fault=fault)
    pipes: list[int] = [program]
    try:
        give, stdin_fd = _pipe() if stdin else (_above(posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)), -1)
        pipes += [give, stdin_fd]
        for _ in range(3):
            pipes += _pipe()
        theirs = (give, pipes[4], pipes[6], pipes[8])
        reading = (pipes[3], pipes[5], pipes[7])
        masked = _signal.pthread_sigmask(_signal.SIG_BLOCK, (_signal.SIGPIPE,))
        try:
            pid = posix.fork()
            if pid == 0:
                from jackline.runners.child import become

                become(script, program, theirs, root, env, arguments, user, (root, *writable))
            for fd in (program, *theirs):
                posix.close(fd)
            pipes = []
            child = _Child(pid, stdin_fd, stdin, reading)
            return _outcome(child, begun, limit_s, wanted, started)
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
    child: _Child,
    begun: int,
    limit_s: float,
    wanted: Callable[[], bool] | None,
    started: Callable[[int], None] | None,
) -> Outcome:
    """See the child to its end."""
    try:
        if started is not None:
            started(child.pid)
        _attend(child, begun + int(limit_s * 1e9) if limit_s else 0, wanted)
    except BaseException:
        child.signal(_signal.SIGKILL)
        child.reap()
        raise
    finally:
        child.reap(posix.WNOHANG)
        child.close()
    out, err, why = child.kept
    status = -int(_signal.SIGKILL) if child.status is None else child.status
    told = why.data().decode("utf-8", "replace")
    return Outcome(
        exit=status,
        out=out.data(),
        err=err.data(),
        ms=(system.clock() - begun) / 1e6,
        cut=bool(out.cut or err.cut),
        late=child.late,
        stopped=child.stopped,
        fault=told,
    )
