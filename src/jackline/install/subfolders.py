"""Sub-folders with client settings of their own: a client that is started there may read those in place of the root's.

Which file a client reads is its own affair (docs/clients); the entries that `init` writes for a person hold everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from jackline import git, system
from jackline.clients.specs import SPECS
from jackline.install.finding import Finding
from jackline.install.installs import Install

OF_THE_ROOT = tuple([one.name for one in SPECS.values() if one.installed and one.installed.at_root])
"""Clients that were measured to read the files of the git root, wherever they are started."""
SHOWN = 3


def _files(root: Path) -> list[str]:
    """The files of a project, those that git ignores left out."""
    try:
        listed = git.run(str(root), "ls-files", "-z", "-c", "-o", "--exclude-standard")
    except git.GitError:
        return []
    return sorted({name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if name})


def _without(names: Iterable[str], root: Path) -> list[str]:
    """Those of these files that hold no entry of ours."""
    found = []
    for name in names:
        try:
            if b"door.py" not in system.read(f"{root}/{name}", limit=1 << 20):
                found.append(name)
        except OSError:
            continue
    return found


def diagnose(known: Sequence[Install], root: Path) -> list[Finding]:
    """What to know of sub-folders where entries of the project do not reach, for each file of a client."""
    everywhere = {one.client for one in known if not one.root}
    found = []
    listed: list[str] | None = None
    for install in known:
        inner = install.path.removeprefix(f"{root}/")
        if inner == install.path or install.client in everywhere or install.client in OF_THE_ROOT:
            continue
        listed = _files(root) if listed is None else listed
        names = _without([name for name in listed if name.endswith("/" + inner)], root)
        if names:
            some = ", ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
            what = f"{some}: no entries of ours; a session that starts there may have no hooks"
            cure = f"start {install.client} at the root, or run `jackline init --client {install.client} --scope user`"
            found.append(Finding("sub-folder", "warn", what, cure, f"{install.client}, {install.path}"))
    return found
