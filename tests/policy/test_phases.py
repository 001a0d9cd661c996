"""Which phase an event leads to, and what a phase lets through (contract section 12)."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.hook_table import Phase
from jackline.model import PHASES, Event
from jackline.policy.phases import TRIGGERS, following, judge, next_phase, of, step

TABLE = [
    # phase, trigger → phase
    ("UNINITIALIZED", "prompt", "PLANNING"),
    ("UNINITIALIZED", "pack_sufficient", "PLANNING"),
    ("UNINITIALIZED", "plan_accepted", "EXECUTING"),
    ("PLANNING", "prompt", "PLANNING"),
    ("PLANNING", "plan_accepted", "EXECUTING"),
    ("PLANNING", "all_done", "PLANNING"),
    ("EXECUTING", "plan_accepted", "EXECUTING"),
    ("EXECUTING", "all_done", "COMPLETE"),
    ("EXECUTING", "attempts_spent", "BLOCKED"),
    ("COMPLETE", "plan_accepted", "EXECUTING"),
    ("COMPLETE", "plan_withdrawn", "PLANNING"),
    ("COMPLETE", "pack_insufficient", "COMPLETE"),
    ("PLANNING", "pack_insufficient", "BLOCKED"),
    ("PLANNING", "refused_again", "BLOCKED"),
    ("COMPLETE", "cap_reached", "BLOCKED"),
    ("BLOCKED", "all_done", "BLOCKED"),
    ("BLOCKED", "refused_again", "BLOCKED"),
]


@pytest.mark.parametrize(("phase", "trigger", "then"), TABLE)
def test_the_lifecycle(phase: str, trigger: str, then: str) -> None:
    assert next_phase(phase, "", trigger) == then


def test_every_trigger_leads_from_a_phase_to_a_phase() -> None:
    for trigger, steps in TRIGGERS.items():
        for phase in PHASES:
            assert next_phase(phase, "EXECUTING", trigger) in PHASES
        assert {phase for phase, _ in steps} <= {*PHASES, "*"}, trigger


@pytest.mark.parametrize("trigger", ["prompt", "pack_sufficient", "plan_accepted", "validator_passed"])
@pytest.mark.parametrize("previous", ["UNINITIALIZED", "PLANNING", "EXECUTING", "COMPLETE"])
def test_remediation_leads_back(previous: str, trigger: str) -> None:
    assert next_phase("BLOCKED", previous, trigger) == previous
    assert next_phase("BLOCKED", "BLOCKED", trigger) == "PLANNING"


def test_new_work_begins_at_the_beginning() -> None:
    core = {"phase": "COMPLETE", "phaseWork": "w001", "phaseSeq": 7, "workId": "w002"}
    assert of(core) == "UNINITIALIZED"
    patch = step(core, "PLANNING")
    assert patch == {"phase": "PLANNING", "phasePrevious": "UNINITIALIZED", "phaseSeq": 1, "phaseWork": "w002"}


@pytest.mark.parametrize("core", [{}, {"phase": "DONE"}, {"phase": 3}], ids=["nothing", "unknown", "no text"])
def test_a_phase_that_nobody_knows_is_the_first(core: dict[str, Any]) -> None:
    assert of(core) == "UNINITIALIZED"


@pytest.mark.parametrize(("work", "then"), [("w001", "w002"), ("w999", "w1000"), ("odd", "w001")])
def test_tasks_are_counted(work: str, then: str) -> None:
    assert following(work) == then


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (None, ""),
        (Phase("deny", ("Read",)), "deny"),
        (Phase("warn", ("Read",)), "warn"),
        (Phase("allow", ("Read",)), ""),
        (Phase("deny", None), ""),
        (Phase("deny", ("Bash",)), ""),
        (Phase("deny", (), ("shell",)), ""),
    ],
)
def test_a_policy_lists_tools_and_kinds(rule: Phase | None, says: str) -> None:
    verdict, reason = judge(rule, "PLANNING", Event("PreToolUse", tool="Bash", kind="shell"))
    assert verdict == says
    assert (reason != "") == (says != "")
