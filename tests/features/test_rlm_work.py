"""rlm-work: what the policy leaves to sub-agents, the strictest rule of it, and what goes into a sub-agent and out."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jackline.clients.rows import CLIENTS
from jackline.compiler.write import compile_table
from jackline.features import rlm_work
from jackline.store import tasks
from scene import Said, Scene

NAME = "rlm-work"
ON = {"work-init": {"enabled": True}, NAME: {"enabled": True}}


def policy(scene: Scene, value: dict[str, Any]) -> None:
    """The project's policy; nobody trusted it."""
    scene.hooks.mkdir(parents=True, exist_ok=True)
    (scene.hooks / "rlm-policy.json").write_text(json.dumps({"version": 1, **value}))


OFF = {name: {"enabled": False} for name in ("graph-pretooluse", "command-guard")}
"""Guards that refuse or ask about the same calls for reasons of their own."""
PLANS = {name: {"enabled": True} for name in ("plan-graph", "tool-gate")}
NONE: Mapping[str, Any] = {}


def switch(scene: Scene, value: dict[str, Any], mode: str = "enforce", modules: Mapping[str, Any] = NONE) -> Scene:
    scene.manifest({"version": 1, "modules": {**ON, NAME: {"enabled": True, "mode": mode}, **modules}})
    policy(scene, value)
    for name in ("src/a.py", "src/gen/b.py", "docs/page.md"):
        path = scene.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a\n")
    scene.begin()
    scene.prompt("rotate the tokens")
    return scene


def enter(scene: Scene, phase: str) -> None:
    """The task is in this phase, as the store has it."""
    tasks.change(str(scene.store), scene.place.name, "w001", lambda task: {**task, "phase": phase})


def edit(scene: Scene, path: str, tool: str = "Edit", **fields: Any) -> Said:
    given = {"file_path": path if path[:1] == "/" else f"{scene.root}/{path}", "old_string": "a", "new_string": "b"}
    return scene.say(scene.tool(tool_name=tool, tool_input=given, **fields))


def search(scene: Scene, tool: str = "Grep", **given: Any) -> Said:
    return scene.say(scene.tool(tool_name=tool, tool_input=given))


def told(said: Said) -> str:
    """What the model reads of a call that goes on."""
    return str(said.body.get("hookSpecificOutput", {}).get("additionalContext", ""))


def starts(scene: Scene, kind: str = "Explore", agent: str = "abc") -> str:
    return told(scene.say(scene.payload("SubagentStart", agent_id=agent, agent_type=kind)))


def stops(scene: Scene, kind: str = "Explore", agent: str = "abc") -> Said:
    return scene.say(scene.payload("SubagentStop", agent_id=agent, agent_type=kind, stop_hook_active=False))


def bus(scene: Scene, *kinds: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (scene.place / "registry.jsonl").read_text().splitlines()]
    return [one for one in rows if one["kind"] in kinds]


# --- requireSubagent ---------------------------------------------------------------------------------------------


def required(tool: str = "Edit", **fields: Any) -> dict[str, Any]:
    return {"requireSubagent": [{"toolName": tool, **fields}]}


@pytest.mark.parametrize(("mode", "decision"), [("deny", "deny"), ("ask", "ask"), ("warn", ""), ("allow", "")])
@pytest.mark.parametrize("by", ["rule", "default"])
def test_the_four_modes(scene: Scene, mode: str, decision: str, by: str) -> None:
    said = required(mode=mode, reason="keep your context") if by == "rule" else required(reason="keep your context")
    switch(scene, {**said, "defaultMode": mode if by == "default" else "warn"})
    answer = edit(scene, "src/a.py")
    assert answer.decision == decision
    heard = answer.reason if decision else told(answer)
    assert ("src/a.py is a sub-agent's to work on (keep your context)" in heard) is (mode != "allow")
    rows = scene.rows("RLM_SUBAGENT_REQUIRED")
    data = {"mode": mode, "part": "requireSubagent", "rule": "Edit", "paths": ["src/a.py"]}
    assert [row["data"] for row in rows] == ([] if mode == "allow" else [data])


def test_a_rule_and_a_file_that_name_no_mode_warn(scene: Scene) -> None:
    switch(scene, required())
    assert edit(scene, "src/a.py").decision == ""
    assert [row["data"]["mode"] for row in scene.rows("RLM_SUBAGENT_REQUIRED")] == ["warn"]


def test_a_rules_own_mode_wins_over_the_files(scene: Scene) -> None:
    switch(scene, {"defaultMode": "deny", **required(mode="allow")})
    assert edit(scene, "src/a.py").decision == ""


def test_a_warning_is_told_once_in_a_turn(scene: Scene) -> None:
    switch(scene, required())
    assert "start a sub-agent" in told(edit(scene, "src/a.py"))
    assert told(edit(scene, "src/gen/b.py")) == ""
    scene.prompt("go on")
    assert "start a sub-agent" in told(edit(scene, "src/a.py"))
    assert len(scene.rows("RLM_SUBAGENT_REQUIRED")) == 3, "each is logged"


def test_the_strictest_rule_holds_in_whatever_order(scene: Scene) -> None:
    rules = [{"toolName": "Edit", "mode": mode, "reason": f"so {mode}"} for mode in ("warn", "deny", "ask", "allow")]
    switch(scene, {"requireSubagent": rules})
    said = edit(scene, "src/a.py")
    assert said.decision == "deny" and "(so deny)" in said.reason and "so warn" not in said.reason


def test_exemptions_are_each_rules_own(scene: Scene) -> None:
    rules = [
        {"toolName": "Edit", "mode": "ask", "reason": "all"},
        {"toolName": "Edit", "mode": "deny", "reason": "most", "exemptPatterns": ["src/gen/**"]},
    ]
    switch(scene, {"requireSubagent": rules})
    assert edit(scene, "src/a.py").decision == "deny"
    assert edit(scene, "src/gen/b.py").decision == "ask"


def test_exemptions_go_by_resolved_paths(scene: Scene) -> None:
    switch(scene, required(mode="deny", exemptPatterns=["docs/**", "src/{gen,made}/**"]))
    (scene.root / "docs/link.py").symlink_to("../src/a.py")
    (scene.root / "free").symlink_to("docs")
    assert edit(scene, "docs/page.md").decision == ""
    assert edit(scene, "src/made/c.py").decision == ""
    assert edit(scene, "free/page.md").decision == "", "it is docs/page.md"
    assert edit(scene, "docs/../src/a.py").decision == "deny"
    assert edit(scene, "docs/link.py").decision == "deny", "it is src/a.py"
    assert edit(scene, "docsother/page.md").decision == "deny"


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("echo x > src/a.py", "deny"),
        ("cat > src/new.py <<'EOF'\nx\nEOF", "deny"),
        ("sed -i s/a/b/ docs/page.md", ""),
        ("rm -r src/gen", ""),
        ("rm -r src", "deny"),
        ("rm src/gen/*.py", ""),
        ("rm src/*.py", "deny"),
        ("rm -r .", "deny"),
        ("cp src/a.py docs/page.md", ""),
        ("cat src/a.py", ""),
        ("git status", ""),
    ],
)
def test_what_a_command_changes_is_edited(scene: Scene, command: str, decision: str) -> None:
    switch(scene, required(mode="deny", exemptPatterns=["docs/**", "src/gen/**"]), modules=OFF)
    assert scene.pre(command).decision == decision


@pytest.mark.parametrize("tool", ["replace_string_in_file", "kind:edit", "Write", "*"])
def test_a_tool_means_its_name_at_every_client_and_its_kind(scene: Scene, tool: str) -> None:
    switch(scene, required(tool, mode="deny"))
    assert edit(scene, "src/a.py").decision == "deny"


def test_sub_agents_are_free(scene: Scene) -> None:
    switch(scene, required(mode="deny"))
    assert edit(scene, "src/a.py", agent_id="abc", agent_type="Explore").decision == ""


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Agent", {"prompt": "do it", "subagent_type": "Explore"}),
        ("AskUserQuestion", {"questions": []}),
        ("TodoWrite", {"todos": []}),
        ("ExitPlanMode", {"plan": "x"}),
    ],
)
def test_what_delegates_asks_and_plans_is_free_whatever_the_policy_says(
    scene: Scene, tool: str, given: dict[str, Any]
) -> None:
    switch(scene, {"requireSubagent": [{"toolName": "*", "mode": "deny"}, {"toolName": tool, "mode": "deny"}]})
    assert scene.say(scene.tool(tool_name=tool, tool_input=given)).decision == ""


def test_places_of_requests_and_our_own_commands_are_free(scene: Scene) -> None:
    switch(scene, required("*", mode="deny"))
    assert edit(scene, f"{scene.place}/work/w001/plan/planGraph.json", "Write").decision == ""
    assert edit(scene, ".ai/inbox/note.md", "Write").decision == ""
    assert scene.pre('jackline plan quick "rotate" --files "src/**"').decision == ""
    assert scene.pre("jackline plan show && touch src/new.py").decision == "deny"
    assert scene.pre("echo hi").decision == "deny"


def test_where_a_client_marks_no_sub_agents_it_warns(scene: Scene) -> None:
    switch(scene, required("replace_string_in_file", mode="deny"))
    assert not CLIENTS["vscode"][5]
    given = {"filePath": f"{scene.root}/src/a.py", "oldString": "a", "newString": "b"}
    payload = scene.recorded("vscode/PreToolUse.runSubagent.json", tool_name="replace_string_in_file", tool_input=given)
    said = scene.say(payload, event="PreToolUse", dialect="github")
    assert said.decision == ""
    assert "src/a.py is a sub-agent's to work on" in told(said)


# --- broadDiscovery ----------------------------------------------------------------------------------------------


def broad(check: str, tool: str = "kind:search", mode: str = "deny", **fields: Any) -> dict[str, Any]:
    return {"broadDiscovery": {"mode": mode, "rules": [{"toolName": tool, "check": check, **fields}]}}


NATIVE: dict[str, list[tuple[str, dict[str, Any], bool]]] = {
    "no_include_pattern": [
        ("Grep", {"pattern": "token"}, True),
        ("Grep", {"pattern": "token", "glob": "*.py"}, False),
        ("Grep", {"pattern": "token", "type": "py"}, False),
        ("Grep", {"pattern": "token", "path": "src"}, True),
        ("Glob", {"pattern": "src/**/*.py"}, False),
        ("Glob", {"pattern": "**/*"}, True),
    ],
    "wildcard_query": [
        ("Grep", {"pattern": ".*"}, True),
        ("Grep", {"pattern": "\\w+"}, True),
        ("Grep", {"pattern": "*"}, True),
        ("Grep", {"pattern": "token.*"}, False),
        ("Glob", {"pattern": "**/*"}, True),
        ("Glob", {"pattern": "**/*.py"}, False),
    ],
    "max_results_high": [
        ("Grep", {"pattern": "x", "head_limit": 51}, True),
        ("Grep", {"pattern": "x", "head_limit": 50}, False),
        ("Grep", {"pattern": "x", "head_limit": 0}, True),
        ("Grep", {"pattern": "x"}, False),
        ("Grep", {"pattern": "x", "head_limit": "many"}, False),
    ],
    "no_scope": [
        ("Grep", {"pattern": "token"}, True),
        ("Grep", {"pattern": "token", "path": "src"}, False),
        ("Grep", {"pattern": "token", "path": "ROOT/src"}, False),
        ("Grep", {"pattern": "token", "path": "."}, True),
        ("Grep", {"pattern": "token", "path": "ROOT"}, True),
        ("Grep", {"pattern": "token", "path": "src/.."}, True),
        ("Grep", {"pattern": "token", "glob": "*.py"}, True),
        ("Grep", {"pattern": "token", "glob": "src/**/*.py"}, False),
        ("Glob", {"pattern": "src/**"}, False),
        ("Glob", {"pattern": "**/*.py"}, True),
    ],
}
NATIVE_CASES = [(check, *case) for check, cases in NATIVE.items() for case in cases]


@pytest.mark.parametrize(
    ("check", "tool", "given", "refused"), NATIVE_CASES, ids=[f"{c} {t} {json.dumps(g)}" for c, t, g, _ in NATIVE_CASES]
)
def test_the_four_checks(scene: Scene, check: str, tool: str, given: dict[str, Any], refused: bool) -> None:
    more: dict[str, Any] = {"threshold": 50} if check == "max_results_high" else {}
    switch(scene, broad(check, reason="too wide", **more), modules=OFF)
    said = search(scene, tool, **json.loads(json.dumps(given).replace("ROOT", str(scene.root))))
    assert (said.decision == "deny") is refused
    if refused:
        assert "this search is too broad for the main agent" in said.reason and "(too wide)" in said.reason
        (row,) = scene.rows("RLM_SUBAGENT_REQUIRED")
        assert row["data"]["check"] == check


SHELL = {
    "no_include_pattern": [
        ("grep -rn token .", True),
        ("grep -rn token --include='*.py' .", False),
        ("rg token", True),
        ("rg -t py token", False),
        ("rg token -g '*.py'", False),
        ("grep token src/a.py", False),
        ("find . -name '*.py'", False),
        ("find .", True),
        ("cat src/a.py", False),
        ("cat src/a.py | rg token", False),
    ],
    "wildcard_query": [
        ("rg --files", True),
        ("find . -type f", True),
        ("find . -name '*'", True),
        ("find . -name '*.py'", False),
        ("grep -r '' .", True),
        ("grep -r -e token .", False),
    ],
    "max_results_high": [("rg -m 500 token", True), ("rg -m 5 token", False), ("rg token", False)],
    "no_scope": [
        ("rg token", True),
        ("rg token src", False),
        ("rg token .", True),
        ("cd src && rg token", False),
        ("grep -Rn token src docs", False),
        ("grep -Rn token src .", True),
        ("git grep token", True),
        ("git grep token -- src", False),
        ("fd token src", False),
        ("echo hi; sudo rg token", True),
    ],
}
SHELL_CASES = [(check, *case) for check, cases in SHELL.items() for case in cases]


@pytest.mark.parametrize(
    ("check", "command", "refused"), SHELL_CASES, ids=[f"{c} {text}" for c, text, _ in SHELL_CASES]
)
def test_a_command_that_searches_is_a_search(scene: Scene, check: str, command: str, refused: bool) -> None:
    more: dict[str, Any] = {"threshold": 50} if check == "max_results_high" else {}
    switch(scene, broad(check, **more), modules=OFF)
    assert (scene.pre(command).decision == "deny") is refused


def test_its_mode_is_the_parts_then_the_files(scene: Scene) -> None:
    rules = [{"toolName": "Grep", "check": "no_scope"}]
    switch(scene, {"defaultMode": "ask", "broadDiscovery": {"rules": rules}})
    assert search(scene, pattern="token").decision == "ask"


def test_a_threshold_that_nobody_names_is_two_hundred(scene: Scene) -> None:
    switch(scene, broad("max_results_high"), modules=OFF)
    assert search(scene, pattern="x", head_limit=200).decision == ""
    assert search(scene, pattern="x", head_limit=201).decision == "deny"


# --- by phase ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["UNINITIALIZED", "PLANNING", "EXECUTING", "COMPLETE", "BLOCKED"])
@pytest.mark.parametrize("part", ["requireSubagent", "broadDiscovery"])
def test_each_part_is_applied_or_not_by_phase(scene: Scene, phase: str, part: str) -> None:
    both = {**required(mode="deny"), **broad("no_scope")}
    other = "broadDiscovery" if part == "requireSubagent" else "requireSubagent"
    switch(scene, {**both, "phaseOverrides": {phase: {part: "skip", other: "enforce"}}})
    for now in ("UNINITIALIZED", "PLANNING", "EXECUTING", "COMPLETE", "BLOCKED"):
        enter(scene, now)
        skipped = {"requireSubagent": edit(scene, "src/a.py"), "broadDiscovery": search(scene, pattern="token")}
        assert skipped[other].decision == "deny"
        assert skipped[part].decision == ("" if now == phase else "deny"), now


PHASES = ("UNINITIALIZED", "PLANNING", "EXECUTING", "COMPLETE", "BLOCKED")
WAYS = {
    "start a sub-agent for it (Agent)": ("Agent", {"prompt": "do it", "subagent_type": "Explore"}),
    "ask the person how to go on": ("AskUserQuestion", {"questions": []}),
    "name a folder of the project": ("Grep", {"pattern": "token", "path": "src"}),
}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("phases", [True, False], ids=["phases enforced", "gate"])
def test_what_a_refusal_names_passes_in_that_phase(scene: Scene, phase: str, phases: bool) -> None:
    """The gate, and the older table of phases, let it through, and so does this feature."""
    value = {**required("Read", mode="deny"), **broad("no_scope")}
    switch(scene, value)
    modules = {**ON, **(NONE if phases else PLANS)}
    scene.manifest({"version": 1, "enforcePhases": phases, "modules": modules})
    enter(scene, phase)
    read = scene.tool(tool_name="Read", tool_input={"file_path": f"{scene.root}/src/a.py"})
    for said in (scene.say(read), search(scene, pattern="token")):
        assert said.decision == "deny" and "rlm-work" in said.reason
        tool, given = WAYS[said.reason.partition("now: ")[2].partition("\n")[0]]
        assert scene.say(scene.tool(tool_name=tool, tool_input=given)).decision == "", said.reason


# --- the policy as configuration ---------------------------------------------------------------------------------


def test_lenient_tells_and_never_blocks(scene: Scene) -> None:
    switch(scene, required(mode="deny"), "warn")
    said = edit(scene, "src/a.py")
    assert said.decision == "" and "rlm-work would deny: src/a.py" in str(said.body["systemMessage"])


def test_without_a_policy_it_judges_nothing(scene: Scene) -> None:
    switch(scene, {})
    assert edit(scene, "src/a.py").decision == "" and scene.rows("RLM_SUBAGENT_REQUIRED") == []


def test_it_is_off_by_default(scene: Scene) -> None:
    policy(scene, required(mode="deny"))
    scene.begin()
    assert edit(scene, "src/a.py").decision == "" and starts(scene) == ""


def test_a_persons_own_policy_and_a_projects_hold_both(scene: Scene) -> None:
    folder = scene.home / ".config/jackline"
    folder.mkdir(parents=True)
    (folder / "rlm-policy.json").write_text(json.dumps({"version": 1, **required("Write", mode="ask")}))
    switch(scene, broad("no_scope"))
    assert edit(scene, "src/a.py").decision == "ask"
    assert search(scene, pattern="token").decision == "deny"


def test_whoever_changes_it_may_add_and_takes_nothing_away(scene: Scene) -> None:
    switch(scene, required(mode="deny"))
    scene.trust()
    assert edit(scene, "src/a.py").decision == "deny"
    policy(scene, broad("no_scope"))
    assert edit(scene, "src/a.py").decision == "deny", "the rule that a person trusted holds"
    assert search(scene, pattern="token").decision == "deny", "one more holds as well"
    policy(scene, required(mode="deny", exemptPatterns=["**"]))
    assert edit(scene, "src/a.py").decision == "deny"
    (scene.hooks / "rlm-policy.json").unlink()
    assert edit(scene, "src/a.py").decision == "deny"


def test_a_person_who_trusts_it_changes_it(scene: Scene) -> None:
    switch(scene, required(mode="deny"))
    scene.trust()
    policy(scene, broad("no_scope"))
    scene.trust()
    assert edit(scene, "src/a.py").decision == ""
    assert search(scene, pattern="token").decision == "deny"


def test_nobody_is_asked_about_a_policy_that_only_adds(scene: Scene) -> None:
    switch(scene, required(mode="deny"))
    made = compile_table(str(scene.root), str(scene.store))
    assert made.survey.trusted and made.faults == ()


def test_what_is_wrong_with_it_is_told_and_disarms_nothing(scene: Scene) -> None:
    switch(scene, required(mode="deny"))
    scene.trust()
    policy(scene, required("kind:edits", mode="deny"))
    faults = [str(one) for one in compile_table(str(scene.root), str(scene.store)).faults]
    assert any("rlm-policy.json" in one and "requireSubagent[0].toolName" in one for one in faults), faults
    assert edit(scene, "src/a.py").decision == "deny"


def test_a_tool_that_no_client_has_is_complained_about(scene: Scene) -> None:
    switch(scene, required("Edti", mode="deny"))
    made = compile_table(str(scene.root), str(scene.store))
    assert any("requireSubagent[0].toolName" in one and "Edti" in one for one in made.warnings), made.warnings


def test_the_example_of_its_page_compiles(scene: Scene) -> None:
    page = Path(rlm_work.__file__ or "").with_name("README.md").read_text()
    switch(scene, json.loads(page.partition("```json\n")[2].partition("```")[0]))
    made = compile_table(str(scene.root), str(scene.store))
    assert (made.faults, made.warnings) == ((), ())
    assert edit(scene, "src/a.py").decision == "", "skipped while the task is planned"
    enter(scene, "EXECUTING")
    assert edit(scene, "src/a.py").decision == "deny" and edit(scene, "docs/page.md").decision == ""


def test_workspace_names_it(scene: Scene) -> None:
    switch(scene, {})
    (scene.hooks / "workspace.json").write_text(json.dumps({"version": 2, "hooks": {"policyFile": "agents.json"}}))
    (scene.hooks / "agents.json").write_text(json.dumps({"version": 1, **required(mode="deny")}))
    scene.trust()
    assert edit(scene, "src/a.py").decision == "deny"


# --- in and out --------------------------------------------------------------------------------------------------


def folder(scene: Scene, kind: str = "Explore", agent: str = "a01") -> Path:
    return scene.place / NAME / "output/sa" / kind / agent


def test_a_sub_agent_is_given_its_packet(scene: Scene) -> None:
    switch(scene, {}, modules=PLANS)
    path = scene.place / "work/w001/plan/planGraph.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    nodes = [{"id": "n1", "description": "x", "scope": "src/**", "validators": ["t"]}]
    path.write_text(
        json.dumps({"nodes": [*nodes, {"id": "v", "description": "y", "kind": "validate", "dependsOn": ["n1"]}]})
    )
    given = {"file_path": str(path), "content": path.read_text()}
    scene.say(scene.tool(event="PostToolUse", tool_name="Write", tool_input=given, tool_response={}))
    assert scene.pre("echo x > src/new.py").decision == ""
    said = starts(scene)
    place = f"{NAME}/output/sa/Explore/a01"
    assert "context packet: you are a01 (Explore) of task w001, in phase EXECUTING" in said
    assert 'the person\'s words for the task: "rotate the tokens"' in said and "open now: n1 (src/**)" in said
    assert f"more: .ai/tmp/{scene.place.name}/{place}/context_packet.json" in said
    packet = json.loads((folder(scene) / "context_packet.json").read_text())
    assert packet["goal"] == "rotate the tokens" and packet["leases"]["n1"]["paths"] == ["src/**"]
    assert packet["artifacts"]["plan_accepted"]["ref"] == "work/w001/plan/planGraph.json"
    assert (folder(scene) / "context_packet.json").stat().st_mode & 0o777 == 0o600
    (one,) = bus(scene, "context_packet")
    assert one["ref"] == f"{place}/context_packet.json" and one["dependsOn"] == ["work/w001/plan/planGraph.json"]
    assert [row["data"]["agent"] for row in scene.rows("SUBAGENT_INJECT")] == ["a01"]


def test_what_it_leaves_is_announced_once(scene: Scene) -> None:
    switch(scene, {})
    starts(scene)
    (folder(scene) / "facts.json").write_text('{"a": 1}')
    (folder(scene) / "notes.md").write_text("two callers\n")
    assert stops(scene).body == {}
    stops(scene)
    place = f"{NAME}/output/sa/Explore/a01"
    assert [one["ref"] for one in bus(scene, "subagent_output")] == [f"{place}/facts.json", f"{place}/notes.md"]
    (row,) = scene.rows("SUBAGENT_HARVEST")
    assert row["data"]["outputs"] == [f"{place}/facts.json", f"{place}/notes.md"] and row["data"]["findings"] == []
    (folder(scene) / "facts.json").write_text('{"a": 2}')
    stops(scene)
    assert len(bus(scene, "subagent_output")) == 3


def test_only_real_files_of_its_own_folder_are_taken(scene: Scene) -> None:
    switch(scene, {})
    starts(scene)
    at = folder(scene)
    (scene.folder / "secret.json").write_text("{}")
    (at / "link.json").symlink_to(scene.folder / "secret.json")
    os.mkfifo(at / "pipe.json")
    (at / "below").mkdir()
    (at / "large.bin").write_bytes(b"x" * ((1 << 20) + 1))
    (at / "torn.json").write_text("{")
    (at / ".hidden").write_text("x")
    (at / "good.json").write_text("{}")
    stops(scene)
    assert [one["ref"].rpartition("/")[2] for one in bus(scene, "subagent_output")] == ["good.json"]
    (row,) = scene.rows("SUBAGENT_HARVEST")
    assert row["data"]["findings"] == [
        "below is no regular file",
        "large.bin is larger than 1 MB",
        "link.json is a link, and none is followed",
        "pipe.json is no regular file",
        "torn.json is no JSON",
    ]
    assert scene.rows("ERROR_MODULE") == []


def test_a_folder_that_is_a_link_is_none(scene: Scene) -> None:
    switch(scene, {})
    outside = scene.folder / "outside"
    outside.mkdir()
    (outside / "x.json").write_text("{}")
    folder(scene).parent.mkdir(parents=True)
    folder(scene).symlink_to(outside)
    assert starts(scene) == ""
    stops(scene)
    assert bus(scene, "subagent_output", "context_packet") == []
    assert [path.name for path in outside.iterdir()] == ["x.json"]
    assert scene.rows("ERROR_MODULE") == []


@pytest.mark.parametrize("kind", ["../../..", "a/b", "x" * 200, ".", "~"])
def test_a_type_is_never_a_path(scene: Scene, kind: str) -> None:
    switch(scene, {})
    starts(scene, kind)
    (at,) = (scene.place / NAME / "output/sa").glob("*/a01")
    (at / "x.json").write_text("{}")
    stops(scene, kind)
    (one,) = bus(scene, "subagent_output")
    assert one["ref"] == f"{at.relative_to(scene.place)}/x.json"


def test_many_files_are_bounded(scene: Scene) -> None:
    switch(scene, {})
    starts(scene)
    for number in range(70):
        (folder(scene) / f"f{number:02d}.md").write_text("x")
    stops(scene)
    (row,) = scene.rows("SUBAGENT_HARVEST")
    assert len(row["data"]["outputs"]) == 64 and "more than 64 files" in row["data"]["findings"][-1]


def test_a_compaction_is_no_sub_agent(scene: Scene) -> None:
    switch(scene, {})
    assert starts(scene, "") == ""
    stops(scene, "")
    assert scene.rows("SUBAGENT_INJECT", "SUBAGENT_HARVEST") == [] and not (scene.place / NAME).exists()


def test_goal_is_the_persons_words_and_masked(scene: Scene) -> None:
    scene.manifest({"version": 1, "modules": ON})
    scene.begin()
    scene.prompt("use ghp_" + "a1B2" * 9 + " for it")
    assert "a1B2a1B2" not in starts(scene)
    assert b"a1B2a1B2" not in (folder(scene) / "context_packet.json").read_bytes()


def test_the_state_names_the_policy_that_spoke(scene: Scene) -> None:
    """Section 4.2 has `rlm.lastPolicyHash`: another one for another policy, the same for the same."""
    rule = {"toolName": "kind:edit", "mode": "warn", "reason": "x"}
    switch(scene, {"requireSubagent": [rule]})
    edit(scene, "src/a.py")
    first = scene.state()["rlm"]["lastPolicyHash"]
    edit(scene, "docs/page.md")
    assert (scene.state()["rlm"]["lastPolicyHash"], len(first)) == (first, 16)
    policy(scene, {"requireSubagent": [rule, {**rule, "mode": "ask"}]})
    edit(scene, "src/a.py")
    assert scene.state()["rlm"]["lastPolicyHash"] != first
