"""The outside: time, chance, the process and its environment. Asked by whoever starts a run, and by commands.

What a run needs of it stands in its `Request`; no room of the run may import this one (`.importlinter`).
"""

from __future__ import annotations

import posix
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.processes import Process


def now() -> int:
    """Wall time in nanoseconds."""
    return time.time_ns()


clock = time.monotonic_ns
"""Monotonic nanoseconds."""


def entropy(size: int = 16) -> bytes:
    return posix.urandom(size)


def pid() -> int:
    return posix.getpid()


def environment() -> dict[str, str]:
    return {
        key.decode("utf-8", "surrogateescape"): value.decode("utf-8", "surrogateescape")
        for key, value in posix.environ.items()
    }


def variable(name: str) -> str | None:
    """One variable of our environment, None when it is not set."""
    found = posix.environ.get(name.encode())
    return found.decode("utf-8", "surrogateescape") if isinstance(found, bytes) else None


def home() -> str:
    """The user's home folder as the environment tells, else as the password database does, "" when neither does."""
    found = posix.environ.get(b"HOME", b"")
    return found.decode("utf-8", "surrogateescape") if found[:1] == b"/" else _listed_home()


def home_of(store: str) -> str:
    """The person's home as it was when a store was made, whatever a client's settings say of it."""
    try:
        return posix.readlink(store + "/home")
    except OSError:
        return _usual_home(store)


def _usual_home(store: str) -> str:
    """Of a store that remembers none: the folder below which it stands in the usual way, else what the system lists."""
    usual = "/.local/state/jackline"
    return store[: -len(usual)] if store.endswith(usual) else _listed_home()


def _listed_home() -> str:
    try:
        import pwd

        return pwd.getpwuid(posix.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""


def folder() -> str:
    """The folder we are in, "/" where it is gone."""
    try:
        return posix.getcwd()
    except OSError:
        return "/"


def ancestors(limit: int = 12) -> tuple[Process, ...]:
    """The chain of parent processes, nearest first."""
    from jackline.processes import above

    return above(posix.getppid(), limit)


def lineage(limit: int = 12) -> tuple[Process, ...]:
    """This process and the chain of those above it."""
    from jackline.processes import above

    return above(posix.getpid(), limit)
