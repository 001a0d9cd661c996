"""The contract, sections 5 to 7: ids and paths, what a feature is given, what it may say.

Each test is named after its clause. Where a departure holds (docs/contract.md), the test holds the departure.
"""

from __future__ import annotations

import json
import os
import re

from contract.spy import SPY, spied
from jackline.compiler import schemas
from scene import Scene

# --- 5. ids and paths ------------------------------------------------------------------------------------------------


def test_section_5_1_id_formats(scene: Scene) -> None:
    """Departure: `sid` is derived from the client's id and claimed, so that parallel windows never share one."""
    scene.begin()
    scene.prompt()
    scene.pre(agent_id="agent-1")
    record = scene.rows("TOOL_DECISION")[0]
    assert re.fullmatch("[0-9a-f]{8}", scene.place.name)
    assert (record["workId"], record["agentId"], record["turnId"]) == ("w001", "a01", 1)
    assert re.fullmatch(rf"PreToolUse-1-{record['ts']}", record["hookRunId"])
    assert scene.rows("HOOK_EVENT")[0]["agentId"] == "u00"


def test_section_5_2_directory_layout(scene: Scene) -> None:
    scene.feature("odd", "ctx.log('info', 'x')\nreturn None")
    scene.trust()
    scene.begin()
    scene.prompt()
    scene.pre()
    top = scene.root / ".ai" / "tmp"
    assert (top / ".gitignore").read_text() == "*\n"
    assert (top / "dispatch.log").is_file()
    assert {"state.json", "events.jsonl", "prompts.jsonl", "odd"} <= {path.name for path in scene.place.iterdir()}
    assert [str(path.relative_to(scene.place)) for path in (scene.place / "odd").rglob("*.log")] == [
        "odd/logs/debug.log"
    ]


def test_section_5_2_paths_have_room_on_every_system(scene: Scene) -> None:
    """The longest documented path stays within the contract's 72 characters below the root."""
    scene.begin()
    longest = f"{scene.place.relative_to(scene.root)}/plan-subagent-contract/output/sa/Plan/a01/planGraph.json"
    assert len(longest) <= 72 + len("/tmp/")


# --- 6. the context --------------------------------------------------------------------------------------------------


def test_section_6_ids_event_paths_and_timers(scene: Scene) -> None:
    scene.begin()
    scene.prompt()
    seen = spied(
        scene,
        "{'ids': [ctx.ids.session_id, ctx.ids.work_id, ctx.ids.agent_id, ctx.ids.turn_id, ctx.ids.hook_run_id],"
        " 'event': [event.name, event.tool, event.kind, event.command, event.session, event.cwd],"
        " 'paths': {name: getattr(ctx.paths, name) for name in ('repo_root', 'hooks_root', 'work_root', 'session_root',"
        " 'state_file', 'events_file', 'registry_file', 'config_file', 'policy_file', 'followup_rules_file',"
        " 'manifest_file', 'schema_dir')},"
        " 'feature': [ctx.feature.root, ctx.feature.logs, ctx.feature.output, ctx.paths.feature_root('x'),"
        " ctx.paths.feature_logs('x'), ctx.paths.feature_output('x')],"
        " 'refs': [ctx.paths.rel_ref(ctx.paths.session_root + '/a/b'), ctx.paths.repo_relative(ctx.paths.hooks_root)],"
        " 'timers': [ctx.timers.start_ms, ctx.timers.budget_ms, ctx.timers.elapsed() >= 0], 'cap': ctx.cap}",
    )
    place, root, hooks = str(scene.place), str(scene.root), str(scene.hooks)
    record = scene.rows("TOOL_DECISION")[0]
    assert seen["ids"] == [scene.place.name, "w001", "u00", 1, record["hookRunId"]]
    assert seen["event"] == ["PreToolUse", "Bash", "shell", "echo hi", scene.session, root]
    assert seen["paths"] == {
        "repo_root": root,
        "hooks_root": hooks,
        "work_root": f"{root}/.ai/tmp",
        "session_root": place,
        "state_file": f"{place}/state.json",
        "events_file": f"{place}/events.jsonl",
        "registry_file": f"{place}/registry.jsonl",
        "config_file": f"{hooks}/config.json",
        "policy_file": f"{hooks}/rlm-policy.json",
        "followup_rules_file": f"{hooks}/followup-rules.json",
        "manifest_file": f"{hooks}/dispatch.manifest.json",
        "schema_dir": f"{hooks}/schema",
    }
    spy = [f"{place}/spy", f"{place}/spy/logs", f"{place}/spy/output"]
    assert seen["feature"] == [*spy, f"{place}/x", f"{place}/x/logs", f"{place}/x/output"]
    assert seen["refs"] == ["a/b", ".ai/hooks"]
    assert seen["timers"] == [record["ts"], 300, True]


def test_section_6_paths_refuse_what_lies_outside(scene: Scene) -> None:
    expression = (
        "[type(fault).__name__ for fault in (trial(ctx.paths.rel_ref, '/etc/passwd'), trial(ctx.paths.repo_relative,"
    )
    expression += " ctx.root + '/../x'))]"
    trial = (
        "def trial(call, path):\n    try:\n        call(path)\n    except Exception as fault:\n        return fault\n"
    )
    scene.feature("spy", trial + SPY.format(expression=expression))
    scene.trust()
    assert "ValueError" in json.dumps(scene.pre().body)
    assert json.dumps(scene.pre().body).count("ValueError") == 2


def test_section_6_the_state_is_read_only(scene: Scene) -> None:
    """What a feature does to its context or its event changes nothing for the others: it returns patches."""
    scene.begin()
    scene.feature(
        "odd",
        "ctx.state['core']['phase'] = 'COMPLETE'\nctx.state['plan'] = {'status': 'accepted'}\n"
        "event.input['command'] = event.command = 'echo harmless'\nevent.kind = 'read'\nevent.payload.clear()",
        priority=-5,
    )
    scene.feature(
        "guard", "return deny('saw ' + event.command + ' ' + event.kind + str(ctx.state.get('plan')))", critical=True
    )
    scene.trust()
    said = scene.pre("forbidden")
    assert said.reason.startswith("saw forbidden shell")
    assert "accepted" not in said.reason
    assert scene.state()["core"]["phase"] == "UNINITIALIZED"


def test_section_6_config_is_the_features_own(scene: Scene) -> None:
    scene.feature("spy", SPY.format(expression="dict(ctx.config)"))
    (scene.hooks / "features" / "spy" / "defaults.json").write_text('{"knob": 1, "other": {"a": 1, "b": 2}}')
    (scene.hooks / "config.json").write_text('{"spy": {"knob": 7, "other": {"b": 3}}, "session": {}}')
    scene.trust()
    told = scene.pre().body["hookSpecificOutput"]["additionalContext"]
    assert json.loads(told.removeprefix("spied: ")) == {"knob": 7, "other": {"a": 1, "b": 3}}


def test_section_6_its_shape_is_the_schema_ctx(scene: Scene) -> None:
    schema = schemas.load("ctx")
    assert set(schema["properties"]) >= {"ids", "event", "paths", "state", "config", "feature", "cap", "timers"}


# --- 7. the module interface -----------------------------------------------------------------------------------------


def test_section_7_every_field_of_an_action_arrives(scene: Scene) -> None:
    scene.feature(
        "all",
        "return {'decision': 'allow', 'denyReason': '', 'updatedInput': {'command': 'grep -m 5 x src'},"
        " 'inputMetadata': {'_hookForged': 'x'}, 'additionalContext': [{'key': 'k', 'value': 'v'}],"
        " 'statePatch': {'all': {'a': 1}}, 'emitEvents': [{'kind': 'SEEN', 'data': {'n': 1}}],"
        " 'registerArtifacts': [{'kind': 'note', 'ref': 'all/output/x'}], 'warnings': ['careful'],"
        " 'metrics': {'n': 7}}",
    )
    scene.trust()
    scene.begin()
    body = scene.pre("grep x src").body
    assert body["hookSpecificOutput"]["updatedInput"]["command"] == "grep -m 5 x src"
    assert "k: v" in body["hookSpecificOutput"]["additionalContext"]
    assert "careful" in body["systemMessage"]
    row = scene.rows("TOOL_DECISION")[0]["data"]
    assert next(one for one in row["actions"] if one["feature"] == "all")["metrics"] == {"n": 7}
    assert "_hookForged" not in row["stamps"], "only session stamps"
    assert scene.rows("SEEN")[0]["data"] == {"n": 1}
    assert scene.state()["all"] == {"a": 1}


def test_section_7_deny_reason_is_read_too(scene: Scene) -> None:
    """Departure: `reason` is the one name; the contract's `denyReason` is accepted."""
    scene.feature("odd", "return {'decision': 'deny', 'denyReason': 'not here'}")
    scene.trust()
    assert scene.pre().reason.startswith("not here")


def test_section_7_a_denial_has_a_reason(scene: Scene) -> None:
    scene.feature("odd", "return {'decision': 'deny'}")
    scene.trust()
    said = scene.pre()
    assert said.decision == "deny"
    assert said.reason.split("\n")[0]


def test_section_7_all_fields_are_optional(scene: Scene) -> None:
    for number, body in enumerate(("return None", "return {}", "return Action()", "return allow()", "pass")):
        scene.feature(f"odd-{number}", body)
    scene.trust()
    assert scene.pre().decision == ""
    assert scene.rows("ERROR_MODULE") == []


def test_section_7_supports_is_asked(scene: Scene) -> None:
    scene.feature("odd", "return note('at', event.name)", supports=["UserPromptSubmit", "PostToolUse"])
    scene.trust()
    scene.begin()
    assert "hookSpecificOutput" not in scene.pre().body
    assert scene.prompt().body["hookSpecificOutput"]["additionalContext"] == "at: UserPromptSubmit"


def test_section_7_1_features_are_discovered_in_their_folders(scene: Scene) -> None:
    """Self-contained and copied by hand: a folder with a `hook.py` is all there is."""
    scene.feature("one", "return note('one', 'yes')")
    scene.trust()
    assert "one: yes" in json.dumps(scene.pre().body)
    os.rename(scene.hooks / "features" / "one", scene.hooks / "features" / "gone")
    (scene.hooks / "features" / "gone" / "hook.py").unlink()
    assert "one: yes" in json.dumps(scene.pre().body), "what a person trusted stays until a person says otherwise"
    scene.trust()
    assert "one: yes" not in json.dumps(scene.pre().body)


def test_section_7_1_the_manifest_enables_and_overrides(scene: Scene) -> None:
    for name in ("one", "two"):
        scene.feature(name, f"return deny('{name}')")
    scene.manifest({"modules": {"one": {"enabled": False}, "two": {"priority": 5}}})
    scene.trust()
    assert scene.pre().reason.startswith("two")
    row = scene.table().row("two")
    assert row is not None
    assert row.priority == 5
    assert scene.table().row("one") is None
