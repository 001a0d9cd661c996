"""Count instructions with callgrind over a whole process tree: a figure that a busy machine does not change.

Every process writes a file of its own when it ends, so their number is the number of processes. The entry's shell is
counted apart: it is how a client starts us and the unit alike, and no child of ours. A shell that becomes what it
executes is no process apart, and what it did before is not counted.
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

from bench.fixture import SHELL, Start

TOTAL = re.compile(rb"^summary: (\d+)", re.MULTILINE)
COMMAND = re.compile(rb"^cmd: *(\S+)", re.MULTILINE)
APART = 0.005
"""Two counts of the same thing may differ by this much (hash seeds, clocks); beyond it a third one decides."""


class Missing(Exception):
    """What counts is not installed."""


class Counted(NamedTuple):
    """Instructions of all processes together, and how many processes there were; the shell's own instructions."""

    instructions: float
    processes: int
    shell: float = 0.0


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
        return _sum([path.read_bytes() for path in Path(folder).iterdir()])


def _sum(files: list[bytes]) -> Counted:
    """What the processes of one run come to; those that only ever were the entry's shell stand apart."""
    inside: list[int] = []
    apart: list[int] = []
    for data in files:
        total, command = TOTAL.search(data), COMMAND.search(data)
        is_shell = command is not None and command[1].decode() == SHELL
        (apart if is_shell else inside).append(int(total[1]) if total else 0)
    return Counted(sum(inside), len(inside), sum(apart))


def count(start: Start, before: Callable[[int], None] = lambda run: None) -> Counted:
    """Two runs' mean; where they are apart, the median of three. `before` is done ahead of each."""
    runs: list[Counted] = []
    counts: list[float] = []
    while len(runs) < 2 or (len(runs) == 2 and max(counts) > min(counts) * (1 + APART)):
        before(len(runs))
        runs.append(once(start))
        counts.append(runs[-1].instructions)
    shell = statistics.median(one.shell for one in runs)
    return Counted(statistics.median(counts), max(one.processes for one in runs), shell)
