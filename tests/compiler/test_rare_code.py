"""What plain events do not need lies apart and stands for itself until it is called; a property cannot."""

from __future__ import annotations

import ast
from pathlib import Path

from jackline.compiler.bundle_modules import source_of
from jackline.compiler.link import link
from jackline.compiler.rare_code import thinned
from jackline.compiler.units import lean, read

SOURCE = """
from jackline._record import NamedTuple

class One(NamedTuple):
    a: int

    @property
    def twice(self):
        return self.a * 2

    def thrice(self):
        return self.a * 3
"""


def test_a_property_of_a_record_stays_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "trial.py"
    path.write_text(SOURCE)
    record = source_of("jackline._record")
    assert record is not None
    found = {"jackline.trial": (path, False, lean(path)), "jackline._record": (*record, lean(record[0]))}
    units = {name: read(name, where, package, found, tree) for name, (where, package, tree) in found.items()}
    unit = units["jackline.trial"]
    kept, apart = thinned(unit, link(unit, units, ()), set(), frozenset({f"{unit.name}:One"}))
    assert [name.rpartition(".")[2] for name in apart] == ["thrice"]
    [stays] = [one for one in kept if isinstance(one, ast.FunctionDef)]
    assert stays.name.endswith(".One.twice") and len(stays.decorator_list) == 1
