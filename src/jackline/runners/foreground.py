"""Run one script where a person sees it: our own streams, nothing kept; the terminal's keys reach it as they reach us.

For scripts that git or a person starts. What an agent's event runs is held by `runners/script.py`.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found,unused-ignore]  # built in; typeshed knows `signal` only
import posix

from jackline import host, system
from jackline.inputs import content
from jackline.script import CHANGED, Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.script import Script

ENOENT, ENOEXEC = 2, 8
GRACE_S = 1.0
"""Seconds between TERM and KILL."""
RESET = (_signal.SIGPIPE, _signal.SIGXFSZ)
"""Signals that Python ignores; a child should not."""


def _spawn(script: Script, env: Mapping[str, str], group: Mapping[str, Any]) -> int:
    """Start it; OSError when it cannot be."""
    words = (*script.argv, script.path)
    try:
        return posix.posix_spawnp(words[0], words, env, setsigdef=RESET, **group)
    except OSError as fault:
        if fault.errno != ENOEXEC or script.argv:
            raise
    words = ("/bin/sh", script.path)  # no first line: as every shell does it
    return posix.posix_spawn(words[0], words, env, setsigdef=RESET, **group)


def _wait(pid: int, limit_s: float) -> tuple[int, bool]:
    """Its exit status, and whether its deadline ended it. A deadline ends the script's whole group."""
    if not limit_s:
        return posix.waitstatus_to_exitcode(posix.waitpid(pid, 0)[1]), False
    sent: list[int] = []

    def end() -> None:
        sent.append(_signal.SIGKILL if sent else _signal.SIGTERM)
        try:
            posix.killpg(pid, sent[-1])
        except OSError:
            pass

    system.alarm(limit_s, end, GRACE_S)
    try:
        status = posix.waitstatus_to_exitcode(posix.waitpid(pid, 0)[1])
    except BaseException:  # the person's Ctrl-C reaches us alone: the script has a group of its own
        end()
        raise
    finally:
        system.quiet()
    return status, bool(sent)


def run(script: Script, env: Mapping[str, str], limit_s: float = 0.0) -> Outcome:
    """Run `script` in our folder, with our streams, to its end. Never raises for what a script does."""
    begun = host.clock()
    if content(script.path) != script.digest:
        return Outcome(exit=126, fault=CHANGED if system.exists(script.path) else "is not there")
    try:
        pid = _spawn(script, env, {"setpgroup": 0} if limit_s else {})
    except OSError as fault:
        missing = fault.errno == ENOENT
        return Outcome(exit=127 if missing else 126, fault=f"could not be started: {fault.strerror}")
    status, late = _wait(pid, limit_s)
    return Outcome(exit=status, ms=(host.clock() - begun) / 1e6, late=late)
