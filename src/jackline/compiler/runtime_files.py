"""What the entry point and our command load, derived from the process that makes the entry point: nobody lists it.

A line a place: `=` one file or link, `/` a folder with all below, `l` a library without the packages of others in it,
`e` an environment (all of it, unless it lies in the project), `s` a folder of packages (start-up files in it alone),
`c` a file of a client's, `C` a folder of one.
"""

from __future__ import annotations

import os
import shutil
import site
import sys
import sysconfig
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from jackline.clients.hints import EXECUTABLES

PACKAGE = Path(__file__).resolve().parent.parent
NAME = "loaded"
HOPS = 40


def chain(path: str) -> Iterator[str]:
    """Every link on the way to what a path means, and that itself."""
    done, todo, hops = "", [part for part in reversed(path.split("/")) if part], 0
    while todo and hops < HOPS:
        part = todo.pop()
        here = os.path.dirname(done) if part == ".." else done if part == "." else f"{done}/{part}"
        if os.path.islink(here):
            yield here
            hops, target = hops + 1, os.readlink(here)
            done = "" if target.startswith("/") else done
            todo += [one for one in reversed(target.split("/")) if one]
        else:
            done = here
    yield done


def _interpreter() -> Iterator[str]:
    base = getattr(sys, "_base_executable", "") or sys.executable
    for program in (sys.executable, base):
        yield from (f"= {one}" for one in chain(program))
        yield f"= {os.path.dirname(program)}/pyvenv.cfg"
    library = os.path.join(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("INSTSONAME") or "")
    if library.endswith((".dylib", ".1.0", ".so")) or ".so." in library:
        yield from (f"= {one}" for one in chain(library))
    for place in (os.path.dirname(os.__file__), sysconfig.get_config_var("DESTSHARED") or ""):
        if place:
            yield from (f"l {one}" for one in chain(place))
    yield from (f"= {one}" for one in sys.path if one.endswith(".zip"))


def _environment() -> Iterator[str]:
    """Its configuration, and the folders whose start-up files run with our command."""
    if sys.prefix != sys.base_prefix:
        yield f"e {os.path.realpath(sys.prefix)}"
        yield f"= {sys.prefix}/pyvenv.cfg"
    for folder in [*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]:
        yield f"s {os.path.realpath(folder)}"


def _distributions(name: str, known: dict[str, metadata.Distribution]) -> None:
    """A package and all that it requires."""
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return
    known[name.lower()] = found
    for line in found.requires or ():
        other = line.split(";")[0].split("[")[0].strip(" ()").split(" ")[0]
        for sign in "<>=!~":
            other = other.partition(sign)[0]
        if "extra ==" not in line and other.lower() not in known:
            _distributions(other, known)


def _packages() -> Iterator[str]:
    yield f"/ {PACKAGE}"
    known: dict[str, metadata.Distribution] = {}
    _distributions("jackline", known)
    for one in known.values():
        tops = {path.parts[0] for path in one.files or () if path.parts[0] not in ("..", "__pycache__")}
        yield from (f"/ {os.path.realpath(str(one.locate_file(top)))}" for top in tops)


def _commands() -> Iterator[str]:
    """Our command, and the clients that are there, with their links."""
    ours = {os.path.join(sysconfig.get_path("scripts"), "jackline"), shutil.which("jackline") or ""}
    yield from (f"= {one}" for path in ours if os.path.lexists(path) for one in chain(path))
    for path in filter(None, map(shutil.which, EXECUTABLES)):
        links = [*chain(path)]
        yield from (f"c {one}" for one in links)
        before, found, inside = links[-1].rpartition("/node_modules/")
        if found:
            yield f"C {before}{found}{'/'.join(inside.split('/')[: 2 if inside.startswith('@') else 1])}"


def contents() -> bytes:
    """The lines, in order of path."""
    rows = {*_interpreter(), *_environment(), *_packages(), *_commands()}
    kept = [one for one in rows if len(one) > 3 and "\n" not in one]
    return "".join(f"{one}\n" for one in sorted(kept)).encode("utf-8", "surrogateescape")
