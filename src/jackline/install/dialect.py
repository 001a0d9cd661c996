"""How entries are written for the clients of a dialect, from their specs: which files, which events, which form."""

from __future__ import annotations

import importlib
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from jackline.clients.schema import ClientSpec, Installed
from jackline.install.client_files import IN_PROJECT, owner_of, path_of, written
from jackline.install.finding import Finding
from jackline.install.installs import Install
from jackline.install.site import Site
from jackline.install.target import Target
from jackline.install.timeouts import Bound


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

    def word(self, event: str) -> str:
        """What an entry for an event passes on as its name: with the seconds, where the client allows fewer."""
        if not self.written.canonical:
            return event
        ours, most = self.events[event]
        return f"{ours}.{most}" if most else ours

    def hook(self, command: str, limit: int) -> dict[str, Any]:
        """One entry of ours, as it stands in the file."""
        at, seconds = self.written.hook
        if self.written.shape == "file":
            return {at: str(self.written.template["text"]).replace("{command}", command)}
        line = shlex.join(("/bin/sh", "-c", command)) if self.written.argv else command
        kind = {"type": "command"} if self.written.shape in ("groups", "items", "events") else {}
        return {**kind, at: line, **({seconds: limit * self.written.unit} if self.written.unit else {})}

    def seconds(self, limit: float | None) -> float | None:
        """A limit as it stands in a file, in seconds."""
        return None if limit is None else limit / (self.written.unit or 1)

    def _beside(self, path: Path, site: Site) -> dict[str, Any]:
        """What goes with a program of ours, in the client's own folder and in that of the file."""
        own = path_of(self.owner, "user", site)
        folders = [one.parent.parent for one in (own, path) if one is not None]
        return {str(folder / name): text for folder in folders for name, text in self.written.beside.items()}

    def targets(self, scope: str, site: Site, clients: tuple[str, ...]) -> list[Target]:
        """The files of ours in a scope, once for all clients that read them; none where they have no such scope."""
        found = written(self.owner, scope, site)
        if found is None:
            return []
        path, shape = found
        root = str(site.root) if scope in IN_PROJECT else ""
        names = tuple(self.events) if "{event}" in path.name else ("",)
        template = {} if shape == "file" else dict(self.written.template)
        template = self._beside(path, site) if self.written.plugin else template
        one = Target(" ".join(clients), self.name, scope, path, root, shape, template)
        return [one._replace(path=path.with_name(path.name.replace("{event}", name)), event=name) for name in names]

    def _conditions(self) -> Conditions:
        found: Any = importlib.import_module(f"jackline.install.conditions.{self.written.conditions}")
        checked: Conditions = found
        return checked

    def todo(self, target: Target, site: Site) -> tuple[str, ...]:
        """What is left for the person after an installation."""
        always = self.written.todo.get(target.scope, "").replace("{root}", target.root)
        left = (always,) if always else ()
        return (*left, *(self._conditions().todo(target, site) if self.written.conditions else ()))

    def diagnose(self, install: Install, site: Site) -> list[Finding]:
        """What besides the entries themselves decides whether the clients run them."""
        return self._conditions().diagnose(install, site) if self.written.conditions else []


def of(name: str) -> Dialect:
    """A dialect by its name."""
    return Dialect(name, owner_of(name))
