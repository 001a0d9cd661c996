"""How entries are written for the clients of a dialect, from their specs: which files, which events, which form."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from jackline.clients.schema import ClientSpec, Installed
from jackline.clients.specs import SPECS
from jackline.install.client_files import IN_PROJECT, path_of
from jackline.install.clocks import Bound
from jackline.install.finding import Finding
from jackline.install.installs import Install
from jackline.install.site import Site
from jackline.install.target import Target


class Conditions(Protocol):
    """What besides the entries decides whether a client runs them: one module a file."""

    def todo(self, target: Target, site: Site) -> tuple[str, ...]: ...
    def diagnose(self, install: Install, site: Site) -> list[Finding]: ...


class Dialect(NamedTuple):
    """A dialect, and the client whose file all its clients read."""

    name: str
    owner: ClientSpec

    @property
    def written(self) -> Installed:
        assert self.owner.installed is not None
        return self.owner.installed

    @property
    def events(self) -> Mapping[str, Bound]:
        """The events that entries are written for, as they are spelt there, in the order of a session."""
        return {
            name: Bound(self.owner.native.get(name, name), self.written.clamps.get(name))
            for name in self.written.events.split()
        }

    def hook(self, command: str, limit: int) -> dict[str, Any]:
        """One entry of ours, as it stands in the file."""
        at, seconds = self.written.hook
        return {"type": "command", at: command, seconds: limit}

    def targets(self, scope: str, site: Site, clients: tuple[str, ...]) -> list[Target]:
        """The file of ours in a scope, once for all clients that read it; none where they have no such scope."""
        path = path_of(self.owner, scope, site)
        if path is None:
            return []
        root = str(site.root) if scope in IN_PROJECT else ""
        template = dict(self.written.template)
        return [Target(" ".join(clients), self.name, scope, path, root, self.written.shape, template)]

    def _conditions(self) -> Conditions:
        found: Any = importlib.import_module(f"jackline.install.conditions.{self.written.conditions}")
        checked: Conditions = found
        return checked

    def todo(self, target: Target, site: Site) -> tuple[str, ...]:
        """What is left for the person after an installation."""
        return self._conditions().todo(target, site) if self.written.conditions else ()

    def diagnose(self, install: Install, site: Site) -> list[Finding]:
        """What besides the entries themselves decides whether the clients run them."""
        return self._conditions().diagnose(install, site) if self.written.conditions else []


def of(name: str) -> Dialect:
    """A dialect by its name."""
    owners = [one for one in SPECS.values() if one.dialect == name and one.installed and not one.installed.shares]
    return Dialect(name, owners[0])
