"""What is counted is not cut: under the counting tool a process runs fifty times slower than its clocks believe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.count import unhurried
from bench.fixture import Fixture

from scene import Scene

SLOW = "import time\ntime.sleep(0.3)\nreturn note('slow', 'came to its end')"


def context(out: bytes) -> str:
    return str(json.loads(out).get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.mark.parametrize("critical", [False, True])
def test_no_alarm_rings_in_what_is_counted(scene: Scene, critical: bool) -> None:
    """A limit of 100 ms, and a feature that takes three times as long: cut in daily life, counted to its end."""
    scene.feature("slow", SLOW, supports=["PreToolUse"], critical=critical)
    scene.manifest({"budgets": {"PreToolUse": 100}})
    scene.trust()
    scene.begin()
    assert context(scene.pre().out) == ("slow: came to its end" if critical else "")
    with unhurried():
        assert context(scene.pre().out) == "slow: came to its end"


def test_the_budgets_of_the_fixture_do_not_run_out(tmp_path: Path, made_bundle: Path) -> None:
    """Ten minutes for each event that is played: the longest that a manifest can name."""
    wired = Fixture(tmp_path / "machine", made_bundle, prime=False).wiring()
    budgets = {
        event: wired.budget(event) for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
    }
    assert budgets == dict.fromkeys(budgets, 600_000)
