"""The processes above ours, read from /proc when somebody asks: which client started us, and does it still run."""

from __future__ import annotations

import posix

from jackline import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple


SHELLS = frozenset(
    ("sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "ash", "csh", "tcsh", "nu", "elvish", "pwsh", "timeout", "env")
)
"""What may stand between a client and the entry point it opens."""


class Process(NamedTuple):
    """One ancestor of ours: pid, start time in clock ticks since boot, `comm`, its executable, its command line.

    `leads`: it leads a process group of a terminal, as a shell does that a person types into. `session` is the number
    of the process that leads its session of processes, `terminal` the device of its controlling terminal (0: none).
    """

    pid: int
    start: int
    name: str
    exe: str
    words: tuple[str, ...] = ()
    leads: bool = False
    session: int = 0
    terminal: int = 0


def _process(pid: int) -> tuple[Process, int] | None:
    """One process and its parent's pid, from /proc; None where there is no such process (or no /proc)."""
    try:
        raw = system.read(f"/proc/{pid}/stat", limit=4096)
    except OSError:
        return None
    text = raw.decode("utf-8", "replace")
    opened, closed = text.find("("), text.rfind(")")
    fields = text[closed + 2 :].split()
    try:
        exe = posix.readlink(f"/proc/{pid}/exe")
    except OSError:
        exe = ""
    session, terminal = int(fields[3]), int(fields[4])
    leads = fields[2] == str(pid) and terminal != 0
    name = text[opened + 1 : closed]
    return Process(pid, int(fields[19]), name, exe, (), leads, session, terminal), int(fields[1])


def _is_typed_into(one: Process) -> bool:
    """Whether a shell is one that a person types into: it leads in a terminal, and was given no command.

    One that leads its terminal's session is the first program there: what is above made the terminal, and no call.
    """
    given = any(word[:1] == "-" != word[1:2] and "c" in word for word in one.words[1:])
    return one.leads and (not given or one.session == one.pid)


def opener(chain: Sequence[Process]) -> Process | None:
    """Of ancestors the nearest that is no shell: the client, where hooks are its children (measured).

    Not beyond a shell that a person types into: whoever tries an entry by hand there is no client, nor is the terminal,
    and would be taken for one as long as it lives. Where only shells are left, it is the one that started the entry
    point.
    """
    for one in chain:
        if one.name not in SHELLS:
            return one
        if _is_typed_into(one):
            break
    return chain[0] if chain and not _is_typed_into(chain[0]) else None


def words(pid: int) -> tuple[str, ...]:
    """The command line of a process; empty where nobody tells."""
    try:
        raw = system.read(f"/proc/{pid}/cmdline", limit=1 << 16)
    except OSError:
        return ()
    return tuple(raw.rstrip(b"\0").decode("utf-8", "replace").split("\0")) if raw else ()


def above(pid: int, limit: int = 12) -> tuple[Process, ...]:
    """A process and the chain of those above it, nearest first."""
    found: list[Process] = []
    while pid > 1 and len(found) < limit:
        one = _process(pid)
        if one is None:
            break
        found.append(one[0]._replace(words=words(pid)))
        pid = one[1]
    return tuple(found)


def alive(pid: int, start: int) -> bool:
    """Whether the process that had `pid` and started at `start` (clock ticks) still runs."""
    one = _process(pid)
    return one is not None and one[0].start == start and running(pid)


TICKS = 100
"""Clock ticks of `/proc` in a second: the same on every Linux."""
SLACK = 2 * TICKS
"""How much younger a terminal may look than it is: the time of boot is told in whole seconds."""


def terminal_made(device: int) -> int:
    """When a pseudo-terminal was made, in clock ticks since boot; 0 where nobody tells.

    Its node's ctime says so: writing and reading leave it alone.
    """
    major, minor = device >> 8 & 0xFFF, (device & 0xFF) | (device >> 12 & 0xFFF00)
    try:
        found = posix.stat(f"/dev/pts/{minor}")
        booted = int(system.read("/proc/stat", limit=1 << 20).partition(b"\nbtime ")[2].split(b"\n")[0])
    except (OSError, ValueError):
        return 0
    if found.st_rdev != posix.makedev(major, minor):
        return 0
    return max((found.st_ctime_ns - booted * 1_000_000_000) * TICKS // 1_000_000_000 - SLACK, 0)


def start_ticks(pid: int) -> int:
    """When a process started, in clock ticks since boot; 0 where nobody tells."""
    one = _process(pid)
    return 0 if one is None else one[0].start


def running(pid: int) -> bool:
    """Whether a process of that number still does something (one that only waits to be reaped does not)."""
    try:
        raw = system.read(f"/proc/{pid}/stat", limit=4096)
    except OSError:
        if system.is_dir("/proc/self"):
            return False
        try:
            posix.kill(pid, 0)
        except OSError:
            return False
        return True
    return raw[raw.rfind(b")") + 2 :][:1] not in (b"Z", b"X")
