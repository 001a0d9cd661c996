"""Clients that fetch a package of their own into each configuration folder, and wait for it once they have a plugin."""

from __future__ import annotations

from pathlib import Path

from jackline.clients.schema import Installed
from jackline.clients.specs import SPECS
from jackline.install.client_files import path_of
from jackline.install.finding import Finding
from jackline.install.installs import Install
from jackline.install.site import Site
from jackline.install.target import Target


def todo(target: Target, site: Site) -> tuple[str, ...]:
    """What is left for the person after an installation."""
    return ("restart the client where it runs: it loads plugins when it starts",)


def _folders(of: Installed, client: str, site: Site) -> list[Path]:
    """Where the client looks for configuration, as far as these folders are there."""
    own = path_of(SPECS[client], "user", site)
    found = [] if own is None else [own.parent.parent]
    found += [folder / name for folder in (site.root, site.home) for name in of.in_project]
    return [folder for folder in dict.fromkeys(found) if folder.is_dir()]


def _waits(folder: Path, of: Installed) -> bool:
    """Whether a start waits for a registry that does not answer, because of this folder."""
    if (folder / "node_modules").is_dir() and (folder / "package-lock.json").is_file():
        return False
    line = next(iter(of.beside.values())).splitlines()[-1]
    try:
        return line not in (folder / next(iter(of.beside))).read_text().splitlines()
    except (OSError, ValueError):
        return True


def diagnose(install: Install, site: Site) -> list[Finding]:
    """What besides the plugin itself decides whether this client is usable with it."""
    of = SPECS[install.client].installed
    assert of is not None
    return [
        Finding(
            "slow-start",
            "warn",
            f"{folder} has no package of the client yet: a start without network waits a minute for it",
            f"start the client once with network, or write fetch-retries=0 into {folder / '.npmrc'}",
            install.client,
        )
        for folder in _folders(of, install.client, site)
        if _waits(folder, of)
    ]
