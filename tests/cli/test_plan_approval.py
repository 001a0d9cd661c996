"""Plans that a person approves (`approval: person`): they see each before it holds, and are asked about each once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.host import now
from jackline.store import approvals, tasks
from scene import Said

from .conftest import Desk

DIALOG = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
ALONE = {"CLAUDE_CODE_SESSION_ATTENDED": "0"}
PLAN: dict[str, Any] = {
    "goal": "rotate the tokens",
    "nodes": [
        {"id": "n1", "kind": "change", "description": "change the parser", "scope": "src/parse/**"},
        {"id": "n2", "kind": "validate", "description": "run the tests", "dependsOn": ["n1"]},
    ],
}
OTHER = {**PLAN, "goal": "rotate all tokens"}


def shop_of(desk: Desk, mode: str = "enforce") -> Desk:
    modules = {name: {"enabled": True, "mode": mode} for name in ("work-init", "plan-graph", "tool-gate")}
    desk.manifest({"version": 1, "modules": modules})
    desk.hooks.mkdir(parents=True, exist_ok=True)
    (desk.hooks / "config.json").write_text(json.dumps({"plan-graph": {"approval": "person"}}))
    desk.trust()
    desk.begin()
    desk.prompt("rotate the tokens")
    return desk


@pytest.fixture
def shop(desk: Desk) -> Desk:
    return shop_of(desk)


class Call:
    """One call of the agent: what is said before it, and after it where it went through."""

    def __init__(self, desk: Desk, number: int, tool: str = "Bash", **given: Any) -> None:
        self.desk = desk
        self.fields: dict[str, Any] = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{number}"}

    def before(self, env: dict[str, str] = DIALOG) -> Said:
        return self.desk.say(self.desk.tool(**self.fields), env=env)

    def after(self, event: str = "PostToolUse") -> str:
        """What the agent reads then."""
        said = self.desk.say({**self.desk.tool(event="PostToolUse", **self.fields), "hook_event_name": event})
        return str(said.body.get("hookSpecificOutput", {}).get("additionalContext", ""))


def submit(desk: Desk, number: int, plan: Any = PLAN, name: str = "plan.json") -> Call:
    (desk.folder / name).write_text(json.dumps(plan))
    return Call(desk, number, command=f"jackline plan submit {desk.folder / name}")


def task(desk: Desk) -> dict[str, Any]:
    return tasks.read(str(desk.store), desk.place.name, "w001")


def waiting(desk: Desk) -> approvals.Request:
    (found,) = approvals.waiting(str(desk.store), now() // 1_000_000)
    return found


def test_the_dialog_has_the_picture_and_the_plan_holds_once_the_call_went_through(shop: Desk) -> None:
    call = submit(shop, 1)
    said = call.before()
    assert said.decision == "ask"
    for part in ("a plan of 2 nodes", "goal: rotate the tokens", "n1  change the parser  src/parse/**"):
        assert part in said.reason
    assert "plan" not in task(shop) and shop.jackline("plan", "show", "--json").data["nodes"] == []
    assert "accepted, 2 nodes" in call.after()
    shop.pre("ls")
    assert (shop.state()["core"]["phase"], shop.state()["plan"]["status"]) == ("EXECUTING", "accepted")


def test_an_equal_plan_asks_no_more(shop: Desk) -> None:
    first = submit(shop, 1)
    first.before()
    first.after()
    again = submit(shop, 2, {**PLAN, "nodes": list(PLAN["nodes"])}, "copy.json")
    assert again.before().decision == ""
    again.after()
    assert submit(shop, 3, OTHER).before().decision == "ask"


def test_a_plan_that_is_not_sound_bothers_nobody(shop: Desk) -> None:
    call = submit(shop, 1, {"nodes": PLAN["nodes"][:1]})
    assert call.before().decision == ""
    assert "nothing checks this change" in call.after()


def test_another_plan_than_was_shown_does_not_hold(shop: Desk) -> None:
    call = submit(shop, 1)
    assert call.before().decision == "ask"
    submit(shop, 1, OTHER)
    said = call.after()
    assert "a person has to see this plan first · write: jackline plan submit FILE" in said
    assert "plan" not in task(shop)
    assert "a person has to see" in shop.jackline("plan", "show").out


def test_the_command_of_an_agent_leaves_it_to_the_door(shop: Desk) -> None:
    submit(shop, 1)
    said = shop.below_client("plan", "submit", str(shop.folder / "plan.json"))
    assert (said.code, "a person is asked: Jackline takes the plan over" in said.out) == (0, True)
    assert "plan" not in task(shop)


def test_a_plan_that_nobody_sees_is_not_promised_to_be_taken_over(shop: Desk) -> None:
    said = shop.below_client("plan", "submit", "-")
    assert (said.code, "write it to a file first: jackline plan submit FILE" in said.err) == (1, True)


def test_the_command_says_so_as_data(shop: Desk) -> None:
    submit(shop, 1)
    data = shop.below_client("plan", "submit", str(shop.folder / "plan.json"), "--json").data
    assert (data["accepted"], data["waits"], data["nodes"]) == (False, "a person is asked", 2)
    submit(shop, 1, {"nodes": [{"id": "a"}]})
    said = shop.below_client("plan", "submit", str(shop.folder / "plan.json"), "--json")
    assert (said.code, said.data["accepted"], said.data["waits"]) == (1, False, "")
    assert said.data["findings"][0]["rule"] == "structure"


def test_a_person_who_submits_a_plan_says_yes_to_it(shop: Desk) -> None:
    submit(shop, 1)
    assert "accepted" in shop.jackline("plan", "submit", str(shop.folder / "plan.json")).out
    assert task(shop)["plan"]["nodes"] == 2


def test_without_a_dialog_the_call_waits_for_the_broker(shop: Desk) -> None:
    said = submit(shop, 1).before(ALONE)
    assert said.decision == "deny" and "pending approval" in said.reason and "n1  change the parser" in said.reason
    request = waiting(shop)
    assert "└─ n2  run the tests" in request.preview
    assert submit(shop, 2).before(ALONE).decision == "deny"
    shop.jackline("approve", approvals.code(str(shop.store), request), "--yes")
    call = submit(shop, 3)
    assert call.before(ALONE).decision == ""
    assert "accepted, 2 nodes" in call.after()


def test_a_yes_is_for_the_plan_that_was_shown(shop: Desk) -> None:
    submit(shop, 1).before(ALONE)
    shop.jackline("approve", approvals.code(str(shop.store), waiting(shop)), "--yes")
    assert submit(shop, 2, OTHER).before(ALONE).decision == "deny"


def test_a_no_is_a_denial_with_its_reason_and_stays_one(shop: Desk) -> None:
    submit(shop, 1).before(ALONE)
    shop.jackline("reject", approvals.code(str(shop.store), waiting(shop)), "--note", "use the old keys", "--yes")
    for number, name in ((2, "plan.json"), (3, "copy.json")):
        said = submit(shop, number, PLAN, name).before(ALONE)
        assert said.decision == "deny" and "use the old keys" in said.reason
        assert "pending" not in said.reason
    shop.prompt("go on")
    assert "use the old keys" in submit(shop, 4).before(ALONE).reason, "whatever turn it is"
    assert "denied  approval · a person said no: use the old keys" in shop.jackline("plan", "show").out
    assert "pending approval" in submit(shop, 5, OTHER).before(ALONE).reason


def test_a_dialog_that_ended_with_no_is_one_for_the_turn(shop: Desk) -> None:
    assert submit(shop, 1).before().decision == "ask"
    said = submit(shop, 2).before()
    assert said.decision == "deny" and "they did not agree when they were asked" in said.reason
    shop.prompt("well, do it")
    assert submit(shop, 3).before().decision == "ask"


def test_a_command_that_failed_is_no_answer(shop: Desk) -> None:
    call = submit(shop, 1)
    call.before()
    call.after("PostToolUseFailure")
    assert submit(shop, 2).before().decision == "ask"
    assert "plan" not in task(shop)


@pytest.mark.parametrize(
    "command", ["jackline plan submit -", "cat > out/new.json <<E\n{}\nE\njackline plan submit out/new.json"]
)
def test_a_plan_that_nobody_can_see_yet_is_no_question(shop: Desk, command: str) -> None:
    (shop.root / ".gitignore").write_text("out/\n")
    said = Call(shop, 1, command=command).before()
    assert said.decision == "deny" and "write the plan to a file first" in said.reason


def test_the_file_at_its_place_is_a_way_in_as_well(shop: Desk) -> None:
    place = Path(f"{shop.place}/work/w001/plan/planGraph.json")
    call = Call(shop, 1, "Write", file_path=str(place), content=json.dumps(PLAN))
    assert call.before().decision == "ask"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(PLAN))
    assert "accepted, 2 nodes" in call.after()


def test_a_plan_that_came_to_its_place_unseen_waits(shop: Desk) -> None:
    place = Path(f"{shop.place}/work/w001/plan/planGraph.json")
    call = Call(shop, 1, command=f"cp other.json {place}")
    assert call.before().decision == ""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(PLAN))
    assert "a person has to see this plan first" in call.after()
    assert Call(shop, 2, command=f"jackline plan submit {place}").before().decision == "ask"


def test_the_clients_own_plan_tool(shop: Desk) -> None:
    call = Call(shop, 1, "ExitPlanMode", plan=f"Do it\n```json\n{json.dumps(PLAN)}\n```\n")
    assert call.before().decision == "ask"
    assert "accepted, 2 nodes" in call.after()


def test_a_plan_from_one_line(shop: Desk) -> None:
    call = Call(shop, 1, command='jackline plan quick "fix the form" --files "src/**" --check pytest')
    assert "change  fix the form  src/**" in call.before().reason
    assert "accepted, 2 nodes" in call.after()


def test_lenient_asks_nobody(desk: Desk) -> None:
    shop = shop_of(desk, "warn")
    call = submit(shop, 1)
    assert call.before().decision == ""
    assert "accepted, 2 nodes" in call.after()


def test_a_large_plan_is_shown_in_few_lines(shop: Desk) -> None:
    nodes = [{"id": f"n{at}", "description": f"{'x' * 300}", "validators": ["t"]} for at in range(60)]
    (shop.folder / "plan.json").write_text(json.dumps({"nodes": nodes}))
    said = Call(shop, 1, command=f"jackline plan submit {shop.folder / 'plan.json'}").before()
    lines = [line for line in said.reason.split("\n") if "─ n" in line]
    assert len(lines) == 19 and max(map(len, lines)) == 100 and "… 41 more" in said.reason
