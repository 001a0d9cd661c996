"""Read and write files that belong to somebody else: through links, with their mode kept, never half."""

from __future__ import annotations

import os
import stat
from hashlib import blake2b
from pathlib import Path

from jackline import system
from jackline.install.fault import InstallError

LARGEST = 1 << 24
"""Bytes of a settings file; a larger one is something else."""


def digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def read(path: Path) -> bytes | None:
    """The bytes of a file, None when it is not there. Refuses what is no plain file."""
    try:
        data = system.read(str(path), limit=LARGEST + 1)
    except FileNotFoundError:
        if path.is_symlink():
            what = f"a link to {path.readlink()}, which is not there"
            raise InstallError(str(path), what, "restore its target or remove it") from None
        return None
    except NotADirectoryError:
        raise InstallError(str(path), "a file stands where its folder should be", "move that file away") from None
    except OSError as fault:
        raise InstallError(str(path), f"cannot be read ({fault.strerror or fault})", "check its permissions") from None
    if len(data) > LARGEST:
        raise InstallError(
            str(path), f"larger than {LARGEST >> 20} MB", "that is no settings file; move it away"
        ) from None
    return data


def make_folders(folder: Path) -> list[Path]:
    """Make a folder and its parents; the ones that were made, outermost first."""
    missing: list[Path] = []
    at = folder
    while not at.exists() and not at.is_symlink():
        missing.append(at)
        at = at.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InstallError(
            str(folder), f"cannot be made ({fault.strerror})", "make it, or choose another --scope"
        ) from None
    return missing[::-1]


def _in_place(target: Path, data: bytes) -> None:
    """Overwrite without a rename: for a file with several names, or mounted by itself."""
    with target.open("r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def write(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Put `data` where `path` leads: a link stays a link, an existing file keeps its mode and owner."""
    target = Path(os.path.realpath(path))
    try:
        found = target.stat() if target.exists() else None
        if found is not None and not found.st_mode & stat.S_IWUSR:
            raise InstallError(str(path), "read-only", f"chmod u+w {target}, or choose another --scope")
        if found is not None and found.st_nlink > 1:
            _in_place(target, data)
            return
        try:
            system.replace(str(target), data, mode=stat.S_IMODE(found.st_mode) if found else mode)
        except OSError:
            if found is None:
                raise
            _in_place(target, data)
            return
        if found is not None:
            target.chmod(stat.S_IMODE(found.st_mode))
            if target.stat().st_uid != found.st_uid:
                os.chown(target, found.st_uid, found.st_gid)
    except OSError as fault:
        cure = "make it writable, or choose another --scope"
        raise InstallError(str(path), f"cannot be written ({fault.strerror or fault})", cure) from None


def delete(path: Path, folders: list[Path]) -> None:
    """Remove a file that we made, and the folders made for it that are empty now. A link's target goes with it."""
    target = Path(os.path.realpath(path))
    try:
        target.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    except OSError as fault:
        raise InstallError(str(path), f"cannot be removed ({fault.strerror})", "remove it by hand") from None
    for folder in reversed(folders):
        try:
            folder.rmdir()
        except OSError:
            return
