"""What a command declares in its own file: its place in the help, who may run it, and its former spellings.

The application reads declarations from the text of the files, so that help and completion import no command.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

Group = Literal["Begin", "Decide", "Work", "Look", "Configure", "Keep"]
"""The parts of the help, in their order."""
GROUPS: tuple[Group, ...] = get_args(Group)

Authority = Literal["open", "human-only", "clients"]
"""Who may run a command: everybody; a person, no agent; the programs that hold an entry of ours."""

HERE = Path(__file__).resolve().parent.parent
BEGIN = "\nVERB = Verb("
NONE: Mapping[str, str] = MappingProxyType({})


class Verb(NamedTuple):
    """One command.

    `authority`: of the whole command, or by what stands behind its name (`""` for the rest): `forget` is a command
    below it, `--repair` an option, `state --rebuild` both; what stands in brackets is a condition that the command
    judges itself. `order`: its place in its group. `former`: spellings of the version before, each with what
    stands behind the command's name now; they go with the next version.
    """

    group: Group
    brief: str
    authority: Authority | Mapping[str, Authority]
    order: int = 50
    former: Mapping[str, str] = NONE

    def ways(self) -> Mapping[str, Authority]:
        """The authority of each way to call it; `""` is the command itself, or the rest."""
        return {"": self.authority} if isinstance(self.authority, str) else self.authority


def _declared(path: Path) -> Verb:
    """The declaration in a command's file, which is made of literals alone."""
    text = path.read_text("utf-8")
    at = text.index(BEGIN) + 1
    end = text.index(")\n", at) if ")" in text[at : text.index("\n", at)] else text.index("\n)", at) + 1
    (statement,) = ast.parse(text[at : end + 1]).body
    assert isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call), path
    said: dict[str, Any] = {str(one.arg): ast.literal_eval(one.value) for one in statement.value.keywords}
    return Verb(**said)


def _files(folder: Path) -> Iterator[Path]:
    """Every file of the folder is a command, but what Python itself asks for."""
    yield from sorted(path for path in folder.glob("*.py") if not path.name.startswith("__"))


@cache
def verbs(folder: Path = HERE) -> Mapping[str, Verb]:
    """Every command by its name, in the order of the help."""
    found = {path.stem.rstrip("_"): _declared(path) for path in _files(folder)}
    ordered = sorted(found.items(), key=lambda one: (GROUPS.index(one[1].group), one[1].order, one[0]))
    return dict(ordered)


def module_of(name: str) -> str:
    """The module that a command stands in; a name that Python keeps for itself has a line below it."""
    file = name if (HERE / f"{name}.py").exists() else f"{name}_"
    return f"jackline.cli.{file}"


def human_only() -> tuple[str, ...]:
    """Every way to call a command that is a person's, as a person reads it."""
    return tuple(
        f"{name} {way}".rstrip()
        for name, verb in verbs().items()
        for way, who in verb.ways().items()
        if who == "human-only"
    )


def former() -> Mapping[str, tuple[str, str]]:
    """Former spelling → the command it is now, and what stands behind its name."""
    return {old: (name, now) for name, verb in verbs().items() for old, now in verb.former.items()}
