"""The fourth draw is what docs/guards.md says of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

ROWS = [json.loads(line) for line in (Path(__file__).parents[2] / "bench/fourth.jsonl").read_text().splitlines()]


def test_it_holds_as_many_rows_as_it_is_told_to() -> None:
    counts = Counter((row["expected"], row["policy"]) for row in ROWS)
    assert counts == {("block", False): 913, ("block", True): 149, ("allow", False): 1880}
    assert len({row["category"] for row in ROWS}) == 90


def test_its_halves_share_no_command_and_the_second_is_large_enough_to_be_measured() -> None:
    assert len({row["command"] for row in ROWS}) == len(ROWS)
    halves = Counter((row["source"], row["expected"]) for row in ROWS)
    assert halves["fourth/second", "block"] >= 500 and halves["fourth/second", "allow"] >= 1500
