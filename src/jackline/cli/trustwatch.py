"""`jackline trust --watch`: an author's own units are trusted as they are saved, as long as the command runs (5a).

Never a change that came with a moved HEAD or index: what git brings is somebody else's. While it runs the store says
so, and every screen repeats it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from jackline import stamps, system, wire
from jackline.cli import person
from jackline.cli.exits import DONE
from jackline.cli.printer import Printer
from jackline.cli.setting import Setting
from jackline.compiler import checking, trust
from jackline.compiler.survey import survey
from jackline.compiler.trust import Key
from jackline.compiler.unit_record import head_files
from jackline.compiler.write import refresh
from jackline.processes import alive, started

EVERY_S = 0.3
FOLDER = "watch"


def _marks(root: str) -> list[tuple[int, int, int, int]]:
    """What stat says of HEAD and of the index."""
    files = head_files(root)
    index = [f"{files[0].rpartition('/')[0]}/index"] if files else []
    return [stamps.of(path) for path in (*files, *index)]


def watched(store: str) -> list[str]:
    """What living commands watch, as sentences."""
    found = []
    for name in system.names(f"{store}/{FOLDER}"):
        try:
            one = wire.loads(system.read(f"{store}/{FOLDER}/{name}").decode())
            if alive(int(one["pid"]), int(one["start"])):
                found.append(
                    f"{', '.join(one['places'])} trusted as saved, by `jackline trust --watch` (pid {one['pid']})"
                )
            else:
                system.unlink(f"{store}/{FOLDER}/{name}")
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def trust_saved(setting: Setting, keys: Sequence[Key]) -> tuple[list[str], list[str]]:
    """Trust what was saved of these units: the places of those that changed, and what is wrong with others.

    What does not compile waits for the next save: trusted, it would hold every call that it is asked about.
    """
    root, store = str(setting.root), str(setting.store)
    waiting = [one.unit for one in survey(root, store).waiting if one.key in keys and one.unit is not None]
    wrong = checking.of_units(root, store, [unit.key for unit in waiting])
    units = [unit for unit in waiting if not any(fault.where.startswith(unit.place) for fault in wrong)]
    if units:
        trust.trust(store, root, units, person.name())
        refresh(root, store)
    return [unit.place for unit in units], [str(fault) for fault in wrong]


def watch(printer: Printer, setting: Setting, keys: Sequence[Key]) -> int:
    """Trust each saved state of these units until Ctrl-C, or until git moves HEAD or the index."""
    places = [place for _, place in keys]
    root, store = str(setting.root), str(setting.store)
    note = f"{store}/{FOLDER}/{os.getpid()}.json"
    system.make_dirs(f"{store}/{FOLDER}")
    data = {"pid": os.getpid(), "start": started(os.getpid()), "places": places, "root": root}
    system.replace(note, wire.dumps(data).encode("ascii"))
    printer.line(f"watching {', '.join(places)} · what you save is trusted at once · Ctrl-C ends it")
    marks = _marks(root)
    told: list[str] = []
    try:
        while True:
            now = _marks(root)
            if now != marks:
                printer.line(("! ", "warn"), "git moved HEAD or the index: what it brought is not trusted · stopped")
                return DONE
            trusted, wrong = trust_saved(setting, keys)
            for place in trusted:
                printer.line(("trusted ", "good"), place)
            for fault in [one for one in wrong if one not in told]:
                printer.line(("✗ ", "bad"), fault, ("  not trusted, until it compiles", "quiet"))
            told = wrong
            time.sleep(EVERY_S)
    except KeyboardInterrupt:
        return DONE
    finally:
        system.unlink(note)
