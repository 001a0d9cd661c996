"""A project's rules for plans as units of trust, and what of them counts: they are configuration, row by row.

A rule demands, which tightens: that counts whoever wrote it. Its reason is text for agents, and a migration that it
approves loosens: they count as a person trusted them (design section 5a).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from jackline.compiler import copies, row_files, row_units
from jackline.compiler.configuration import Reading
from jackline.compiler.copies import NoCopy
from jackline.compiler.registry import reader_of
from jackline.compiler.row_files import PLAN_RULES
from jackline.compiler.sources import Sources
from jackline.compiler.trust import Key, Unit
from jackline.compiler.trust_state import Standing, judge

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

KIND: Final = "rule"
FEATURE = reader_of("plan-rules")
"""The feature that judges plans: where it is off no rule is in force."""
DEMAND = ("id", "paths", "tools", "require")
"""What of a row nobody trusted counts."""
MOST = 20
"""Demands that are kept of one row since a person looked."""

Row = dict[str, Any]


class Counting(NamedTuple):
    """The rules in force, `approved` where a person trusts them; the mode of the feature that judges by them.

    `pinned`: by place, what nobody trusted and yet demands, in the one form of a row: it stays until a person looks.
    """

    rows: tuple[Row, ...] = ()
    mode: str = ""
    standings: tuple[Standing, ...] = ()
    pinned: Mapping[str, Mapping[str, Any]] = {}


def _unit(sources: Sources, name: str, data: bytes) -> Unit:
    return Unit(KIND, PLAN_RULES.place_of(name), {PLAN_RULES.place_of(name): data})


def _row(data: bytes) -> Row | None:
    """A row from its one form; None for a copy that this version does not understand."""
    try:
        return row_files.read(data, PLAN_RULES)
    except ValueError:
        return None


def _copy(store: str, one: Standing) -> Row | None:
    """The rule as it was trusted; None where its copy is lost."""
    assert one.last is not None
    try:
        return _row(copies.unit_of(store, one.key, one.last).own[one.key[1]])
    except (NoCopy, KeyError):
        return None


def _demand(row: Row | None) -> Row | None:
    """What of a row counts without a person's word; None where it demands nothing."""
    return {key: row[key] for key in DEMAND if key in row} if row and "require" in row else None


def _strange(one: Standing, kept: Mapping[str, Any]) -> Iterator[tuple[str, Row]]:
    """What a row demands, and demanded since a person looked, each with its form, the latest first."""
    now = one.unit.own[one.unit.place] if one.unit is not None and not one.unit.fault else b""
    for data in (now, *[form.encode() for form in kept]):
        found = _demand(_row(data)) if data else None
        if found is not None:
            yield row_files.written(found, PLAN_RULES).decode(), found


def _gone(reading: Reading, here: Collection[Key]) -> list[Standing]:
    """Rules that nobody trusted and that are there no more: what they demanded stays."""
    branch = reading.branch
    if branch is None:
        return []
    keys = [(KIND, place) for place in branch.record.tightened if row_files.form_of(place) is PLAN_RULES]
    return [Standing(key, "gone", None) for key in keys if key not in here and not branch.is_dropped(key)]


def look(reading: Reading, values: Mapping[str, Any], names: Collection[str]) -> Counting:
    """Every rule of a project as it stands, and what counts. `names`: what the folder of hooks has."""
    here, book = row_units.units(reading, PLAN_RULES, KIND, names, _unit)
    found = judge(here, book, reading.branch, follow=reading.follow, root=reading.sources.root)
    found += _gone(reading, {one.key for one in found})
    rows: list[Row] = []
    pinned: dict[str, dict[str, Any]] = {}
    for one in found:
        if one.runs == "itself" and one.unit is not None:
            trusted = _row(one.unit.own[one.unit.place])
        else:
            trusted = _copy(reading.store, one) if one.runs == "copy" and one.last is not None else None
        rows += [{**trusted, "approved": True}] if trusted else []
        if one.runs == "itself" or one.state == "released":
            continue
        kept = reading.branch.record.tightened.get(one.key[1], {}) if reading.branch else {}
        strange = {form: row for form, row in _strange(one, kept) if row != _demand(trusted)}
        pinned[one.key[1]] = dict.fromkeys([*strange][:MOST], True)
        rows += [{**row, "approved": False} for row in [*strange.values()][:MOST]]
    standings = tuple(sorted(found))
    if not values.get(f"modules.{FEATURE}.enabled"):
        return Counting((), "", standings, pinned)
    mode = str(values.get(f"modules.{FEATURE}.mode", values["mode"]))
    return Counting(tuple(sorted(rows, key=lambda row: (str(row["id"]), not row["approved"]))), mode, standings, pinned)
