"""Two ways of a plan that meet others: one that a planning sub-agent leaves where a person approves plans, and one that
leads out of a block which began before the first prompt.
"""

from __future__ import annotations

import json
from pathlib import Path

from jackline.store import tasks

from .conftest import Desk
from .test_plan_approval import PLAN, submit

GATE = {name: {"enabled": True} for name in ("work-init", "plan-graph", "tool-gate")}
CONTRACT = "plan-subagent-contract"
ON = {**GATE, CONTRACT: {"enabled": True}}
WHO = {"agent_id": "abc", "agent_type": "Plan"}


def phase(desk: Desk) -> str:
    return str(desk.state()["core"]["phase"])


def accepted(desk: Desk) -> bool:
    return bool(tasks.read(str(desk.store), desk.place.name, "w001").get("plan"))


# --- a sub-agent's plan, and a person's yes ------------------------------------------------------------------------


def planned(desk: Desk) -> Path:
    """A planning sub-agent left a sound plan, and ended."""
    desk.manifest({"version": 1, "modules": ON})
    desk.hooks.mkdir(parents=True, exist_ok=True)
    (desk.hooks / "config.json").write_text(json.dumps({"plan-graph": {"approval": "person"}}))
    desk.trust()
    desk.begin()
    desk.prompt("rotate the tokens")
    desk.say(desk.payload("SubagentStart", **WHO))
    place = desk.place / CONTRACT / "output/sa/Plan/a01/planGraph.json"
    place.write_text(json.dumps(PLAN))
    said = desk.say(desk.payload("SubagentStop", stop_hook_active=False, **WHO))
    assert "decision" not in said.body, "it has done its part: nobody keeps it going"
    return place


def test_a_sub_agents_plan_waits_for_the_person(desk: Desk) -> None:
    place = planned(desk)
    assert (accepted(desk), phase(desk)) == (False, "PLANNING")
    assert desk.pre("touch src/parse/new.py").decision == "deny"
    assert "a person has to see this plan first" in desk.jackline("plan", "show").out
    assert [one["data"]["held"] for one in desk.rows("SUBAGENT_HARVEST")] == [False]
    desk.say(desk.payload("SubagentStop", stop_hook_active=False, **WHO))
    assert not accepted(desk), "that it ends again is nobody's yes"
    call = submit(desk, 1, json.loads(place.read_text()))
    assert call.before().decision == "ask"
    call.after()
    assert (accepted(desk), phase(desk)) == (True, "EXECUTING")
    assert desk.pre("touch src/parse/new.py").decision == ""


def test_the_person_may_submit_it_where_it_lies(desk: Desk) -> None:
    place = planned(desk)
    desk.jackline("plan", "submit", str(place))
    assert desk.pre("touch src/parse/new.py").decision == ""
    assert phase(desk) == "EXECUTING"


# --- out of a block that began before the first prompt -------------------------------------------------------------


def blocked(desk: Desk) -> Desk:
    desk.manifest({"version": 1, "modules": GATE})
    desk.begin()
    for _ in range(3):
        assert desk.pre("touch src/parse/new.py").decision == "deny"
    steps = [(one["data"]["from"], one["data"]["to"]) for one in desk.rows("PHASE_TRANSITION")]
    assert (phase(desk), steps) == ("BLOCKED", [("UNINITIALIZED", "BLOCKED")])
    return desk


LED_ON = ("EXECUTING", [("UNINITIALIZED", "plan_accepted"), ("EXECUTING", "plan_accepted")], "")


def outcome(desk: Desk) -> tuple[str, list[tuple[str, str]], str]:
    """The phase, the steps that led out of the block, and what is said to a change that the plan holds."""
    steps = [(one["data"]["to"], one["data"]["trigger"]) for one in desk.rows("PHASE_TRANSITION")]
    return phase(desk), steps[1:], desk.pre("touch src/parse/new.py").decision


def test_a_plan_by_a_command_leads_on(desk: Desk) -> None:
    blocked(desk)
    call = submit(desk, 1)
    assert call.before().decision == ""
    desk.below_client("plan", "submit", str(desk.folder / "plan.json"))
    call.after()
    assert outcome(desk) == LED_ON


def test_a_plan_by_a_command_that_only_the_entry_saw_leads_on(desk: Desk) -> None:
    blocked(desk)
    submit(desk, 1).after()
    assert outcome(desk) == LED_ON


def test_a_plan_at_its_place_leads_on(desk: Desk) -> None:
    blocked(desk)
    place = desk.place / "work/w001/plan/planGraph.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(PLAN))
    given = {"file_path": str(place), "content": place.read_text()}
    desk.say(desk.tool(event="PostToolUse", tool_name="Write", tool_input=given, tool_response={}))
    assert outcome(desk) == LED_ON


def test_the_persons_own_plan_leads_on_with_their_prompt(desk: Desk) -> None:
    blocked(desk)
    submit(desk, 1)
    desk.jackline("plan", "submit", str(desk.folder / "plan.json"))
    desk.prompt("go on")
    assert phase(desk) == "EXECUTING"
    assert desk.pre("touch src/parse/new.py").decision == ""


def test_a_plan_that_is_not_accepted_leads_nowhere(desk: Desk) -> None:
    blocked(desk)
    submit(desk, 1, {"nodes": [{"id": "a"}]}).after()
    assert phase(desk) == "BLOCKED"
