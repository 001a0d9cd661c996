"""What stands already: would an installation change an entry, or the interpreter behind the entries?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from jackline import surroundings
from jackline.compiler.collect import user_folder
from jackline.install import files, home, installer, installs, plugin, restore, shapes
from jackline.install.fault import InstallError
from jackline.install.target import Target

Change = Literal["", "adds", "changes"]


def change(target: Target, store: Path, fail: str) -> Change:
    """What `init` would do to a file: nothing, add entries, or change some of ours that stand there."""
    try:
        return _change(target, store, fail)
    except InstallError:  # the installation itself says so, and goes on with the other clients
        return ""


def _change_plugin(target: Target, data: bytes | None, store: Path, fail: str) -> Change:
    if data is None:
        return "adds"
    meant = fail or installer.mode(target, installs.load(store))
    wanted = installer.wanted(target, store, meant)
    return "" if data == plugin.text(target.dialect, target.scope, store, meant, wanted) else "changes"


def _change(target: Target, store: Path, fail: str) -> Change:
    data = files.read(target.path)
    if target.shape == plugin.SHAPE:
        return _change_plugin(target, data, store, fail)
    ours = restore.ours(store)
    wanted = installer.wanted(target, store, fail or installer.mode(target, installs.load(store)))
    right = [one.hook for one in wanted]
    where = str(target.path)
    if any(found.hook not in right for found in shapes.ours_in(target.shape, data or b"", where, ours)):
        return "changes"
    edit = shapes.ensure(target.shape, data or b"", where, wanted, ours, target.template)
    return "adds" if edit.data != data else ""


def interpreter(store: Path) -> str:
    """Why putting this interpreter behind the entries needs a person's word, "" when it does not."""
    link = store / "bin/python"
    if not link.is_symlink() or not link.exists():
        return ""
    before, after = os.path.realpath(link), home.real_interpreter()
    return "" if Path(before) == after else f"puts {after} behind the entries, instead of {before}"


def home_of(store: Path, env: Mapping[str, str]) -> str:
    """Why the home that a store remembers needs a person's word to become this one, "" when it does not."""
    before, after = surroundings.recorded_folder(str(store), "home"), surroundings.folders_of(env).get("home", "")
    return f"makes {after} the home, instead of {before}" if before and after and before != after else ""


def _config(env: Mapping[str, str]) -> str:
    base = env.get("XDG_CONFIG_HOME", "")
    return f"{base if base.startswith('/') else env.get('HOME', '') + '/.config'}/jackline"


def note_config(store: Path, env: Mapping[str, str]) -> None:
    """Note in a store where the person's own configuration is: the entry point asks the store, not its environment."""
    link = store / "config"
    if not link.is_symlink() and not link.exists():
        store.mkdir(mode=0o700, parents=True, exist_ok=True)
        link.symlink_to(_config(env))
        from jackline.compiler import bundle

        bundle.forget_tables(str(store))  # they were compiled without it


def is_elsewhere(store: Path, env: Mapping[str, str]) -> bool:
    """Whether the person's own configuration lies where the store would not look for it by itself."""
    if not env.get("HOME", "").startswith("/"):
        return False
    return os.path.realpath(user_folder(str(store))) != os.path.realpath(_config(env))
