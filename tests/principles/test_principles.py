"""Every principle's table: its attacks are stopped, its innocent rows pass, and one function decides."""

from __future__ import annotations

from collections import Counter
from importlib import import_module

import pytest

from .tables import NAMES, table
from .world import World, holds

TRIPLES = 40
"""Distinct triples of carrier, program and channel that a table has at least."""


@pytest.mark.parametrize("name", NAMES)
def test_every_attack_is_stopped_and_every_innocent_row_passes(world: World, name: str) -> None:
    rows = [*table(name).ATTACKS, *table(name).INNOCENT]
    said = [(one, world.decide(one)) for one in rows]
    assert [(one.call, one.says, met) for one, met in said if not holds(one, met)] == []


@pytest.mark.parametrize("name", NAMES)
def test_without_its_function_at_least_half_of_a_table_passes(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = table(name)
    module, _, function = found.FUNCTION.partition(":")
    monkeypatch.setattr(import_module(module), function, lambda *args, **more: found.NEUTRAL)
    passed = [one for one in found.ATTACKS if not holds(one, world.decide(one))]
    assert len(passed) >= len(found.ATTACKS) / 2, (len(passed), len(found.ATTACKS))


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_wide_and_as_innocent_as_it_is_hostile(name: str) -> None:
    found = table(name)
    assert len({one.triple for one in found.ATTACKS}) >= TRIPLES
    assert len(found.INNOCENT) >= len(found.ATTACKS)
    calls = Counter((one.tool, str(one.call), one.files, one.env) for one in [*found.ATTACKS, *found.INNOCENT])
    assert [call for call, times in calls.items() if times > 1] == []
