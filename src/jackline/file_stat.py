"""Stamps of files: size, times and inode, which tell that a file changed without reading it."""

from __future__ import annotations

import posix

from jackline.system import FORMAT, REGULAR, names, unlink


def of(path: str) -> tuple[int, int, int, int]:
    """(size, mtime, ctime, inode) of what `path` leads to; (-1, 0, 0, 0) when it is not there."""
    try:
        found = posix.stat(path)
    except (OSError, ValueError):
        return (-1, 0, 0, 0)
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def regular(path: str) -> tuple[int, int, int, int] | None:
    """The stamp of a regular file, links not followed; None for all else and for what is not there."""
    try:
        found = posix.lstat(path)
    except (OSError, ValueError):
        return None
    if found.st_mode & FORMAT != REGULAR:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def modified_ms(path: str) -> int:
    """When a file was last written or put there, in milliseconds; -1 when there is none.

    Anybody may give a file an older time (`touch -d`, `cp -p`, `tar x`), but not without a change of its inode.
    """
    try:
        found = posix.stat(path)
        return max(found.st_mtime_ns, found.st_ctime_ns) // 1_000_000
    except (OSError, ValueError):
        return -1


def modified_ns(at: int, name: str) -> int:
    """When the file `name` below `at` was last written, in wall nanoseconds; 0 when there is none."""
    try:
        return posix.stat(name, dir_fd=at, follow_symlinks=False).st_mtime_ns
    except OSError:
        return 0


def thin(folder: int, most: int, kept: str = "") -> None:
    """Leave half of `most` files in an open folder when it has more: the newest, `kept`, and hidden ones."""
    found = [name for name in names(folder) if name != kept and name[0] != "."]
    if len(found) > most:
        found.sort(key=lambda name: modified_ns(folder, name))
        for name in found[: len(found) - most // 2]:
            unlink(name, at=folder)
