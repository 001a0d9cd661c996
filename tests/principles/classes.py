"""The classes of a table: what `docs/routes.md` lists in place of its rows, and what a sample of it has to hold."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import NamedTuple

from .case import Case

MOST = 8
"""Classes that are listed by their names; the others of a table are one more."""


class Class(NamedTuple):
    """Rows of one channel. `merged`: how many channels it stands for where they have no line of their own."""

    name: str
    rows: list[Case]
    merged: int = 0

    @property
    def carriers(self) -> list[str]:
        """The most frequent first."""
        return [name for name, _ in Counter(one.carrier for one in self.rows).most_common()]


def grouped(rows: list[Case]) -> list[Class]:
    """The classes of some rows, the largest first. Of a channel such as `log: settings` its end is the class."""
    held: dict[str, list[Case]] = {}
    for one in rows:
        held.setdefault(one.channel.rpartition(": ")[2], []).append(one)
    found = sorted((Class(name, some) for name, some in held.items()), key=lambda one: -len(one.rows))
    if len(found) <= MOST + 1:
        return found
    rest = found[MOST:]
    return [*found[:MOST], Class("others", [row for one in rest for row in one.rows], len(rest))]


def digest(case: Case) -> str:
    return sha256(repr(case).encode()).hexdigest()


def sample(rows: list[Case], size: int) -> list[Case]:
    """So many rows, the same ones in every run: one of each class, then those whose digests come first."""
    drawn = sorted(rows, key=digest)
    first = [min(one.rows, key=digest) for one in grouped(rows)]
    return [*first, *[one for one in drawn if one not in first]][:size]
