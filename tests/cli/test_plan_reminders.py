"""What an agent is reminded of: that its plan is decided, that a step looks finished; and denied plans stay visible."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.services.plans import reminders
from jackline.services.plans.acceptance import Where
from jackline.services.validators import content
from scene import Said

from .conftest import Desk

STRICT = {name: {"enabled": True} for name in ("work-init", "plan-graph", "tool-gate")}
PLAN: list[dict[str, Any]] = [
    {"id": "n1", "description": "change it", "scope": "src/**", "validators": ["check"]},
    {"id": "n2", "description": "change more", "scope": "lib/**", "dependsOn": ["n1"], "validators": ["check"]},
]


@pytest.fixture
def shop(desk: Desk) -> Desk:
    (desk.root / "src").mkdir()
    desk.manifest({"version": 1, "modules": STRICT})
    desk.begin()
    desk.prompt("rotate the tokens")
    return desk


def context(said: Said) -> str:
    return str(said.body.get("hookSpecificOutput", {}).get("additionalContext", ""))


def spoken(shop: Desk, nodes: list[dict[str, Any]]) -> str:
    """A plan in the client's own plan tool; what the agent reads then."""
    given = {"plan": f"```json\n{json.dumps({'nodes': nodes})}\n```"}
    return context(shop.say(shop.tool(event="PostToolUse", tool_name="ExitPlanMode", tool_input=given)))


def file(shop: Desk, nodes: list[dict[str, Any]]) -> str:
    path = shop.folder / "plan.json"
    path.write_text(json.dumps({"nodes": nodes}))
    return str(path)


AGAIN = "this is the plan that is accepted already · now: work on n1 (change it)"


def test_the_third_equal_plan_is_answered_with_the_accepted_one(shop: Desk) -> None:
    assert spoken(shop, PLAN).startswith("plan: accepted, 2 nodes.")
    assert spoken(shop, PLAN) == f"plan: {AGAIN}"
    for _ in range(2):
        assert spoken(shop, PLAN) == (
            "plan: decided, do not plan again: this is the accepted plan\n"
            "├─ ○ n1  change it  src/**\n"
            "└─ ○ n2  change more  lib/**  after n1\n"
            "now: work on n1 (change it)"
        )
    assert len(shop.rows("PLAN_ACCEPTED")) == 1


def test_a_change_between_begins_to_count_anew(shop: Desk) -> None:
    for _ in range(2):
        spoken(shop, PLAN)
    assert shop.pre("touch src/a.py").decision == ""
    assert spoken(shop, PLAN) == "plan: this is the plan that is accepted already · now: work on n1, " + (
        "then jackline plan node done n1"
    )
    other = [{**PLAN[0], "description": "change it all"}, PLAN[1]]
    assert spoken(shop, other).startswith("plan: accepted, 2 nodes.")
    assert spoken(shop, other).startswith("plan: this is the plan that is accepted already")


def test_the_command_answers_as_the_tool_does(shop: Desk) -> None:
    said = [shop.jackline("plan", "submit", file(shop, PLAN)).out for _ in range(3)]
    assert "accepted · 2 nodes" in said[0]
    assert said[1] == f"{AGAIN}\n"
    assert said[2].startswith("decided, do not plan again: this is the accepted plan\n├─ ○ n1  change it  src/**\n")


def test_what_the_entry_sees_of_a_command_is_no_repetition(shop: Desk) -> None:
    path = file(shop, PLAN)
    shop.jackline("plan", "submit", path)
    for _ in range(3):
        said = context(shop.say(shop.tool(f"jackline plan submit {path}", event="PostToolUse")))
        assert "accepted already" not in said and "decided" not in said
    assert shop.jackline("plan", "submit", path).out == f"{AGAIN}\n"


def test_a_large_plan_is_answered_in_few_lines(shop: Desk) -> None:
    many = [{"id": f"n{at}", "description": "x" * 300, "scope": f"s{at}/**", "validators": ["t"]} for at in range(200)]
    said = [spoken(shop, many) for _ in range(3)][-1].split("\n")
    assert len(said) == 22 and said[-2] == "… 181 more" and max(map(len, said[1:-2])) <= 100


# --- a step that looks finished ----------------------------------------------------------------------------------


def work(shop: Desk) -> None:
    """The first step begins and changes its files."""
    shop.jackline("plan", "submit", file(shop, PLAN))
    assert shop.pre("touch src/a.py").decision == ""
    (shop.root / "src/a.py").write_text("a\n")


LOOKS = "plan: n1 looks finished (its files changed); if it is: jackline plan node done n1"


def test_a_step_that_looks_finished_is_reminded_of_once(shop: Desk) -> None:
    work(shop)
    assert context(shop.prompt("and now?")) == LOOKS
    assert "n1" not in context(shop.prompt("and now?"))
    assert shop.jackline("plan", "node", "done", "n1").out.startswith("n1: done")


def test_never_by_a_continuation(shop: Desk) -> None:
    work(shop)
    for event in ("Stop", "SubagentStop"):
        assert shop.say(shop.payload(event)).body == {}


def test_what_has_not_changed_anything_is_not_finished(shop: Desk) -> None:
    shop.jackline("plan", "submit", file(shop, PLAN))
    shop.jackline("plan", "node", "start", "n1")
    assert context(shop.prompt("and now?")) == ""


def test_a_step_with_a_red_validator_is_not_finished(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    (desk.root / "src").mkdir()
    desk.hooks.mkdir(parents=True, exist_ok=True)
    row = "validators:\n- {id: check, command: [grep, -q, good, src/a.py], baseline: false}\n"
    (desk.hooks / "validators.yaml").write_text(row)
    desk.manifest({"version": 1, "modules": {**STRICT, "validators": {"enabled": True}}})
    desk.trust()
    desk.begin()
    desk.prompt("rotate the tokens")
    work(desk)
    desk.jackline("validators", "run", "check", code=1)
    assert "looks finished" not in context(desk.prompt("and now?"))
    looks: list[Any] = []
    look = content.look

    def counted(*given: Any) -> dict[str, str]:
        looks.append(given)
        return look(*given)

    monkeypatch.setattr(content, "look", counted)
    where = Where(str(desk.store), str(desk.root), desk.place.name, "w001", str(desk.place))
    assert reminders.unfinished(where) == "" and not looks, "nothing ended since the last prompt: git is not asked"
    (desk.root / "src/a.py").write_text("good\n")
    desk.jackline("validators", "run", "check")
    assert "n1 looks finished (its files changed, and check passed)" in context(desk.prompt("and now?"))


def test_a_sub_agents_prompt_is_not_the_moment(shop: Desk) -> None:
    work(shop)
    assert "n1" not in context(shop.prompt("look around", agent_id="sub-1", agent_type="Explore"))
    assert context(shop.prompt("and now?")) == LOOKS


# --- plans that were denied --------------------------------------------------------------------------------------


def test_a_denied_plan_stays_visible_until_one_is_accepted(shop: Desk) -> None:
    wrong = [{"id": "n1", "description": "nothing checks it", "scope": "src/**"}]
    assert spoken(shop, wrong).startswith("plan: not accepted:\nn1 · validate · nothing checks this change")
    for _ in range(2):
        assert "denied  n1 · validate · nothing checks this change" in shop.jackline("plan", "show").out
        shop.prompt("go on")
    assert "n1 · validate" in Path(f"{shop.place}/work/w001/plan/denied").read_text()
    assert shop.jackline("plan", "show", "--json").data["denied"]["findings"]
    shop.jackline("plan", "submit", file(shop, PLAN))
    assert "denied" not in shop.jackline("plan", "show").out


def test_beside_the_accepted_plan_a_denied_change_of_it_is_shown(shop: Desk) -> None:
    shop.jackline("plan", "submit", file(shop, PLAN))
    shop.jackline("plan", "submit", file(shop, [{**PLAN[0], "validators": []}]), code=1)
    shown = shop.jackline("plan", "show").out
    assert "0/2 nodes" in shown and "n2" in shown
    assert "denied  n1 · validate · nothing checks this change" in shown
