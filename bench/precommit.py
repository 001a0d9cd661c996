"""What git's pre-commit hook costs with one script that does nothing, held against prek's with the same one.

`python -m bench.precommit [PREK]` prints medians and the median of the paired ratios; every round starts each hook
once, as git does, in a repository of its own with one staged file. Ours is installed by our own installer.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import bench.parts as _  # noqa: F401 - makes the package importable
from bench.count import Missing
from bench.fixture import Start
from bench.wall import rounds
from jackline.compiler.collect import survey, trust_all
from jackline.compiler.write import refresh
from jackline.install import home, precommit

ROUNDS = 60
SCRIPT = "#!/bin/sh\n#---\n# type: pre-commit\n#---\nexit 0\n"
CONFIG = """\
repos:
- repo: local
  hooks:
  - {id: noop, name: noop, entry: .ai/hooks/scripts/noop.sh, language: system, always_run: true, pass_filenames: false}
"""
OURS, PREK, BARE = "jackline", "prek", "bare"


class Cost(NamedTuple):
    """Medians in milliseconds, and the medians of the ratios to prek's hook in the same round: wall, processor."""

    prek: float
    ours: float
    bare: float
    ratio: float
    cpu: float


def _repository(folder: Path, env: dict[str, str]) -> Path:
    """A repository with one staged file and the script that both run."""
    script = folder / ".ai/hooks/scripts/noop.sh"
    script.parent.mkdir(parents=True)
    script.write_text(SCRIPT)
    script.chmod(0o755)
    (folder / ".pre-commit-config.yaml").write_text(CONFIG)
    for words in (("init", "-q"), ("add", "-A")):
        subprocess.run(["git", *words], cwd=folder, env=env, check=True)
    return folder / ".git/hooks/pre-commit"


def _ours(folder: Path, env: dict[str, str]) -> Start:
    hook = _repository(folder, env)
    store = folder.parent / "home/.local/state/jackline"
    home.make(store)
    trust_all(str(store), str(folder), survey(str(folder), str(store)), "bench")
    done = precommit.keep(refresh(str(folder), str(store)).table, store, env)
    assert done.path == str(hook), done
    return Start((str(hook),), b"", str(folder), env)


def ours(folder: Path) -> Start:
    """Our hook in a repository of its own below `folder`, run once, so that nothing is there for the first time."""
    (folder / "home").mkdir(parents=True)
    start = _ours(folder.resolve() / "ours", _environment(folder))
    subprocess.run(start.argv, cwd=start.cwd, env=start.env, check=True, capture_output=True)
    return start


def _environment(folder: Path) -> dict[str, str]:
    return {"HOME": f"{folder}/home", "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"}


def program() -> str:
    """prek beside our interpreter, or wherever it is. Missing when it is nowhere."""
    here = Path(sys.executable).with_name("prek")
    found = str(here) if here.is_file() else shutil.which("prek")
    if found is None:
        raise Missing("prek is not installed · install it: pip install prek (it is one of the development tools)")
    return found


def _prek(folder: Path, env: dict[str, str], program: str) -> Start:
    hook = _repository(folder, env)
    subprocess.run([program, "install"], cwd=folder, env=env, check=True, capture_output=True)
    return Start((str(hook),), b"", str(folder), env)


def measure(theirs: str, number: int = ROUNDS, told: Callable[[str], None] = lambda text: None) -> Cost:
    """Both hooks and a bare interpreter, in turns."""
    with tempfile.TemporaryDirectory() as base:
        (Path(base) / "home").mkdir()
        env = _environment(Path(base))
        python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
        starts = {
            PREK: _prek(Path(os.path.realpath(base)) / "theirs", env, theirs),
            OURS: _ours(Path(os.path.realpath(base)) / "ours", env),
            BARE: Start((python, "-I", "-S", "-c", "pass"), b"", base, env),
        }
        made = rounds(starts, number, {}, told)[2:]
    median = {name: statistics.median([one[name].wall for one in made]) for name in starts}
    ratio = statistics.median([one[OURS].wall / one[PREK].wall for one in made])
    cpu = statistics.median([one[OURS].cpu / one[PREK].cpu for one in made])
    return Cost(median[PREK], median[OURS], median[BARE], ratio, cpu)


def main() -> int:
    """Print one row; 1 when ours is not the faster one."""
    try:
        cost = measure(os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else program())
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 2
    print(f"prek {cost.prek:.1f} ms   ours {cost.ours:.1f} ms   bare Python {cost.bare:.1f} ms")
    print(f"ours / prek: wall {cost.ratio:.3f}   processor {cost.cpu:.3f}")
    return 0 if cost.ratio < 1 else 1


if __name__ == "__main__":
    sys.exit(main())
