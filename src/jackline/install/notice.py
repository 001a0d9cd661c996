"""Entries of ours that somebody else took out or changed: noticed, put back, and marked until a person chose.

Doors notice at their next event and put the entries back; commands notice when they are run, and only tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jackline.install import installs, restore
from jackline.install.fault import InstallError
from jackline.install.restore import Difference
from jackline.store import tamper_mark
from jackline.store.announce import announce
from jackline.store.tamper_mark import File

WORDS = {"missing": "taken out of", "changed": "changed in", "gone": "taken out of", "unreadable": "made unreadable in"}


def _alarming(found: Sequence[Difference]) -> list[Difference]:
    """A project's own file may be another on another branch, and a superfluous entry takes nothing away."""
    return [one for one in found if one.scope != "project" and one.what != "extra"]


def _files(found: Sequence[Difference]) -> list[File]:
    return [*dict.fromkeys(File(one.path, one.client) for one in found)]


def _sentence(found: Sequence[Difference]) -> str:
    """What happened to our entries, file by file."""
    told = []
    for file in _files(found):
        here = [one for one in found if one.path == file.path]
        how = next(what for what in WORDS if any(one.what == what for one in here))
        told.append(f"{WORDS[how]} {file.path}")
    return "hook entries were " + " and ".join(told)


def _mark(store: Path, found: Sequence[Difference], more: str = "") -> None:
    """Mark what was found, with what was marked before; the record is kept once."""
    name = str(store)
    known = tamper_mark.files(name)
    files = _files(found)
    new = [one for one in files if one not in known]
    if new or more:
        tamper_mark.mark(name, _sentence(found) + more, [*known, *new])
    if new:
        data = {"paths": [one.path for one in new], "what": _sentence(found), "clients": [one.client for one in new]}
        announce(name, "TAMPERED", "kernel", _sentence(found), data)


def _result(found: Sequence[Difference], left: Sequence[Difference]) -> str:
    """What came of putting back what was found, where some of it is `left`."""
    if not left:
        return ", and put back"
    if {one.path for one in found} <= {one.path for one in left}:
        return ", and could not be put back"
    return f", and put back but for {', '.join(file.path for file in _files(left))}"


def repaired(store: Path) -> list[str]:
    """After a person had everything put back: what was not, file by file, and the mark that stays for it."""
    left = [one for one in restore.check(store) if one.what != "extra"]
    if not left:
        tamper_mark.clear(str(store))
        return []
    tamper_mark.mark(str(store), _sentence(left) + ", and could not be put back", _files(left))
    told = []
    for file in _files(left):
        first = next(one for one in left if one.path == file.path)
        why = first.found or "cannot be read" if first.what == "unreadable" else "our entries cannot be written"
        told.append(f"{file.path} was not put back: {why} · mend the file, then `jackline doctor --repair`")
    return told


def notice(store: Path, root: Path) -> bool:
    """Put back what differs, and mark it where a person has to know: what an event does. Whether anything differed."""
    found = restore.check(store, root)
    if not found:
        return False
    alarming = _alarming(found)
    if alarming:
        _mark(store, alarming)
    restore.restore(store, found)
    if alarming:
        _mark(store, alarming, _result(alarming, _alarming(restore.check(store, root))))
    return True


def look(store: Path, root: Path) -> list[Difference]:
    """What differs now, marked: what a command does. Nothing is written into a client's file."""
    if not _alarming(restore.check(store, root)):
        return []
    try:
        with installs.locked(store):  # whoever is installing or taking out just now has done it then
            found = _alarming(restore.check(store, root))
            if found:
                _mark(store, found)
            return found
    except (InstallError, OSError):
        return _alarming(restore.check(store, root))


def settle(store: Path) -> None:
    """After entries were taken out by a person's word: what is no longer installed was not tampered with."""
    name = str(store)
    if not tamper_mark.read(name):
        return
    known = {one.path for one in installs.load(store)}
    marked = tamper_mark.files(name)
    left = [one for one in marked if one.path in known]
    if not left if marked else not known:
        tamper_mark.clear(name)
    elif left != marked:
        tamper_mark.mark(name, f"hook entries were changed in {', '.join(one.path for one in left)}", left)
