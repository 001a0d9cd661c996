"""Which clients a person has, and which of them a project uses."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from jackline.clients.schema import Installed
from jackline.clients.specs import SPECS
from jackline.install.site import Site


class Seen(NamedTuple):
    """A client in use, and what shows it. `program` is "" where only its traces are there."""

    client: str
    dialect: str
    program: str
    why: tuple[str, ...]


def _traces(of: Installed, site: Site) -> list[str]:
    variable = of.home[0] if of.home[1] in of.traces else ""  # a folder of many programs shows none of them
    found = [f"${variable}"] if variable and Path(site.env.get(variable, "") or "/nonexistent").is_dir() else []
    found += [f"~/{name}" for name in of.traces if (site.home / name).exists()]
    return found + [name for name in of.in_project if (site.root / name).exists()]


def find(site: Site) -> list[Seen]:
    """The clients in use, in a fixed order: by program on the path, by folder in the home, by folder in the project."""
    found = []
    for client in SPECS.values():
        if client.installed is None:
            continue
        program = site.program(*client.installed.programs)
        why = ([program] if program else []) + _traces(client.installed, site)
        if why:
            found.append(Seen(client.name, client.dialect, program, tuple(why)))
    return found
