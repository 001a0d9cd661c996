"""The store as an installation makes it: the interpreter link, the entry point, the bundle of hot modules.

Everything here may be made again at any time: an upgrade changes what links and files hold, never where they are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from jackline.install import entry
from jackline.install.fault import InstallError
from jackline.store import format

OLDEST = (3, 11)


class Home(NamedTuple):
    """A store ready for the entry point. `changed` names what this run made or renewed."""

    store: Path
    interpreter: Path
    changed: tuple[str, ...]


def real_interpreter() -> Path:
    """The interpreter to link to.

    Not the one of a virtual environment: the entry point runs with `-I -S`, which needs none, and an environment is
    removed more easily than the interpreter it was made from. Not a shim (pyenv, asdf): that is a shell script in front
    of it.
    """
    base = getattr(sys, "_base_executable", "") or sys.executable
    if not base:
        raise InstallError("python", "does not know its own program file", "run jackline with another Python")
    return Path(os.path.realpath(base))


def check_interpreter(path: Path) -> None:
    """Refuse a program that is no Python the entry point can run in, built like the one that makes the bundle."""
    probe = "import sys; print(*sys.version_info[:2], sys.implementation.cache_tag)"
    try:
        command = [str(path), "-I", "-S", "-c", probe]
        said = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise InstallError(
            str(path), f"does not start ({fault})", "reinstall Python, then run `jackline init` again"
        ) from None
    words = said.stdout.split()
    if said.returncode or len(words) != 3:
        raise InstallError(str(path), "is no Python that starts with -I -S", "run jackline with another Python")
    if (int(words[0]), int(words[1])) < OLDEST or words[2] != sys.implementation.cache_tag:
        raise InstallError(
            str(path), f"is Python {words[0]}.{words[1]}", "run jackline with the Python it is installed for"
        )


def _folder(path: Path, mode: int) -> bool:
    """Make a folder, or give one that is open to others its mode back."""
    try:
        made = not path.is_dir()
        path.mkdir(mode=mode, parents=True, exist_ok=True)
        if path.stat().st_uid != os.getuid():
            cure = "remove it, or set JACKLINE_STORE to a folder of your own"
            raise InstallError(str(path), "belongs to another user", cure)
        if path.stat().st_mode & 0o777 & ~mode:
            path.chmod(mode)
            made = True
        return made
    except OSError as fault:
        raise InstallError(str(path), f"cannot be made ({fault.strerror})", "check its parent's permissions") from None


def _link(path: Path, target: Path) -> bool:
    """Point a link somewhere, in one step."""
    if path.is_symlink() and str(path.readlink()) == str(target):
        return False
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    beside.unlink(missing_ok=True)
    beside.symlink_to(target)
    beside.replace(path)
    return True


def _built(store: Path, changed: list[str]) -> tuple[str, ...]:
    """Make the bundle, and write what of it differs."""
    from jackline.compiler import bundle

    made = bundle.files()
    if bundle.build(str(store), made):
        changed.append(str(store / bundle.name_of_bundle()))
    return tuple(made)


def make(store: Path, *, shared: bool = False, interpreter: Path | None = None) -> Home:
    """Make or renew a store. `shared`: readable by everybody, for `--scope managed`."""
    from jackline.compiler import bundle_sums

    entry.check_store(store)
    format.check(str(store))
    python = interpreter or real_interpreter()
    check_interpreter(python)
    mode = 0o755 if shared else 0o700
    changed = [str(path) for path in (store, store / "bin") if _folder(path, mode)]
    try:
        names = bundle_sums.intact(str(store)) or _built(store, changed)
        format.mark(str(store))
        # Last: an interpreter without an entry point is a damaged installation, which refuses every tool call.
        if _link(store / "bin/python", python):
            changed.append(str(store / "bin/python"))
        for name in names if shared else ():
            (store / name).chmod(0o644)
    except OSError as fault:
        what = f"cannot be written ({fault.strerror or fault})"
        raise InstallError(str(store), what, "check its permissions and the disk") from None
    return Home(store, python, tuple(changed))


def purge(store: Path) -> bool:
    """Remove a store with everything in it, the interpreter's link first: without it every entry that is left is
    silent. Refuses a folder that does not look like one.
    """
    if not store.exists():
        return False
    if store.is_symlink() or not (store / "door.py").is_file():
        raise InstallError(
            str(store), "does not look like a Jackline store (no door.py)", "remove it by hand if it is one"
        )
    (store / "bin/python").unlink(missing_ok=True)
    shutil.rmtree(store)
    return True
