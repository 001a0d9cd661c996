"""A project's validators as units of trust, and those that are in force: as they stand, or as they were trusted.

A unit is its row, with the program where that is a file of the project; programs that are installed, or that git would
not keep, are no part of it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from jackline import system
from jackline.compiler import copies, row_files, row_units
from jackline.compiler.configuration import Reading
from jackline.compiler.copies import NoCopy
from jackline.compiler.row_files import VALIDATORS
from jackline.compiler.sources import Sources, digest
from jackline.compiler.trust import Key, Unit
from jackline.compiler.trust_state import Standing, judge

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

KIND: Final = "validator"
FEATURE = "validators"
"""The feature that runs them: where it is off none is in force."""
SHELLS = frozenset(("sh", "bash", "dash", "zsh"))
INTERPRETERS = SHELLS | {"python", "python3", "node", "ruby", "perl", "php"}
INSTALLED = frozenset(("node_modules", ".venv", "venv", ".tox", ".nox", "target", "dist", "build", "vendor", ".git"))
"""Folders of what is installed or built."""


class Running(NamedTuple):
    """The rows in force, as they are written for whoever runs them, and the units that cannot run, with the reason.

    `mode`: what becomes of the decisions of the feature that runs them.
    """

    rows: tuple[dict[str, Any], ...] = ()
    holds: tuple[tuple[Key, str], ...] = ()
    mode: str = ""
    standings: tuple[Standing, ...] = ()


# --- what is there -------------------------------------------------------------------------------------------------


def _program(command: Sequence[str]) -> int:
    """Which word names the program that may be a file of the project: the first, or the one an interpreter gets.

    Behind an option of another interpreter than a shell stands who knows what (`-m pytest`, `--test test/a.js`).
    """
    name = command[0].rpartition("/")[2]
    if name not in INTERPRETERS:
        return 0
    at = 1
    while name in SHELLS and at < len(command) and command[at][:1] == "-" and "c" not in command[at]:
        at += 1
    return at if at < len(command) and command[at][:1] != "-" else 0


def _own_program(root: str, command: Sequence[str]) -> tuple[int, str]:
    """The word that names a program of the project, and its path below the root; "" where there is none."""
    at = _program(command)
    if "/" not in command[at] and not at:
        return at, ""
    full = os.path.normpath(os.path.join(root, command[at]))
    name = full[len(root) + 1 :]
    inside = full.startswith(root + "/") and not INSTALLED.intersection(name.split("/")[:-1])
    return at, name if inside and system.size_of(full) >= 0 else ""


def _unit(sources: Sources, name: str, data: bytes) -> Unit:
    """A row with its program."""
    own, executable = {VALIDATORS.place_of(name): data}, frozenset[str]()
    at, program = _own_program(sources.root, row_files.read(data, VALIDATORS)["command"])
    content = sources.file(f"{sources.root}/{program}") if program else None
    if content is not None:
        own[program] = content
        executable = frozenset(() if at else (program,))  # its copy has to start, whatever it was when it was read
    return Unit(KIND, VALIDATORS.place_of(name), own, {}, "", {}, executable)


# --- what is in force ----------------------------------------------------------------------------------------------


def _row(unit: Unit, folder: str, root: str) -> dict[str, Any]:
    """A validator as whoever runs it reads it; `folder`: where its copy is laid out, "" where it runs itself.

    `program`: which word is a file of the project, the file, and the digest of what it has to hold.
    """
    row = row_files.read(unit.own[unit.place], VALIDATORS)
    made = {**row, "digest": unit.digest}
    programs = [name for name in unit.own if name != unit.place]
    if programs:
        at = _program(row["command"])
        path = f"{folder or root}/{programs[0]}"
        made["program"] = [at, path, digest(unit.own[programs[0]]).hex()]
    return made


def _copy(store: str, standing: Standing, root: str) -> dict[str, Any]:
    """The validator as it was trusted. Raises NoCopy."""
    assert standing.last is not None
    unit = copies.unit_of(store, standing.key, standing.last)
    try:
        return _row(unit, copies.lay_out(store, unit, root) if len(unit.own) > 1 else "", root)
    except (ValueError, KeyError):
        raise NoCopy("its trusted copy is read as no validator by this version") from None


def running(store: str, root: str, standings: Sequence[Standing]) -> Running:
    """What is in force of all validators that are there or were trusted."""
    rows: list[dict[str, Any]] = []
    holds: list[tuple[Key, str]] = []
    for one in standings:
        if one.runs == "itself" and one.unit is not None:
            rows.append(_row(one.unit, "", root))
        elif one.runs == "copy":
            try:
                rows.append(_copy(store, one, root))
            except NoCopy as fault:
                holds.append((one.key, str(fault)))
    return Running(tuple(sorted(rows, key=lambda row: str(row["id"]))), tuple(holds), "", tuple(standings))


def look(reading: Reading, values: Mapping[str, Any], names: Collection[str]) -> Running:
    """Every validator of a project as it stands, and what is in force as far as the feature that runs them is on.

    `names`: what the folder of hooks has.
    """
    here, book = row_units.units(reading, VALIDATORS, KIND, names, _unit)
    root = reading.sources.root
    found = judge(here, book, reading.branch, follow=reading.follow, root=root)
    made = running(reading.store, root, found)
    if not values.get(f"modules.{FEATURE}.enabled"):
        return Running((), (), "", made.standings)
    return made._replace(mode=str(values.get(f"modules.{FEATURE}.mode", values["mode"])))
