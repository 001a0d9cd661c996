"""A sample of the cases through the real entry point: a process of its own for each event, from the bundle.

What comes out is the same text, answers to the byte, as in the forks of one process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scene import BASE

from .play import Entry, Machine, Reply
from .test_golden import same
from .themes import expected, themes
from .words import played, told

EACH = 11
"""Every so many of the recorded payloads are taken."""
WHOLE = (
    "a whole session",
    "a session of recorded payloads",
    "begins with",
    "a denial",
    "judged once more",
    "mode observe",
)
APART = (
    "over budget",
    "cut ",
    "no id",
    "of one process",
    "cleared",
    "codex:",
    "approv",
    "reject",
    "bytes",
    "the same at",
    "cline/",
)
"""Cases that need our clock, or whose session is named by the process above the entry point."""


def sample() -> Iterator[tuple[str, dict[str, Any]]]:
    for theme, cases in themes().items():
        for number, case in enumerate(cases):
            if theme.startswith("recorded-"):
                chosen = number % EACH == 0
            else:
                chosen = theme in ("trust", "hostile") or any(name in case["name"] for name in WHOLE)
            if chosen and not any(word in case["name"] for word in APART) and theme != "contract":
                yield theme, case


SAMPLE = list(sample())


@pytest.mark.parametrize(("theme", "case"), SAMPLE, ids=[f"{theme}/{case['name']}" for theme, case in SAMPLE])
def test_the_real_entry_point_says_and_leaves_the_same(
    theme: str, case: dict[str, Any], tmp_path: Path, made_bundle: Path
) -> None:
    def start(machine: Machine, entry: Entry) -> Reply:
        if not (machine.store / "door.py").exists():
            shutil.copytree(made_bundle, machine.store, copy_function=os.link, dirs_exist_ok=True)
        argv = [BASE, "-I", "-S", str(machine.store / "door.py"), *entry.words]
        done = subprocess.run(
            argv, input=entry.raw, capture_output=True, env=dict(entry.env), cwd=entry.cwd, timeout=60
        )
        return Reply(done.returncode, done.stdout, done.stderr)

    shown = {path.name for path in made_bundle.iterdir()}
    text = told(case) + "\n".join(played(case, tmp_path, start, shown)) + "\n"
    same(expected(theme).get(case["name"], ""), text)


def test_the_sample_is_about_fifty_cases() -> None:
    assert 45 <= len(SAMPLE) <= 75
