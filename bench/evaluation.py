"""What an evaluation of file scripts costs: paired, in one run, with one `git status` and one hash of what changed.

`python -m bench.evaluation` prints the ratio for 1,000, 10,000 and 20,000 changed files, 100 patterns each.
The scripts themselves cost nothing here: their runner is a function, so that what is measured is ours.
"""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import bench.parts as _  # noqa: F401 - makes the package importable
from jackline.git import QUIET, environment
from jackline.script import Outcome, Script
from jackline.scripts.evaluation import evaluate

ROUNDS = 7
BOUND = 1.9
"""Of the processor's ratio; a gate of `gates.toml` stands a little above."""
FOLDERS = 100
SIZE = 4096
GIT = {**environment(), "GIT_CONFIG_COUNT": str(len(QUIET))} | {
    f"GIT_CONFIG_{what}_{at}": pair[which]
    for at, pair in enumerate(QUIET)
    for which, what in enumerate(("KEY", "VALUE"))
}


class Cost(NamedTuple):
    """Medians of one run, in seconds, and the medians of the paired ratios: wall, processor."""

    files: int
    patterns: int
    baseline: float
    ours: float
    ratio: float
    cpu: float


class Spent(NamedTuple):
    """Seconds of wall time and of the processor, children's included."""

    wall: float
    cpu: float


def _clock() -> Spent:
    """By `getrusage`: `os.times` counts in hundredths of a second, a twentieth of what is measured."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return Spent(time.perf_counter(), sum(one.ru_utime + one.ru_stime for one in used))


def _since(begun: Spent) -> Spent:
    now = _clock()
    return Spent(now.wall - begun.wall, now.cpu - begun.cpu)


def scripts(count: int) -> list[Script]:
    """As many scripts, with the shapes of pattern that people write."""
    shapes = ("src/p{0}/**/*.py", "*.e{0}", "src/p{0}/**/*.{{py,ts}}", "**/f*{0}.py")
    made = [shapes[at % len(shapes)].format(at) for at in range(count)]
    return [Script(f"s{at:03}", "file", "/nowhere", b"", pattern=(one,)) for at, one in enumerate(made)]


def _write(root: Path, names: Sequence[str], number: int) -> None:
    text = f"{number}\n" * (SIZE // 4)
    for name in names:
        (root / name).write_text(f"{name}\n{text}")
    time.sleep(0.05)  # stamps of this very moment vouch for nothing


def _baseline(root: Path, names: Sequence[str]) -> Spent:
    """One `git status`, and one hash of what changed."""
    begun = _clock()
    words = ("git", "--no-optional-locks", "status", "--porcelain=v1", "-z", "-uall", "--no-renames")
    subprocess.run(words, cwd=root, env=GIT, check=True, capture_output=True)
    for name in names:
        with open(f"{root}/{name}", "rb") as file:
            blake2b(file.read(), digest_size=16).digest()
    return _since(begun)


def _ours(root: Path, place: Path, given: Sequence[Script], changed: int) -> Spent:
    begun = _clock()
    made = evaluate(str(place), str(root), given, lambda script, files, limit_s: Outcome())
    took = _since(begun)
    if len(made.changed) != changed or made.failed or made.why or not made.runs:
        raise RuntimeError(f"an evaluation of {changed} files came to {made!r:.300}")
    return took


def measure(files: int = 10_000, patterns: int = 100, rounds: int = ROUNDS) -> Cost:
    """Change every file, pay for both, in turns; the first round is not counted."""
    folder = Path(tempfile.mkdtemp(prefix="jackline-bench-"))
    try:
        root, place = folder / "project", folder / "sessions" / "0123abcd"
        place.mkdir(parents=True)
        names = [f"src/p{at % FOLDERS}/f{at}.py" for at in range(files)]
        for at in range(FOLDERS):
            (root / "src" / f"p{at}").mkdir(parents=True)
        _write(root, names, 0)
        for words in (
            ("init", "-q"),
            ("add", "-A"),
            ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"),
        ):
            subprocess.run(("git", *words), cwd=root, env=GIT, check=True)
        given = scripts(patterns)
        pairs = []
        for number in range(1, rounds + 2):
            _write(root, names, number)
            if number % 2:
                theirs, ours = _baseline(root, names), _ours(root, place, given, files)
            else:
                ours, theirs = _ours(root, place, given, files), _baseline(root, names)
            pairs.append((theirs, ours))
        counted = pairs[1:]
        return Cost(
            files, patterns, statistics.median([theirs.wall for theirs, _ in counted]),
            statistics.median([ours.wall for _, ours in counted]),
            statistics.median([ours.wall / theirs.wall for theirs, ours in counted]),
            statistics.median([ours.cpu / theirs.cpu for theirs, ours in counted]),
        )  # fmt: skip
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    for files in (1_000, 10_000, 20_000):
        cost = measure(files)
        sys.stdout.write(
            f"{cost.files:>6} changed files, {cost.patterns} patterns: status and hash {cost.baseline * 1000:.0f} ms, "
            f"evaluation {cost.ours * 1000:.0f} ms, ratio: wall {cost.ratio:.2f}, processor {cost.cpu:.2f}\n"
        )


if __name__ == "__main__":
    main()
