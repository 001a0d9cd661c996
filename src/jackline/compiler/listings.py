"""What of a project is written beside the hook table for the services: validators, and rules for plans."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jackline.compiler import rule_units, validator_units
from jackline.compiler.configuration import Reading
from jackline.compiler.trust import Key
from jackline.compiler.trust_state import Standing
from jackline.script import Script

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple


class Listings(NamedTuple):
    """`listed`: by kind (`services.compiled.KINDS`), the mode of the feature it is for, and the rows in force.

    `holds`: units that cannot run, with the reason; `pinned`: by place, what nobody trusted and yet tightens.
    """

    standings: tuple[Standing, ...]
    holds: tuple[tuple[Key, str], ...]
    listed: Mapping[str, tuple[str, tuple[dict[str, Any], ...]]]
    pinned: Mapping[str, Mapping[str, Any]]


def _plans(values: Mapping[str, Any]) -> tuple[str, tuple[dict[str, Any], ...]]:
    """Whose word plans need, and how far their scopes reach, where either is said."""
    slug = rule_units.FEATURE
    said = {key: values.get(f"config.{slug}.{key}", usual) for key, usual in USUAL.items()}
    if said == USUAL or not values.get(f"modules.{slug}.enabled"):
        return "", ()
    return str(values.get(f"modules.{slug}.mode", values["mode"])), (said,)


USUAL = {"approval": "none", "scopes": "free"}
"""The knobs of plans when nobody says otherwise."""


def look(reading: Reading, values: Mapping[str, Any], names: Collection[str]) -> Listings:
    """Every row of a project's files of rows. `values`: the settings; `names`: what the folder of hooks has."""
    valid = validator_units.look(reading, values, names)
    rules = rule_units.look(reading, values, names)
    listed = {"validators": (valid.mode, valid.rows), "rules": (rules.mode, rules.rows), "plans": _plans(values)}
    return Listings((*valid.standings, *rules.standings), valid.holds, listed, rules.pinned)


def of_scripts(scripts: Iterable[Script]) -> tuple[dict[str, Any], ...]:
    """File scripts in force by their fields, the usual ones left out; a digest in hex."""
    usual = Script("", "file", "", b"")._asdict()
    made = []
    for one in scripts:
        fields = {name: value for name, value in one._asdict().items() if value != usual[name]}
        made.append({**fields, "digest": one.digest.hex()})
    return tuple(made)
