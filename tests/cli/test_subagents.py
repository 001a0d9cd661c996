"""The capability of sub-agents: switched on by a person, told, and held where two agents are at one thing at once."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jackline.services.capabilities import CAPABILITIES
from jackline.services.plans import acceptance
from jackline.store import tasks

from .conftest import Desk

OURS = CAPABILITIES["subagents"].features
AGENTS = ("abc", "def")
"""Two sub-agents as the client calls them; they are a01 and a02 here."""


def modes(desk: Desk) -> dict[str, str]:
    found = {slug: desk.table().row(slug) for slug in OURS}
    return {slug: row.mode if row is not None else "off" for slug, row in found.items()}


def starts(desk: Desk, agent: str, kind: str = "Plan") -> str:
    said = desk.say(desk.payload("SubagentStart", agent_id=agent, agent_type=kind))
    return str(said.body.get("hookSpecificOutput", {}).get("additionalContext", ""))


def task(desk: Desk) -> dict[str, Any]:
    return tasks.read(str(desk.store), desk.place.name, "w001")


def at_once(desk: Desk, payloads: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Doors that have all started before any of them is told what happened; what each says."""
    doors = [desk.start(str(one["hook_event_name"])) for one in payloads]
    for door, one in zip(doors, payloads, strict=True):
        assert door.stdin is not None
        door.stdin.write(json.dumps(one).encode())
    for door in doors:
        assert door.stdin is not None
        door.stdin.close()
        door.stdin = None
    said = [door.communicate(timeout=60) for door in doors]
    assert [(door.returncode, err) for door, (_, err) in zip(doors, said, strict=True)] == [(0, b"")] * len(doors)
    return [json.loads(out) for out, _ in said]


def commands_at_once(desk: Desk, *commands: Sequence[str]) -> list[tuple[int, str]]:
    """Commands as processes of their own; the code and the words of each."""
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(desk.command(*words), env=desk.env, cwd=desk.root, text=True, stdin=subprocess.DEVNULL,
                         stdout=pipe, stderr=pipe) for words in commands
    ]  # fmt: skip
    said = [one.communicate(timeout=120) for one in running]
    return [(one.returncode, out + err) for one, (out, err) in zip(running, said, strict=True)]


# --- on and off --------------------------------------------------------------------------------------------------


def test_one_word_switches_all_of_it(desk: Desk) -> None:
    (desk.root / "AGENTS.md").write_text("# Ours\n")
    before = (desk.root / "AGENTS.md").read_bytes()
    said = desk.jackline("enable", "subagents", "--yes").out
    assert "subagents: lenient" in said and "not yet" not in said
    assert modes(desk) == dict.fromkeys(OURS, "warn")
    text = (desk.root / "AGENTS.md").read_text()
    assert "ends with the outputs it was asked for" in text and "jackline mailbox list" in text
    assert "Work that belongs to a sub-agent" in text
    desk.jackline("enable", "subagents", "--strict", "--yes")
    assert modes(desk) == dict.fromkeys(OURS, "enforce")
    desk.jackline("disable", "subagents", "--yes")
    assert modes(desk) == dict.fromkeys(OURS, "off")
    assert (desk.root / "AGENTS.md").read_bytes() == before


def test_features_says_what_each_is_and_did(desk: Desk) -> None:
    desk.jackline("enable", "subagents", "--yes")
    desk.begin()
    starts(desk, "abc")
    rows = {one["feature"]: one for one in desk.jackline("features", "subagents", "--json").data}
    assert {slug: one["state"] for slug, one in rows.items()} == dict.fromkeys(OURS, "lenient")
    assert rows["plan-subagent-contract"]["last"]["kind"] == "SUBAGENT_INJECT"
    assert rows["rlm-work"]["produces"] == ["context_packet", "subagent_output"]
    assert rows["rlm-work"]["stateParts"] == ["rlm"]


@pytest.mark.parametrize(
    ("client", "cannot"),
    [("claude-code", []), ("codex", []), ("vscode", ["marks no sub-agents"]), ("copilot-cli", [])],
)
def test_features_says_what_a_client_cannot(desk: Desk, client: str, cannot: list[str]) -> None:
    desk.jackline("init", "--client", client, "--no-project")
    desk.jackline("enable", "subagents", "--yes")
    rows = {one["feature"]: one for one in desk.jackline("features", "subagents", "--json").data}
    for slug in ("plan-subagent-contract", "rlm-work"):
        assert rows[slug]["cannot"].get(client, []) == cannot


# --- at once -----------------------------------------------------------------------------------------------------


@pytest.fixture
def shop(desk: Desk) -> Desk:
    """A strict task, with two sub-agents of it at work."""
    for number in range(4):
        path = desk.root / f"src/f{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("a\n")
    desk.jackline("enable", "plan", "subagents", "--strict", "--yes")
    desk.begin()
    desk.prompt("rotate the tokens")
    for agent in AGENTS:
        starts(desk, agent)
    return desk


def plan(number: int = 0) -> dict[str, Any]:
    nodes = [{"id": f"n{number}-{at}", "description": "a step", "scope": f"src/f{at}.py"} for at in range(2)]
    checks = [
        {"id": f"v{number}", "description": "a look", "kind": "validate", "dependsOn": [one["id"] for one in nodes]}
    ]
    return {"nodes": [*nodes, *checks]}


def writes(desk: Desk, agent: str, path: str) -> dict[str, Any]:
    given = {"file_path": str(desk.root / path), "content": "b\n" * 40}
    use = f"toolu_{agent}_{path.replace('/', '_')}"
    return desk.tool(tool_name="Write", tool_input=given, tool_use_id=use, agent_id=agent, agent_type="Plan")


def test_two_that_begin_one_node_have_one_lease(shop: Desk) -> None:
    (shop.root / "plan.json").write_text(json.dumps(plan()))
    shop.jackline("plan", "submit", "plan.json")
    said = at_once(shop, [writes(shop, agent, "src/f0.py") for agent in AGENTS])
    assert said == [{}, {}], "a lease is the session's"
    assert list(task(shop)["leases"]) == ["n0-0"]
    assert list(task(shop)["nodes"]) == ["n0-0"]
    refused = at_once(shop, [writes(shop, agent, "src/f3.py") for agent in AGENTS])
    assert [one["hookSpecificOutput"]["permissionDecision"] for one in refused] == ["deny", "deny"]


def test_two_that_begin_two_nodes_lose_neither(shop: Desk) -> None:
    (shop.root / "plan.json").write_text(json.dumps(plan()))
    shop.jackline("plan", "submit", "plan.json")
    assert at_once(shop, [writes(shop, agent, f"src/f{at}.py") for at, agent in enumerate(AGENTS)]) == [{}, {}]
    assert sorted(task(shop)["leases"]) == ["n0-0", "n0-1"]


def test_two_that_take_one_request_one_has_it(shop: Desk) -> None:
    asked = shop.jackline("mailbox", "request", "who reads src/f0.py?", "--agent", "u00", "--json").data
    said = commands_at_once(shop, *[("mailbox", "take", asked["id"], "--agent", agent) for agent in ("a01", "a02")])
    assert sorted(code for code, _ in said) == [0, 1], said
    [row] = shop.jackline("mailbox", "list", "--json").data
    winner = "a01" if said[0][0] == 0 else "a02"
    assert row["standing"] == "taken" and row["by"].startswith(winner)
    assert f"was taken by {winner}" in next(words for code, words in said if code)


def test_two_at_one_lock_one_works(shop: Desk) -> None:
    """The job of the one that does not have it never begins."""
    work = ["sh", "-c", 'echo "$0" >> ran; until [ -e go ]; do sleep 0.05; done']
    pipe = subprocess.PIPE
    running = {
        agent: subprocess.Popen(shop.command("lock", "run", "--agent", agent, "scan", "--", *work, agent), text=True,
                                env=shop.env, cwd=shop.root, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)
        for agent in ("a01", "a02")
    }  # fmt: skip
    while all(one.poll() is None for one in running.values()):
        time.sleep(0.02)
    lost = next(agent for agent, one in running.items() if one.poll() is not None)
    won = "a01" if lost == "a02" else "a02"
    (shop.root / "go").touch()
    said = {agent: one.communicate(timeout=60) for agent, one in running.items()}
    assert (running[lost].returncode, running[won].returncode) == (1, 0), said
    assert (shop.root / "ran").read_text() == f"{won}\n"
    assert f"scan · held by {won} in session" in said[lost][1]


def test_two_plans_that_end_at_once_one_is_the_tasks(shop: Desk) -> None:
    for number, agent in enumerate(("a01", "a02")):
        place = shop.place / "plan-subagent-contract/output/sa/Plan" / agent
        (place / "planGraph.json").write_text(json.dumps(plan(number)))
    ends = [shop.payload("SubagentStop", agent_id=agent, agent_type="Plan", stop_hook_active=False) for agent in AGENTS]
    assert all(one.get("decision") != "block" for one in at_once(shop, ends))
    kept = tasks.read_plan(str(shop.store), shop.place.name, "w001")
    assert json.loads(kept) in (plan(0), plan(1))
    assert task(shop)["plan"]["fingerprint"] == acceptance.fingerprint(kept)
    assert len(shop.rows("SUBAGENT_HARVEST")) == 2 and shop.rows("ERROR_MODULE") == []
    refs = [json.loads(line)["ref"] for line in (shop.place / "registry.jsonl").read_text().splitlines()]
    for agent in ("a01", "a02"):
        assert f"plan-subagent-contract/output/sa/Plan/{agent}/planGraph.json" in refs


def test_two_that_start_at_once_have_a_name_each(desk: Desk) -> None:
    desk.jackline("enable", "subagents", "--yes")
    desk.begin()
    begins = [desk.payload("SubagentStart", agent_id=agent, agent_type="Explore") for agent in AGENTS]
    said = [str(one["hookSpecificOutput"]["additionalContext"]) for one in at_once(desk, begins)]
    names = {text.partition("you are ")[2][:3] for text in said}
    assert names == {"a01", "a02"}
    places = sorted(
        path.parent.name for path in Path(desk.place).glob("rlm-work/output/sa/Explore/*/context_packet.json")
    )
    assert places == ["a01", "a02"]
