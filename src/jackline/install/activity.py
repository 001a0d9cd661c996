"""When the entry point was last heard of, by client and by project, and what changed in a project since."""

from __future__ import annotations

from pathlib import Path

from jackline import git
from jackline.store import session_index


def last(store: Path, client: str = "", root: Path | None = None) -> float:
    """The last event of a client, or in a project, in seconds since the epoch; 0 when there was none."""
    return (
        max((one.last for one in session_index.sessions(store, root) if client in ("", one.client)), default=0) / 1000
    )


def changed_after(root: Path, when: float) -> list[str]:
    """Files of a project that changed after a moment, as git sees them; a deleted one by its folder's time."""
    found = []
    for name in git.changed_files(str(root)):
        path = root / name
        there = path if path.exists() or path.is_symlink() else path.parent
        try:
            if there.lstat().st_mtime > when:
                found.append(name)
        except OSError:
            continue
    return found
