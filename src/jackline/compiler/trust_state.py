"""How each unit of a project stands to what a person trusted of it, and what runs for it (design section 5a).

One table decides for every kind of unit: what was trusted stays in force until a person changes it, what nobody trusted
does nothing, and neither touches any other unit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from jackline.compiler import trust
from jackline.compiler.trust import Key, Unit, Version
from jackline.compiler.unit_record import Branch

State = Literal["trusted", "changed", "broken", "gone", "older", "moved", "new", "released"]

STATES: dict[State, tuple[str, str, str]] = {
    "trusted": ("itself", "itself", "itself"),
    "changed": ("copy", "copy", "nothing"),
    "broken": ("copy", "copy", "nothing"),
    "gone": ("copy", "copy", "nothing"),
    "older": ("itself", "copy", "nothing"),
    "moved": ("itself", "itself", "itself"),
    "new": ("nothing", "nothing", "nothing"),
    "released": ("nothing", "nothing", "nothing"),
}
"""What is in force of a unit in a state: of a feature, script or validator, of configuration or a rule, of a
text. Of what counts that nobody trusted, and of that which changed, the tightening half counts besides."""

COLUMN = {"feature": 0, "script": 0, "validator": 0, "configuration": 1, "rule": 1, "text": 2}


class Standing(NamedTuple):
    """One unit: what is there now (None: nothing), what was trusted last, and which of both is in force.

    `now`, `then`: the times of the content that is there and of what was trusted last, in milliseconds, 0 = never.
    `came_from`: the place it was trusted at, when it moved.
    """

    key: Key
    state: State
    unit: Unit | None
    last: Version | None = None
    now: int = 0
    came_from: str = ""
    earlier: tuple[Version, ...] = ()

    @property
    def runs(self) -> str:
        return STATES[self.state][COLUMN[self.key[0]]]

    @property
    def then(self) -> int:
        return self.last.ts if self.last else 0

    @property
    def is_followed(self) -> bool:
        """Whether it is trusted by the ref that is followed, and nobody remembered it yet."""
        return self.last is not None and not self.last.ts

    @property
    def is_told(self) -> bool:
        """Whether a person is to hear of it."""
        return self.state not in ("trusted", "released")


def digest_of(standings: Iterable[Standing], *, executable: bool = True) -> str:
    """What stands for the content of units, and for it that others are gone: a yes to it is a yes to exactly that."""
    standings = [*standings]
    units = [one.unit for one in standings if one.unit]
    files = {name: data for unit in units for name, data in unit.files.items()}
    gone = {f"gone/{one.key[0]}/{one.key[1]}": b"" for one in standings if one.state == "gone"}
    return trust.digest_of(files | gone, {name for unit in units for name in unit.executable if executable})


def is_digest_of(said: str, standings: Sequence[Standing]) -> bool:
    """Whether a digest means these units; those of earlier versions did not say what may be executed."""
    return said in (digest_of(standings), digest_of(standings, executable=False))


def _same_bytes(unit: Unit, place: str, version: Version) -> bool:
    """Whether a unit holds the same bytes as was trusted at another place, in files that may be executed as those.

    What it works with has to lie about it as it did: a script finds that from its own place.
    """
    known = version.executable

    def marked(name: str, digest: str, executable: Collection[str]) -> tuple[str, bool]:
        return digest, known is not None and name in executable

    def same(files: Mapping[str, bytes], digests: Mapping[str, str], at: Callable[[str, str], str]) -> bool:
        now = sorted((at(name, unit.place), marked(name, one, unit.executable))
                     for name, one in trust.digests_of(files).items())  # fmt: skip
        return now == sorted((at(name, place), marked(name, one, known or ())) for name, one in digests.items())

    if version.inputs is not None and not same(unit.inputs, version.inputs, _from):
        return False
    return same(unit.own, version.own, lambda name, place: "")


def _from(name: str, place: str) -> str:
    """A file as it is found from where a unit stands."""
    return os.path.relpath(name, place.rpartition("/")[0] or ".")


def _moved(unit: Unit, free: Mapping[Key, Sequence[Version]]) -> Key | None:
    """Where a unit with these bytes stood when it was trusted, of the places where there is none any more."""
    return next((key for key in sorted(free) if key[0] == unit.kind and _same_bytes(unit, key[1], free[key][-1])), None)


def _of(unit: Unit, versions: Sequence[Version], branch: Branch) -> Standing:
    """A unit that a person trusted once, as it is now."""
    at = branch.in_force(unit.key, versions)
    last = versions[at]
    if unit.fault:
        accepted = unit.more.get("inert") and branch.is_dropped(unit.key)
        return Standing(unit.key, "released" if accepted else "broken", unit, last)
    for one in (last, *reversed(versions[at + 1 :])):  # what was trusted later, in another worktree, counts here too
        if one.fits(unit):
            return Standing(unit.key, "trusted", unit, one, one.ts)
    before = next((one for one in reversed(versions[:at]) if one.fits(unit)), None)
    if before is not None and unit.kind not in trust.COUNTING and branch.holds(unit, before):
        return Standing(unit.key, "older", unit, last, before.ts)
    return Standing(unit.key, "changed", unit, last, before.ts if before else 0)


def judge(
    units: Iterable[Unit],
    book: Mapping[Key, list[Version]],
    branch: Branch | None,
    *,
    follow: tuple[str, str] = ("", ""),
    root: str = "",
) -> list[Standing]:
    """Every unit that is there or was trusted, in order of kind and place. `follow`: a ref whose content is
    trusted, with its commit that counts.

    Without a `branch` all that is there counts as trusted: a look at what would run.
    """
    if branch is None:
        return sorted([Standing(one.key, "broken" if one.fault else "trusted", one) for one in units])
    ref, commit = follow
    here = {unit.key: unit for unit in units}
    free = {key: held for key, held in book.items() if key not in here and held}
    found: list[Standing] = []
    for key, unit in sorted(here.items()):
        made = _of(unit, book[key], branch) if book.get(key) else None
        waits = commit and not unit.fault and (made is None or made.state != "trusted")
        if waits and trust.is_at(root, commit, unit):
            made = Standing(key, "trusted", unit, trust.version_of(unit, 0, "kernel", ref))
        if made is None:
            old = None if unit.fault else _moved(unit, free)
            if old is None:
                made = Standing(key, "new", unit)
            else:
                last = free.pop(old)[-1]
                made = Standing(key, "moved", unit, last, last.ts, came_from=old[1])
        found.append(made)
    for key, versions in sorted(free.items()):
        last = versions[branch.in_force(key, versions)]
        found.append(Standing(key, "released" if branch.gives_up(key, last) else "gone", None, last))
    return sorted([one._replace(earlier=tuple(book.get(one.key, ())[:-1])) for one in found])
