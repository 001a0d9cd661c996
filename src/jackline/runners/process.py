"""A script under way, as whoever started it sees it: its streams fed and read, its end awaited, its group ended."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found,unused-ignore]  # built in; typeshed knows `signal` only
import posix

from jackline import host, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Ear = Callable[[bytes], None]

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


class BoundedStream:
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


class Child:
    """A script under way: its process, the ends of its streams that are ours, and what was asked of it.

    `streams`: by descriptor, who hears what comes from it.
    """

    def __init__(self, pid: int, stdin: int, data: bytes, streams: Mapping[int, Sequence[Ear]]) -> None:
        from select import POLLIN, POLLOUT, poll  # a file of its own, which a commit without scripts does not read

        self.pid = pid
        self.stdin = stdin
        self.rest = memoryview(data)
        self.open = dict(streams)
        self.poll = poll()
        for fd in streams:
            posix.set_blocking(fd, False)
            self.poll.register(fd, POLLIN)
        if stdin >= 0:
            posix.set_blocking(stdin, False)
            self.poll.register(stdin, POLLOUT)
        self.ended = self._watch()
        self.status: int | None = None
        self.late = self.stopped = False
        self.killed = 0  # when KILL is due or was sent, 0 before TERM
        self.forced = False

    def _watch(self) -> int:
        """A descriptor that tells the child's end; -1 where the system has none."""
        from select import POLLIN

        try:
            fd: int = posix.pidfd_open(self.pid)  # type: ignore[attr-defined,unused-ignore]
        except (AttributeError, OSError):
            return -1
        self.poll.register(fd, POLLIN)
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
            for hear in self.open[fd]:
                hear(part)
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


def attend(child: Child, deadline: int, wanted: Callable[[], bool] | None) -> None:
    """Serve the child until it is over, and its streams are, or nobody waits for them any longer."""
    ask = host.clock() + ASK_NS
    over = 0
    while True:
        now = host.clock()
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
