"""Operating-system calls: files, locks, alarms, the end. Nobody else makes them but `folders`, `host`, `paths`,
`processes`, `file_stat`.

Hot: uses `posix` and other modules built into the interpreter, never `os`. Every path that leads into a folder an
agent can write is opened component by component without following links (`descend`).
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found,unused-ignore]  # built in; typeshed knows `signal` only
import posix
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DIRECTORY = 0o040000
LINK = 0o120000
REGULAR = 0o100000
FORMAT = 0o170000
_FLAGS = posix.O_CLOEXEC | posix.O_NOFOLLOW


# --- files ---------------------------------------------------------------------------------------------------------


def drain(fd: int, limit: int = 1 << 27) -> bytes:
    """Read `fd` to its end, or to `limit` bytes."""
    parts = []
    size = 0
    while size < limit:
        part = posix.read(fd, 1 << 16)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def read(path: str, *, at: int | None = None, limit: int = 1 << 27, follow: bool = True) -> bytes:
    """Read a regular file whole. OSError when it is missing or is no regular file (a pipe would hang us)."""
    flags = posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK | (0 if follow else posix.O_NOFOLLOW)
    fd = posix.open(path, flags, dir_fd=at)
    try:
        found = posix.fstat(fd)
        if found.st_mode & FORMAT != REGULAR:
            raise OSError(21, "not a regular file", path)
        size = found.st_size
        if not 0 < size < limit:
            return drain(fd, limit)
        data = posix.read(fd, size + 1)  # all of it at once, unless it grew meanwhile: nothing to join or to shrink
        return data if len(data) <= size else data + drain(fd, limit - len(data))
    finally:
        posix.close(fd)


def size_of(path: str) -> int:
    """Bytes of a regular file; -1 when there is none."""
    try:
        found = posix.stat(path)
    except (OSError, ValueError):
        return -1
    return found.st_size if found.st_mode & FORMAT == REGULAR else -1


def size_at(at: int, name: str) -> int:
    """Bytes of the file `name` below the descriptor `at`; 0 when there is none."""
    try:
        return posix.stat(name, dir_fd=at, follow_symlinks=False).st_size
    except OSError:
        return 0


def exists_at(at: int, name: str) -> bool:
    """Whether anything has this name below the descriptor `at`."""
    try:
        return bool(posix.stat(name, dir_fd=at, follow_symlinks=False))
    except OSError:
        return False


def read_range(at: int | None, name: str, start: int, end: int) -> bytes:
    """Bytes `start` to `end` of a file; what is not there, or is no file, is left out: a pipe would hang us."""
    try:
        fd = posix.open(name, posix.O_RDONLY | posix.O_NONBLOCK | _FLAGS, dir_fd=at)
    except OSError:
        return b""
    try:
        return posix.pread(fd, end - start, start)
    except OSError:
        return b""
    finally:
        posix.close(fd)


def stats(paths: bytes) -> list[int]:
    """The stamps of many paths with NUL between them, one after another: asked at every event, so nothing is packed."""
    stat = posix.stat
    found: list[int] = []
    for path in paths.split(b"\0") if paths else ():
        try:
            one = stat(path)
        except OSError:
            found += (-1, 0, 0, 0)
        else:
            found += (one.st_size, one.st_mtime_ns, one.st_ctime_ns, one.st_ino)
    return found


def is_dir(path: str) -> bool:
    try:
        return posix.stat(path).st_mode & FORMAT == DIRECTORY
    except (OSError, ValueError):
        return False


def exists(path: str) -> bool:
    try:
        return bool(posix.lstat(path))
    except (OSError, ValueError):
        return False


def may_be(path: str) -> bool:
    """Whether something is at `path`, links followed: the cheapest question, for what is hardly ever there."""
    try:
        return posix.access(path, 0)
    except ValueError:  # a NUL, or half a character
        return False


def content(path: str, limit: int) -> bytes | None:
    """The bytes of a regular file, links not followed; None for all else, and above `limit` bytes."""
    fd = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | _FLAGS)
    try:
        found = posix.fstat(fd)
        if found.st_mode & FORMAT != REGULAR or found.st_size > limit:
            return None
        data = posix.read(fd, found.st_size + 1)
        return data if len(data) == found.st_size else data + drain(fd, limit)
    finally:
        posix.close(fd)


def descend(base: str, parts: tuple[str, ...], *, create: bool = False, uid: int = -1) -> int:
    """Open the folder `base/parts…` component by component, following no link below `base`; return its descriptor.

    Raises OSError when a component is a link, no folder, or belongs to somebody else than `uid` (-1 = do not ask).
    """
    fd = posix.open(base, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    try:
        for part in parts:
            try:
                below = posix.open(part, posix.O_RDONLY | posix.O_DIRECTORY | _FLAGS, dir_fd=fd)
            except FileNotFoundError:
                if not create:
                    raise
                try:
                    posix.mkdir(part, 0o700, dir_fd=fd)
                except FileExistsError:
                    pass
                below = posix.open(part, posix.O_RDONLY | posix.O_DIRECTORY | _FLAGS, dir_fd=fd)
            posix.close(fd)
            fd = below
            if uid >= 0 and posix.fstat(fd).st_uid != uid:
                raise PermissionError(1, "belongs to another user", part)
        return fd
    except BaseException:
        posix.close(fd)
        raise


def descend_at(at: int, name: str, *, create: bool = False) -> int:
    """Open the folder `name` below the descriptor `at`, following no link; make it when asked."""
    try:
        return posix.open(name, posix.O_RDONLY | posix.O_DIRECTORY | _FLAGS, dir_fd=at)
    except FileNotFoundError:
        if not create:
            raise
    try:
        posix.mkdir(name, 0o700, dir_fd=at)
    except FileExistsError:
        pass
    return posix.open(name, posix.O_RDONLY | posix.O_DIRECTORY | _FLAGS, dir_fd=at)


def make_dirs(path: str, mode: int = 0o700) -> None:
    """Make a folder and its parents; folders made here get `mode`."""
    if is_dir(path):
        return
    parent = path.rpartition("/")[0]
    if parent and parent != path:
        make_dirs(parent, mode)
    try:
        posix.mkdir(path, mode)
    except FileExistsError:
        pass


def write_all(fd: int, data: bytes) -> None:
    """Write everything; the first `write` takes all of it unless the disk is full or a signal came."""
    done = posix.write(fd, data)
    while done < len(data):
        done += posix.write(fd, data[done:])


TAIL = 64  # bytes of a log's end that whoever appends to it is shown
TURN_MS = 50  # how long an append waits for those that are at it


def append_after(at: int | None, name: str, make: Callable[..., bytes], given: object) -> tuple[int, int, int]:
    """Append with one write what `make` says of a log's last bytes and its size; others who ask meanwhile wait.

    Returns the size that `make` was told, where its text begins and where it ends: what lies between comes from those
    who did not wait.
    """
    fd = posix.open(name, posix.O_RDWR | posix.O_CREAT | posix.O_APPEND | _FLAGS, 0o600, dir_fd=at)
    try:
        try:
            posix.lockf(fd, posix.F_TLOCK, 0)
        except OSError:
            _taken(fd, TURN_MS)
        size = posix.lseek(fd, 0, 2)
        data = make(posix.pread(fd, TAIL, max(size - TAIL, 0)), size, at, given)
        done = posix.write(fd, data)
        if done < len(data):
            write_all(fd, data[done:])
        end = posix.lseek(fd, 0, 1)
        return size, end - len(data), end
    finally:
        posix.close(fd)


def _taken(fd: int, wait_ms: int) -> bool:
    """Take the lock on a file, or wait for it; who waits in vain goes without."""
    until = time.monotonic_ns() + wait_ms * 1_000_000
    pause = 0.0005
    while True:
        try:
            posix.lockf(fd, posix.F_TLOCK, 0)
            return True
        except OSError:
            if time.monotonic_ns() >= until:
                return False
            time.sleep(pause)
            pause = min(pause * 2, 0.005)


def append(name: str, data: bytes, *, at: int | None = None) -> int:
    """Append whole lines with one write; a line that a dying writer left open is closed first. Where they end."""
    return append_after(at, name, lambda tail, *_: data if tail[-1:] in b"\n" else b"\n" + data, None)[2]


_made = 0


def _beside(name: str, data: bytes, at: int | None, mode: int = 0o600) -> str:
    """Write a new file in the folder of `name`; its path."""
    global _made
    _made += 1
    folder, slash, base = name.rpartition("/")
    beside = f"{folder}{slash}.{base}.{posix.getpid()}.{_made}.tmp"
    fd = posix.open(beside, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | _FLAGS, mode, dir_fd=at)
    try:
        write_all(fd, data)
    except OSError:
        unlink(beside, at=at)
        raise
    finally:
        posix.close(fd)
    return beside


def replace(name: str, data: bytes, *, at: int | None = None, mode: int = 0o600) -> None:
    """Write beside, then rename over: readers see the old bytes or the new ones."""
    beside = _beside(name, data, at, mode)
    try:
        posix.rename(beside, name, src_dir_fd=at, dst_dir_fd=at)
    except OSError:
        unlink(beside, at=at)
        raise


def claim(name: str, data: bytes = b"", *, at: int | None = None) -> bool:
    """Create a file that nobody has created before, with its content at once; False when somebody has."""
    if data:
        return _claim_linked(name, data, at)
    try:
        fd = posix.open(name, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | _FLAGS, 0o600, dir_fd=at)
    except FileExistsError:
        return False
    posix.close(fd)
    return True


def _claim_linked(name: str, data: bytes, at: int | None) -> bool:
    """Written beside and linked: whoever is killed between leaves no claim without its content."""
    beside = _beside(name, data, at)
    try:
        posix.link(beside, name, src_dir_fd=at, dst_dir_fd=at)
    except FileExistsError:
        return False
    finally:
        unlink(beside, at=at)
    return True


def unlink(name: str, *, at: int | None = None) -> None:
    """Remove a file if it is there."""
    try:
        posix.unlink(name, dir_fd=at)
    except OSError:
        pass


def remove_folder(name: str, *, at: int | None = None) -> None:
    """Remove a folder if it is there and empty."""
    try:
        posix.rmdir(name, dir_fd=at)
    except OSError:
        pass


def rename(name: str, new: str, *, at: int | None = None) -> None:
    """Rename a file within a folder, over what stood there."""
    posix.rename(name, new, src_dir_fd=at, dst_dir_fd=at)


def close(fd: int) -> None:
    if fd >= 0:
        try:
            posix.close(fd)
        except OSError:
            pass


def names(path: str | int) -> list[str]:
    """Sorted names in a folder; empty when there is none."""
    try:
        return sorted(posix.listdir(path))
    except (OSError, ValueError):
        return []


def executable(path: str) -> bool:
    """Whether a file may be executed by anybody, as its mode says."""
    try:
        return bool(posix.stat(path).st_mode & 0o111)
    except (OSError, ValueError):
        return False


def lock(name: str, wait_ms: int, *, at: int | None = None) -> int:
    """Take an exclusive lock that dies with the process; -1 when it was not to be had within `wait_ms`."""
    try:
        fd = posix.open(name, posix.O_RDWR | posix.O_CREAT | _FLAGS, 0o600, dir_fd=at)
    except OSError:
        return -1
    if _taken(fd, wait_ms):
        return fd
    posix.close(fd)
    return -1


# --- time and end ------------------------------------------------------------------------------------------------

_ringing: Callable[[int, object], None] | None = None
"""What the alarm that is set calls. A signal may come late: when its alarm was taken back, or another one was set."""


def alarm(seconds: float, handler: Callable[[], None], again: float = 0.0) -> None:
    """Call `handler` after `seconds`, and every `again` seconds after that. Replaces an alarm set before."""
    global _ringing
    due = time.monotonic_ns() + int(seconds * 1e9)

    def ring(signum: int, frame: object) -> None:
        if _ringing is ring and time.monotonic_ns() >= due:
            handler()

    _ringing = ring
    _signal.signal(_signal.SIGALRM, ring)
    _signal.setitimer(_signal.ITIMER_REAL, max(seconds, 0.000001), again)


def quiet() -> None:
    """Take back the alarm: from here on nothing is called, whatever signal is still on its way."""
    global _ringing
    _ringing = None
    _signal.setitimer(_signal.ITIMER_REAL, 0)


_exit = posix._exit  # whatever a feature makes of that name


def leave(code: int) -> None:
    """End the process at once: no finalisation, which is a seventh of an interpreter's life (latency, section 1)."""
    _exit(code)
