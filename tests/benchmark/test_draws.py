"""Draws that were written and labelled blind are what docs/guards.md says of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize(
    ("name", "danger", "policy", "harmless", "kinds"),
    [
        ("fifth", 1067, 64, 2275, 122),
        ("sixth", 1064, 106, 2046, 130),
        ("seventh", 817, 45, 1959, 124),
        ("eighth", 967, 63, 2008, 102),
    ],
)
def test_it_holds_as_many_rows_as_it_is_told_to(name: str, danger: int, policy: int, harmless: int, kinds: int) -> None:
    rows = [json.loads(line) for line in (BENCH / f"{name}.jsonl").read_text().splitlines()]
    counts = Counter((row["expected"], row["policy"]) for row in rows)
    assert counts == {("block", False): danger, ("block", True): policy, ("allow", False): harmless}
    assert len({row["category"] for row in rows}) == kinds
    assert len({row["command"] for row in rows}) == len(rows)
    assert all(row["why"] for row in rows)
