"""A project's own feature, written with the SDK and trusted by a person, on each real client."""

from __future__ import annotations

import pytest

from .hands import Hand
from .rig.script import Thread, call, say
from .site import Site

pytestmark = pytest.mark.e2e

TELLS = '''"""Tells the model where it is, and keeps it going for as long as it is let."""

from jackline.sdk import block, hook, note


@hook(name="teller", supports=["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"], priority=60)
def handle(event, ctx):
    if event.name == "Stop":
        return block("NOT-YET " + ctx.ids.hook_run_id)
    return note("teller", "TOLD-AT-" + event.name)
'''


@pytest.fixture
def here(here: Site) -> Site:
    here.feature("teller", TELLS)
    return here


def test_a_project_feature_is_silent_until_a_person_trusts_it(here: Site, hand: Hand) -> None:
    run = hand.play(here, [call(hand.shell("one", "echo one")), say("DONE")])
    assert run.exit_code == 0
    assert not run.model_saw("TOLD-AT-")
    assert not run.model_saw("NOT-YET")


def test_context_arrives_and_a_stop_block_continues_until_the_cap(here: Site, hand: Hand) -> None:
    here.trust()
    run = hand.play(here, [call(hand.shell("one", "echo one"))], default=say("STILL-DONE"))
    assert run.exit_code == 0
    for event in ("SessionStart", "UserPromptSubmit", "PostToolUse"):
        assert run.times_told(f"TOLD-AT-{event}") == 1, event
    stops = here.rows("HOOK_EVENT", event="Stop")
    assert [row["decision"] for row in stops] == ["block"] * 6 + ["allow"]
    assert len(run.thread()) == 1 + 1 + 6  # the call, the first end, six times kept going
    for row in stops[:6]:
        assert run.model_saw(row["reason"])


def test_the_same_block_without_a_change_goes_on_to_the_limit(here: Site, hand: Hand) -> None:
    """Only limits let a turn end: an agent that fails twice in the same way is kept going as any other."""
    here.feature("teller", TELLS.replace("ctx.ids.hook_run_id", '"again"'))
    here.trust()
    run = hand.play(here, [say("ONE")], default=say("STILL-DONE"))
    assert run.exit_code == 0
    assert len(run.thread()) == 1 + 6


def test_events_of_a_sub_agent_carry_its_id_and_the_guards_hold_there(here: Site, hand: Hand) -> None:
    settings = here.settings(hand.client).relative_to(here.project)
    sub = Thread(
        "sub",
        "SUB-PROMPT",
        (
            call(hand.shell("sub-echo", "echo from-the-sub")),
            call(hand.shell("sub-sed", f"sed -i s/jackline/nothing/ {settings}")),
            say("SUB-DONE"),
        ),
    )
    turns = [call(hand.shell("main-echo", "echo from-main")), *hand.delegate("SUB-PROMPT"), say("DONE")]
    run = hand.play(here, turns, threads=[sub])
    assert run.exit_code == 0
    assert "from-the-sub" in run.result("sub-echo")
    assert "tool_error" in run.result("sub-sed")
    agents = {
        name: {row["agentId"] for row in here.events() if row.get("toolUseId") == name}
        for name in ("main-echo", "sub-echo", "sub-sed")
    }
    assert agents == {"main-echo": {"u00"}, "sub-echo": {"a01"}, "sub-sed": {"a01"}}
    for event in ("SubagentStart", "SubagentStop"):
        assert {row["agentId"] for row in here.events() if row["event"] == event} == {"a01"}
