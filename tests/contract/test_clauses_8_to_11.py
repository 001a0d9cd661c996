"""The contract, sections 8 to 11: who runs, who decides, what is rewritten, what happens to faults.

Each test is named after its clause. Where a departure holds (docs/contract.md), the test holds the departure.
"""

from __future__ import annotations

import itertools
import json
import subprocess

import pytest

from contract.spy import audited
from jackline.builtin import BUDGETS
from jackline.compiler.write import compile_table
from jackline.hook_table import OTHER_BUDGET
from jackline.policy.events import CRITICAL_DEADLINE_MS, ROWS
from scene import BASE, Scene

# --- 8. dispatch ----------------------------------------------------------------------------------------------------


def ran(scene: Scene) -> list[str]:
    """The features of the last tool call, in the order in which they ran."""
    return [one["feature"] for one in scene.rows("TOOL_DECISION")[-1]["data"]["actions"]]


def test_section_8_modules_run_by_priority(scene: Scene) -> None:
    """Ties go by name; the order is fixed when the hook table is compiled, and finishing time decides nothing."""
    for name, priority in (("c", 30), ("b", 5), ("a", 30), ("z", -1)):
        scene.feature(name, f"import time\ntime.sleep(0.01 if '{name}' == 'a' else 0)", priority=priority)
    scene.trust()
    scene.pre()
    order = [name for name in ran(scene) if name in "abcz"]
    assert order == ["z", "b", "a", "c"]
    assert ran(scene).index("session") < ran(scene).index("b") < ran(scene).index("graph-pretooluse")


def test_section_8_the_session_goes_on_after_a_denial(scene: Scene) -> None:
    scene.feature("guard", "return deny('no') if 'bad' in event.command else None")
    scene.trust()
    assert [scene.pre(command).decision for command in ("bad", "good", "bad")] == ["deny", "", "deny"]
    assert scene.decided() == ["deny", "allow", "deny"]


def test_section_8_1_first_deny_stops_the_others(scene: Scene) -> None:
    """Departure: critical features still judge, since one guard's refusal must not hide what another knows."""
    for name, priority in (("one", 40), ("two", 50), ("three", 60)):
        scene.feature(name, f"return deny('{name}')", priority=priority, critical=name != "two")
    scene.trust()
    said = scene.pre()
    assert (said.decision, said.reason.split("\n")[0]) == ("deny", "one — refused by one")
    assert "three — refused by three" in said.reason
    assert ran(scene)[-2:] == ["one", "three"]


def test_section_8_1_an_ask_stops_nobody(scene: Scene) -> None:
    """Departure: an ask must not hide a denial, a project's no more than a guard's."""
    scene.feature("asks", "return ask('sure?')", priority=40, critical=True)
    scene.feature("rule", "return deny('no') if 'bad' in event.command else None", priority=50)
    scene.feature("guard", "return deny('never') if 'worse' in event.command else None", priority=60, critical=True)
    scene.trust()
    assert scene.pre("good").decision == "ask"
    assert ran(scene)[-3:] == ["asks", "rule", "guard"]
    for command, by in (("bad", ["rule"]), ("worse", ["guard"])):
        assert scene.pre(command).decision == "deny"
        assert scene.rows("TOOL_DECISION")[-1]["by"] == by


@pytest.mark.parametrize("order", list(itertools.permutations(("allow", "ask", "deny"))), ids="-".join)
def test_section_8_1_deny_over_ask_over_allow(scene: Scene, order: tuple[str, ...]) -> None:
    words = {"allow": "allow()", "ask": "ask('sure?')", "deny": "deny('no')"}
    for number, word in enumerate(order):
        scene.feature(f"f{number}", f"return {words[word]}", priority=40 + number, critical=True)
    scene.trust()
    assert scene.pre().decision == "deny"


def test_section_8_2_budgets() -> None:
    assert BUDGETS == {"PreToolUse": 300, "PostToolUse": 500, "SessionStart": 5000, "Stop": 5000}
    assert OTHER_BUDGET == 1000
    assert {event: row[2] for event, row in ROWS.items()} == {event: BUDGETS.get(event, OTHER_BUDGET) for event in ROWS}


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "UserPromptSubmit"])
def test_section_8_2_over_budget_the_rest_is_skipped(scene: Scene, event: str) -> None:
    scene.feature("slow", "import time\ntime.sleep(9)", supports=[event], priority=40)
    scene.feature("late", "return note('late', 'yes')", supports=[event], priority=50)
    scene.manifest({"budgets": {event: 250}, "modules": {"planGraph-exec": {"enabled": False}}})
    scene.trust()
    payload = scene.payload(event, prompt="x") if event == "UserPromptSubmit" else scene.tool(event=event)
    assert "late" not in json.dumps(scene.say(payload).body.get("hookSpecificOutput", {}))
    first, cut = scene.rows("BUDGET_EXCEEDED")
    assert (first["producer"], cut["producer"]) == ("slow", "kernel")
    assert cut["data"] == {"skipped": ["late"], "budgetMs": 250.0}


def test_section_8_2_a_busy_machine_disarms_no_guard(scene: Scene) -> None:
    """Departure: over budget means allow for non-critical features only; critical ones have five seconds each."""
    scene.feature("slow", "import time\ntime.sleep(9)", priority=-5)
    scene.feature("guard", "return deny('still here')", priority=60, critical=True)
    scene.manifest({"budgets": {"PreToolUse": 100}})
    scene.trust()
    assert scene.pre().decision == "deny"
    assert CRITICAL_DEADLINE_MS == 5000


def test_section_8_2_the_clock_starts_with_dispatch(scene: Scene) -> None:
    """Not with the process (a fault of earlier implementations): waiting and compiling cost no feature its time."""
    scene.feature("odd", "return note('seen', str(ctx.timers.elapsed() < 5000))")
    scene.trust()
    script = """
import sys, time, json, subprocess
door = subprocess.Popen(json.loads(sys.argv[1]), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
time.sleep(0.6)
out, _ = door.communicate(sys.stdin.buffer.read())
sys.stdout.buffer.write(out)
"""
    done = subprocess.run(
        [BASE, "-c", script, json.dumps(scene.argv("PreToolUse"))],
        input=json.dumps(scene.tool()).encode(),
        capture_output=True,
        env=scene.env,
        cwd=scene.root,
        check=True,
    )
    assert "seen: True" in done.stdout.decode()
    assert scene.rows("BUDGET_EXCEEDED") == []


# --- 9. rewrites -----------------------------------------------------------------------------------------------------


def test_section_9_1_stamps_are_the_session_modules_alone(scene: Scene) -> None:
    """Departure: in the log and in process; no measured client gets them, since all drop foreign keys or show them."""
    scene.feature("odd", "return Action(input_metadata={'_hookSessionId': 'forged', '_hookExtra': 'x'})")
    scene.trust()
    assert b"_hook" not in scene.pre().out
    stamps = scene.rows("TOOL_DECISION")[0]["data"]["stamps"]
    assert stamps == {
        "_hookSessionId": scene.place.name,
        "_hookWorkId": "w001",
        "_hookArtifactRoot": "work/w001",
    }


def test_section_9_2_the_rewrite_owner_is_configured(scene: Scene) -> None:
    for name, priority in (("first", 30), ("second", 40), ("third", 50)):
        scene.feature(name, f"return rewrite({{'path': '{name}'}})", priority=priority)
    scene.manifest({"rewriteOwner": "third"})
    scene.trust()
    payload = scene.tool(tool_name="Grep", tool_input={"pattern": "x", "head_limit": 5})
    assert scene.say(payload).body["hookSpecificOutput"]["updatedInput"]["path"] == "third"
    scene.manifest({})
    assert scene.say(payload).body["hookSpecificOutput"]["updatedInput"]["path"] == "first"


def test_section_9_2_its_default_is_plan_graph_exec(scene: Scene) -> None:
    scene.begin()
    assert scene.table().rewrite_owner == "planGraph-exec"


def test_section_9_3_rewrites_are_merged_into_the_tools_input(scene: Scene) -> None:
    """Departure: disjoint keys fold, the owner wins a conflict, the loser is told; nothing of the input is lost."""
    scene.feature("one", "return rewrite({'glob': '*.py', 'path': 'a'})", priority=30)
    scene.feature("two", "return rewrite({'path': 'b'})", priority=40)
    scene.trust()
    payload = scene.tool(tool_name="Grep", tool_input={"pattern": "x", "head_limit": 5, "-n": True})
    updated = scene.say(payload).body["hookSpecificOutput"]["updatedInput"]
    assert updated == {"pattern": "x", "head_limit": 5, "-n": True, "glob": "*.py", "path": "a"}
    assert any("path is rewritten by" in note for note in scene.rows("TOOL_DECISION")[0]["data"]["notes"])


# --- 10. isolation ---------------------------------------------------------------------------------------------------


def test_section_10_a_critical_fault_denies(scene: Scene) -> None:
    scene.feature("guard", "raise ValueError('inside')", critical=True)
    scene.feature("after", "return deny('never heard')", priority=60)
    scene.trust()
    said = scene.pre()
    assert said.decision == "deny"
    row = scene.rows("ERROR_MODULE_CRITICAL")[0]
    assert row["error"]["module"] == "guard"
    assert len(row["error"]["stackHash"]) == 8
    assert ran(scene)[-1] == "guard"


def test_section_10_another_fault_is_logged_and_skipped(scene: Scene) -> None:
    body = "ctx.log('info', 'x')\nraise ValueError('inside')"
    scene.feature("odd", body)
    scene.feature("after", "return note('after', 'yes')", priority=60)
    scene.trust()
    assert "after: yes" in json.dumps(scene.pre().body)
    row = scene.rows("ERROR_MODULE")[0]
    assert (row["producer"], row["event"], row["error"]["module"]) == ("odd", "PreToolUse", "odd")
    first = row["error"]["stackHash"]
    scene.pre()
    assert scene.rows("ERROR_MODULE")[1]["error"]["stackHash"] == first, "the same place has the same mark"


def test_section_10_outputs_of_a_failed_module_are_dropped(scene: Scene) -> None:
    scene.feature(
        "odd", "return Action(decision='deny', reason='x', additional_context=7, state_patch={'odd': {'a': 1}})"
    )
    scene.trust()
    said = scene.pre()
    assert said.decision == ""
    assert "odd" not in scene.state()


@pytest.mark.parametrize(
    ("event", "refused"), [("UserPromptSubmit", True), ("PostToolUse", True), ("Stop", True), ("SessionStart", False)]
)
def test_section_10_a_critical_fault_refuses_where_its_event_can(scene: Scene, event: str, refused: bool) -> None:
    """Departure: where nothing can be refused it is logged."""
    scene.feature("guard", "raise ValueError", critical=True, supports=[event])
    scene.trust()
    payload = scene.tool(event=event) if event == "PostToolUse" else scene.payload(event, prompt="x")
    assert (scene.say(payload).body.get("decision") == "block") == refused
    assert len(scene.rows("ERROR_MODULE_CRITICAL")) == 1


def test_section_10_which_of_ours_are_critical(scene: Scene) -> None:
    """Departure: also `self-protect` and `command-guard`; each can be observed first."""
    scene.begin()
    rows = scene.table().rows("PreToolUse")
    assert [row.slug for row in rows if row.critical] == [
        "session",
        "self-protect",
        "graph-pretooluse",
        "command-guard",
    ]
    assert [row.slug for row in rows if not row.critical] == ["planGraph-exec"]


# --- 11. the graph database ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", ["PreToolUse", "SessionStart", "Stop", "PostToolUse"])
def test_section_11_the_database_is_never_asked(scene: Scene, event: str) -> None:
    """In this version `cap.neo4j` is disabled and never probed: no socket is opened, whatever is configured."""
    (scene.hooks).mkdir(parents=True, exist_ok=True)
    (scene.hooks / "config.json").write_text(json.dumps({"neo4j": {"uri": "bolt://127.0.0.1:7687"}}))
    scene.feature("spy", "return warn(str(ctx.cap['neo4j']))", supports=[event])
    scene.trust()
    payload = scene.tool(event=event) if "Tool" in event else scene.payload(event)
    said, opened = audited(scene, payload, ("socket.",))
    assert opened == []
    assert "'enabled': False, 'reachable': False" in said.body["systemMessage"]
    assert compile_table(str(scene.root), str(scene.store)).faults == ()
