"""Count instructions with callgrind over a whole process tree: a figure that a busy machine does not change.

Every process writes a file of its own when it ends, so their number is the number of processes. A shell that becomes
what it executes is no process apart, and what it did before is not counted.
What is counted runs fifty times slower than in daily life, so no clock of ours may cut it: alarms do not ring in it
(`unhurried`), and the fixture's budgets are the longest that a manifest can name.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.fixture import Start

TOTAL = re.compile(rb"^summary: (\d+)", re.MULTILINE)
APART = 0.005
"""Two counts of the same thing may differ by this much (hash seeds, clocks); beyond it a third one decides."""


class Missing(Exception):
    """What counts is not installed."""


class Counted(NamedTuple):
    """Instructions of all processes together, and how many processes there were."""

    instructions: float
    processes: int


def valgrind() -> str:
    found = shutil.which("valgrind")
    if not found:
        raise Missing("valgrind is not installed · install it: apt-get install valgrind, or dnf install valgrind")
    return found


@contextmanager
def unhurried() -> Iterator[None]:
    """Processes that this thread starts meanwhile inherit a blocked alarm: it is set as ever, and does not ring."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGALRM,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def once(start: Start) -> Counted:
    """One run under callgrind."""
    with tempfile.TemporaryDirectory(prefix="jackline-count-") as folder:
        words = [valgrind(), "-q", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={folder}/%p"]
        with unhurried():
            done = subprocess.run(
                [*words, *start.argv], input=start.raw, cwd=start.cwd, env=start.env, capture_output=True, check=False
            )
        if done.returncode:
            raise RuntimeError(f"{' '.join(start.argv)}: exit {done.returncode}: {done.stderr.decode()[-2000:]}")
        if start.raw:
            json.loads(done.stdout)
        found = [TOTAL.search(path.read_bytes()) for path in Path(folder).iterdir()]
    return Counted(sum(int(one[1]) for one in found if one), len(found))


def count(start: Start, before: Callable[[int], None] = lambda run: None) -> Counted:
    """Two runs' mean; where they are apart, the median of three. `before` is done ahead of each."""
    runs: list[Counted] = []
    counts: list[float] = []
    while len(runs) < 2 or (len(runs) == 2 and max(counts) > min(counts) * (1 + APART)):
        before(len(runs))
        runs.append(once(start))
        counts.append(runs[-1].instructions)
    return Counted(statistics.median(counts), max(one.processes for one in runs))
