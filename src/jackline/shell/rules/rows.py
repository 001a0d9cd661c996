"""Rows that say what a call does to what its words name, and how they are read: of programs as of git's subcommands."""

from __future__ import annotations

from jackline.shell.scene import ACTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NamedTuple

    from jackline.shell.job import Job
    from jackline.shell.model import Kind
    from jackline.shell.options import Given

    Part = Callable[[Job, Given], None]
else:
    from jackline._record import NamedTuple


class Row(NamedTuple):
    """One thing that a program or a subcommand does.

    `on`: what it is done to: some of its operands (`:` all, `1:`, `:-1`), values of options (`=o/output`), or a path
    (`./`). A slash at its end: with all below it; a star: what begins so; behind ` or ` stands what it is where none is
    named. `when`: every part between commas must hold, by any of its words: an option with its names (`f/force`), `*`
    operands, `--` some behind that, `?` a word that only the shell knows; `!` before one says that it is not so.
    """

    kind: Kind
    on: str = ""
    act: str = ""
    when: str = ""
    note: str = ""


def is_on(given: Given, *names: str) -> bool:
    """What the last of these options says. Each has a form with `no-`."""
    on = False
    for name, _ in given.options:
        if name in names or (len(name) > 1 and any(one.startswith(name) for one in names)):
            on = True
        elif name[:3] == "no-" and len(name) > 3 and any(one.startswith(name[3:]) for one in names):
            on = False
    return on


def _holds(given: Given, word: str) -> bool:
    if word[0] == "!":
        return not _holds(given, word[1:])
    special = {"*": given.operands, "--": given.behind, "?": given.loose}
    return bool(special[word]) if word in special else is_on(given, *word.split("/"))


def applies(given: Given, row: Row) -> bool:
    return not row.when or all(any(_holds(given, word) for word in part.split()) for part in row.when.split(", "))


def meant(given: Given, on: str) -> list[str]:
    """The words that a row means."""
    plain = on.rstrip("/*")
    if plain[:1] == "=":
        found = given.values(*plain[1:].split("/"))
    else:
        begin, operands, end = plain.partition(":")
        found = given.operands[int(begin or 0) : int(end) if end else None] if operands else [plain]
    return [word + "*".translate(ACTIVE) for word in found] if on[-1:] == "*" else found


def report(job: Job, given: Given, row: Row, note: str) -> None:
    """What a row says of a call."""
    on, _, instead = row.on.partition(" or ")
    words = meant(given, on)
    if not words and instead:
        on, words = instead, meant(given, instead)
    if on:
        job.all(row.kind, words, note, deep=on[-1] == "/", follow=row.kind != "delete", act=row.act)
    else:
        job.note(row.kind, note, act=row.act)


def walk(
    job: Job,
    given: Given,
    rows: Iterable[Row | Part],
    note: str = "",
    report: Callable[[Job, Given, Row, str], None] = report,
) -> None:
    """Report what rows say of a call. `note`: that of rows without one."""
    for row in rows:
        if not isinstance(row, Row):
            row(job, given)
        elif applies(given, row):
            report(job, given, row, row.note or note)
