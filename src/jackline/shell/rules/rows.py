"""Rows that say what a call does to what its words name, and how they are read: of programs as of git's subcommands.

Rows stand in a text, divided by semicolons: `KIND WHERE ACT if CONDITIONS # NOTE`, of which the kind may be all. Where:
some of the operands (`:` all, `1:`, `:-1`), values of options (`=o/output`), a path (`./`), or `-`; a slash at its end:
with all below it, a star: what begins so; behind a bar stands what it is where none is named. Every condition between
commas must hold, by any of its words: an option with its names (`f/force`), or with its values (`s/size=0`), `*`
operands, `--` some behind that, `?` a word that only the shell knows; `!` before one says that it is not so.
"""

from __future__ import annotations

from jackline.shell.command_call import Job
from jackline.shell.options import Given
from jackline.shell.rules.changing import emptied
from jackline.shell.shell_state import ACTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.shell.model import Kind

    Test = tuple[bool, tuple[str, ...], frozenset[str]]
    """What is wanted of one word of a condition: names, and the values of options that it asks for."""
else:
    from jackline._record import NamedTuple


class Row(NamedTuple):
    kind: Kind
    on: str = ""
    act: str = ""
    when: tuple[tuple[Test, ...], ...] = ()
    note: str = ""


_READ: dict[str, tuple[Row, ...]] = {}
"""Texts that were read before."""


def _test(word: str) -> Test:
    names, _, values = word.removeprefix("!").partition("=")
    return word[0] != "!", tuple(names.split("/")), frozenset(values.split("/") if values else ())


def rows(text: str) -> tuple[Row, ...]:
    if text not in _READ:
        made = []
        for one in text.split("; ") if text else ():
            row, _, note = one.partition(" # ")
            row, _, when = row.partition(" if ")
            kind, on, act = [*row.split(), "", ""][:3]
            parts = tuple([tuple(map(_test, part.split())) for part in when.split(", ")]) if when else ()
            made.append(Row(kind, "" if on == "-" else on, act, parts, note))  # type: ignore[arg-type]
        _READ[text] = tuple(made)
    return _READ[text]


def is_on(given: Given, *names: str) -> bool:
    """What the last of these options says. Each has a form with `no-`."""
    on = False
    for name, _ in given.options:
        if name in names or (len(name) > 1 and any(one.startswith(name) for one in names)):
            on = True
        elif name[:3] == "no-" and len(name) > 3 and any(one.startswith(name[3:]) for one in names):
            on = False
    return on


SPECIAL = {"*": "operands", "--": "behind", "?": "loose"}


def _holds(given: Given, tests: tuple[Test, ...]) -> bool:
    """Any of these is so."""
    for wanted, names, values in tests:
        if names[0] in SPECIAL:
            so = bool(getattr(given, SPECIAL[names[0]]))
        elif not given.options:
            so = False
        else:
            so = is_on(given, *names) if not values else not values.isdisjoint(given.values(*names))
        if so is wanted:
            return True
    return False


def applying(given: Given, text: str) -> list[Row]:
    """The rows whose conditions hold for a call."""
    return [row for row in rows(text) if not row.when or False not in [_holds(given, tests) for tests in row.when]]


def meant(given: Given, where: str) -> tuple[str, list[str]]:
    """Where a row acts, and the words that it means there."""
    if where in (":", ":/"):
        return where, given.operands
    on, _, instead = where.partition("|")
    plain = on.rstrip("/*")
    begin, operands, end = plain.partition(":")
    if plain[:1] == "=":
        found = given.values(*plain[1:].split("/")) if given.options else []
    else:
        found = given.operands[int(begin or 0) : int(end) if end else None] if operands else [plain]
    if not found and instead:
        return meant(given, instead)
    return on, [word + "*".translate(ACTIVE) for word in found] if on[-1:] == "*" else found


def report(job: Job, given: Given, row: Row, note: str) -> None:
    """What a row says of a call."""
    on, words = meant(given, row.on)
    if row.act == "blank":
        emptied(job, words)
    elif on:
        job.all(row.kind, words, note, deep=on[-1] == "/", follow=row.kind != "delete", act=row.act)
    else:
        job.note(row.kind, note, act=row.act)


def walk(job: Job, given: Given, text: str, note: str = "") -> None:
    """Report what rows say of a call. `note`: that of rows without one."""
    for row in applying(given, text):
        report(job, given, row, row.note or note)
