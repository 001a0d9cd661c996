"""Which phase an event leads to, and what a phase lets through (contract section 12)."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.model import Event
from jackline.policy.phases import following, judge, step
from jackline.wiring import Phase

ACCEPTED = {"status": "accepted"}
DONE = {"status": "accepted", "complete": True}

TABLE: list[tuple[str, dict[str, Any], bool, bool, str]] = [
    # phase, plan, typed, blocked → phase
    ("UNINITIALIZED", {}, False, False, "UNINITIALIZED"),
    ("UNINITIALIZED", {}, True, False, "PLANNING"),
    ("UNINITIALIZED", ACCEPTED, True, False, "EXECUTING"),
    ("UNINITIALIZED", ACCEPTED, False, False, "UNINITIALIZED"),
    ("PLANNING", {}, True, False, "PLANNING"),
    ("PLANNING", {"status": "rejected"}, False, False, "PLANNING"),
    ("PLANNING", ACCEPTED, False, False, "EXECUTING"),
    ("PLANNING", DONE, False, False, "COMPLETE"),
    ("EXECUTING", ACCEPTED, True, False, "EXECUTING"),
    ("EXECUTING", DONE, False, False, "COMPLETE"),
    ("EXECUTING", {}, False, False, "EXECUTING"),
    ("COMPLETE", DONE, True, False, "COMPLETE"),
    ("COMPLETE", ACCEPTED, False, False, "EXECUTING"),
    ("COMPLETE", {"status": "rejected"}, False, False, "PLANNING"),
    ("PLANNING", {}, False, True, "BLOCKED"),
    ("COMPLETE", DONE, True, True, "BLOCKED"),
    ("BLOCKED", ACCEPTED, False, False, "BLOCKED"),
]


@pytest.mark.parametrize(("phase", "plan", "typed", "blocked", "then"), TABLE)
def test_the_lifecycle(phase: str, plan: dict[str, Any], typed: bool, blocked: bool, then: str) -> None:
    assert following({"phase": phase}, plan, typed=typed, blocked=blocked) == then


@pytest.mark.parametrize("previous", ["PLANNING", "EXECUTING", "COMPLETE"])
def test_remediation_leads_back(previous: str) -> None:
    core = {"phase": "BLOCKED", "phasePrevious": previous}
    assert following(core, {}, typed=True, blocked=False) == previous
    assert following({"phase": "BLOCKED", "phasePrevious": "BLOCKED"}, {}, typed=True, blocked=False) == "PLANNING"


def test_new_work_begins_at_the_beginning() -> None:
    core = {"phase": "COMPLETE", "phaseWork": "w001", "phaseSeq": 7, "workId": "w002"}
    assert following(core, {}, typed=True, blocked=False) == "PLANNING"
    patch = step(core, "PLANNING")
    assert patch == {"phase": "PLANNING", "phasePrevious": "COMPLETE", "phaseSeq": 1, "phaseWork": "w002"}


def test_the_same_phase_is_no_step() -> None:
    assert step({"phase": "PLANNING"}, "PLANNING") is None


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
