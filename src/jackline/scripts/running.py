"""Which scripts run right now, so that the next event can end what a killed entry point left behind.

One file per script in `<session>/scripts/running/`, named by its process, which leads a group and a session of its own:
when it started, who waits for it, and since when that one runs. The folder is gone when nothing runs.
"""

from __future__ import annotations

import posix

from jackline import host, processes, system

SCRIPTS, FOLDER = "scripts", "running"
MARK = b"JACKLINE_SCRIPT="
"""In the environment of whatever a script of ours started."""


def note(session: str, pid: int) -> None:
    """Note that `pid` was started by this process. What cannot be written is not waited for."""
    who = host.pid()
    line = b"%d %d %d" % (processes.start_ticks(pid), who, processes.start_ticks(who))
    try:
        at = system.descend(session, (SCRIPTS, FOLDER), create=True)
        try:
            system.replace(str(pid), line, at=at)
        finally:
            system.close(at)
    except OSError:
        return


def forget(session: str, pid: int) -> None:
    """The script has ended."""
    try:
        at = system.descend(session, (SCRIPTS,))
    except OSError:
        return
    try:
        system.unlink(f"{FOLDER}/{pid}", at=at)
        system.remove_folder(FOLDER, at=at)
    finally:
        system.close(at)


def _group(pid: int) -> list[int]:
    """The processes of a group, as far as /proc tells."""
    found = []
    for name in system.names("/proc"):
        if name.isdigit():
            try:
                raw = system.read(f"/proc/{name}/stat", limit=4096)
            except OSError:
                continue
            fields = raw[raw.rfind(b")") + 2 :].split()
            if len(fields) > 2 and int(fields[2]) == pid:
                found.append(int(name))
    return found


def _is_ours(pid: int) -> bool:
    """Whether a process has the environment of a script: numbers are given again, and nobody else is to be killed."""
    try:
        return MARK in b"\0" + system.read(f"/proc/{pid}/environ", limit=1 << 21)
    except OSError:
        return False


def _end(pid: int, start: int) -> bool:
    """End the group that a script led, if it still is that group."""
    led = processes.start_ticks(pid)
    if (led and led != start) or not any(_is_ours(one) for one in _group(pid)):
        return False
    try:
        posix.killpg(pid, 9)
    except OSError:
        return False
    return True


def reap(session: str) -> int:
    """End what entry points that are gone left running in a session; how many scripts that were."""
    try:
        at = system.descend(session, (SCRIPTS, FOLDER))
    except OSError:
        return 0
    ended = 0
    try:
        for name in system.names(at):
            if not name.isdigit():
                continue
            try:
                words = system.read(name, at=at, limit=128, follow=False).split()
            except OSError:
                continue
            if len(words) == 3 and words[0].isdigit() and words[1].isdigit() and words[2].isdigit():
                if processes.alive(int(words[1]), int(words[2])):
                    continue
                ended += _end(int(name), int(words[0]))
            system.unlink(name, at=at)
    finally:
        system.close(at)
    try:
        above = system.descend(session, (SCRIPTS,))
    except OSError:
        return ended
    system.remove_folder(FOLDER, at=above)
    system.close(above)
    return ended
