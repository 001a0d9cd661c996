"""What is counted is not cut: under the counting tool a process runs fifty times slower than its clocks believe."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from bench.count import once, unhurried
from bench.fixture import Fixture, bundled

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
    wired = Fixture(tmp_path / "machine", made_bundle, prime=False).table()
    budgets = {
        event: wired.budget(event) for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
    }
    assert budgets == dict.fromkeys(budgets, 600_000)


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="counts with valgrind")
def test_the_entrys_shell_is_counted_apart(tmp_path: Path, one_bundle: None) -> None:
    """It forks once to wait for the door's answer: for the unit as for an event, and neither is dearer for it."""
    machine = Fixture(tmp_path / "machine", bundled(tmp_path))
    plain, waits = once(machine.bare()), once(machine.bare_before_a_tool())
    event = once(machine.start_of(machine.payload_of("read")))
    assert (plain.processes, waits.processes, event.processes) == (1, 1, 1)
    assert plain.shell == 0 < waits.shell < waits.instructions / 50
    assert abs(waits.instructions / plain.instructions - 1) < 0.01
    assert abs(event.shell - waits.shell) < waits.shell / 4
    assert once(machine.shell_alone()).instructions == 0
