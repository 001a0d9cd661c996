"""The class of a change by its structure: small changes of each sort, in each language (`changes.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from jackline.mutation.judge import judge
from jackline.mutation.model import EVOLUTION, REFACTOR


class Case(NamedTuple):
    """One change; `back`: the way back is of the same class."""

    name: str
    path: str
    before: str
    after: str
    back: bool = True


TABLE = tomllib.loads(Path(__file__).with_name("changes.toml").read_text())
SAME = {one["name"]: Case(**one) for one in TABLE["same"]}
OTHER = {one["name"]: Case(**one) for one in TABLE["other"]}


@pytest.mark.parametrize("name", SAME)
def test_what_is_arranged_otherwise_is_a_refactoring(name: str) -> None:
    case = SAME[name]
    assert judge(case.path, case.before, case.after).kind == REFACTOR, judge(case.path, case.before, case.after)
    if case.back:
        assert judge(case.path, case.after, case.before).kind == REFACTOR, judge(case.path, case.after, case.before)


@pytest.mark.parametrize("name", OTHER)
def test_what_does_something_else_is_an_evolution(name: str) -> None:
    case = OTHER[name]
    assert judge(case.path, case.before, case.after).kind == EVOLUTION, judge(case.path, case.before, case.after)
    assert judge(case.path, case.after, case.before).kind == EVOLUTION, judge(case.path, case.after, case.before)
