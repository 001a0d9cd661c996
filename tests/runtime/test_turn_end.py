"""The end of a turn: one account of continuations, below every client's cap (design section 6, Stop)."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.clients.capabilities import row
from jackline.policy.continuation import LIMIT
from scene import Said, Scene

STUBBORN = "return block('mend ' + str(ctx.start_ms) + str(id(ctx)) + str(ctx.ids.hook_run_id))"
SAME = "return block('the tests fail')"


def keep_on(scene: Scene, body: str = STUBBORN, supports: tuple[str, ...] = ("Stop",)) -> None:
    scene.feature("keep-on", body, supports=supports)
    scene.trust()
    scene.begin()
    scene.prompt("do it")


def stop(scene: Scene, **fields: Any) -> Said:
    return scene.say(scene.payload("Stop", **fields))


def kept_going(said: Said) -> bool:
    return said.body.get("decision") == "block"


def until_it_ends(scene: Scene, most: int = 20) -> int:
    """How often the agent is kept going when something changes in between."""
    for number in range(most):
        if not kept_going(stop(scene, stop_hook_active=number > 0)):
            return number
        scene.say(scene.tool("touch x", event="PostToolUse"))
    return most


def test_the_account_ends_below_the_clients_cap(scene: Scene) -> None:
    keep_on(scene)
    assert until_it_ends(scene) == LIMIT < row("claude-code", "Stop").cont
    assert len(scene.rows("CONTINUATION_END")) == 1
    assert "kept going" in scene.rows("CONTINUATION_END")[0]["reason"]


def test_the_next_prompt_opens_a_new_account(scene: Scene) -> None:
    keep_on(scene)
    until_it_ends(scene)
    scene.prompt("go on")
    assert until_it_ends(scene) == LIMIT


def test_the_same_failure_goes_on_as_often_as_any_other(scene: Scene) -> None:
    """An agent that stops again with nothing mended is not let go for that."""
    keep_on(scene, SAME)
    for number in range(LIMIT):
        assert kept_going(stop(scene, stop_hook_active=number > 0)), number
    assert not kept_going(stop(scene, stop_hook_active=True))


GATE = """#!/bin/sh
test -e done || { echo "not done yet" >&2; exit 2; }
"""
NOTE = """---
surface: hook
events: [Stop]
block: true
---
A gate.
"""


def gate(scene: Scene) -> None:
    folder = scene.root / ".config" / "gate"
    folder.mkdir(parents=True)
    (folder / "spec.md").write_text(NOTE)
    (folder / "gate.sh").write_text(GATE)
    (folder / "gate.sh").chmod(0o755)
    scene.trust()
    scene.begin()
    scene.prompt("do it")


def test_a_nodes_gate_is_let_go_by_the_account_only(scene: Scene) -> None:
    """Its reason is the same each time, and the client says that the agent stopped before: neither opens it."""
    gate(scene)
    for number in range(LIMIT):
        assert kept_going(stop(scene, stop_hook_active=number > 0)), number
    said = stop(scene, stop_hook_active=True)
    (row,) = scene.rows("CONTINUATION_END")
    assert not kept_going(said)
    assert row["data"] == {"by": "account", "held": ["script:gate"]}
    assert row["reason"] == said.body["systemMessage"]
    assert (
        row["reason"]
        == "the agent was kept going 6 times in this turn, as often as all hooks together may; it ends now"
    )


def test_file_scripts_that_are_let_go_do_not_let_a_gate_go(scene: Scene) -> None:
    """Each has its own count; the turn has not ended as long as one of them holds it."""
    script = scene.root / ".ai/hooks/scripts/fails.sh"
    script.parent.mkdir(parents=True)
    script.write_text('#!/bin/sh\n#---\n# type: file\n# pattern: "*.py"\n#---\nexit 1\n')
    script.chmod(0o755)
    gate(scene)
    (scene.root / "a.py").write_text("x\n")
    said = [stop(scene, stop_hook_active=number > 0) for number in range(LIMIT + 1)]
    assert [kept_going(one) for one in said] == [True] * LIMIT + [False]
    assert ["Attempt" in one.reason for one in said] == [True] * 3 + [False] * 4
    ends = [(row["producer"], row["data"]) for row in scene.rows("CONTINUATION_END")]
    assert ends[0] == ("scripts", {"by": "scripts", "held": ["script:fails"]})
    assert ends[-1] == ("kernel", {"by": "account", "held": ["script:gate"]})


@pytest.mark.parametrize(
    "fields",
    [
        {"background_tasks": [{"id": "b", "type": "agent", "status": "running"}]},
        {"agent_id": "agent-1", "agent_type": "explore"},
    ],
    ids=["background", "sub-agent"],
)
def test_only_the_main_agents_quiet_stop_is_a_turns_end(scene: Scene, fields: dict[str, Any]) -> None:
    keep_on(scene)
    assert not kept_going(stop(scene, **fields))
    assert kept_going(stop(scene))


def test_a_finished_task_is_no_background(scene: Scene) -> None:
    keep_on(scene)
    assert kept_going(stop(scene, background_tasks=[{"id": "b", "type": "agent", "status": "completed"}]))


def test_a_sub_agent_has_an_account_of_its_own(scene: Scene) -> None:
    keep_on(scene, supports=("SubagentStop", "Stop"))
    fields = {"agent_id": "agent-1", "agent_type": "explore"}
    for _ in range(LIMIT):
        assert kept_going(scene.say(scene.payload("SubagentStop", **fields)))
        scene.say(scene.tool("touch x", event="PostToolUse"))
    assert not kept_going(scene.say(scene.payload("SubagentStop", **fields)))
    assert kept_going(scene.say(scene.payload("SubagentStop", agent_id="agent-2", agent_type="explore")))
    assert kept_going(stop(scene))


def test_all_reasons_are_joined_in_order(scene: Scene) -> None:
    """On events that are no tool calls all hooks run, and block reasons are joined (design section 2)."""
    for name, priority in (("second", 60), ("first", 40), ("third", 70)):
        scene.feature(name, f"return block('{name} says no')", supports=["Stop"], priority=priority)
    scene.trust()
    scene.prompt()
    assert stop(scene).reason.split("\n") == ["first says no", "second says no", "third says no"]


def test_where_nothing_can_be_counted_the_agent_goes_on_once(scene: Scene) -> None:
    """A folder that cannot be written is no way into an endless turn: some clients have no cap of their own."""
    keep_on(scene, STUBBORN)
    turns = scene.place / "turns"
    for path in turns.iterdir():
        path.unlink()
    turns.rmdir()
    turns.write_text("no folder")
    assert kept_going(stop(scene))
    assert not kept_going(stop(scene, stop_hook_active=True))
    turns.unlink()
