"""Lists that `compile` writes beside its table, one a worktree and kind: what is in force, for the services to read."""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps, loads
from jackline.store.ids import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Rows = tuple[Mapping[str, Any], ...]

FORMAT = 1
KINDS = ("validators", "rules", "plans", "scripts")
"""What is listed: validators of the project, rules for its plans, whose word those need, file scripts to be named."""


def path_of(store: str, name: str, kind: str) -> str:
    """Where the list of a kind lies, for the worktree whose slot is `name`."""
    return f"{store}/wirings/{name}.{kind}"


def write(store: str, name: str, kind: str, mode: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a list; where the feature it is for is off there is none. OSError when it cannot be written."""
    path = path_of(store, name, kind)
    if rows or mode:
        system.replace(path, dumps({"v": FORMAT, "mode": mode, "rows": [*rows]}).encode("ascii") + b"\n")
    elif system.exists(path):
        system.unlink(path)


def is_any(store: str, root: str, kind: str) -> bool:
    """Whether a worktree has a list, without reading it."""
    return system.exists(path_of(store, slot(root), kind))


def read(store: str, root: str, kind: str) -> tuple[str, Rows]:
    """What becomes of the decisions of the feature it is for, and the rows; nothing where that feature is off, or
    nothing was compiled.
    """
    try:
        found = loads(system.read(path_of(store, slot(root), kind)).decode())
    except (OSError, ValueError):
        return "", ()
    if not isinstance(found, dict) or found.get("v") != FORMAT:
        return "", ()
    return str(found["mode"]), tuple(found["rows"])
