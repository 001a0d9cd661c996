"""Figures that are no event's: scripts held against plain work, by processor time.

Each pair runs in turns, one after another, when nothing else is measured; `python -m bench.beside` prints them alone.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable

from bench import declared, evaluation

COMPILED = "1,000 scripts found and compiled, to reading and parsing them"
EVALUATED = "10,000 changed files and 100 patterns, to one status and one hash"
TAKES = 3
"""Other work on the machine moves a take; so one that is beyond its bound is taken again, and the least counts."""


def _compiled() -> float:
    return statistics.median([ours / theirs for theirs, ours in declared.measure()])


def _evaluated() -> float:
    return evaluation.measure(rounds=5).cpu


FIGURES: dict[str, tuple[Callable[[], float], float]] = {
    COMPILED: (_compiled, declared.BOUND),
    EVALUATED: (_evaluated, evaluation.BOUND),
}
"""What each is measured by, and what it should stay below."""


def _least(work: Callable[[], float], bound: float) -> float:
    found = work()
    for _ in range(TAKES - 1):
        if found <= bound:
            break
        found = min(found, work())
    return found


def measure(told: Callable[[str], None]) -> dict[str, float]:
    """Every figure's ratio; 1 is as dear as what it is held against."""
    found: dict[str, float] = {}
    for name, (work, bound) in FIGURES.items():
        found[name] = _least(work, bound)
        told(name)
    return found


if __name__ == "__main__":
    for figure, ratio in measure(lambda text: None).items():
        print(f"{ratio:.3f}  {figure}")
