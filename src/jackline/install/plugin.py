"""A client that loads programs in its own language: our bridge as one file of its plugin folder, whole and marked.

The file is ours alone, so it is compared as a whole. What starts the entry stands in `bridges/`, the same for all;
what differs between installations is its one line of data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from jackline import host
from jackline.clients.specs import SPECS
from jackline.install import entry, files
from jackline.install.entry import Entry
from jackline.install.fault import InstallError
from jackline.install.hookfile import Found, Wanted
from jackline.install.installs import Install, Step

Change = Literal["created", "changed", "unchanged", "deleted", "absent"]
SHAPE = "plugin"
VERSION = 1
"""Of the bridges: it rises when one of them changes, and `init` then renews the files."""
FOLDER = Path(__file__).parent / "bridges"
MARK = "// jackline: bridge "
DATA = "const ENTRY = "
HEAD = f"{MARK}{VERSION}, made by `jackline init`, taken out by `jackline uninstall`. Do not edit it: it is compared.\n"


def text(dialect: str, scope: str, store: Path, fail: str, wanted: Sequence[Wanted]) -> bytes:
    """The file for a scope. That of a project is portable: it finds each person's own store."""
    of = next(one.installed for one in SPECS.values() if one.dialect == dialect and one.installed)
    told = {
        "dialect": dialect,
        "place": scope,
        "store": "" if scope == "project" else str(store),
        "fail": fail,
        "limits": {one.event: one.hook[of.hook[1]] for one in wanted},
        "denial": entry.REASON,
        "notice": entry.GONE,
        **of.template,
    }
    parts = [(FOLDER / f"{name}.js").read_text() for name in ("entry", of.plugin)]
    imports = sorted({line for part in parts for line in part.splitlines() if line.startswith("import ")})
    bodies = ["\n".join(line for line in part.splitlines() if not line.startswith("import ")) for part in parts]
    made = HEAD + "\n".join([*imports, f"{DATA}{json.dumps(told)}", *bodies])
    return made.rstrip("\n").encode() + b"\n"


def read(data: bytes) -> list[Found]:
    """What a file of ours starts, as lines that do the same."""
    line = next((one for one in data.decode("utf-8", "replace").splitlines() if one.startswith(DATA)), "")
    try:
        told = json.loads(line.removeprefix(DATA))
        starts = {
            event: (Entry(told["store"], told["dialect"], event, told["place"], told["fail"]), limit)
            for event, limit in told["limits"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        return []
    hooks = {event: {"command": entry.write(one), "timeout": limit} for event, (one, limit) in starts.items()}
    return [Found(event, 0, -1, str(hook["command"]), hook, True) for event, hook in hooks.items()]


def is_ours(data: bytes) -> bool:
    return data.startswith(MARK.encode())


def is_older(install: Install, store: Path) -> bool:
    """Whether another version than this one would write another file."""
    return install.after != files.digest(text(install.dialect, install.scope, store, install.fail, install.wanted))


def _accompany(install: Install, beside: Mapping[str, str]) -> Install:
    """Make what goes with a plugin where there is none, and remember what was made."""
    known = {one[0]: one[1] for one in install.made}
    folders: list[str] = []
    for name, held in beside.items():
        if files.read(Path(name)) is None:
            folders += [str(one) for one in files.make_folders(Path(name).parent)]
            files.write(Path(name), held.encode())
            known[name] = files.digest(held.encode())
    made_folders = tuple(dict.fromkeys((*install.made_folders, *folders)))
    return install._replace(made=tuple(known.items()), made_folders=made_folders)


def write(
    start: Install,
    old: Install | None,
    store: Path,
    wanted: Sequence[Wanted],
    fail: str,
    beside: Mapping[str, str],
) -> tuple[Install, Change]:
    """Make the file what it should be. A file of somebody else by that name is left alone."""
    path = Path(start.path)
    before = files.read(path)
    if before is not None and not is_ours(before):
        raise InstallError(str(path), "a file of this name is there, and is not ours", "rename it, then run again")
    data = text(start.dialect, start.scope, store, fail, wanted)
    now = host.now() // 1_000_000_000
    install = (old or start)._replace(wanted=tuple(wanted), fail=fail, made_file=True)
    folders = [str(one) for one in files.make_folders(path.parent)]
    if before != data:
        files.write(path, data)
        install = install._replace(written=now)
    install = install._replace(steps=(Step("", files.digest(data), ()),), at=install.at or now)
    made_folders = tuple(dict.fromkeys((*folders, *install.made_folders)))
    install = _accompany(install._replace(written=install.written or now, made_folders=made_folders), beside)
    return install, "created" if before is None else "changed" if before != data else "unchanged"


def remove(install: Install, others: Sequence[Install]) -> tuple[Change, list[Install]]:
    """Take the file out, and what goes with it as far as nobody changed it and none of the `others` needs it."""
    path = Path(install.path)
    data = files.read(path)
    heir = next((one for one in others if one.dialect == install.dialect and one.shape == SHAPE), None)
    if heir is not None:
        others = [one._replace(made=(*one.made, *install.made)) if one is heir else one for one in others]
    for name, digest in install.made if heir is None else ():
        held = files.read(Path(name))
        if held is not None and files.digest(held) == digest:
            files.delete(Path(name), [])
    is_there = data is not None and is_ours(data)
    folders = sorted((Path(folder) for folder in install.made_folders), key=lambda folder: len(folder.parts))
    if is_there:
        files.delete(path, [])
    for folder in reversed(folders):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return "deleted" if is_there else "absent", list(others)


def difference(install: Install) -> Literal["", "gone", "changed"]:
    """What of the file is not as it was left."""
    data = files.read(Path(install.path))
    if data is None:
        return "gone"
    return "" if files.digest(data) == install.after else "changed"
