"""The third layer of self-protection: see that entries of ours were removed or changed, and put them back.

Hot rooms compare digests of files; what differs, and mending it, is told here (design section 5).
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Literal, NamedTuple

from jackline.install import dialect, entry, files, hookfile, installs, plugin, shapes, target
from jackline.install.fault import InstallError
from jackline.install.hookfile import Found, Shape
from jackline.install.installs import Install
from jackline.install.target import Done, Target

What = Literal["missing", "changed", "extra", "gone", "unreadable"]


class Difference(NamedTuple):
    """One entry that is not as installed; `gone` and `unreadable` concern the whole file (`event` is "" then)."""

    path: str
    client: str
    scope: str
    event: str
    what: What
    found: str = ""


def ours(store: Path) -> hookfile.Ours:
    """Whether a command line is an entry of ours, whole or damaged."""
    return lambda command: entry.near(command, store)


def _ours(data: bytes, path: str, shape: Shape, store: Path) -> list[Found]:
    return shapes.ours_in(shape, data, path, ours(store))


def compare(install: Install, store: Path) -> list[Difference]:
    """What of one install is not as it was left."""

    def difference(event: str, what: What, found: str = "") -> Difference:
        return Difference(install.path, install.client, install.scope, event, what, found)

    try:
        if install.shape == plugin.SHAPE:
            what = plugin.difference(install)
            return [difference("", what)] if what else []
        data = files.read(Path(install.path))
        if data is None:
            return [difference("", "gone")]
        standing = _ours(data, install.path, install.shape, store)
    except InstallError as fault:
        return [difference("", "unreadable", fault.what)]
    found = []
    for wanted in install.wanted:
        here = [one for one in standing if one.event == wanted.event]
        if not here:
            found.append(difference(wanted.event, "missing"))
        elif all(one.hook != wanted.hook or one.narrowed for one in here):
            found.append(difference(wanted.event, "changed", here[0].command))
    spare = Counter(one.event for one in standing) - Counter(one.event for one in install.wanted)
    return found + [difference(event, "extra") for event in spare]


def check(store: Path, root: Path | None = None) -> list[Difference]:
    """Entries of ours that are missing or changed, in every installed file (with `root`: only files of that project
    and files of no project). A project that is gone as a whole is no difference.
    """
    return [difference for install in _concerned(store, root) for difference in compare(install, store)]


def _concerned(store: Path, root: Path | None) -> list[Install]:
    return [
        install
        for install in installs.load(store)
        if not install.root or (Path(install.root).is_dir() and root in (None, Path(install.root)))
    ]


def restore(store: Path, differences: list[Difference] | None = None) -> list[Done]:
    """Put our entries back, touching nobody else's; what cannot be written is left for `check` to find again."""
    paths = {one.path for one in (check(store) if differences is None else differences) if one.what != "unreadable"}
    done = []
    with installs.locked(store):
        for install in installs.load(store):
            if install.path not in paths:
                continue
            path, written = Path(install.path), dialect.of(install.dialect).written
            template = {} if written.plugin else dict(written.template)
            where = Target(install.client, install.dialect, install.scope, path, install.root, install.shape, template)
            try:
                done.append(target.write(where, install.wanted, store, install.fail))
            except (InstallError, OSError):
                continue
    return done


def _digest(entries: list[Found]) -> str:
    lines = [f"{one.event}\0{one.command}\0{one.limit}\0{one.narrowed}" for one in entries]
    return files.digest("\n".join(sorted(lines)).encode())


def digest(data: bytes, path: str, store: Path, shape: Shape = "groups") -> str:
    """The digest of our entries in a file, blind to everything else there; "" when the file cannot be read."""
    try:
        return _digest(_ours(data, path, shape, store))
    except InstallError:
        return ""


def watch_list(store: Path, root: Path | None = None) -> list[tuple[str, str]]:
    """(path, digest of our entries as installed) of every file that concerns a project."""
    return [
        (install.path, _digest([Found(one.event, 0, 0, one.command, one.hook, True) for one in install.wanted]))
        for install in _concerned(store, root)
    ]
