"""The one shell line in a client's configuration: write it, and know it again (design section 6, "Install").

Paths in it are constant and lead through links, so that an upgrade never changes the line: Codex trusts its hash.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

from jackline.install.fault import InstallError

PORTABLE = 'J="${XDG_STATE_HOME:-$HOME/.local/state}/jackline"'
"""How an entry that is committed with a project finds each person's own store; silent where there is none."""

PLACES = ("user", "project", "local", "managed")


class Entry(NamedTuple):
    """What an entry says. `store` is "" for a portable one; `place` is the scope whose file it stands in."""

    store: str
    dialect: str
    event: str
    place: str = "user"
    fail: str = "open"

    @property
    def interpreter(self) -> str:
        return f"{self.store}/bin/python"

    @property
    def door(self) -> str:
        return f"{self.store}/door.py"


def _tail(entry: Entry) -> str:
    """The door's own arguments."""
    words = [entry.dialect, entry.event]
    if entry.place != "user":
        words.append(entry.place)
    if entry.fail != "open":
        words += ["--fail", entry.fail]
    return " ".join(shlex.quote(word) for word in words)


def write(entry: Entry) -> str:
    """The command line of an entry.

    It leaves with 0 and no word when interpreter or door are gone: Python's 2 for a missing script and the shell's
    127 for a missing program each lock somebody out of some client (measured contracts, 9.3 and 7.3).
    """
    if entry.store:
        lead, python, door = "", shlex.quote(entry.interpreter), shlex.quote(entry.door)
    else:
        lead, python, door = PORTABLE + "; ", '"$J/bin/python"', '"$J/door.py"'
    return f"{lead}[ -x {python} ] && [ -f {door} ] || exit 0; exec {python} -I -S {door} {_tail(entry)}"


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def read(command: str) -> Entry | None:
    """The entry that a command line is, of whichever store; None when it is not exactly one of ours."""
    head, found, tail = command.rpartition(" -I -S ")
    words = _words(tail)
    if not found or len(words) < 3:
        return None
    door, dialect, event, *rest = words
    store = "" if head.startswith(PORTABLE) else door.removesuffix("/door.py")
    place = rest.pop(0) if rest and rest[0] in PLACES else "user"
    fail = rest[1] if len(rest) == 2 and rest[0] == "--fail" else "open"
    entry = Entry(store, dialect, event, place, fail)
    return entry if write(entry) == command else None


def near(command: str, store: Path | None = None) -> bool:
    """Whether a command line is an entry of ours, or was one before somebody changed it."""
    if read(command) is not None or (store is not None and f"{store}/door.py" in command):
        return True
    return "/door.py" in command and ("jackline" in command or "$J/door.py" in command)


def check_store(store: Path) -> None:
    """Refuse a store whose path cannot stand in a configuration file."""
    text = str(store)
    if not store.is_absolute() or any(ord(letter) < 32 or 0xD800 <= ord(letter) < 0xE000 for letter in text):
        cure = "set JACKLINE_STORE to a plain absolute path"
        raise InstallError(repr(text), "no path that a configuration file can hold", cure)
