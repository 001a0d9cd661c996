"""Stamps of files: size, times and inode, which tell that a file changed without reading it."""

from __future__ import annotations

import posix

from jackline.system import FORMAT, REGULAR


def of(path: str) -> tuple[int, int, int, int]:
    """(size, mtime, ctime, inode) of what `path` leads to; (-1, 0, 0, 0) when it is not there."""
    try:
        found = posix.stat(path)
    except (OSError, ValueError):
        return (-1, 0, 0, 0)
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def of_all(paths: bytes) -> list[int]:
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


def regular(path: str) -> tuple[int, int, int, int] | None:
    """The stamp of a regular file, links not followed; None for all else and for what is not there."""
    try:
        found = posix.lstat(path)
    except (OSError, ValueError):
        return None
    if found.st_mode & FORMAT != REGULAR:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino
