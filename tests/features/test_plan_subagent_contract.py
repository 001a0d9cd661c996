"""plan-subagent-contract: a planning sub-agent is told what it owes, asked for it once, and what it left is taken."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jackline.policy.continuation import LIMIT
from jackline.runtime.stages.turns import FOLDER
from jackline.store import tasks
from scene import Said, Scene

NAME = "plan-subagent-contract"
PLANNED = {
    "nodes": [
        {"id": "parse", "description": "a step", "scope": "src/**"},
        {"id": "check", "description": "a look", "kind": "validate", "dependsOn": ["parse"]},
    ]
}
BAD = {"nodes": [{"id": "parse", "description": "a step", "scope": "../out", "evidence": ["gone.md"]}]}


def switch(scene: Scene, contract: str = "enforce", plans: str = "enforce", **more: Any) -> Scene:
    modules = {NAME: {"enabled": True, "mode": contract}, "work-init": {"enabled": True}}
    if plans:
        modules |= {name: {"enabled": True, "mode": plans} for name in ("plan-graph", "tool-gate")}
    scene.manifest({"version": 1, "modules": modules, **({"config": {NAME: more}} if more else {})})
    if more:
        (scene.home / ".config/jackline/config.json").write_text(json.dumps({NAME: more}))
        scene.manifest({"version": 1, "modules": modules})
    (scene.root / "src").mkdir()
    (scene.root / "src/a.py").write_text("a\n")
    scene.begin()
    scene.prompt("rotate the tokens")
    return scene


@pytest.fixture
def strict(scene: Scene) -> Scene:
    return switch(scene)


def starts(scene: Scene, kind: str = "Plan", agent: str = "abc") -> str:
    said = scene.say(scene.payload("SubagentStart", agent_id=agent, agent_type=kind))
    return str(said.body.get("hookSpecificOutput", {}).get("additionalContext", ""))


def stops(scene: Scene, kind: str = "Plan", agent: str = "abc", *, again: bool = False) -> Said:
    return scene.say(scene.payload("SubagentStop", agent_id=agent, agent_type=kind, stop_hook_active=again))


def held(said: Said) -> str:
    """What keeps the sub-agent going, "" where nothing does."""
    return str(said.body["reason"]) if said.body.get("decision") == "block" else ""


def folder(scene: Scene, agent: str = "a01", kind: str = "Plan") -> Path:
    return scene.place / NAME / "output/sa" / kind / agent


def leave(scene: Scene, plan: Any = PLANNED, name: str = "planGraph.json", agent: str = "a01") -> Path:
    path = folder(scene, agent) / name
    path.write_text(plan if isinstance(plan, str) else json.dumps(plan))
    return path


def task(scene: Scene) -> dict[str, Any]:
    return tasks.read(str(scene.store), scene.place.name, "w001")


def kinds(scene: Scene) -> list[tuple[str, str]]:
    """The artifacts on the bus: kind, and place below the feature's output."""
    path = scene.place / "registry.jsonl"
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [(one["kind"], one["ref"]) for one in found if one["kind"] != "work_initialized"]


# --- the start ---------------------------------------------------------------------------------------------------


def test_it_is_told_who_it_is_what_it_owes_and_what_is_on(strict: Scene) -> None:
    said = starts(strict)
    sid = strict.place.name
    assert f"plan contract: you are a01, a planning sub-agent of task w001 in session {sid}" in said
    assert f"before you end, write into .ai/tmp/{sid}/{NAME}/output/sa/Plan/a01/, by any tool:" in said
    assert '- planGraph.json: {"goal", "pack", "nodes": [{"id", "description"' in said
    assert "the task is in phase PLANNING" in said
    assert "on here: plan-graph strict, plan-subagent-contract strict, planGraph-exec strict, tool-gate strict" in said
    assert "your plan is submitted when you end" in said
    assert folder(strict).is_dir() and folder(strict).stat().st_mode & 0o777 == 0o700
    (row,) = strict.rows("SUBAGENT_INJECT")
    assert row["data"] == {"agent": "a01", "type": "Plan", "outputs": ["planGraph.json"]}


@pytest.mark.parametrize("kind", ["", "Explore", "general-purpose", "../../..", "Planner"])
def test_other_agents_and_a_compaction_are_none_of_its(strict: Scene, kind: str) -> None:
    assert starts(strict, kind) == ""
    assert held(stops(strict, kind)) == ""
    assert strict.rows("SUBAGENT_INJECT", "SUBAGENT_HARVEST") == []
    assert not (strict.place / NAME).exists()


def test_capitals_of_the_type_make_no_difference(strict: Scene) -> None:
    assert "you are a01" in starts(strict, "plan")


def test_it_writes_there_by_any_tool_in_every_phase(strict: Scene) -> None:
    starts(strict)
    path = folder(strict) / "planGraph.json"
    agent = {"agent_id": "abc", "agent_type": "Plan"}
    given = {"file_path": str(path), "content": "{}"}
    assert strict.say(strict.tool(tool_name="Write", tool_input=given, **agent)).decision == ""
    assert strict.pre(f"cat > {path} <<'EOF'\n{{}}\nEOF", **agent).decision == ""
    assert strict.pre("echo x > src/new.py", **agent).decision == "deny"


# --- the end -----------------------------------------------------------------------------------------------------


def test_who_forgets_the_plan_is_asked_once(strict: Scene) -> None:
    starts(strict)
    said = held(stops(strict))
    assert "planGraph.json is not there" in said and f"{NAME}/output/sa/Plan/a01/" in said
    assert held(stops(strict, again=True)) == ""
    assert held(stops(strict)) == "", "also where a client does not say that it was kept going"
    first, *_ = strict.rows("SUBAGENT_HARVEST")
    assert first["data"]["held"] is True and first["data"]["findings"] == ["planGraph.json is not there"]


def test_who_works_on_into_the_next_turn_is_not_asked_again(strict: Scene) -> None:
    """A sub-agent in the background was kept going before the person's next prompt."""
    starts(strict)
    assert held(stops(strict))
    strict.prompt("and now the farewell")
    assert held(stops(strict, again=True)) == ""


def test_it_counts_on_the_one_account(strict: Scene) -> None:
    """What other hooks spent is spent: the account lets go of this one, too."""
    starts(strict)
    account = strict.place / FOLDER
    for number in range(1, LIMIT + 1):
        (account / f"b1.a01{number}").touch()
    assert held(stops(strict)) == ""
    (row,) = strict.rows("CONTINUATION_END")
    assert row["data"] == {"by": "account", "held": [NAME]}
    assert strict.state()["core"]["phase"] == "PLANNING", "what a sub-agent spent ends that one, and no task"


def test_what_it_left_is_taken_and_its_plan_is_submitted(strict: Scene) -> None:
    starts(strict)
    leave(strict)
    leave(strict, {"why": "two parsers"}, "manifest.json")
    assert held(stops(strict)) == ""
    assert task(strict)["plan"]["nodes"] == 2 and task(strict)["phase"] == "EXECUTING"
    place = f"{NAME}/output/sa/Plan/a01"
    assert kinds(strict) == [
        ("plan_graph", f"{place}/planGraph.json"),
        ("plan_manifest", f"{place}/manifest.json"),
        ("plan_accepted", "work/w001/plan/planGraph.json"),
    ]
    assert strict.state()["plan"]["status"] == "accepted" and strict.state()["core"]["phase"] == "EXECUTING"
    steps = [row["data"]["trigger"] for row in strict.rows("PHASE_TRANSITION")]
    assert steps == ["prompt", "plan_accepted"]
    assert strict.pre("echo x > src/new.py").decision == "", "its leases are the session's"


def test_a_manifest_is_taken_and_never_waited_for(strict: Scene) -> None:
    """It is any JSON; what is none is told, and holds the plan up no more than a missing one does."""
    starts(strict)
    leave(strict)
    assert held(stops(strict)) == "" and task(strict)["plan"]["nodes"] == 2
    leave(strict, "{", "manifest.json")
    assert "manifest.json is no JSON" in held(stops(strict))
    leave(strict, {"why": "two parsers"}, "manifest.json")
    stops(strict, again=True)
    assert [kind for kind, _ in kinds(strict)].count("plan_manifest") == 1


def test_a_plan_that_is_not_accepted_is_asked_for_again_with_all_findings(strict: Scene) -> None:
    starts(strict)
    leave(strict, BAD)
    said = held(stops(strict))
    assert "planGraph.json · parse · scope · ../out leads out of the project" in said
    assert "3 findings" in said and "gone.md" in said and "nothing checks this change" in said
    assert task(strict).get("plan") is None and task(strict)["denied"]
    leave(strict)
    assert held(stops(strict, again=True)) == ""
    assert task(strict)["plan"]["nodes"] == 2


def test_lenient_tells_takes_and_holds_nobody(scene: Scene) -> None:
    switch(scene, "warn", "warn")
    starts(scene)
    said = stops(scene)
    assert held(said) == "" and "plan-subagent-contract would block" in str(said.body["systemMessage"])
    leave(scene, BAD)
    assert held(stops(scene)) == ""
    assert task(scene)["plan"]["nodes"] == 1, "a finding beyond structure is told, the plan is accepted"


def test_plans_are_judged_as_the_plan_is_not_as_sub_agents_are(scene: Scene) -> None:
    switch(scene, "warn", "enforce")
    starts(scene)
    leave(scene, BAD)
    stops(scene)
    assert task(scene).get("plan") is None


def test_without_plans_its_file_is_checked_and_followed(scene: Scene) -> None:
    switch(scene, plans="")
    said = starts(scene)
    assert "submitted" not in said and f"on here: {NAME} strict" in said
    leave(scene, {"nodes": [{"id": "a"}]})
    assert "description" in held(stops(scene))
    leave(scene)
    assert held(stops(scene, again=True)) == ""
    assert scene.state()["plan"]["currentPath"] == f"{NAME}/output/sa/Plan/a01/planGraph.json"
    assert kinds(scene)[-1] == ("plan_graph", f"{NAME}/output/sa/Plan/a01/planGraph.json")
    assert "plan" not in task(scene)


def test_what_was_submitted_since_stands(strict: Scene) -> None:
    """A sub-agent that is woken again does not bring its old plan back."""
    starts(strict)
    leave(strict)
    stops(strict)
    first = task(strict)["plan"]["fingerprint"]
    newer = strict.place / "work/w001/plan/planGraph.json"
    newer.write_text(json.dumps({"nodes": [*PLANNED["nodes"], {"id": "more", "description": "x", "validators": []}]}))
    newer.write_text(newer.read_text().replace('"validators": []', '"kind": "escalate", "request": '
                                               '{"type": "decision", "question": "which?"}'))  # fmt: skip
    given = {"file_path": str(newer), "content": newer.read_text()}
    strict.say(strict.tool(event="PostToolUse", tool_name="Write", tool_input=given, tool_response={}))
    second = task(strict)["plan"]["fingerprint"]
    assert second != first
    stops(strict)
    assert task(strict)["plan"]["fingerprint"] == second


def _linked(path: Path, scene: Scene) -> None:
    (scene.folder / "else.json").write_text(json.dumps(PLANNED))
    path.symlink_to(scene.folder / "else.json")


def _linked_folder(path: Path, scene: Scene) -> None:
    outside = scene.folder / "outside"
    outside.mkdir()
    (outside / "planGraph.json").write_text(json.dumps(PLANNED))
    path.parent.rmdir()
    path.parent.symlink_to(outside)


def _large(path: Path, scene: Scene) -> None:
    path.write_bytes(b" " * (1 << 20) + b"{}")


FORGED = {
    "link": (_linked, "is a link, and none is followed"),
    "linked folder": (_linked_folder, "is not there"),
    "pipe": (lambda path, scene: os.mkfifo(path), "is no regular file"),
    "folder": (lambda path, scene: path.mkdir(), "is no regular file"),
    "large": (_large, "is larger than 1 MB"),
    "empty": (lambda path, scene: path.write_text("\n"), "is empty"),
    "no JSON": (lambda path, scene: path.write_text("{"), "planGraph.json · structure"),
    "deep": (lambda path, scene: path.write_text("[" * 100_000), "planGraph.json · structure"),
}


@pytest.mark.parametrize("how", FORGED)
def test_only_real_files_of_its_own_folder_are_taken(strict: Scene, how: str) -> None:
    starts(strict)
    make, says = FORGED[how]
    make(folder(strict) / "planGraph.json", strict)
    assert says in held(stops(strict))
    assert "plan" not in task(strict) and strict.rows("ERROR_MODULE") == []
    assert [kind for kind, _ in kinds(strict) if kind != "plan_denied" and kind != "plan_graph"] == []


def test_all_that_is_owed_is_named_at_once(scene: Scene) -> None:
    switch(scene, requiredOutputs=["planGraph.json", "manifest.json", "notes.md"])
    assert "- notes.md" in starts(scene)
    leave(scene, "{", "manifest.json")
    said = held(stops(scene))
    assert "3 findings" in said
    for one in ("planGraph.json is not there", "manifest.json is no JSON", "notes.md is not there"):
        assert f"- {one}" in said
    leave(scene)
    leave(scene, {}, "manifest.json")
    leave(scene, "why\n", "notes.md")
    assert held(stops(scene, again=True)) == ""
    assert {kind for kind, _ in kinds(scene)} >= {"plan_graph", "plan_manifest", "subagent_output", "plan_accepted"}


def test_names_come_from_the_configuration(scene: Scene) -> None:
    switch(scene, subagentDir="agents", agentTypeDir="Architect")
    assert starts(scene) == ""
    assert f"{NAME}/output/agents/Architect/a02/" in starts(scene, "Architect", "def")
    assert (scene.place / NAME / "output/agents/Architect/a02").is_dir()


@pytest.mark.parametrize("name", ["../state.json", "a/b.json", "..", ""])
def test_a_name_that_leads_elsewhere_does_not_compile(scene: Scene, name: str) -> None:
    from jackline.compiler.write import compile_table

    (scene.home / ".config/jackline").mkdir(parents=True)
    (scene.home / ".config/jackline/config.json").write_text(json.dumps({NAME: {"requiredOutputs": [name]}}))
    scene.manifest({"version": 1, "modules": {NAME: {"enabled": True}}})
    assert compile_table(str(scene.root), str(scene.store)).faults


def test_two_sub_agents_have_a_folder_each(strict: Scene) -> None:
    assert "sa/Plan/a01/" in starts(strict, agent="abc") and "sa/Plan/a02/" in starts(strict, agent="def")
    leave(strict, agent="a02")
    assert "planGraph.json is not there" in held(stops(strict, agent="abc"))
    assert held(stops(strict, agent="def")) == ""
    assert task(strict)["plan"]["nodes"] == 2


def test_it_is_off_by_default(scene: Scene) -> None:
    scene.begin()
    assert starts(scene) == "" and held(stops(scene)) == ""
