"""When the door was last heard of: by client and project, read off the logs that events left."""

from __future__ import annotations

import marshal
from pathlib import Path
from typing import NamedTuple

from jackline import git, system
from jackline.store.ids import is_sid, slot


class Heard(NamedTuple):
    """A session's last event, in seconds since the epoch."""

    client: str
    root: str
    when: float


def _when(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _log(store: Path, root: str, sid: str, mode: str) -> Path:
    base = store / "repos" / slot(root) if mode == "store" else Path(root) / ".ai"
    return base / "tmp" / sid / "events.jsonl"


def sessions(store: Path) -> list[Heard]:
    """Every session the store knows, with its last event; sessions that cannot be read are left out."""
    found = []
    for name in system.names(str(store / "sessions")):
        try:
            record = marshal.loads(system.read(str(store / "sessions" / name), limit=1 << 16))
            client, root, sid, mode = (str(record[key]) for key in ("client", "root", "sid", "mode"))
        except (OSError, ValueError, EOFError, TypeError, KeyError):
            continue
        if is_sid(sid) and root.startswith("/"):
            found.append(Heard(client, root, _when(_log(store, root, sid, mode))))
    return found


def last(store: Path, client: str = "", root: str = "") -> float:
    """The last event of a client, or in a project; 0 when there was none."""
    mine = [one.when for one in sessions(store) if client in ("", one.client) and root in ("", one.root)]
    if root and not client:  # sessions without a name of their own are known by their folders only
        mine += [_when(path) for path in Path(root).glob(".ai/tmp/*/events.jsonl")]
        mine += [_when(path) for path in (store / "repos" / slot(root) / "tmp").glob("*/events.jsonl")]
    return max(mine, default=0.0)


def changed_after(root: Path, when: float) -> list[str]:
    """Files of a project that changed after a moment, as git sees them; a deleted one by its folder's time."""
    found = []
    for name in git.changed(str(root)):
        path = root / name
        there = path if path.exists() or path.is_symlink() else path.parent
        try:
            if there.lstat().st_mtime > when:
                found.append(name)
        except OSError:
            continue
    return found
