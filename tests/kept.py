"""A machine that many tests begin with: made once, and put back at its place after whoever wrote to it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Generic, TypeVar

from scene import Scene

Machine = TypeVar("Machine", bound=Scene)


def stamps(folder: Path) -> list[tuple[str, int, int]]:
    """Every file and folder below, with what tells one that was written: its inode, and when that was changed."""
    found = []
    for at, folders, names in os.walk(folder):
        for name in (*folders, *names):
            stat = os.lstat(path := f"{at}/{name}")
            found.append((path, stat.st_ino, stat.st_ctime_ns))
    return found


def copy(source: str, target: str) -> None:
    """A file of the bundle is one with that of all machines, and so it stays."""
    if os.stat(source).st_nlink > 1:
        os.link(source, target)
    else:
        shutil.copy2(source, target)


class Kept(Generic[Machine]):
    """The machine and a copy of it. Links into the bundle alter times there, so the stamps are taken after copying."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.beside = machine, machine.folder.with_name("kept")
        shutil.copytree(machine.folder, self.beside, symlinks=True, copy_function=copy)
        self.left = stamps(machine.folder)

    def ready(self) -> Machine:
        """The machine as it was made. Whatever only looked leaves nothing to be done."""
        folder = self.machine.folder
        if stamps(folder) != self.left:
            shutil.rmtree(folder)
            shutil.copytree(self.beside, folder, symlinks=True, copy_function=copy)
            self.left = stamps(folder)
        return self.machine
