"""The surroundings of an installation: whose home, which project, which machine. Passed in, never looked up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from jackline.install.fault import InstallError

MANAGED_STORE = "var/lib/jackline"
"""Where `--scope managed` puts interpreter link, `door.py` and bundle: owned by who manages the machine."""


class Site(NamedTuple):
    """`root` is the project, `env` the person's environment, `machine` the folder that stands for `/`."""

    root: Path
    env: Mapping[str, str]
    machine: Path = Path("/")

    @property
    def home(self) -> Path:
        given = self.env.get("HOME", "")
        if not given.startswith("/"):
            raise InstallError("HOME", "not set to an absolute path", "set HOME to your home folder, then run again")
        return Path(given)

    def folder(self, variable: str, default: str) -> Path:
        """The folder a variable names, else `default` below the home folder."""
        given = self.env.get(variable, "")
        return Path(given) if given.startswith("/") else self.home / default

    def program(self, *names: str) -> str:
        """The first of these programs on the person's path, "" when there is none."""
        import shutil  # not for every command

        found = (shutil.which(name, path=self.env.get("PATH", "")) for name in names)
        return next((path for path in found if path), "")


def default_store(env: Mapping[str, str]) -> Path:
    """The person's store: `JACKLINE_STORE`, else the state folder of the desktop's convention."""
    given = env.get("JACKLINE_STORE", "")
    if given:
        return Path(given)
    return standard_store(env)


def standard_store(env: Mapping[str, str]) -> Path:
    """The store where portable entries look for it."""
    state = env.get("XDG_STATE_HOME") or f"{Site(Path('/'), env).home}/.local/state"
    return Path(state) / "jackline"
