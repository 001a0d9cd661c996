"""Run one script where a person sees it: the terminal's keys reach it as they reach us.

What it prints is shown as it comes, and kept. For scripts that git starts; what an agent's event runs is held by
`runners/script.py`.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found,unused-ignore]  # built in; typeshed knows `signal` only
import posix

from jackline import host, system
from jackline.runners.process import BoundedStream, Child, attend
from jackline.script import CHANGED, Outcome
from jackline.staleness import content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.script import Script

ENOENT, ENOEXEC = 2, 8
SHOWN = 2
"""Where it is shown: git lets its hooks print there."""
RESET = (_signal.SIGPIPE, _signal.SIGXFSZ)
"""Signals that Python ignores; a child should not."""


def _stream() -> tuple[int, int]:
    """(our end, the script's end) of all that it prints: a terminal where ours is one, so that it looks as it would."""
    if not posix.isatty(SHOWN):
        return posix.pipe()
    import fcntl
    import termios

    ours, theirs = posix.openpty()
    try:
        modes = termios.tcgetattr(theirs)
        modes[1] &= ~termios.OPOST  # the real one will do that
        termios.tcsetattr(theirs, termios.TCSANOW, modes)
        size = fcntl.ioctl(SHOWN, termios.TIOCGWINSZ, bytes(8))
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, size)
    except (OSError, termios.error):  # an odd terminal: its lines may break elsewhere
        pass
    return ours, theirs


def _spawn(script: Script, env: Mapping[str, str], into: int, group: Mapping[str, Any]) -> int:
    """Start it; OSError when it cannot be."""
    streams = [(posix.POSIX_SPAWN_DUP2, into, number) for number in (1, 2)]
    words = (*script.argv, script.path)
    try:
        return posix.posix_spawnp(words[0], words, env, file_actions=streams, setsigdef=RESET, **group)
    except OSError as fault:
        if fault.errno != ENOEXEC or script.argv:
            raise
    words = ("/bin/sh", script.path)  # no first line: as every shell does it
    return posix.posix_spawn(words[0], words, env, file_actions=streams, setsigdef=RESET, **group)


def _show(part: bytes) -> None:
    try:
        system.write_all(SHOWN, part)
    except OSError:
        return


def _attend(child: Child, deadline: int) -> None:
    """See it to its end. A deadline ends the script's whole group."""
    try:
        attend(child, deadline, None)
    except BaseException:  # the person's Ctrl-C reaches us alone where the script has a group of its own
        if deadline:
            child.signal(_signal.SIGTERM)
        raise
    finally:
        child.reap(posix.WNOHANG)
        child.close()


def run(script: Script, env: Mapping[str, str], limit_s: float = 0.0) -> Outcome:
    """Run `script` in our folder, with our standard input, to its end. Never raises for what a script does."""
    begun = host.clock()
    if content(script.path) != script.digest:
        return Outcome(exit=126, fault=CHANGED if system.exists(script.path) else "is not there")
    ours, theirs = _stream()
    try:
        pid = _spawn(script, env, theirs, {"setpgroup": 0} if limit_s else {})
    except OSError as fault:
        system.close(ours)
        missing = fault.errno == ENOENT
        return Outcome(exit=127 if missing else 126, fault=f"could not be started: {fault.strerror}")
    finally:
        system.close(theirs)
    kept = BoundedStream()
    child = Child(pid, -1, b"", {ours: (kept.add, _show)})
    _attend(child, begun + int(limit_s * 1e9) if limit_s else 0)
    status = -int(_signal.SIGKILL) if child.status is None else child.status
    return Outcome(status, kept.data(), ms=(host.clock() - begun) / 1e6, cut=bool(kept.cut), late=child.late)
