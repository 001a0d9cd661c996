"""What a folder holds, each name with its kind and links told apart: what walks over many folders asks here."""

from __future__ import annotations

import posix


def contents(path: str) -> tuple[list[str], list[str]]:
    """Names of the folders and of the regular files in a folder, links in neither. OSError when there is none."""
    folders, files = [], []
    with posix.scandir(path) as inside:
        for one in inside:
            if one.is_dir(follow_symlinks=False):
                folders.append(one.name)
            elif one.is_file(follow_symlinks=False):
                files.append(one.name)
    return folders, files


def _kind_of(entry: posix.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "l"
    if entry.is_dir(follow_symlinks=False):
        return "d"
    return "f" if entry.is_file(follow_symlinks=False) else ""


def entries(path: str) -> list[tuple[str, str]]:
    """Sorted names in a folder, each with what it is: `d` folder, `f` file, `l` link, "" anything else."""
    try:
        with posix.scandir(path) as found:
            return sorted([(one.name, _kind_of(one)) for one in found])
    except (OSError, ValueError):
        return []
