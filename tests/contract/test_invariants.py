"""The contract, section 17: ten things that are always true, held together on one busy session and one by one.

Each test is named after its invariant. Where a departure holds (docs/contract.md), the test holds the departure.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from jackline.store.reducer import apply, fold
from scene import Scene, listing


def busy(scene: Scene) -> None:
    """Features that emit, patch, announce, fail, print and deny, over a session's whole life."""
    announce = "emit_events=({'kind': 'SEEN'},), register_artifacts=({'ref': 'rows/output/x'},)"
    scene.feature("rows", f"return Action({announce})")
    point = "return patch({'patches': {'at': ctx.ids.hook_run_id, 'deep': {'turn': ctx.ids.turn_id}}})"
    scene.feature("patches", point, supports=["PreToolUse", "UserPromptSubmit", "Stop"])
    scene.feature("fails", "print('x')\nraise ValueError")
    scene.feature("denies", "return deny('no') if 'bad' in event.command else None", critical=True)
    scene.trust()
    scene.begin()
    for turn in range(3):
        scene.prompt(f"turn {turn}")
        for command in ("good", "bad"):
            scene.pre(command)
            scene.pre(command, agent_id=f"agent-{turn}")
        scene.say(scene.tool(event="PostToolUse"))
        scene.say(scene.payload("Stop"))


def test_section_17_all_of_them_at_once(scene: Scene) -> None:
    """The fixture's audit holds log, bus and state of this session to their schemas and to one another."""
    busy(scene)
    assert scene.decided() == ["allow", "allow", "deny", "deny"] * 3
    assert len(scene.rows("ERROR_MODULE")) == 6, "a denial comes before it in the other half"


@pytest.mark.parametrize("event", ["PreToolUse", "Stop", "SessionStart", "SessionEnd", "Unheard"])
def test_invariant_1_exactly_one_json_object(scene: Scene, event: str) -> None:
    """On stdout per invocation, no exceptions (tests/hook: any input; test_section_3_2: every recorded payload)."""
    for dialect in ("claude-code", "codex", "github"):
        for raw in (b"", b"{", b"[]", b'{"session_id":"s"}'):
            assert isinstance(scene.send(raw, event, dialect=dialect).body, dict)


def test_invariant_2_no_module_writes_to_stdout_or_stderr(scene: Scene) -> None:
    scene.feature(
        "loud",
        "import sys, posix\nprint('x')\nsys.stderr.write('y')\nsys.stdout.write('{}')\nsys.__stdout__.flush()\n"
        "posix.write(1, b'z')\nposix.write(2, b'z')\nimport os\nos.system('echo loud; echo louder >&2')",
    )
    scene.trust()
    said = scene.pre()
    assert said.body.keys() <= {"systemMessage"}
    assert b"loud" not in said.out


def test_invariant_3_patches_are_idempotent(scene: Scene) -> None:
    busy(scene)
    patches = [row["data"]["patch"] for row in scene.rows("STATE_PATCH")]
    state = fold(scene.log())
    assert len(patches) > 5
    assert apply(state, patches[-1]) == state
    assert not any("[" in json.dumps(patch) for patch in patches)
    counted = {key for patch in patches for part in patch.values() for key in part}
    assert not {key for key in counted if "count" in key.lower()}


def test_invariant_4_the_event_log_is_append_only(scene: Scene) -> None:
    busy(scene)
    path = scene.place / "events.jsonl"
    before, inode = path.read_bytes(), path.stat().st_ino
    for _ in range(3):
        scene.prompt()
        scene.pre()
        scene.begin()
    assert path.read_bytes().startswith(before)
    assert path.stat().st_ino == inode


def test_invariant_5_the_budget_is_hard(scene: Scene) -> None:
    """Departure: for non-critical features; a critical one is never skipped silently."""
    for number in range(5):
        scene.feature(f"slow-{number}", "import time\ntime.sleep(30)", priority=40 + number)
    scene.feature("guard", "return deny('no')", priority=90, critical=True)
    scene.manifest({"budgets": {"PreToolUse": 200}})
    scene.trust()
    scene.begin()
    said = scene.pre()
    assert said.decision == "deny"
    assert said.ms < 3000
    (cut,) = [row for row in scene.rows("BUDGET_EXCEEDED") if row["producer"] == "kernel"]
    assert cut["data"]["skipped"][-1] == "slow-4"


def test_invariant_6_one_rewrite_owner_per_channel(scene: Scene) -> None:
    """Departure: `inputMetadata` is session's; of `updatedInput` keys fold, and the owner wins where two disagree."""
    scene.feature("owner", "return rewrite({'path': 'owned'})", priority=60)
    scene.feature("other", "return Action(updated_input={'path': 'other'}, input_metadata={'_hookWorkId': 'w666'})")
    scene.manifest({"rewriteOwner": "owner"})
    scene.trust()
    said = scene.say(scene.tool(tool_name="Grep", tool_input={"pattern": "x", "head_limit": 1}))
    assert said.body["hookSpecificOutput"]["updatedInput"]["path"] == "owned"
    assert scene.rows("TOOL_DECISION")[0]["data"]["stamps"]["_hookWorkId"] == "w001"


@pytest.mark.parametrize("body", ["raise ValueError", "return 7", "import nothing", "import os\nos._exit(1)", "1/0"])
def test_invariant_7_errors_of_non_critical_modules_block_nothing(scene: Scene, body: str) -> None:
    """Their decisions count, their errors do not."""
    scene.feature("odd", body)
    scene.trust()
    assert scene.pre().decision == ""
    assert scene.decided() == ["allow"]
    assert len(scene.rows("ERROR_MODULE")) == 1


def test_invariant_8_no_database_on_the_hot_path(scene: Scene) -> None:
    """Cached or unavailable: in this version it is never asked at all (test_section_11)."""
    scene.feature("spy", "return note('cap', str(ctx.cap))")
    scene.trust()
    assert "'reachable': False" in scene.pre().body["hookSpecificOutput"]["additionalContext"]


def test_invariant_9_short_ids_only(scene: Scene) -> None:
    """Departure: work and agent ids grow past their digits instead of stopping."""
    busy(scene)
    for row in scene.log():
        assert re.fullmatch(r"w\d{3,}", row["workId"])
        assert re.fullmatch(r"(u00|a\d{2,})", row["agentId"])
    assert re.fullmatch(r"[0-9a-f]{8}", scene.place.name)
    assert {row["agentId"] for row in scene.log()} == {"u00", "a01", "a02", "a03"}


def test_invariant_10_nothing_escapes_the_session(scene: Scene) -> None:
    """Departure: also the named places (docs/files.md): the store, `.gitignore`, the trace beside sessions."""
    scene.begin()
    named = [scene.place, scene.store, scene.root / ".ai" / "tmp" / "dispatch.log", scene.hooks]
    before = listing(scene.folder, without=named)
    busy(scene)
    after: dict[str, Any] = listing(scene.folder, without=named)
    assert after == before
