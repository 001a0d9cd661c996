"""Phases that are enforced, with and without a gate: one judge for a call, and no refusal left over."""

from __future__ import annotations

from typing import Any

import pytest

from scene import Said

from .conftest import Desk

PLANS = {name: {"enabled": True} for name in ("work-init", "plan-graph")}
GATE: dict[str, Any] = {**PLANS, "tool-gate": {"enabled": True}}
OWN = {"PLANNING": {"mode": "deny", "allowTools": ["kind:read", "kind:search"]}}


def begun(desk: Desk, modules: dict[str, Any], **more: Any) -> Desk:
    (desk.root / "src").mkdir()
    (desk.root / "src/a.py").write_text("a\n")
    desk.manifest({"version": 1, "enforcePhases": True, "modules": modules, **more})
    desk.begin()
    desk.prompt("go on")
    return desk


def edit(desk: Desk, path: str = "src/a.py") -> Said:
    given = {"file_path": f"{desk.root}/{path}", "old_string": "a", "new_string": "b"}
    return desk.say(desk.tool(tool_name="Edit", tool_input=given))


QUICK = ("plan", "quick", "fix it", "--files", "src/**")


@pytest.mark.parametrize("modules", [PLANS, GATE], ids=["policy", "gate"])
def test_a_plan_that_a_command_submitted_opens_its_phase_at_the_next_call(desk: Desk, modules: dict[str, Any]) -> None:
    """Nobody told us yet that the command ended."""
    begun(desk, modules)
    assert desk.pre("touch src/new.py").decision == "deny"
    desk.jackline(*QUICK)
    assert edit(desk).decision == ""
    assert desk.state()["core"]["phase"] == "EXECUTING"


def test_what_the_gate_lets_pass_the_contracts_policy_does_not_refuse(desk: Desk) -> None:
    begun(desk, GATE)
    assert edit(desk).decision == "", "a small change"
    assert desk.pre("pytest -q").decision == ""
    said = desk.pre("touch src/new.py")
    assert said.decision == "deny" and "tool-gate: PLANNING" in said.reason and "phasePolicy" not in said.reason


def test_without_the_gate_it_holds_as_before(desk: Desk) -> None:
    begun(desk, PLANS)
    assert edit(desk).decision == "deny" and "phasePolicy" in edit(desk).reason


def test_a_lenient_gate_takes_the_place_of_nothing(desk: Desk) -> None:
    begun(desk, {**GATE, "tool-gate": {"enabled": True, "mode": "warn"}})
    assert "phasePolicy" in edit(desk).reason


def test_what_somebody_wrote_holds_beside_the_gate(desk: Desk) -> None:
    begun(desk, GATE, phasePolicy=OWN)
    assert "phasePolicy" in edit(desk).reason
    desk.jackline(*QUICK)
    assert edit(desk).decision == ""
