"""Open the folder of a session, in the tree or, where that cannot be trusted or written, in the user's store."""

from __future__ import annotations

from jackline import system
from jackline.store.ids import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

IGNORE = b"*\n"


class Place(NamedTuple):
    """Where a session's files are: a descriptor of the folder, its path, why it is not in the tree ("" if it is)."""

    fd: int
    path: str
    why: str = ""


def in_tree(root: str, sid: str, uid: int) -> Place:
    """Open `<root>/.ai/tmp/<sid>`, making it.

    OSError when the tree has no `.ai/`, or a link or a foreign owner stands there.
    """
    top = system.descend(root, (".ai",), uid=uid)
    system.close(top)
    if not system.exists(root + "/.ai/tmp/.gitignore"):
        folder = system.descend(root, (".ai", "tmp"), create=True, uid=uid)
        try:
            system.claim(".gitignore", IGNORE, at=folder)
        finally:
            system.close(folder)
    return Place(system.descend(root, (".ai", "tmp", sid), create=True, uid=uid), f"{root}/.ai/tmp/{sid}")


def in_store(store: str, root: str, sid: str, why: str) -> Place:
    """Open `<store>/repos/<slot>/tmp/<sid>`, making it."""
    parts = ("repos", slot(root), "tmp", sid)
    return Place(system.descend(store, parts, create=True), store + "/" + "/".join(parts), why)


def open_place(store: str, root: str, sid: str, uid: int, mode: str = "") -> Place:
    """Open the session's folder where `mode` says (`tree`, `store`), or find out which of the two it can be."""
    if mode != "store":
        try:
            return in_tree(root, sid, uid)
        except OSError as fault:
            why = "no .ai folder" if not system.exists(root + "/.ai") else f"{fault.strerror or fault}"
    else:
        why = "as this session began"
    return in_store(store, root, sid, why)
