"""The sixth draw is what docs/guards.md says of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

ROWS = [json.loads(line) for line in (Path(__file__).parents[2] / "bench/sixth.jsonl").read_text().splitlines()]


def test_it_holds_as_many_rows_as_it_is_told_to() -> None:
    counts = Counter((row["expected"], row["policy"]) for row in ROWS)
    assert counts == {("block", False): 1064, ("block", True): 106, ("allow", False): 2046}
    assert len({row["category"] for row in ROWS}) == 130
    assert len({row["command"] for row in ROWS}) == len(ROWS)
    assert all(row["why"] for row in ROWS)
