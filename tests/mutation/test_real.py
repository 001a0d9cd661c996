"""Real changes of this project, labelled by the rule in docs/classification.md: their diffs alone, and whole files.

`changes.jsonl` holds each with its diff, so that a clone without history can ask as well. Those of other projects are
references only, and measured by `python -m bench.mutation`.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jackline.model import Event
from jackline.mutation import EVOLUTION, REFACTOR, Mutation, classify
from jackline.mutation.changes import of_texts

HOUSE = Path(__file__).parents[2]
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("changes.jsonl").read_text().splitlines()
]


def by_diff(row: dict[str, Any], root: Path) -> Mutation:
    return classify(
        Event("PreToolUse", tool="apply_diff", kind="edit", input={"diff": row["diff"]}, root=str(root), cwd=str(root))
    )


def by_texts(row: dict[str, Any], root: Path) -> Mutation:
    texts = []
    for commit in (row["commit"] + "^", row["commit"]):
        done = subprocess.run(["git", "-C", HOUSE, "show", f"{commit}:{row['path']}"], capture_output=True)
        texts.append(done.stdout.decode() if done.returncode == 0 else None)
    return of_texts([(row["path"], texts[0], texts[1])])


def figures(tell: Callable[[dict[str, Any], Path], Mutation], root: Path) -> dict[str, tuple[float, float]]:
    """Precision and recall by class."""
    counts = Counter((row["label"], tell(row, root).kind) for row in ROWS)
    made: dict[str, tuple[float, float]] = {}
    for kind in (REFACTOR, EVOLUTION):
        right = counts[kind, kind]
        made[kind] = (
            right / sum(count for (_, said), count in counts.items() if said == kind),
            right / sum(count for (meant, _), count in counts.items() if meant == kind),
        )
    return made


def test_the_changes_are_many_and_of_both_sorts() -> None:
    labels = Counter(row["label"] for row in ROWS)
    assert len(ROWS) >= 60 and min(labels[REFACTOR], labels[EVOLUTION]) >= 20
    assert len({(row["commit"], row["path"]) for row in ROWS}) == len(ROWS)


def test_diffs_alone_are_never_told_a_refactoring_wrongly(tmp_path: Path) -> None:
    """A diff without its file holds pieces that seldom parse: little can be told from it, and nothing is guessed."""
    assert figures(by_diff, tmp_path)[REFACTOR][0] >= 0.98


def test_whole_files_are_told_apart(tmp_path: Path) -> None:
    if subprocess.run(["git", "-C", HOUSE, "cat-file", "-e", ROWS[0]["commit"] + "^"], capture_output=True).returncode:
        pytest.skip("a clone without history")
    found = figures(by_texts, tmp_path)
    assert found[REFACTOR][0] >= 0.98 and found[REFACTOR][1] >= 0.25, found
    assert found[EVOLUTION][0] >= 0.75 and found[EVOLUTION][1] >= 0.98, found
