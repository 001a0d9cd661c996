"""The validators in force in a worktree, as `compile` wrote them beside its table: trusted rows, or trusted copies."""

from __future__ import annotations

from jackline.services import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

KIND = "validators"
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
    mode, rows = compiled.read(store, root, KIND)
    return Listed(tuple([of_row(row) for row in rows]), mode)
