"""The validators in force in a worktree: trusted rows, or trusted copies, as `compile` wrote them beside its table; and
the trusted file scripts that a plan names.
"""

from __future__ import annotations

from jackline.jsonio import dumps
from jackline.script import Script
from jackline.services import compiled
from jackline.store.ids import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

KIND, SCRIPTS = "validators", "scripts"
TIMEOUT_S = 600
EARLIEST = ("change", "node", "stop")
"""The moments at which validators run by themselves, from the first to the last."""
PROMPT = "$ "
"""How the name of a command begins that stands in a plan: no trusted row is called so."""
NAMED = "named"
"""When a file script is a validator: where a node names it. By itself it runs at its own moment."""


class Validator(NamedTuple):
    """One row. `digest`: of what a person trusted. `program`: which word of the command is a file of the project or of
    its trusted copy, the file, and 32 hex of what it has to hold. `script`: the file script that it is, no row then.
    `spoken`: nobody trusts it, its words are an agent's: it runs where the agent's own call would.
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
    script: Script | None = None
    spoken: bool = False

    def runs_at(self, moment: str) -> bool:
        """Whether it runs by itself at a moment: those that run early run at the later ones too."""
        return self.when != NAMED and EARLIEST.index(self.when) <= EARLIEST.index(moment)


class Listed(NamedTuple):
    """The rows in force; `mode`: what becomes of the feature's decisions, "" where it is off."""

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


def _of_script(row: Mapping[str, Any]) -> Validator:
    told: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    one = Script("", "file", "", b"")._replace(**{**told, "digest": bytes.fromhex(row["digest"])})
    limit = int(one.timeout) or TIMEOUT_S
    return Validator(one.key, (one.path,), row["digest"], (), NAMED, limit, baseline=False, script=one)


def file_scripts(store: str, root: str, names: Collection[str] | None = None) -> list[Validator]:
    """The file scripts in force, or those that are called so."""
    if names is not None and not names:
        return []
    _, rows = compiled.read(store, root, SCRIPTS)
    return [_of_script(row) for row in rows if names is None or row["key"] in names]


def of_words(words: Sequence[str]) -> Validator:
    """The check that a command in a plan is: it judges all files."""
    from jackline.services.guards import text_of

    known = digest(dumps(["plan", *words]), 16)
    return Validator(PROMPT + text_of(words), tuple(words), known, when=NAMED, baseline=False, spoken=True)


def names(store: str, root: str) -> tuple[str, ...]:
    """What a plan may name; nothing where the feature is off."""
    known = read(store, root)
    rows = dict.fromkeys([one.id for one in known.rows])
    return (*(rows | dict.fromkeys([one.id for one in file_scripts(store, root)])),)
