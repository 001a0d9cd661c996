"""The contract, sections 12 to 16: phases, hotPathSafe, the modules, their configuration, the schemas.

Each test is named after its clause. Where a departure holds (docs/contract.md), the test holds the departure.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contract.spy import SPY
from jackline.compiler import schemas
from jackline.compiler.base import PHASES as POLICY
from jackline.compiler.registry import KNOWN, NOT_YET
from jackline.compiler.write import Compiled, compile_table
from jackline.store import tasks
from scene import Scene


def phase(scene: Scene) -> str:
    return str(scene.state()["core"]["phase"])


def plan(scene: Scene, *nodes: dict[str, Any]) -> None:
    """Write the session's plan graph, as an agent does."""
    path = scene.place / "planGraph-exec" / "output" / "planGraph.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    made = [{"id": f"n{at}", "description": "a step", **node} for at, node in enumerate(nodes)]
    path.write_text(json.dumps({"nodes": made}))


def read(scene: Scene, name: str = "README.md") -> dict[str, Any]:
    return scene.tool(tool_name="Read", tool_input={"file_path": f"{scene.root}/{name}"})


def write(scene: Scene, path: str) -> dict[str, Any]:
    return scene.tool(tool_name="Write", tool_input={"file_path": path, "content": "{}"})


# --- 12. phases ------------------------------------------------------------------------------------------------------


def test_section_12_1_a_session_is_in_one_of_the_phases(scene: Scene) -> None:
    scene.begin()
    scene.prompt()
    assert phase(scene) == "PLANNING"


def test_section_12_2_the_lifecycle(scene: Scene) -> None:
    """Departure: a plan counts as accepted when it is valid, its ids unique and without a circle."""
    scene.begin()
    assert phase(scene) == "UNINITIALIZED"
    scene.prompt()
    assert phase(scene) == "PLANNING"
    plan(scene, {"status": "pending"}, {"status": "pending", "dependencies": ["n0"]})
    scene.pre()
    assert phase(scene) == "EXECUTING"
    plan(scene, {"status": "done"}, {"status": "done", "dependencies": ["n0"]})
    scene.pre()
    assert phase(scene) == "EXECUTING", "what an agent writes into its own file finishes nothing"
    for _ in range(2):
        scene.say(scene.payload("Stop"))
    assert phase(scene) == "EXECUTING", "a Stop each turn ends no phase (a fault of earlier implementations)"
    steps = [one["data"] for one in scene.rows("PHASE_TRANSITION")]
    assert [(one["from"], one["to"], one["trigger"]) for one in steps] == [
        ("UNINITIALIZED", "PLANNING", "prompt"),
        ("PLANNING", "EXECUTING", "plan_accepted"),
    ]


def test_section_12_2_an_invalid_plan_is_not_accepted(scene: Scene) -> None:
    scene.prompt()
    for nodes in (
        [{"id": "a"}, {"id": "a"}],
        [{"id": "a", "dependencies": ["a"]}],
        [{"id": "a", "dependencies": ["b"]}],
    ):
        plan(scene, *nodes)
        scene.pre()
        assert phase(scene) == "PLANNING"
        assert scene.state()["plan"]["status"] == "rejected"


def test_section_12_2_blocked_and_back(scene: Scene) -> None:
    """Departure: only the same refusal for the third time blocks; a person's next prompt is the remediation."""
    scene.manifest({"enforcePhases": True, "phasePolicy": {"PLANNING": {"mode": "warn"}}})
    scene.prompt()
    plan(scene, {"status": "pending"}, {"status": "forbidden", "scope": "secret/**", "reason": "not ours"})
    scene.pre("touch src.txt")
    assert phase(scene) == "EXECUTING"
    for _ in range(2):
        assert scene.say(write(scene, f"{scene.root}/secret/x")).decision == "deny"
        assert phase(scene) == "EXECUTING"
    assert scene.say(write(scene, f"{scene.root}/secret/x")).decision == "deny"
    assert phase(scene) == "BLOCKED"
    assert scene.pre("touch src.txt").decision == "deny"
    scene.prompt("sorry, go on")
    assert phase(scene) == "EXECUTING"
    assert scene.pre("touch src.txt").decision == ""


def test_section_12_2_a_denied_call_leads_nowhere(scene: Scene) -> None:
    """Or the same call would pass the second time (a fault of earlier implementations)."""
    scene.manifest({"enforcePhases": True})
    scene.prompt()
    for _ in range(4):
        assert scene.pre("touch x").decision == "deny"
        assert phase(scene) == "PLANNING"


def test_section_12_2_complete_is_left_by_a_new_task(scene: Scene) -> None:
    """Departure: whoever writes on after the end means something new. `done` says here what only the runtime says."""
    done = "return patch({'plan': {'status': 'accepted', 'complete': True}})"
    scene.feature("planGraph-exec", done, supports=["PostToolUse"])
    scene.trust()
    scene.prompt()
    scene.say(scene.tool(event="PostToolUse"))
    assert phase(scene) == "COMPLETE"
    scene.prompt("and now something else")
    assert phase(scene) == "PLANNING"
    assert scene.state()["core"]["workId"] == "w002"
    assert scene.state()["plan"] == {"status": "none", "complete": False}
    steps = [one["data"] for one in scene.rows("PHASE_TRANSITION")]
    assert [(one["to"], one["work"]) for one in steps] == [
        ("PLANNING", "w001"),
        ("EXECUTING", "w001"),
        ("COMPLETE", "w001"),
        ("PLANNING", "w002"),
    ]


def test_section_12_2_a_trigger_is_a_right(scene: Scene) -> None:
    """Who does not declare it names no trigger, and nobody names one that there is not."""
    row = "return allow()._replace(emit_events=({'kind': 'PHASE_TRIGGER', 'data': {'trigger': event.prompt}},))"
    scene.feature("stranger", row, supports=["UserPromptSubmit"])
    scene.trust()
    scene.prompt("cap_reached")
    assert phase(scene) == "PLANNING"
    more = ', triggers=["cap_reached"]'
    scene.feature("entitled", row, supports=["UserPromptSubmit"], more=more)
    scene.trust()
    scene.prompt("all_done")
    assert phase(scene) == "PLANNING"
    scene.prompt("cap_reached")
    assert phase(scene) == "BLOCKED"
    assert scene.rows("PHASE_TRIGGER") == []


def test_section_12_2_the_store_knows_the_phase(scene: Scene) -> None:
    """A state that somebody put back to what it was, or made up, opens no phase."""
    scene.manifest({"enforcePhases": True})
    scene.prompt()
    assert tasks.read(str(scene.store), scene.place.name, "w001")["phase"] == "PLANNING"
    file = scene.place / "state.json"
    made = json.loads(file.read_text())
    made["core"]["phase"] = "EXECUTING"
    file.write_text(json.dumps(made))
    assert scene.pre("touch x").decision == "deny"
    made["core"]["phase"] = "PLANNING"
    file.write_text(json.dumps(made))


EFFECTS = [
    ("ls -la src", ""),
    ("cat README.md | head -3", ""),
    ("git log --oneline -5 && git diff", ""),
    ("rg -n needle", ""),
    ("jackline log --json", ""),
    ("touch x", "deny"),
    ("cat > src/x.py <<'E'\nx = 1\nE", "deny"),
    ("rg -n needle > found.txt", "deny"),
    ('python3 -c \'open("x", "w")\'', "deny"),
    ("git checkout main", "deny"),
]


@pytest.mark.parametrize(("command", "says"), EFFECTS, ids=[one for one, _ in EFFECTS])
def test_section_12_3_a_command_is_what_it_does(scene: Scene, command: str, says: str) -> None:
    """Departure: the policy lists tools; an agent that reads by shell (Codex) could read nothing."""
    scene.manifest({"enforcePhases": True})
    scene.prompt()
    assert scene.pre(command).decision == says


@pytest.mark.parametrize("tool", ["AskUserQuestion", "TodoWrite", "ExitPlanMode"])
def test_section_12_3_who_only_speaks_changes_nothing(scene: Scene, tool: str) -> None:
    scene.manifest({"enforcePhases": True})
    scene.prompt()
    assert scene.say(scene.tool(tool_name=tool, tool_input={"plan": "x"})).decision == ""


def test_section_12_2_a_plan_that_a_refused_call_found_counts_for_the_next(scene: Scene) -> None:
    """Departure: the phase's own policy waits for a plan, and nobody has to read first for it to be seen."""
    scene.manifest({"enforcePhases": True})
    scene.prompt()
    plan(scene, {"status": "pending"})
    assert [scene.pre("touch x").decision for _ in range(3)] == ["deny", "", ""]
    steps = [one["data"]["to"] for one in scene.rows("PHASE_TRANSITION")]
    assert steps == ["PLANNING", "EXECUTING"]


@pytest.mark.parametrize("mode", ["deny", "warn", "allow"])
def test_section_12_3_the_policy_in_its_three_modes(scene: Scene, mode: str) -> None:
    policy = {"UNINITIALIZED": {"allowTools": ["read_file"], "mode": mode}}
    scene.manifest({"enforcePhases": True, "phasePolicy": policy})
    scene.begin()
    assert scene.say(read(scene)).decision == "", "named by another client's word for it"
    said = scene.pre("touch x")
    assert said.decision == ("deny" if mode == "deny" else "")
    if mode == "deny":
        assert '"code":"PHASE_DENIED"' in said.reason
    assert ("not among the tools" in said.body.get("systemMessage", "")) == (mode == "warn")


def test_section_12_3_the_contracts_own_policy(scene: Scene) -> None:
    assert {name: mode for name, (_, mode) in POLICY.items()} == {
        "UNINITIALIZED": "deny",
        "PLANNING": "deny",
        "EXECUTING": "allow",
        "COMPLETE": "deny",
        "BLOCKED": "deny",
    }
    scene.manifest({"enforcePhases": True})
    scene.begin()
    assert scene.say(read(scene)).decision == ""
    assert scene.pre("touch x").decision == "deny"
    scene.prompt()
    plan(scene, {"status": "pending"})
    assert scene.pre("touch x").decision == "deny", "the plan is not judged yet"
    assert phase(scene) in ("PLANNING", "EXECUTING")


def test_section_12_3_a_plan_can_always_be_written(scene: Scene) -> None:
    """Without this the planning phase would forbid the plan that ends it."""
    scene.manifest({"enforcePhases": True})
    scene.prompt()
    place = scene.place / "planGraph-exec" / "output" / "planGraph.json"
    assert scene.say(write(scene, str(place))).decision == ""
    assert scene.say(write(scene, f"{scene.root}/src/x")).decision == "deny"


def test_section_12_4_not_enforced_phases_are_tracked(scene: Scene) -> None:
    scene.feature("spy", SPY.format(expression="ctx.state['core']['phase']"))
    scene.trust()
    scene.prompt()
    assert scene.table().enforce_phases is False
    said = scene.pre()
    assert said.decision == ""
    assert 'spied: "PLANNING"' in said.body["hookSpecificOutput"]["additionalContext"]


# --- 13. hotPathSafe -------------------------------------------------------------------------------------------------


def test_section_13_only_before_a_tool(scene: Scene) -> None:
    events = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart"]
    scene.feature("cold", "return note('cold', event.name)", supports=events)
    path = scene.hooks / "features" / "cold" / "hook.py"
    path.write_text(path.read_text().replace("priority=50", "priority=50, hot_path_safe=False"))
    scene.trust()
    said = {
        "SessionStart": scene.begin(),
        "UserPromptSubmit": scene.prompt(),
        "PreToolUse": scene.pre(),
        "PostToolUse": scene.say(scene.tool(event="PostToolUse")),
    }
    heard = {name for name, one in said.items() if f"cold: {name}" in json.dumps(one.body)}
    assert heard == set(events) - {"PreToolUse"}


# --- 14. the registry ------------------------------------------------------------------------------------------------


def test_section_14_the_modules(scene: Scene) -> None:
    declared = {
        "session": (0, True, True),
        "graph-pretooluse": (10, True, True),
        "planGraph-exec": (20, True, False),
        "plan-subagent-contract": (30, False, False),
        "rlm-work": (40, True, False),
        "memory-journal": (50, False, False),
        "memory-activation": (60, True, False),
        "stop-synth": (100, False, False),
    }
    assert {slug: (one.priority, one.hot, one.critical) for slug, one in KNOWN.items() if slug in declared} == declared
    scene.begin()
    table = scene.table()
    session = table.row("session")
    assert session is not None
    assert set(session.supports) >= {
        *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop")
    }
    for slug in ("graph-pretooluse", "planGraph-exec"):
        row = table.row(slug)
        assert row is not None
        assert row.supports == ("PreToolUse",)


@pytest.mark.parametrize(
    ("slug", "events"),
    [
        ("plan-subagent-contract", ("SubagentStart", "SubagentStop")),
        ("rlm-work", ("PreToolUse", "SubagentStart", "SubagentStop")),
        ("stop-synth", ("Stop",)),
    ],
)
def test_section_14_the_modules_that_are_off_by_default(scene: Scene, slug: str, events: tuple[str, ...]) -> None:
    scene.manifest({"modules": {slug: {"enabled": True}}})
    row = compiled(scene).table.row(slug)
    assert row is not None
    assert (row.priority, row.hot, row.critical) == KNOWN[slug][:3]
    assert set(row.supports) == set(events)


@pytest.mark.parametrize("slug", ["memory-journal", "memory-activation"])
def test_section_14_rows_6_and_7_are_not_yet_in_this_version(scene: Scene, slug: str) -> None:
    scene.manifest({"modules": {slug: {"enabled": True, "priority": 33}}})
    made = compiled(scene)
    assert made.faults == ()
    assert dict(made.table.report()["skipped"])[slug] == NOT_YET
    assert made.table.row(slug) is None


def test_section_14_1_what_is_on_by_default(scene: Scene) -> None:
    """Departure: `self-protect` and `command-guard` too."""
    scene.begin()
    assert [row.slug for row in scene.table().rows("PreToolUse")] == [
        "session",
        "self-protect",
        "graph-pretooluse",
        "command-guard",
        "planGraph-exec",
    ]


# --- 15. configuration -----------------------------------------------------------------------------------------------


def compiled(scene: Scene) -> Compiled:
    return compile_table(str(scene.root), str(scene.store))


def put(scene: Scene, name: str, value: Any) -> Path:
    scene.hooks.mkdir(parents=True, exist_ok=True)
    path = scene.hooks / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def test_section_15_config_json_reaches_its_feature(scene: Scene) -> None:
    scene.feature("spy", SPY.format(expression="dict(ctx.config)"))
    put(scene, "config.json", {"spy": {"file": "plan.json"}})
    scene.trust()
    assert '{\\"file\\": \\"plan.json\\"}' in json.dumps(scene.pre().body)


def test_section_15_the_manifest(scene: Scene) -> None:
    scene.feature("odd", "return None")
    put(
        scene,
        "dispatch.manifest.json",
        {"modules": {"odd": {"priority": 7, "critical": True}}, "budgets": {"Stop": 77}},
    )
    scene.trust()
    made = compiled(scene)
    row = made.table.row("odd")
    assert row is not None
    assert (row.priority, row.critical, made.table.budget("Stop")) == (7, True, 77)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        (
            "rlm-policy.json",
            {"version": 1, "defaultMode": "warn", "requireSubagent": [{"toolName": "Bash", "reason": "r"}]},
            {"version": 1, "defaultMode": "sometimes"},
        ),
        (
            "followup-rules.json",
            {"version": 1, "rules": []},
            {"version": 1, "rules": [{"id": 7}]},
        ),
        ("dispatch.manifest.json", {"version": 1, "enforcePhases": True}, {"enforcePhases": "yes"}),
        ("config.json", {"session": {}}, {"session": 7}),
        ("workspace.json", {"version": 2, "workRoot": ".ai/tmp"}, {"workRoot": 7}),
        ("hooks.local.json", {"mode": "observe"}, {"mode": "sometimes"}),
    ],
)
def test_section_15_every_file_is_checked(scene: Scene, name: str, right: Any, wrong: Any) -> None:
    """A fault tells file, line and the way to mend it; the last good hook table goes on."""
    put(scene, name, right)
    assert [str(fault) for fault in compiled(scene).faults] == []
    for bad in (wrong, "{", "[]", '"x"'):
        put(scene, name, bad)
        told = [str(fault) for fault in compiled(scene).faults]
        assert told, bad
        assert any(name in line for line in told)
        assert scene.pre().decision == "", "a broken file disarms nobody and locks nobody out"
        assert [row.slug for row in scene.table().rows("PreToolUse")][:2] == ["session", "self-protect"]


def test_section_15_features_lie_in_one_folder_each(scene: Scene) -> None:
    for name in ("one", "two"):
        scene.feature(name, f"return note('{name}', 'here')")
    scene.trust()
    told = json.dumps(scene.pre().body)
    assert "one: here" in told
    assert "two: here" in told


# --- 16. schemas -----------------------------------------------------------------------------------------------------

NINE = (
    *("hook-input", "hook-output", "ctx", "hook-action", "state", "event-record", "artifact-record", "rlm-policy"),
    "followup-rules",
)


@pytest.mark.parametrize("name", NINE)
def test_section_16_the_nine_schemas(name: str) -> None:
    schema = schemas.load(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert (Path(schemas.FOLDER) / f"{name}.schema.json").is_file()
    assert schemas.validate(name, 7) != []


def test_section_16_every_line_written_is_checked(scene: Scene) -> None:
    """The fixture holds every session of every test to them (tests/scene.py, `audit`); here one of each."""
    scene.feature("odd", "return Action(register_artifacts=({'kind': 'note', 'ref': 'odd/output/x', 'workId': 'no'},))")
    scene.trust()
    scene.begin()
    said = scene.pre()
    assert schemas.validate("hook-output", said.body) == []
    assert schemas.validate("hook-input", scene.tool()) == []
    for line in (scene.place / "registry.jsonl").read_text().splitlines():
        assert schemas.validate("artifact-record", json.loads(line)) == []
    for row in scene.log():
        assert schemas.validate("event-record", row) == []
    assert schemas.validate("state", scene.state()) == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("event-record", {"kind": "x"}),
        ("artifact-record", {"ref": "../x"}),
        ("state", {"v": 1, "core": []}),
        ("hook-action", {"decision": "perhaps"}),
        ("ctx", {"ids": {}}),
    ],
)
def test_section_16_a_schema_refuses(name: str, wrong: Any) -> None:
    assert schemas.validate(name, wrong) != []
