"""What a forked child does until it is the script: descriptors, session, user, sandbox, and the program itself."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found,unused-ignore]  # built in; typeshed knows `signal` only
import posix

from jackline import system
from jackline.script import CHANGED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jackline.runners.script import User
    from jackline.script import Script

ENOENT, ENOEXEC = 2, 8
RESET = ("SIGPIPE", "SIGXFSZ", "SIGINT", "SIGQUIT", "SIGHUP", "SIGTERM", "SIGCHLD", "SIGALRM", "SIGUSR1", "SIGUSR2")
"""Signals that we, or who started us, may ignore: an exec would hand that on."""


class RefusedError(Exception):
    """Why the script is not run; `status` is what a shell would say."""

    def __init__(self, why: str, status: int = 126) -> None:
        super().__init__(why)
        self.status = status


def _signals() -> None:
    for name in RESET:
        number = getattr(_signal, name, None)
        if number is not None:
            _signal.signal(number, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def close_foreign() -> None:
    """Close every descriptor above 2 that came from outside. Our own end with the exec, and are needed until then."""
    found = system.names("/proc/self/fd") or system.names("/dev/fd") or [str(fd) for fd in range(256)]
    for name in found:
        try:
            if name.isdigit() and int(name) > 2 and posix.get_inheritable(int(name)):
                posix.close(int(name))
        except OSError:  # the one that the folder was read through
            continue


def _turn_into(user: User, env: dict[str, str]) -> None:
    """Give up what we are for `user`."""
    env.update(HOME=user.home, USER=user.name, LOGNAME=user.name)
    if (posix.getuid(), posix.geteuid(), posix.getgid()) == (user.uid, user.uid, user.gid):
        return
    if posix.geteuid() != 0:
        raise RefusedError(f"cannot be run as {user.name}: only root can")
    try:
        posix.setgroups([user.gid])
        posix.setgid(user.gid)
        posix.setuid(user.uid)
    except OSError as fault:
        raise RefusedError(f"cannot be run as {user.name}: {fault.strerror}") from None


def _places(word: str, env: Mapping[str, str]) -> list[str]:
    """Where the program `word` may lie."""
    if "/" in word:
        return [word]
    folders = env.get("PATH", "") or "/usr/local/bin:/usr/bin:/bin"
    return [f"{folder}/{word}" for folder in folders.split(":") if folder]


def _shebang(program: int) -> str:
    """The interpreter that the script's first line names."""
    line = posix.pread(program, 256, 0).split(b"\n", 1)[0]
    return line[2:].strip().split(b" ")[0].decode("utf-8", "replace") if line[:2] == b"#!" else ""


def _execute(script: Script, program: int, arguments: tuple[str, ...], env: Mapping[str, str]) -> None:
    """Become the script, or say why not."""
    words = (*script.argv, script.path, *arguments)
    fault: OSError | None = None
    for place in _places(words[0], env):
        try:
            posix.execve(place, words, env)
        except OSError as error:
            if fault is None or error.errno != ENOENT:
                fault = error
    if fault is not None and fault.errno == ENOEXEC and not script.argv:
        posix.execve("/bin/sh", ("/bin/sh", *words), env)  # no first line: as every shell does it
    missing = fault is None or fault.errno == ENOENT
    why = fault.strerror if fault is not None else "not found"
    if script.argv:
        raise RefusedError(f"could not be started: {words[0]}: {why}", 127 if missing else 126)
    if missing:
        raise RefusedError(f"could not be started: its interpreter {_shebang(program)!r} is not there", 127)
    raise RefusedError(f"could not be started: {why}")


def _is_same(path: str, program: int) -> bool:
    """Whether what is about to be executed still is what was looked at."""
    marks = [
        (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        for found in (posix.stat(path), posix.fstat(program))
    ]
    return marks[0] == marks[1]


def become(
    script: Script,
    program: int,
    streams: tuple[int, int, int, int],
    root: str,
    env: Mapping[str, str],
    arguments: tuple[str, ...],
    user: User | None,
    writable: tuple[str, ...],
) -> None:
    """Never returns. `streams`: what becomes 0, 1, 2, and where it is told why there is no script."""
    tell, status = streams[3], 126
    try:
        posix.setsid()
        for number in range(3):
            posix.dup2(streams[number], number)
        close_foreign()
        _signals()
        own = dict(env)
        posix.chdir(root)
        if user is not None:
            _turn_into(user, own)
        if script.sandbox == "project":
            from jackline.runners.landlock import confine

            why = confine((*writable, own.get("TMPDIR") or "/tmp"))
            if why:
                raise RefusedError(why)
        if not _is_same(script.path, program):
            raise RefusedError(CHANGED)
        _execute(script, program, arguments, own)
    except RefusedError as why_not:
        status = why_not.status
        system.write_all(tell, str(why_not).encode("utf-8", "replace"))
    except OSError as fault:
        system.write_all(tell, f"could not be started: {fault.strerror}".encode("utf-8", "replace"))
    except BaseException as fault:  # noqa: BLE001 - nothing of ours may go on in the child
        system.write_all(tell, f"could not be started: {type(fault).__name__}: {fault}".encode("utf-8", "replace"))
    finally:
        system.leave(status)
