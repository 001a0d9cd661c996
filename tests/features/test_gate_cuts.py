"""A call that ends in the middle of a step of the phase: the store and the log tell of the same one, or do at the next
call that the gate refuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from jackline.store.reducer import fold
from scene import Said, Scene

from .gate_machine import Machine, project

WRITES = 12
"""More than any of these calls has."""


def sessions(scene: Scene) -> Iterator[tuple[int, Machine]]:
    """Sessions in EXECUTING, each with the number of the change that will be its last."""
    project(scene, "enforce", start="first")
    given: dict[str, Any] = {"scene": scene, "reached": set(), "strict": True, "explicit": False}
    kind = type("Of", (Machine,), given)
    for at in range(1, WRITES):
        machine = kind()
        machine.begin(typed=False, planned=True)
        yield at, machine
        machine.teardown()


def refused(machine: Machine, cut: str = "") -> Said:
    path = f"{machine.scene.root}/docs/three/new.py"
    return machine.tool("PreToolUse", "Write", {"file_path": path, "content": "x\n"}, cut=cut)


def phases(machine: Machine) -> tuple[str, str]:
    """As the store and the log have it."""
    return machine.stored()["phase"], fold(machine.scene.log(machine.place))["core"]["phase"]


@pytest.mark.parametrize("how", ["fail", "kill"])
def test_a_prompt_leads_out_of_blocked_or_does_not(scene: Scene, how: str) -> None:
    seen = set()
    for at, machine in sessions(scene):
        for _ in range(3):
            refused(machine)
        assert phases(machine) == ("BLOCKED", "BLOCKED")
        machine.say("UserPromptSubmit", prompt="go on", cut=f"{how} {at}")
        machine.ran("ls")
        stored, logged = phases(machine)
        assert stored == logged, at
        seen.add(stored)
    assert seen == {"BLOCKED", "EXECUTING"}


@pytest.mark.parametrize("how", ["fail", "kill"])
def test_the_third_refusal_blocks_or_the_next_call_tells_that_it_did(scene: Scene, how: str) -> None:
    seen = set()
    for at, machine in sessions(scene):
        for _ in range(2):
            refused(machine)
        refused(machine, f"{how} {at}")
        assert refused(machine).decision == "deny"
        stored, logged = phases(machine)
        assert stored == logged, at
        seen.add(stored)
    assert "BLOCKED" in seen
