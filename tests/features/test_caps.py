"""Caps of a task: each is counted as calls end, blocks the task by a message that says which, and a prompt goes on."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from jackline.services import budget
from jackline.store import tasks
from scene import Scene

PLAN = {"nodes": [{"id": "n1", "description": "all of it", "validators": ["t"]}]}


def begun(scene: Scene, caps: dict[str, int], mode: str = "enforce") -> Scene:
    modules = {name: {"enabled": True, "mode": mode} for name in ("work-init", "plan-graph", "tool-gate")}
    scene.manifest({"version": 1, "modules": modules})
    folder = scene.home / ".config/jackline"
    (folder / "config.json").write_text(json.dumps({"work-init": {"caps": caps}}))
    scene.begin()
    scene.prompt("rotate the tokens")
    return scene


def call(scene: Scene, command: str = "ls", **fields: Any) -> dict[str, Any]:
    """One call that goes through: what is said at its end."""
    return scene.say(scene.tool(command, event="PostToolUse", **fields)).body


def context(said: dict[str, Any]) -> str:
    return str(said.get("hookSpecificOutput", {}).get("additionalContext", ""))


def phase(scene: Scene) -> str:
    return str(scene.state()["core"]["phase"])


def task(scene: Scene) -> dict[str, Any]:
    return tasks.read(str(scene.store), scene.place.name, "w001")


def test_without_caps_nothing_is_counted(scene: Scene) -> None:
    begun(scene, {})
    call(scene)
    assert "spent" not in task(scene)


def test_the_last_call_blocks_and_says_which_cap(scene: Scene) -> None:
    begun(scene, {"toolCalls": 3})
    assert [context(call(scene)) for _ in range(2)] == ["", ""]
    said = call(scene)
    cap = "the task reached its cap of 3 tool calls (work-init.caps.toolCalls)"
    assert context(said) == (
        f"task: BLOCKED: {cap}. Reading is open. Tell the person where it stands; their next prompt goes on."
    )
    assert f"w001 is BLOCKED: {cap} · your next prompt goes on, with as much again" in said["systemMessage"]
    assert phase(scene) == "BLOCKED"
    (row,) = scene.rows("CAP_REACHED")
    assert row["data"] == {"cap": "toolCalls", "most": 3, "toolCalls": 3, "minutes": 0, "tokens": 0}
    (step,) = [row for row in scene.rows("PHASE_TRANSITION") if row["data"]["to"] == "BLOCKED"]
    assert step["data"]["trigger"] == "cap_reached"
    assert context(call(scene)) == "", "it is told once"


def test_the_gate_names_the_cap_and_lets_through_what_it_names(scene: Scene) -> None:
    begun(scene, {"toolCalls": 1})
    call(scene)
    said = scene.pre("touch new.py")
    assert said.decision == "deny" and '"code":"BUDGET_EXCEEDED"' in said.reason
    assert "its cap of 1 tool calls" in said.reason and "their next prompt goes on" in said.reason
    assert "now: jackline sessions work" in said.reason
    for command in ("jackline sessions work", "cat README.md"):
        assert scene.pre(command).decision == ""


def test_nothing_small_is_changed_either_until_the_next_prompt(scene: Scene) -> None:
    (scene.root / "a.py").write_text("a\n")
    begun(scene, {"toolCalls": 1})
    given = {"file_path": str(scene.root / "a.py"), "content": "b\n"}
    small = scene.tool(tool_name="Write", tool_input=given)
    assert scene.say(small).decision == ""
    call(scene)
    said = scene.say(small)
    assert said.decision == "deny" and "its cap of 1 tool calls" in said.reason
    scene.prompt("go on")
    assert scene.say(small).decision == ""


def test_a_prompt_goes_on_with_as_much_again(scene: Scene) -> None:
    begun(scene, {"toolCalls": 2})
    for _ in range(2):
        call(scene)
    assert phase(scene) == "BLOCKED"
    scene.prompt("go on")
    assert phase(scene) == "PLANNING"
    assert "jackline plan quick" in scene.pre("touch new.py").reason, "the gate is back at its phase"
    call(scene)
    assert phase(scene) == "PLANNING" and budget.used(task(scene))["toolCalls"] == 1
    call(scene)
    assert phase(scene) == "BLOCKED"


def test_a_prompt_in_between_gives_nothing(scene: Scene) -> None:
    begun(scene, {"toolCalls": 2})
    call(scene)
    scene.prompt("and this")
    call(scene)
    assert phase(scene) == "BLOCKED"


def test_a_new_plan_leads_around_no_cap(scene: Scene) -> None:
    begun(scene, {"toolCalls": 1})
    path = scene.folder / "plan.json"
    path.write_text(json.dumps(PLAN))
    call(scene)
    call(scene, f"jackline plan submit {path}")
    assert task(scene)["plan"]["nodes"] == 1
    assert scene.pre("touch new.py").decision == "deny"
    call(scene)
    assert phase(scene) == "BLOCKED"
    scene.prompt("go on")
    assert phase(scene) == "EXECUTING" and scene.pre("touch new.py").decision == ""


def test_what_failed_and_what_sub_agents_do_counts(scene: Scene) -> None:
    begun(scene, {"toolCalls": 2})
    scene.say({**scene.tool(event="PostToolUse"), "hook_event_name": "PostToolUseFailure", "error": "exit 1"})
    call(scene, agent_id="sub-1", agent_type="Explore")
    assert phase(scene) == "BLOCKED"


def test_tokens_are_what_goes_in_and_comes_back(scene: Scene) -> None:
    begun(scene, {"tokens": 1_000})
    call(scene, tool_response={"stdout": "x" * 3_000, "stderr": ""})
    assert 750 < budget.used(task(scene))["tokens"] < 850 and phase(scene) == "PLANNING"
    said = call(scene, "echo " + "y" * 1000)
    assert "its cap of 1000 tokens (work-init.caps.tokens)" in context(said)
    assert phase(scene) == "BLOCKED"


def test_minutes_are_those_at_work(scene: Scene) -> None:
    """From a prompt to the last call of its turn; a person who is away costs nothing."""
    now = time.time_ns() // 1_000_000
    one = budget.spend({}, 1, now)
    one = budget.spend(one, 1, now + 20 * budget.MINUTE, 1)
    one = budget.spend(one, 2, now + 500 * budget.MINUTE)
    one = budget.spend(one, 2, now + 509 * budget.MINUTE, 1)
    assert budget.used(one) == {"toolCalls": 2, "minutes": 29, "tokens": 0}
    assert not budget.held(one, {"minutes": 30}, 2, told=False).get("capped")
    capped = budget.held(one, {"minutes": 29}, 2, told=False)
    assert "29 minutes at work" in budget.sentence(capped)
    assert [budget.is_capped(capped, turn) for turn in (2, 3)] == [True, False]
    assert budget.used(budget.spend(capped, 3, now + 600 * budget.MINUTE)) == {
        "toolCalls": 0,
        "minutes": 0,
        "tokens": 0,
    }


def test_a_cap_of_minutes_holds_at_the_entry(scene: Scene) -> None:
    begun(scene, {"minutes": 5})
    call(scene)
    tasks.change(
        str(scene.store), scene.place.name, "w001",
        lambda old: {**old, "spent": {**old["spent"], "last": old["spent"]["last"] - 6 * budget.MINUTE}},
    )  # fmt: skip
    assert "its cap of 5 minutes at work" in context(call(scene))


def test_lenient_tells_the_person_once_and_blocks_nothing(scene: Scene) -> None:
    begun(scene, {"toolCalls": 1}, "warn")
    assert "its cap of 1 tool calls (work-init.caps.toolCalls); strict would block it" in call(scene)["systemMessage"]
    assert "systemMessage" not in call(scene)
    assert phase(scene) == "PLANNING"


@pytest.mark.parametrize("caps", [{"toolCalls": 0}, {"calls": 3}, {"minutes": "5m"}])
def test_a_wrong_cap_is_told_and_caps_nothing(scene: Scene, caps: dict[str, Any]) -> None:
    begun(scene, caps)
    call(scene)
    assert not task(scene).get("capped")
