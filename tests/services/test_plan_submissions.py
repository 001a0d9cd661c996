"""Plans that several agents submit at once: one of them is the task's, whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jackline.services.plans import acceptance, nodes
from jackline.services.plans.acceptance import Where
from jackline.store import tasks

from .together import together

MANY = 6


@pytest.fixture
def where(tmp_path: Path) -> Where:
    for name in ("store", "root/src", "root/.ai/tmp/0badcafe"):
        (tmp_path / name).mkdir(parents=True)
    return Where(str(tmp_path / "store"), str(tmp_path / "root"), "0badcafe", "w001",
                 str(tmp_path / "root/.ai/tmp/0badcafe"))  # fmt: skip


def plan(number: int) -> bytes:
    steps = [{"id": f"n{number}-{step}", "description": f"step {step}", "scope": "src/**"} for step in range(100)]
    return json.dumps({"nodes": steps}).encode()


@pytest.mark.parametrize("turn", range(5))
def test_what_the_task_tells_and_the_plan_that_is_kept_are_one(where: Where, turn: int) -> None:
    def submits(number: int) -> int:
        return int(acceptance.submit(where, plan(MANY * turn + number), "agent", 1_740_000_000_000).accepted)

    assert together(MANY, submits) == [1] * MANY
    known = tasks.read(where.store, where.sid, where.work)["plan"]
    kept = tasks.read_plan(where.store, where.sid, where.work)
    assert known["fingerprint"] == acceptance.fingerprint(kept)


def test_equal_plans_are_accepted_once(where: Where) -> None:
    """The nodes that one of them began go on: the others change nothing."""
    acceptance.submit(where, plan(0), "agent", 1_740_000_000_000)
    first = acceptance.accepted(where).nodes[0]
    tasks.change(where.store, where.sid, where.work, lambda task: nodes.started(task, first, 1_740_000_000_000))
    together(MANY, lambda number: int(acceptance.submit(where, plan(0), "agent", 1_740_000_000_001).changed))
    task = tasks.read(where.store, where.sid, where.work)
    assert list(task["leases"]) == [first.id] and task["plan"]["at"] == 1_740_000_000_000


def test_of_many_that_begin_at_once_with_equal_plans_one_is_new(where: Where) -> None:
    assert sum(together(MANY, lambda number: int(acceptance.submit(where, plan(1), f"a{number:02d}", 1).changed))) == 1


STEP = {"id": "n1", "description": "a step", "scope": "src/**", "validators": ["t"]}
FIRST = {"id": "n0", "description": "before", "kind": "look"}
OTHERS = {
    "validators": {"validators": ["u"]},
    "a command": {"validators": ["t", {"command": ["true"]}]},
    "a lease's paths": {"lease": {"paths": ["src/a/**"]}},
    "a lease's minutes": {"lease": {"minutes": 5}},
    "what it waits for": {"dependsOn": ["n0"]},
    "its kind": {"kind": "side_effect"},
    "what it claims": {"claims": {"fixes": ["t"]}},
    "its gate": {"toolGateId": "g"},
}
ALIKE = {"a status": {"status": "done"}, "a reason": {"reason": "so"}, "a key that nobody reads": {"colour": "red"}}


def status_after(where: Where, more: dict[str, object]) -> str:
    """What becomes of a finished step when a plan is submitted in which it says something else."""
    assert acceptance.submit(where, json.dumps({"nodes": [FIRST, STEP]}).encode(), "agent", 1).accepted
    done = {"n1": {"status": "done", "at": 1}}
    tasks.change(where.store, where.sid, where.work, lambda task: {**task, "nodes": done})
    assert acceptance.submit(where, json.dumps({"nodes": [FIRST, {**STEP, **more}]}).encode(), "agent", 2).changed
    return nodes.status(tasks.read(where.store, where.sid, where.work), "n1")


@pytest.mark.parametrize("more", [*OTHERS.values()], ids=[*OTHERS])
def test_a_step_that_is_another_one_begins_anew(where: Where, more: dict[str, object]) -> None:
    assert status_after(where, more) == ""


@pytest.mark.parametrize("more", [*ALIKE.values()], ids=[*ALIKE])
def test_a_finished_step_that_is_the_same_stays_so(where: Where, more: dict[str, object]) -> None:
    assert status_after(where, more) == "done"
