"""Draws that were written and labelled blind are what docs/guards.md says of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from bench.drawn import friction, known_by, labels

from jackline.features.command_guard.judge import ALLOWED

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


def test_a_label_may_be_a_digest_where_the_text_is_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "labels"
    file.write_text(f'# labelled\n{known_by("make release")}\n{{"command": "rm x", "rightful": "destroys"}}\n')
    found = friction(
        [{"command": one, "source": "a"} for one in ("make release", "rm x", "ls")],
        lambda row: ALLOWED._replace(decision="allow" if row["command"] == "ls" else "ask", rule="r"),
        labels(file),
    )
    assert (found.rows, found.labelled, found.passed, round(found.rightful)) == (3, 2, 0, 667)


def test_the_held_out_labels_are_digests_of_commands() -> None:
    lines = [line for line in (BENCH / "held.txt").read_text().splitlines() if line[:1] != "#"]
    assert len(lines) == 495 == len(set(lines))
    assert all(len(line) == 12 and set(line) <= set("0123456789abcdef") for line in lines)
