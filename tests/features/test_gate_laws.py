"""Whatever happens in whatever order: nothing is changed beyond what the phase opens, no task is complete with a
validator that is red or outdated, no lease outlives its node, its minutes or a compaction, and lenient decides nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from jackline.model import PHASES
from scene import Scene

from .gate_machine import Machine, project


def _hold(scene: Scene, examples: int, steps: int, mode: str = "enforce", start: str = "first") -> set[str]:
    """Play so many sessions of so many steps; the phases they came through."""
    project(scene, mode, start=start)
    known = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.reuse, Phase.generate),  # a failing session is told as it is: making it smaller takes minutes
    )
    reached: set[str] = set()
    given: dict[str, Any] = {"scene": scene, "reached": reached}
    given |= {"strict": mode == "enforce", "explicit": start == "explicit"}
    run_state_machine_as_test(type("Of", (Machine,), given), settings=known)
    return reached


def test_nothing_is_changed_beyond_the_table(scene: Scene) -> None:
    assert _hold(scene, 4, 14) - {"UNINITIALIZED"}, "sessions that go nowhere hold nothing"


def test_nor_where_only_a_command_begins_a_step(scene: Scene) -> None:
    assert _hold(scene, 3, 12, start="explicit") - {"UNINITIALIZED"}


def test_lenient_never_changes_an_answer(scene: Scene) -> None:
    assert _hold(scene, 3, 12, mode="warn") - {"UNINITIALIZED"}


@pytest.mark.slow
@pytest.mark.parametrize("start", ["first", "explicit"])
def test_nor_is_it_in_long_sessions(scene: Scene, start: str) -> None:
    assert _hold(scene, 40, 40, start=start) == set(PHASES)


@pytest.mark.slow
def test_nor_does_lenient_in_long_sessions(scene: Scene) -> None:
    assert _hold(scene, 20, 40, mode="warn") == set(PHASES) - {"BLOCKED"}
