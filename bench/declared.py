"""`python -m bench.declared`: what it costs to find and compile scripts, against reading and parsing the same files.

Both in one process, in turns: the median of the rounds' ratios is what is bounded.
"""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ruamel.yaml import YAML

from jackline.compiler.collect import survey, trust_all
from jackline.compiler.write import compile_table

SCRIPTS = 1000
ROUNDS = 15
BOUND = 1.6

TYPES = (
    'type: file\n# pattern: "src/**/*.{{ts,tsx}}"\n# exclude: ["dist/**", gen]\n# notify_llm: false',
    "type: event\n# events: [PreToolUse, PostToolUse]\n# matcher: Edit|Write\n# order: {at}\n# block: true",
    "type: session\n# run_as: user\n# timeout: 60",
    "type: pre-commit\n# description: Checks types before a commit",
)
"""What the scripts declare, one after another."""


def repository(root: Path, count: int) -> list[Path]:
    """A repository with scripts of every type."""
    folder = root / ".ai/hooks/scripts"
    folder.mkdir(parents=True)
    made = []
    for at in range(count):
        path = folder / f"script-{at:04}.sh"
        fields = TYPES[at % len(TYPES)].format(at=at)
        path.write_text(f"#!/bin/sh\n#---\n# name: Script {at}\n# {fields}\n#---\nset -eu\n" + "make check\n" * 20)
        path.chmod(0o755)
        made.append(path)
    return made


def plain(files: list[Path]) -> None:
    """Read every file, and parse the text of its front matter."""
    for path in files:
        lines = path.read_text().split("\n")
        end = lines.index("#---", 2)
        YAML(typ="safe", pure=True).load("\n".join([line[2:] for line in lines[2:end]]))


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    begun = time.process_time()
    work()
    return time.process_time() - begun


def measure(count: int = SCRIPTS, rounds: int = ROUNDS) -> list[tuple[float, float]]:
    """Processor seconds of reading and parsing, and of discovery and compile, of `count` scripts that are all wired."""
    with tempfile.TemporaryDirectory(prefix="jackline-bench-") as place:
        root, store = Path(place).resolve() / "project", str(Path(place).resolve() / "store")
        files = repository(root, count)
        options = {"user": "", "managed": ""}
        trust_all(store, str(root), survey(str(root), store, **options, sites=[]), "person")
        found = [
            (_timed(lambda: plain(files)), _timed(lambda: compile_table(str(root), store, **options, sites=[])))
            for _ in range(rounds)
        ]
        table = compile_table(str(root), store, **options, sites=[]).table
        wired = sum(len(table.scripts(name)) for name in ("PreToolUse", "file", "session", "pre-commit"))
        if wired != count:
            raise AssertionError(f"{wired} of {count} scripts are wired")
        return found


def scripts_compile() -> int:
    """Print the figure; 1 when it is above its bound."""
    found = measure()
    parse, compiled = (statistics.median(times) for times in zip(*found, strict=True))
    ratio = statistics.median([ours / theirs for theirs, ours in found])
    print(
        f"scripts compile · {SCRIPTS} scripts: read and parse {parse * 1e3:.0f} ms, "
        f"discover and compile {compiled * 1e3:.0f} ms, ratio {ratio:.2f} (at most {BOUND:g})"
    )
    return int(ratio > BOUND)


if __name__ == "__main__":
    sys.exit(scripts_compile())
