"""Sixty-four doors at once on one session: nothing lost, nothing doubled, nothing torn (contract sections 4 and 5)."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from jackline.store import chain, journal, log_check
from jackline.store.reducer import fold
from scene import Said, Scene, audit, settled

KERNEL = ("TOOL_DECISION", "TOOL_OUTCOME", "HOOK_EVENT")


def at_once(
    scene: Scene, payloads: Sequence[Mapping[str, Any]], *more: str, dialect: str = "claude-code"
) -> list[Said]:
    """Open a door for each payload, let all of them wait for their input, then give it to all of them."""
    doors = [scene.start(str(payload["hook_event_name"]), *more, dialect=dialect) for payload in payloads]
    for door, payload in zip(doors, payloads, strict=True):
        assert door.stdin is not None
        door.stdin.write(json.dumps(payload).encode())
        door.stdin.flush()
    for door in doors:
        assert door.stdin is not None
        door.stdin.close()
        door.stdin = None
    said = []
    for door in doors:
        out, err = door.communicate(timeout=60)
        said.append(Said(door.returncode, out, err, 0))
    return said


def mixed(scene: Scene, session: str, count: int = 64) -> list[dict[str, Any]]:
    """Prompts, calls of the main agent and of six others, outcomes, sub-agents' starts, stops and a resume."""
    made = []
    for number in range(count):
        what = number % 8
        agent = f"agent-{number % 6}"
        if what in (0, 1):
            payload = scene.payload("UserPromptSubmit", prompt=f"do {number}")
        elif what in (2, 3):
            payload = scene.tool(f"echo {number}", tool_use_id=f"call-{number}")
        elif what in (4, 5):
            payload = scene.tool(f"ls {number}", tool_use_id=f"call-{number}", agent_id=agent, agent_type="explore")
        elif what == 6:
            payload = scene.tool(f"echo {number}", "PostToolUse", tool_use_id=f"call-{number}")
        else:
            payload = scene.payload("SubagentStart", agent_id=agent, agent_type="explore")
        made.append({**payload, "session_id": session})
    return made


def hold(scene: Scene, session: str, payloads: list[dict[str, Any]], before: int = 0) -> None:
    """What must be true of a session after a storm."""
    folder = scene.place_of(session)
    records = audit(folder)
    key = chain.key(str(scene.store), folder.name)
    assert log_check.of_log((folder / "events.jsonl").read_bytes(), key) == [], (
        "the log is not the chain that it should be"
    )
    records = [row for row in records if row["kind"] != chain.KIND]
    kernel = [row for row in records if row["producer"] == "kernel" and row["kind"] in KERNEL]
    assert len(kernel) == len(payloads) + before, "an event was lost or doubled"
    calls = Counter(row["toolUseId"] for row in kernel if "toolUseId" in row)
    assert calls == Counter(payload["tool_use_id"] for payload in payloads if "tool_use_id" in payload)
    assert [row["kind"] for row in records].count("SESSION_INIT") == 1

    prompts = [payload for payload in payloads if payload["hook_event_name"] == "UserPromptSubmit"]
    turns = [row["data"]["turnId"] for row in records if row["kind"] == "TURN_INCREMENT"]
    assert sorted(turns) == list(range(1, len(prompts) + 1)), "turns are claimed one by one"
    audited, torn = journal.read(str(folder), journal.PROMPTS)
    assert (sorted(one["turnId"] for one in audited), torn) == (sorted(turns), 0)

    agents = {payload["agent_id"] for payload in payloads if "agent_id" in payload}
    names = {path.name for path in (folder / "agents").glob("a[0-9]*")}
    assert names == {f"a{number:02d}" for number in range(1, len(agents) + 1)}, "agent ids are unique and have no gaps"
    named = {(payload["tool_use_id"], payload.get("agent_id", "")) for payload in payloads if "tool_use_id" in payload}
    said = {row["toolUseId"]: row["agentId"] for row in kernel if "toolUseId" in row}
    short = {foreign: said[call] for call, foreign in named}
    assert len(set(short.values())) == len(short), "two agents share a name"
    assert all(said[call] == short[foreign] for call, foreign in named), "an agent has two names"

    final = fold(records)
    assert final["core"]["lastTurnId"] == len(prompts)
    assert final["core"]["phase"] == "PLANNING"


def quiet_down(scene: Scene, session: str) -> None:
    """One more event with a patch: afterwards the snapshot has seen all there is."""
    scene.prompt("the last one", session_id=session)
    folder = scene.place_of(session)
    assert settled(scene.state(folder)) == settled(fold(audit(folder)))


@pytest.mark.parametrize("warm", [False, True], ids=["first-events", "in-the-middle"])
def test_sixty_four_doors_on_one_session(scene: Scene, warm: bool) -> None:
    """Cold: all of them find no session, no hook table, no store key. Warm: a session that runs."""
    if warm:
        scene.begin()
    payloads = mixed(scene, scene.session)
    said = at_once(scene, payloads)
    assert [one.body for one in said if one.decision == "deny"] == []
    assert len(scene.sessions()) == 1
    hold(scene, scene.session, payloads, before=1 if warm else 0)
    quiet_down(scene, scene.session)


def test_two_sessions_in_one_tree(scene: Scene) -> None:
    """Two windows of one project: each has its folder, its turns, its agents."""
    payloads = {name: mixed(scene, name, 24) for name in ("window-one", "window-two")}
    both = [payload for pair in zip(*payloads.values(), strict=True) for payload in pair]
    for one in at_once(scene, both):
        assert one.decision == ""
    assert len(scene.sessions()) == 2
    for name, mine in payloads.items():
        hold(scene, name, mine)
        quiet_down(scene, name)


def test_a_storm_while_the_configuration_moves(scene: Scene) -> None:
    """Whoever finds a stale hook table compiles it; the others go on with the last good one. Nobody fails."""
    scene.feature("odd", "return note('seen', 'one')")
    scene.manifest({"budgets": {"PreToolUse": 20_000}})
    scene.trust()
    scene.begin()
    scene.manifest({"budgets": {"PreToolUse": 30_000}})
    calls = [scene.tool(f"echo {number}", tool_use_id=f"call-{number}") for number in range(24)]
    for one in at_once(scene, calls):
        assert one.body["hookSpecificOutput"]["additionalContext"] == "seen: one"
    assert len(scene.decided()) == 24


def test_readers_in_a_storm_see_whole_files(scene: Scene) -> None:
    """`state.json` and the log are read while doors write: never half a document."""
    scene.begin()
    reader = subprocess.Popen(
        ["python3", "-c", READER, str(scene.place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert reader.stdout is not None
    assert reader.stdout.readline() == "reading\n"
    at_once(scene, mixed(scene, scene.session, 40))
    out, _ = reader.communicate("\n", timeout=60)
    reads, faults = out.split()
    assert int(reads) > 5
    assert faults == "0"


READER = """
import json, os, select, sys
folder = sys.argv[1]
reads = faults = seen = 0
print('reading', flush=True)
while not select.select([sys.stdin], [], [], 0)[0]:
    reads += 1
    try:
        with open(folder + '/state.json') as state:
            json.load(state)
        with open(folder + '/events.jsonl', 'rb') as log:
            data = log.read()
        faults += len(data) < seen
        seen = len(data)
        for line in data.split(b'\\n')[:-1]:
            line and json.loads(line)
    except ValueError:
        faults += 1
print(reads, faults)
"""
