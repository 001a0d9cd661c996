"""Wall time and processor time, paired: every round starts each process once, and is held against its own bare start.

Rounds begin at another place each time, so that nobody always follows the same neighbour.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from bench.fixture import Start

BARE = "bare"
"""An interpreter's start in the place of its shell, as most entries start the door."""
BARE_BEFORE_TOOL = "bare before a tool"
"""Below a shell that waits for it, as the entry of a tool call does."""


class Took(NamedTuple):
    """One process: wall and processor milliseconds."""

    wall: float
    cpu: float


class Paired(NamedTuple):
    """Medians of the ratios to the bare start of the same round, and the least milliseconds seen."""

    wall: float
    cpu: float
    least: float


def took(start: Start) -> Took:
    """Run one process; nothing but the kernel stands between the clock's two readings."""
    with tempfile.TemporaryFile() as given:
        given.write(start.raw)
        given.flush()
        given.seek(0)
        actions = [
            (os.POSIX_SPAWN_DUP2, given.fileno(), 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ]
        os.chdir(start.cwd)
        begun = time.perf_counter()
        pid = os.posix_spawn(start.argv[0], start.argv, start.env, file_actions=actions)
        _, status, used = os.wait4(pid, 0)
        wall = time.perf_counter() - begun
    assert status == 0, f"{' '.join(start.argv)}: status {status}"
    return Took(wall * 1000, (used.ru_utime + used.ru_stime) * 1000)


Rounds = list[dict[str, Took]]


def rounds(
    starts: Mapping[str, Start], number: int, before: Mapping[str, Callable[[int], None]], told: Callable[[str], None]
) -> Rounds:
    """`number` rounds over all of `starts`; `before` is done ahead of the start of its name, off the clock."""
    home = Path.cwd()
    names = list(starts)
    made: Rounds = []
    try:
        for one in range(number):
            at = one % len(names)
            seen: dict[str, Took] = {}
            for name in (*names[at:], *names[:at]):
                if name in before:
                    before[name](one)
                seen[name] = took(starts[name])
            made.append(seen)
            told(f"round {one + 1} of {number}")
    finally:
        os.chdir(home)
    return made


def paired(made: Rounds, weights: Mapping[str, float], units: Mapping[str, str]) -> Paired:
    """What the weighted starts cost together, each in bare starts of the same round; `units`: by which bare start."""

    def of(seen: dict[str, Took], field: int) -> float:
        return sum(weight * seen[name][field] / seen[units.get(name, BARE)][field] for name, weight in weights.items())

    def plain(seen: dict[str, Took]) -> float:
        return sum(weight * seen[name].wall for name, weight in weights.items())

    walls, cpus = [of(seen, 0) for seen in made], [of(seen, 1) for seen in made]
    return Paired(statistics.median(walls), statistics.median(cpus), min(plain(seen) for seen in made))
