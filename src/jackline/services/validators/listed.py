"""The validators in force in a worktree, as `compile` wrote them beside its table: trusted rows, or trusted copies."""

from __future__ import annotations

from jackline import system
from jackline.store.ids import slot
from jackline.wire import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

FORMAT = 1
TIMEOUT_S = 600
EARLIEST = ("change", "node", "stop")
"""The moments at which validators run by themselves, from the first to the last."""


class Validator(NamedTuple):
    """One row. `digest`: of what a person trusted. `program`: which word of the command is a file of the project or of
    its trusted copy, the file, and 32 hex of what it has to hold.
    """

    id: str
    command: tuple[str, ...]
    digest: str
    paths: tuple[str, ...] = ("**",)
    when: str = "node"
    timeout: int = TIMEOUT_S
    needs: tuple[str, ...] = ()
    baseline: bool = True
    program: tuple[int, str, str] | None = None

    def runs_at(self, moment: str) -> bool:
        """Whether it runs by itself at a moment: those that run early run at the later ones too."""
        return EARLIEST.index(self.when) <= EARLIEST.index(moment)


class Listed(NamedTuple):
    """What is in force; `mode`: what becomes of the feature's decisions. Without rows where the feature is off."""

    rows: tuple[Validator, ...] = ()
    mode: str = ""

    def named(self, name: str) -> Validator | None:
        return next((one for one in self.rows if one.id == name), None)


def path_of(store: str, name: str) -> str:
    """Where a slot's list lies."""
    return f"{store}/wirings/{name}.validators"


def write(store: str, name: str, mode: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the list of a slot; without rows there is none. OSError when it cannot be written."""
    path = path_of(store, name)
    if rows:
        system.replace(path, dumps({"v": FORMAT, "mode": mode, "rows": [*rows]}).encode("ascii") + b"\n")
    elif system.exists(path):
        system.unlink(path)


def of_row(row: Mapping[str, Any]) -> Validator:
    """A row as `compile` has it."""
    program = row.get("program")
    return Validator(
        str(row["id"]),
        tuple(row["command"]),
        str(row["digest"]),
        tuple(row.get("paths") or ("**",)),
        str(row.get("when") or "node"),
        int(row.get("timeout") or TIMEOUT_S),
        tuple(row.get("needs") or ()),
        row.get("baseline") is not False,
        (int(program[0]), str(program[1]), str(program[2])) if program else None,
    )


def read(store: str, root: str) -> Listed:
    """The validators in force in a worktree; none where the feature is off, or nothing was compiled."""
    try:
        found = loads(system.read(path_of(store, slot(root))).decode())
    except (OSError, ValueError):
        return Listed()
    if not isinstance(found, dict) or found.get("v") != FORMAT:
        return Listed()
    return Listed(tuple([of_row(row) for row in found["rows"]]), str(found["mode"]))
