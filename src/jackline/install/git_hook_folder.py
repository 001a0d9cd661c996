"""Where git looks for a worktree's pre-commit hook, and where ours may stand: never in what the project commits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from jackline import git
from jackline.repository import is_repository

Kind = Literal["own", "private", "project", "outside"]
"""Whose the folder is in which git looks: the repository's own below `.git`, one in the work tree that git ignores
(husky's `_`), one that the project commits, or one outside (a person's or a machine's for all repositories)."""

NAME = "pre-commit"
CALL = 'hook=$(git rev-parse --git-common-dir)/hooks/jackline/pre-commit; [ ! -x "$hook" ] || "$hook" "$@" || exit $?'
"""The line that a hook which is not ours to write may have: it calls ours, where there is one."""


class Place(NamedTuple):
    """`looked`: the file git runs. `hook`: the file that is ours; another one where `looked` is not ours to write."""

    kind: Kind
    looked: Path
    hook: Path

    @property
    def shadowed(self) -> bool:
        return self.looked != self.hook


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def find(root: Path, env: Mapping[str, str]) -> Place | None:
    """The place for this worktree's hook; None where there is no work tree of git. GitError when git cannot tell."""
    if not is_repository(os.path.realpath(root), os.getuid()):
        return None
    top = os.path.realpath(root)
    folder = os.path.normpath(git.hooks_folder(top, env))
    common = os.path.realpath(git.common_folder(top, env))
    real = os.path.realpath(folder)
    kind: Kind
    if _inside(real, common):
        kind = "own"
    elif not _inside(real, top):
        kind = "outside"
    else:
        inner = os.path.relpath(real, top)
        kind = "private" if os.path.isdir(real) and os.listdir(real) and not git.shows(top, inner, env) else "project"
    looked = Path(folder) / NAME
    if kind in ("own", "private"):
        return Place(kind, looked, looked)
    return Place(kind, looked, Path(common) / "hooks/jackline" / NAME)


def calls_ours(place: Place) -> bool:
    """Whether the hook that git runs leads to ours."""
    if not place.shadowed:
        return True
    try:
        return "hooks/jackline/pre-commit" in place.looked.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def advice(place: Place) -> str:
    """What the person must do where git runs a hook that is not ours to write, "" where there is nothing to do."""
    if calls_ours(place):
        return ""
    whose = "the project's" if place.kind == "project" else "shared by all your repositories"
    return f"git runs {place.looked} (core.hooksPath), which is {whose}; add this line to it: {CALL}"
