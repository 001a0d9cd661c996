"""What was installed where: `installs.json` in the store, read and written under one lock."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jackline import system
from jackline.install import entry
from jackline.install.fault import InstallError
from jackline.install.hookfile import Shape, Wanted
from jackline.install.jsontext import Splice
from jackline.store import format

FORMAT = 1
NAME = "installs.json"
WAIT_MS = 20_000


class Step(NamedTuple):
    """One edit of ours: digests of the file before ("" = it was not there) and after, and how to get back."""

    before: str
    after: str
    splices: tuple[Splice, ...]


class Install(NamedTuple):
    """Our entries in one file of one client. No copy of the file is kept: `steps` undo ours alone."""

    path: str
    client: str
    dialect: str
    scope: str
    root: str
    shape: Shape
    fail: str = "closed"
    wanted: tuple[Wanted, ...] = ()
    steps: tuple[Step, ...] = ()
    made: tuple[tuple[str, ...], ...] = ()
    made_file: bool = False
    made_folders: tuple[str, ...] = ()
    at: int = 0
    """When it was first installed, in seconds since the epoch."""
    written: int = 0
    """When the entries were last written: what was heard before says nothing of them."""

    @property
    def is_older(self) -> bool:
        """Whether its entries were written by an earlier version, in a form that is not written any more."""
        return any(entry.is_older(one.command) for one in self.wanted)

    @property
    def after(self) -> str:
        """Digest of the file as we left it."""
        return self.steps[-1].after if self.steps else ""


def _step(raw: dict[str, Any]) -> Step:
    return Step(raw["before"], raw["after"], tuple(Splice(*one) for one in raw["splices"]))


def _from_disk(raw: dict[str, Any]) -> Install:
    return Install(
        path=raw["path"],
        client=raw["client"],
        dialect=raw["dialect"],
        scope=raw["scope"],
        root=raw["root"],
        shape=raw["shape"],
        fail=raw["fail"],
        wanted=tuple(Wanted(one["event"], one["hook"]) for one in raw["wanted"]),
        steps=tuple(_step(one) for one in raw["steps"]),
        made=tuple(tuple(path) for path in raw["made"]),
        made_file=raw["made_file"],
        made_folders=tuple(raw["made_folders"]),
        at=raw["at"],
        written=raw.get("written", raw["at"]),
    )


def _to_disk(install: Install) -> dict[str, Any]:
    return install._asdict() | {
        "wanted": [one._asdict() for one in install.wanted],
        "steps": [one._asdict() for one in install.steps],
    }


def load(store: Path) -> list[Install]:
    """Every install the store knows, sorted by path. A file of a newer format is refused, a broken one too."""
    path = store / NAME
    try:
        raw = json.loads(system.read(str(path)))
        if raw["v"] > FORMAT:
            raise InstallError(str(path), f"written by a newer Jackline (format {raw['v']})", "update this Jackline")
        return sorted((_from_disk(one) for one in raw["installs"]), key=lambda one: one.path)
    except FileNotFoundError:
        return []
    except OSError as fault:
        raise InstallError(str(path), f"cannot be read ({fault.strerror or fault})", "check its permissions") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        cure = f"mv {path} {path}.broken, then run `jackline init` again: it knows the entries in place"
        raise InstallError(str(path), "broken", cure) from None


def save(store: Path, installs: list[Install]) -> None:
    """Write the list, atomically; not at all when nothing changed."""
    rows = [_to_disk(one) for one in sorted(installs, key=lambda one: one.path)]
    data = json.dumps({"v": FORMAT, "installs": rows}, indent=1, ensure_ascii=False).encode() + b"\n"
    path = store / NAME
    try:
        if path.exists() and system.read(str(path)) == data:
            return
        system.replace(str(path), data)
    except OSError as fault:
        what = f"cannot be written ({fault.strerror or fault})"
        raise InstallError(str(path), what, "check the store's permissions") from None


def find(installs: list[Install], path: Path) -> Install | None:
    return next((one for one in installs if one.path == str(path)), None)


def put(installs: list[Install], install: Install) -> list[Install]:
    return [one for one in installs if one.path != install.path] + [install]


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """Hold the store's install lock: one init, uninstall or repair at a time."""
    format.check(str(store))
    held = system.lock(str(store / "installs.lock"), WAIT_MS)
    if held < 0:
        raise InstallError(
            str(store / "installs.lock"), "another installation is at work", "wait for it, then run again"
        )
    try:
        yield
    finally:
        system.close(held)
