"""One hook file of one client: write our entries into it, take them out, and note both in the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from jackline import host
from jackline.install import entry, files, hookfile, installs, plugin, shapes
from jackline.install.fault import InstallError
from jackline.install.hookfile import Edit, Shape, Wanted
from jackline.install.installs import Install, Step

Change = Literal["created", "changed", "unchanged", "removed", "deleted", "absent"]
SCOPES = ("user", "project", "local", "managed")
TRIES = 5
MODES = {"file": 0o755}
"""Of a file that is made: one that is a hook by itself is run."""
UNKNOWN = Step("", "", ())
"""Stands for edits that cannot be undone to the byte, because somebody else edited in between."""


class Target(NamedTuple):
    """Where one client reads hooks in one scope; `event`: the one that a file is for, "" for all."""

    client: str
    dialect: str
    scope: str
    path: Path
    root: str
    shape: Shape
    template: dict[str, Any]
    """What a new file begins with; for a program of ours, what goes with it: paths and texts."""
    event: str = ""


class Done(NamedTuple):
    """What happened to a file, and what is left for the person to do."""

    client: str
    scope: str
    path: Path
    change: Change
    entries: int = 0
    todo: tuple[str, ...] = ()


def _ours(store: Path) -> hookfile.Ours:
    return lambda command: entry.near(command, store)


def _edit(path: Path, make: Callable[[bytes | None], Edit], mode: int) -> tuple[bytes | None, Edit | None]:
    """Read, edit, write; again from the start when somebody else wrote in between. No edit when nothing changes."""
    for _ in range(TRIES):
        before = files.read(path)
        edit = make(before)
        if edit.data == before:
            return before, None
        if files.read(path) == before:
            files.write(path, edit.data, mode)
            return before, edit
    raise InstallError(str(path), "somebody else keeps writing it", "close the client, then run again")


def _has_ours(data: bytes | None, target: Target, store: Path) -> bool:
    return data is not None and bool(shapes.ours_in(target.shape, data, str(target.path), _ours(store)))


def _history(target: Target, old: Install | None, before: bytes | None, store: Path) -> Install:
    """What is known of the file before this edit: how to get back, and what was made for us."""
    start = Install(str(target.path), target.client, target.dialect, target.scope, target.root, target.shape)
    if before is None:
        return start._replace(made_file=True, made_folders=old.made_folders if old else (), at=old.at if old else 0)
    if old is not None:
        names = " ".join(dict.fromkeys(f"{old.client} {target.client}".split()))
        whole = files.digest(before) == old.after
        return old._replace(client=names, steps=old.steps if whole else (UNKNOWN,))
    if not _has_ours(before, target, store):
        return start
    # Somebody else's installation (a committed file, a lost store): no way back to the byte, so by the text.
    events = sorted({found.event for found in shapes.ours_in(target.shape, before, str(target.path), _ours(store))})
    if target.shape in shapes.ROOTED:
        return start._replace(steps=(UNKNOWN,), made=tuple((event,) for event in events))
    made = (*((key,) for key in target.template), ("hooks",), *(("hooks", event) for event in events))
    return start._replace(steps=(UNKNOWN,), made=made, made_file=bool(target.template) or target.shape == "file")


def _write_plugin(target: Target, wanted: Sequence[Wanted], store: Path, fail: str, known: list[Install]) -> Done:
    """Make the file that our program is."""
    old = installs.find(known, target.path)
    start = Install(str(target.path), target.client, target.dialect, target.scope, target.root, target.shape)
    install, change = plugin.write(start, old, store, wanted, fail, target.template)
    if install != old:
        installs.save(store, installs.put(known, install))
    return Done(target.client, target.scope, target.path, change, len(wanted))


def write(target: Target, wanted: Sequence[Wanted], store: Path, fail: str = "closed") -> Done:
    """Make the file hold exactly the wanted entries. The caller holds the store's install lock."""
    known = installs.load(store)
    old = installs.find(known, target.path)
    if target.shape == plugin.SHAPE:
        return _write_plugin(target, wanted, store, fail, known)
    folders: list[Path] = []

    def make(before: bytes | None) -> Edit:
        if before is None and not folders:
            folders.extend(files.make_folders(target.path.parent))
        return shapes.ensure(target.shape, before or b"", str(target.path), wanted, _ours(store), target.template)

    before, edit = _edit(target.path, make, MODES.get(target.shape, 0o644))
    install = _history(target, old, before, store)._replace(wanted=tuple(wanted), fail=fail)
    now = host.now() // 1_000_000_000
    if edit is not None:
        step = Step("" if before is None else files.digest(before), files.digest(edit.data), edit.undo)
        made = tuple(dict.fromkeys((*install.made, *edit.made)))
        install = install._replace(steps=(*install.steps, step), made=made, written=now)
    install = install._replace(at=install.at or now, written=install.written or now)
    if folders:
        made_folders = tuple(dict.fromkeys((*map(str, folders), *install.made_folders)))
        install = install._replace(made_folders=made_folders)
    if install != old:
        installs.save(store, installs.put(known, install))
    change: Change = "unchanged" if edit is None else "created" if before is None else "changed"
    return Done(target.client, target.scope, target.path, change, len(wanted))


def _without_ours(data: bytes, install: Install, store: Path) -> bytes | None:
    """The file as it was: exactly, as far as nobody else edited it; None when it was not there at all."""
    steps = list(install.steps)
    while steps and steps[-1].after and files.digest(data) == steps[-1].after:
        step = steps.pop()
        if not step.before:
            return None
        data = shapes.undo(install.shape, data, install.path, step.splices)
    if not steps:
        return data
    data = shapes.strip(install.shape, data, install.path, _ours(store), install.made)
    bare = install.made_file and shapes.is_bare(install.shape, data, install.path, install.made)
    return None if bare else data


def _inherit(install: Install, folders: tuple[str, ...]) -> Install:
    """Folders made for one file that now hold only another of ours go with that one."""
    kept = [folder for folder in folders if Path(folder).is_dir() and Path(folder) in Path(install.path).parents]
    return install._replace(made_folders=tuple(dict.fromkeys((*kept, *install.made_folders))))


def remove(install: Install, store: Path) -> Done:
    """Take our entries out and forget the install. The caller holds the store's install lock."""
    path = Path(install.path)
    install = installs.find(installs.load(store), path) or install
    if install.shape == plugin.SHAPE:
        taken, left = plugin.remove(install, [one for one in installs.load(store) if one.path != install.path])
        installs.save(store, [_inherit(one, install.made_folders) for one in left])
        return Done(install.client, install.scope, path, taken)
    data = files.read(path)
    change: Change = "absent"
    if data is not None:
        rest = _without_ours(data, install, store)
        if rest is None and path.is_symlink():  # adopted by a dotfiles manager meanwhile: not ours to delete
            rest = b"{}\n"
        if rest is None:
            files.delete(path, [Path(folder) for folder in install.made_folders])
            change = "deleted"
        elif rest != data:
            files.write(path, rest)
            change = "removed"
    rest_of_us = [one for one in installs.load(store) if one.path != install.path]
    installs.save(store, [_inherit(one, install.made_folders) for one in rest_of_us])
    return Done(install.client, install.scope, path, change)
