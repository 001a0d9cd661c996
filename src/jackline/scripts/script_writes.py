"""What scripts made of files, noted for guards: an agent that knew a file may go on from what our formatter left."""

from __future__ import annotations

from _sha1 import sha1  # type: ignore[import-not-found,unused-ignore]  # typeshed knows `hashlib` only

from jackline import system
from jackline.jsonio import dumps
from jackline.scripts.status import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MADE = "made.jsonl"
BYTES = 1 << 19
"""A longer file is begun anew: who knew older content reads once more."""
LARGE = 4 << 20
"""Bytes of a file that is read for a note."""
GONE, UNREAD = "-", "?"


def note(place: str, rows: Iterable[tuple[str, str, str]]) -> None:
    """Note (name, digest before, digest after) of files; where a digest is not known there is nothing to go on from."""
    told = [
        row for row in rows if row[1] != row[2] and all(one and one != UNREAD and ":" not in one for one in row[1:])
    ]
    if not told:
        return
    try:
        at = system.descend(place, (FOLDER,), create=True)
    except OSError:  # nobody's work is lost: the agent reads the file once more
        return
    try:
        if system.size_at(at, MADE) > BYTES:
            system.unlink(MADE, at=at)
        system.append(MADE, "".join([dumps(row) + "\n" for row in told]).encode("ascii"), at=at)
    except OSError:
        pass
    finally:
        system.close(at)


def _digest(path: str) -> str:
    try:
        data = system.content(path, LARGE)
    except OSError:
        return UNREAD if system.exists(path) else GONE
    return UNREAD if data is None else str(sha1(b"blob %d\0%b" % (len(data), data)).hexdigest())


def digests(root: str, names: Iterable[str]) -> dict[str, str]:
    """Git's ids of files as they are now."""
    return {name: _digest(name if name[:1] == "/" else f"{root}/{name}") for name in names}


def note_changes(place: str, root: str, before: Mapping[str, str]) -> None:
    """Note what became of files since `digests` was asked."""
    now = digests(root, before)
    note(place, [(name, was, now[name]) for name, was in before.items()])
