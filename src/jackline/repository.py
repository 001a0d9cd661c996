"""Where a repository begins, and which folder is a project's root: events and commands ask here, so they agree.

Looks as git does at what a `.git` is worth, and runs nothing.
"""

from __future__ import annotations

import posix

from jackline import paths, system

LEADS = b"gitdir: "
HEX = frozenset(b"0123456789abcdef")


def _git_folder(entry: str) -> str:
    """The folder a `.git` stands for: itself, or where its one line leads (worktrees, submodules); "" for neither."""
    if system.is_dir(entry):
        return entry
    try:
        line = system.read(entry, limit=1 << 13)
    except (OSError, ValueError):
        return ""
    if not line.startswith(LEADS):
        return ""
    target = line[len(LEADS) :].rstrip(b"\r\n").decode("utf-8", "surrogateescape")
    return paths.resolve(entry.rpartition("/")[0], target)


def _has_head(folder: str) -> bool:
    if (paths.link(folder + "/HEAD") or "").startswith("refs/"):
        return True
    try:
        head = system.read(folder + "/HEAD", limit=1 << 10).strip()
    except (OSError, ValueError):
        return False
    if head.startswith(b"ref:"):
        return head[4:].lstrip().startswith(b"refs/")
    return len(head) >= 40 and HEX.issuperset(head)


def _shared(folder: str) -> str:
    """The folder that all worktrees of a repository share."""
    try:
        line = system.read(folder + "/commondir", limit=1 << 13).rstrip(b"\r\n")
    except (OSError, ValueError):
        return folder
    return paths.resolve(folder, line.decode("utf-8", "surrogateescape"))


def _owned(path: str, uid: int) -> bool:
    try:
        return uid < 0 or posix.stat(path).st_uid == uid
    except (OSError, ValueError):
        return False


def is_repository(folder: str, uid: int = -1) -> bool:
    """Whether `folder` is the top of a work tree that git would take for one, and all of it `uid`'s (-1: anybody's)."""
    entry = folder.rstrip("/") + "/.git"
    if not system.exists(entry):
        return False
    found = _git_folder(entry)
    if not found or not _has_head(found):
        return False
    shared = _shared(found)
    if not (system.is_dir(shared + "/objects") and system.is_dir(shared + "/refs")):
        return False
    return _owned(folder, uid) and _owned(entry, uid) and _owned(found, uid)


def git_root(folder: str, uid: int = -1) -> str:
    """The nearest repository at or above `folder`, "" when there is none. Passes over every `.git` that is none."""
    path = folder
    while path:
        if is_repository(path, uid):
            return path
        path = path.rpartition("/")[0]
    return ""


def is_at_or_above(folder: str, other: str) -> bool:
    """Whether `other` is `folder` or lies below it."""
    return folder in (other, "/") or other.startswith(folder + "/")


def project_root(folder: str, home: str, uid: int = -1) -> str:
    """The root of whatever starts in `folder`: its repository, else `folder` itself.

    Never the home folder nor one above it, unless that is where it starts: who keeps his settings in git has no
    project there.
    """
    folder = paths.resolve("/", folder)
    found = git_root(folder, uid)
    if not found or (found != folder and home and is_at_or_above(found, paths.resolve("/", home))):
        return folder
    return found
