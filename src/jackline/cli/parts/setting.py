"""Where a command stands: the project, the store, the person's environment. Passed on as click's context object."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click

from jackline import host
from jackline.install.site import MANAGED_STORE, Site, default_store
from jackline.repository import is_repository, project_root
from jackline.store.ids import slot


class Setting(NamedTuple):
    """`root` is the one that a session started in the working folder has."""

    root: Path
    store: Path
    env: Mapping[str, str]

    @staticmethod
    def here() -> Setting:
        """The setting of this process."""
        root = Path(project_root(os.getcwd(), host.home(), os.getuid()))
        return Setting(root, Path(os.path.abspath(default_store(os.environ))), os.environ)

    @property
    def site(self) -> Site:
        return Site(self.root, self.env)

    def managed(self) -> Setting:
        """The same, with the store that belongs to who manages this machine."""
        return self._replace(store=self.site.machine / MANAGED_STORE)

    @property
    def slot(self) -> str:
        return slot(str(self.root))

    @property
    def in_repository(self) -> bool:
        return is_repository(str(self.root), os.getuid())

    def short(self, path: str | Path) -> str:
        """A path as a person reads it: below the project or the home folder where it is."""
        told, root, home = str(path), str(self.root), self.env.get("HOME", "")
        if root != "/" and told.startswith(root + "/"):
            return told[len(root) + 1 :]
        if home not in ("", "/") and (told == home or told.startswith(home + "/")):
            return "~" + told[len(home) :]
        return told


pass_setting = click.make_pass_decorator(Setting)
