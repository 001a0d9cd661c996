"""The trusted copy of a unit, as it was read: its files out of the store, and laid out where a program can run.

A copy that cannot be had, or would not run as it did, is a fault: then the unit holds (design section 5a).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from jackline import system
from jackline.compiler import frontmatter, trust
from jackline.compiler.fault import Fault
from jackline.compiler.trust import Unit, Version

FOLDER = "units"
"""Below the folder of the copies: one folder for each content that runs from there."""


class NoCopy(Exception):
    """Why a trusted copy cannot run."""


def _files(store: str, digests: Mapping[str, str]) -> dict[str, bytes]:
    try:
        return {name: trust.copy_of(store, digest) for name, digest in digests.items()}
    except (OSError, ValueError) as fault:
        raise NoCopy(f"its copy in the store is missing or damaged ({getattr(fault, 'strerror', fault)})") from None


def unit_of(store: str, key: trust.Key, version: Version) -> Unit:
    """The unit as it was trusted. Raises NoCopy."""
    kind, place = key
    own, inputs = _files(store, version.own), _files(store, version.inputs or {})
    executable = version.executable
    if executable is None:  # nobody noted it: what a script starts must start
        executable = frozenset((*own, *inputs))
    return Unit(kind, place, own, inputs, "", version.more, executable)  # type: ignore[arg-type]


def lay_out(store: str, unit: Unit, base: str) -> str:
    """Put a script's copy, inputs included, below a folder of the store as it lay below the project; that folder.

    Raises NoCopy where it would read what is in the project (`base`) now: files it names by their place from the
    project's root, which are no longer what they were.
    """
    moved = [name for name, data in unit.inputs.items() if not _is(f"{base}/{name}", data, name in unit.executable)]
    text = b"\n".join(_program(data, name) for name, data in unit.own.items())
    for name in moved:
        if name.encode("utf-8", "surrogateescape") in text:
            raise NoCopy(f"it reads {name} in the project, which changed too")
    folder = f"{store}/{trust.COPIES}/{FOLDER}/{unit.digest}"
    try:
        for name, data in unit.files.items():
            path = os.path.normpath(f"{folder}/{name}")
            if not path.startswith(folder + "/"):
                raise NoCopy(f"{name} leads out of its folder")
            runs = name in unit.executable
            if _is(path, data, runs):
                continue
            system.make_dirs(path.rpartition("/")[0])
            system.replace(path, data, mode=0o700 if runs else 0o600)
    except OSError as fault:
        raise NoCopy(f"its copy cannot be written ({fault.strerror})") from None
    return folder


def _program(data: bytes, name: str) -> bytes:
    """A file without the lines in which it declares itself."""
    front = frontmatter.read(data, name)
    if front is None or isinstance(front, Fault):
        return data
    lines = data.split(b"\n")
    return b"\n".join([*lines[: front.line], *lines[front.end :]])


def _is(path: str, data: bytes, runs: bool) -> bool:
    try:
        return system.read(path, limit=len(data) + 1) == data and system.executable(path) is runs
    except OSError:
        return False
