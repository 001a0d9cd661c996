"""`jackline trust --watch`: an author's own units are trusted as they are saved, as long as the command runs (5a).

Never a change that came with a moved HEAD or index: what git brings is somebody else's. While it runs the store says
so, and every screen repeats it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from jackline import file_stat, jsonio, system
from jackline.cli.parts import person
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting
from jackline.compiler import checking, trust, unit_words
from jackline.compiler.collect import say_yes, survey
from jackline.compiler.trust import Key
from jackline.compiler.unit_record import head_files
from jackline.compiler.write import refresh
from jackline.processes import alive, start_ticks

EVERY_S = 0.3
FOLDER = "watch"


class MovedByGit(Exception):
    """Git moved HEAD or the index, so what is there may be somebody else's."""


def _marks(root: str) -> list[tuple[int, int, int, int]]:
    """What stat says of HEAD and of the index."""
    return [file_stat.of(path) for path in (*head_files(root), *_beside_head(root, "index"))]


def _beside_head(root: str, name: str) -> list[str]:
    return [f"{path.rpartition('/')[0]}/{name}" for path in head_files(root)[:1]]


class Watch:
    """The named units of a project, while their author writes them."""

    def __init__(self, store: str, root: str, keys: Sequence[Key], by: str) -> None:
        self.store, self.root, self.keys, self.by = store, root, keys, by
        self.marks = _marks(root)
        self.under_git = False
        """Something changed while git held the index."""

    def _is_git_at_work(self) -> bool:
        return any(system.exists(path) for path in _beside_head(self.root, "index.lock"))

    def _ask(self) -> None:
        if _marks(self.root) != self.marks:
            raise MovedByGit

    def look(self) -> tuple[list[str], list[str]]:
        """Trust what was saved since the last look: the places of what changed, and what is wrong with others.

        Git writes the tree first and moves index and HEAD after it, with the index locked all the while: what is read
        counts only where both stood still before and after. What does not compile waits for the next save: trusted, it
        would hold every call that it is asked about. Raises MovedByGit.
        """
        self._ask()
        busy = self._is_git_at_work()
        found = survey(self.root, self.store)
        waiting = [one.unit for one in found.waiting if one.key in self.keys and one.unit is not None]
        busy = busy or self._is_git_at_work()
        self._ask()
        self.under_git = self.under_git or bool(busy and waiting)
        if busy or not waiting:
            return [], []
        if self.under_git:
            raise MovedByGit
        wrong = checking.of_units(self.root, self.store, [unit.key for unit in waiting])
        units = [unit for unit in waiting if not any(fault.where.startswith(unit.place) for fault in wrong)]
        if units:
            say_yes(self.store, self.root, units, (), self.by)
            refresh(self.root, self.store)
        return [unit.place for unit in units], [str(fault) for fault in wrong]


# --- while it runs -------------------------------------------------------------------------------------------------


def watched(store: str, root: str) -> list[str]:
    """What living commands watch in a repository, as sentences."""
    found = []
    for name in system.names(f"{store}/{FOLDER}"):
        try:
            one = jsonio.loads(system.read(f"{store}/{FOLDER}/{name}").decode())
            if not alive(int(one["pid"]), int(one["start"])):
                system.unlink(f"{store}/{FOLDER}/{name}")
            elif trust.key_of(one["root"]) == trust.key_of(root):
                places = ", ".join([unit_words.shown(place) for place in one["places"]])
                found.append(f"{places} trusted as saved, by `jackline trust --watch` (pid {one['pid']})")
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def show_watched(printer: Printer, setting: Setting) -> None:
    """Say what is trusted as it is saved, where it is."""
    for line in watched(str(setting.store), str(setting.root)):
        printer.line((f"! {line}", "warn"))


def watch(printer: Printer, setting: Setting, keys: Sequence[Key]) -> int:
    """Trust each saved state of these units until Ctrl-C, or until git moves HEAD or the index."""
    places = [place for _, place in keys]
    root, store = str(setting.root), str(setting.store)
    watching = Watch(store, root, keys, person.name())
    note = f"{store}/{FOLDER}/{os.getpid()}.json"
    system.make_dirs(f"{store}/{FOLDER}")
    data = {"pid": os.getpid(), "start": start_ticks(os.getpid()), "places": places, "root": root}
    system.replace(note, jsonio.dumps(data).encode("ascii"))
    printer.line(f"watching {', '.join(places)} · what you save is trusted at once · Ctrl-C ends it")
    told: list[str] = []
    try:
        while True:
            trusted, wrong = watching.look()
            for place in trusted:
                printer.line(("trusted ", "good"), place)
            for fault in [one for one in wrong if one not in told]:
                printer.line(("✗ ", "bad"), fault, ("  not trusted, until it compiles", "quiet"))
            told = wrong
            time.sleep(EVERY_S)
    except MovedByGit:
        printer.line(("! ", "warn"), "git moved HEAD or the index: what it brought is not trusted · stopped")
        return DONE
    except KeyboardInterrupt:
        return DONE
    finally:
        system.unlink(note)
