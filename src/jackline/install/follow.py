"""What stands in a project because of its hook table: git's pre-commit hook, the text for agents.

Kept as the hook table wants it whenever one is written and when a session starts; withdrawn when Jackline is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from jackline.hook_table import HookTable
from jackline.install import git_hook_records, guidance, precommit
from jackline.install.fault import InstallError


class Followed(NamedTuple):
    """What changed ((file, how), …), what could not be done, and what the person must do."""

    changed: tuple[tuple[str, str], ...] = ()
    faults: tuple[str, ...] = ()
    todo: tuple[str, ...] = ()


def idle(table: HookTable, store: str) -> bool:
    """Whether there is nothing to write and nothing of ours to take out."""
    books = (f"{store}/{git_hook_records.NAME}", f"{store}/{guidance.BOOK}")
    return not (table.scripted(precommit.TYPE) or table.guidance() or any(os.path.exists(book) for book in books))


def follow(table: HookTable, store: str | Path, env: Mapping[str, str] | None = None) -> Followed:
    """Bring hook and texts in line with the hook table. What cannot be done is told, and keeps nothing else from it."""
    changed: list[tuple[str, str]] = []
    faults: list[str] = []
    todo: tuple[str, ...] = ()
    if idle(table, str(store)):
        return Followed()
    try:
        hook = precommit.keep(table, Path(store), os.environ if env is None else env)
        todo = hook.todo
        changed += [(hook.path, hook.change)] if hook.change else []
    except InstallError as fault:
        faults.append(str(fault))
    try:
        texts = guidance.keep(table, Path(store))
        changed += [(path, "written" if os.path.exists(path) else "deleted") for path in texts.changed]
        faults += texts.faults
    except InstallError as fault:
        faults.append(str(fault))
    return Followed(tuple(changed), tuple(faults), todo)


def withdraw(store: Path, root: Path | None = None) -> Followed:
    """Give the hook back and take the texts out, everywhere or in one project."""
    changed: list[tuple[str, str]] = []
    faults: list[str] = []
    try:
        changed += [(one.path, one.change) for one in precommit.remove(store, root)]
    except InstallError as fault:
        faults.append(str(fault))
    try:
        texts = guidance.remove(store, root)
        changed += [(path, "given back" if os.path.exists(path) else "deleted") for path in texts.changed]
        faults += texts.faults
    except InstallError as fault:
        faults.append(str(fault))
    return Followed(tuple(changed), tuple(faults))
