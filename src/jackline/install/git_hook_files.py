"""Put a hook of ours in front of somebody else's, and give theirs back: files of one folder, no store, no git.

What stood there is never lost: it keeps its bytes, mode and time under another name, which our hook says itself.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from jackline import system
from jackline.install import githook
from jackline.install.fault import InstallError
from jackline.install.githook import BEHIND, Entry, Owner

ORIGINAL = "pre-commit.original"
DISCOBOT = "pre-commit.discobot"
OLD = "pre-commit.old"
MANAGERS: tuple[Owner, ...] = ("husky", "lefthook", "pre-commit", "prek")
"""Owners whose hook files are made again whenever they are installed: a newer one stands for an older one."""
LARGEST = 1 << 20


class Standing(NamedTuple):
    """One file of the folder as it is; `data` b"" where nothing can be read (a link that leads nowhere)."""

    path: Path
    data: bytes
    whose: Owner


def look(path: Path) -> Standing | None:
    """What has this name, None when nothing has."""
    if not os.path.lexists(path):
        return None
    try:
        data = system.read(str(path), limit=LARGEST)
    except OSError:
        data = b""
    return Standing(path, data, githook.owner(data))


def ours(hook: Path) -> Standing | None:
    """Our hook: where git looks for it, or behind a manager that found it there and runs it first."""
    front = look(hook)
    if front is None or front.whose == "jackline":
        return front
    behind = look(hook.with_name(BEHIND[front.whose])) if front.whose in BEHIND else None
    return behind if behind is not None and behind.whose == "jackline" else None


def _supersedes(new: Standing, old: Standing) -> bool:
    return old.whose == "jackline" or old.data == new.data or (new.whose in MANAGERS and new.whose == old.whose)


def _free(front: Standing) -> Path:
    """The name under which `front` is preserved. What is there already and is somebody's stays."""
    number = 1
    while True:
        path = front.path.with_name(ORIGINAL + (f".{number}" if number > 1 else ""))
        there = look(path)
        if there is None or _supersedes(front, there):
            return path
        number += 1


def _preserve(front: Standing, path: Path) -> None:
    """Give `front` a second name; it keeps its first until our hook is renamed over it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    beside.unlink(missing_ok=True)
    try:
        os.link(front.path, beside, follow_symlinks=False)
        os.replace(beside, path)
    except OSError:  # a file system without links
        os.replace(front.path, path)


def _taken_over(front: Standing) -> str:
    """Preserve what is not ours; the name of what is to be run first ("" for nothing)."""
    if front.whose == "jackline":
        name = githook.original_of(front.data)
        return name if name and look(front.path.with_name(name)) is not None else ""
    if front.whose == "discobot":
        _preserve(front, front.path.with_name(DISCOBOT))
        original = look(front.path.with_name(ORIGINAL))
        if original is not None and original.whose == "jackline":  # ours of before, moved aside by Discobot
            inner = githook.original_of(original.data)
            original.path.unlink()
            return inner if inner != ORIGINAL else ""
        return ORIGINAL if original is not None else ""
    path = _free(front)
    _preserve(front, path)
    old = look(front.path.with_name(OLD))
    if front.whose == "lefthook" and old is not None and old.whose == "jackline":  # it would not install again
        old.path.unlink()
    return path.name


def _spared(hook: Path, original: str) -> str:
    """Behind a manager whose older hook we preserved, that older one is needed no longer."""
    front, kept = look(hook), look(hook.with_name(original)) if original else None
    if front is None or kept is None or not _supersedes(front, kept):
        return original
    kept.path.unlink()
    return ""


def _bytes(hook: Path, original: str, python: str, door: str, entries: list[Entry]) -> bytes:
    kept = look(hook.with_name(original)) if original else None
    return githook.write(python, door, entries, original, kept.whose if kept else "other")


def expected(standing: Standing, python: str, door: str, entries: list[Entry]) -> bytes:
    """The bytes that our hook should have, given what it says it runs first."""
    return _bytes(standing.path, githook.original_of(standing.data), python, door, entries)


def put(hook: Path, python: str, door: str, entries: list[Entry]) -> tuple[bool, str]:
    """Make our hook stand and hold these scripts: whether anything changed, and the name of what it runs first."""
    try:
        standing = ours(hook)
        front = standing or look(hook)
        at = standing.path if standing is not None else hook
        original = _taken_over(front) if front is not None else ""
        if at != hook:
            original = _spared(hook, original)
        data = _bytes(hook, original, python, door, entries)
        if standing is not None and standing.data == data and os.access(at, os.X_OK):
            return False, original
        system.replace(str(at), data, mode=0o755)
        at.chmod(0o755)
    except OSError as fault:
        what = f"cannot be written ({fault.strerror or fault})"
        raise InstallError(str(hook), what, "make its folder writable, then run `jackline init` again") from None
    return True, original


def _forget(hook: Path, known: str, front: Standing | None) -> bool:
    """Our hook is gone. What it preserved comes back where nothing stands now, and goes where the same stands again."""
    kept = look(hook.with_name(known))
    if kept is None:
        return False
    if front is None:
        os.replace(kept.path, hook)
    elif _supersedes(front, kept):
        kept.path.unlink()
    else:
        return False
    return True


def take_out(hook: Path, known: str = "") -> bool:
    """Give back what stood there before ours. `known`: what our hook preserved, should it be gone itself."""
    try:
        standing, front = ours(hook), look(hook)
        if standing is None:
            return _forget(hook, known, front) if known else False
        name = githook.original_of(standing.data)
        original = look(hook.with_name(name)) if name else None
        before = look(hook.with_name(DISCOBOT))
        if before is not None and standing.path == hook:
            os.replace(before.path, hook)
        elif original is not None and not (standing.path != hook and front and _supersedes(front, original)):
            os.replace(original.path, standing.path)
        else:
            standing.path.unlink()
            if original is not None:
                original.path.unlink()
    except OSError as fault:
        what = f"cannot be given back ({fault.strerror or fault})"
        raise InstallError(str(hook), what, f"remove it, and rename {ORIGINAL} to {hook.name} where that is") from None
    return True
