"""Every case comes out as it is written down in `expected/`; `make golden` writes it down anew."""

from __future__ import annotations

import difflib
from typing import Any

import pytest

from .__main__ import section
from .themes import HERE, expected, themes

CASES = [(theme, case) for theme, cases in themes().items() for case in cases]


def same(before: str, after: str) -> None:
    """Fail with what differs, line by line."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "expected", "now", lineterm="")
    if before != after:
        pytest.fail("\n".join(lines), pytrace=False)


@pytest.mark.parametrize(("theme", "case"), CASES, ids=[f"{theme}/{case['name']}" for theme, case in CASES])
def test_the_case_comes_out_as_written_down(theme: str, case: dict[str, Any]) -> None:
    same(expected(theme).get(case["name"], ""), section(case))


def test_nothing_is_written_down_that_no_case_says() -> None:
    assert {path.stem for path in (HERE / "expected").iterdir()} == set(themes())
    for theme, cases in themes().items():
        assert list(expected(theme)) == [case["name"] for case in cases], theme


def test_what_is_written_down_stays_small() -> None:
    """A diff of it must be read by a person."""
    size = sum(path.stat().st_size for folder in ("cases", "expected") for path in (HERE / folder).iterdir())
    assert size < 1_500_000
