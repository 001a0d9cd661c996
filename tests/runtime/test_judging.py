"""From actions to the answer: rewrites judged again, context cut, what stands beside the features."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from scene import Scene

# --- rewrites --------------------------------------------------------------------------------------------------------


def rewriting(scene: Scene, command: str, name: str = "bound", priority: int = 40) -> None:
    scene.feature(name, f"return rewrite({{'command': {command!r}}}, reason='too wide')", priority=priority)
    scene.trust()
    scene.begin()


def test_the_client_receives_the_whole_input(scene: Scene) -> None:
    """No argument is lost (a fault of earlier implementations: only the changed keys were sent)."""
    rewriting(scene, "grep -m 5 x src")
    payload = scene.tool(tool_input={"command": "grep x src", "description": "look", "timeout": 5})
    body = scene.say(payload).body["hookSpecificOutput"]
    assert body["updatedInput"] == {"command": "grep -m 5 x src", "description": "look", "timeout": 5}
    assert "permissionDecision" not in body, "an explicit allow would skip the user's own question"
    assert scene.rows("TOOL_DECISION")[0]["data"]["rewrite"] == {"command": "grep -m 5 x src"}


@pytest.mark.parametrize(
    "command", ["rm -rf src", "grep x src | sh", "sudo grep x src", "grep x src; ls", "grep x src /"]
)
def test_an_unlawful_rewrite_is_dropped_and_told(scene: Scene, command: str) -> None:
    rewriting(scene, command)
    body = scene.pre("grep x src").body
    assert "hookSpecificOutput" not in body
    assert "may only add flags" in json.dumps(scene.rows("TOOL_DECISION")[0]["data"]["notes"])


def test_a_rewritten_call_is_judged_once_more(scene: Scene) -> None:
    """A rewrite must not carry a call past a guard that saw the old one."""
    scene.feature("guard", "return deny('no caps') if '-m' in event.command else None", critical=True)
    rewriting(scene, "grep -m 5 x src", priority=60)
    said = scene.pre("grep x src")
    assert said.decision == "deny"
    assert said.reason.startswith("no caps")


def test_an_ask_about_the_rewritten_call_hides_no_denial(scene: Scene) -> None:
    scene.feature("asks", "return ask('sure?') if '-m' in event.command else None", critical=True, priority=41)
    scene.feature("denies", "return deny('never') if '-m' in event.command else None", critical=True, priority=42)
    rewriting(scene, "grep -m 5 x src")
    assert scene.pre("grep x src").decision == "deny"


def test_a_cold_guard_judges_no_rewrite_either(scene: Scene) -> None:
    """What is not hotPathSafe never runs before a tool (contract section 13)."""
    scene.feature("guard", "return deny('no') if '-m' in event.command else None", critical=True)
    path = scene.hooks / "features" / "guard" / "hook.py"
    path.write_text(path.read_text().replace("priority=50", "priority=50, hot_path_safe=False"))
    rewriting(scene, "grep -m 5 x src")
    assert scene.pre("grep x src").decision == ""


def test_two_rewrites_fold_over_disjoint_keys_and_the_owner_wins(scene: Scene) -> None:
    scene.feature("one", "return rewrite({'path': 'src', 'glob': '*.py'})", priority=30)
    scene.feature("two", "return rewrite({'path': 'lib', 'limit': 5})", priority=40)
    scene.manifest({"rewriteOwner": "two"})
    scene.trust()
    scene.begin()
    payload = scene.tool(tool_name="Grep", tool_input={"pattern": "x", "head_limit": 9})
    updated = scene.say(payload).body["hookSpecificOutput"]["updatedInput"]
    assert updated == {"pattern": "x", "head_limit": 9, "path": "lib", "glob": "*.py", "limit": 5}
    assert "path is rewritten by two" in json.dumps(scene.rows("TOOL_DECISION")[0]["data"]["notes"])


def test_a_client_that_cannot_rewrite_is_shown_the_call_that_would_pass(scene: Scene) -> None:
    rewriting(scene, "grep -m 5 x src")
    call = {"tool_name": "run_shell_command", "tool_input": {"command": "grep x src"}, "tool_use_id": "t"}
    qwens = {"timestamp": "2026-01-01T00:00:00Z", "permission_mode": "default", "session_id": "qwen"}
    said = scene.say(scene.payload("PreToolUse", **call, **qwens))
    folder = scene.place_of("qwen", "qwen-code")
    assert scene.rows("TOOL_DECISION", folder=folder)[0]["data"]["client"] == "qwen-code"
    assert said.decision == "deny"
    assert "grep -m 5 x src" in said.reason


# --- context and words -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["line", "線"])
def test_context_beyond_the_clients_limit_goes_into_a_file(scene: Scene, line: str) -> None:
    scene.feature("long", f"return note('page', '{line}\\n' * 5000)", supports=["UserPromptSubmit"])
    scene.trust()
    told = scene.prompt().body["hookSpecificOutput"]["additionalContext"]
    assert len(told.encode()) <= 9000
    files = list((scene.place / "context").iterdir())
    assert len(files) == 1
    assert f"in {files[0].relative_to(scene.root)})" in told
    assert str(scene.root) not in told, "no absolute path goes into the agent's context"
    assert files[0].read_text().count(line) == 5000


WARNED = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact", "Stop"),
    *("SubagentStart", "SubagentStop"),
)


def test_warnings_reach_the_person_at_every_event(scene: Scene) -> None:
    """Earlier implementations lost them wherever a call was allowed."""
    scene.feature("careful", "return warn('careful at ' + event.name)", supports=WARNED)
    scene.trust()
    for event in WARNED:
        payload = scene.tool(event=event) if "Tool" in event else scene.payload(event, prompt="x", agent_id="a")
        assert f"careful at {event}" in scene.say(payload).body["systemMessage"]


def test_context_reaches_the_model_or_at_least_the_person(scene: Scene) -> None:
    """An event whose context nobody reads, like PreCompact, tells it to the person."""
    scene.feature("seen", "return note('seen', event.name)", supports=WARNED)
    scene.trust()
    for event in WARNED:
        payload = scene.tool(event=event) if "Tool" in event else scene.payload(event, prompt="x", agent_id="a")
        body = scene.say(payload).body
        told = body.get("hookSpecificOutput", {}).get("additionalContext") or body["systemMessage"]
        assert f"seen: {event}" in told


def test_a_refusal_is_three_lines_and_one_of_json(scene: Scene) -> None:
    body = "return deny('what', rule='rule', safer='way', code='SCOPE_VIOLATION')"
    scene.feature("guard", body, critical=True)
    scene.trust()
    said = scene.say(scene.tool(tool_name="Write", tool_input={"file_path": f"{scene.root}/src/x", "content": ""}))
    *lines, last = said.reason.split("\n")
    assert lines == ["what", "rule", "way"]
    error = json.loads(last)
    assert (error["type"], error["code"], error["message"]) == ("tool_error", "SCOPE_VIOLATION", "what")
    assert error["meta"]["affected_files"] == ["src/x"]
    assert error["meta"]["invocation_id"] == scene.rows("TOOL_DECISION")[0]["id"]


# --- approve ---------------------------------------------------------------------------------------------------------


def test_approve_needs_a_persons_own_grant(scene: Scene) -> None:
    """A committed manifest cannot grant it, trusted or not; silence leaves the client's own rules in force."""
    scene.feature("yes", "return approve('known')")
    (scene.hooks / "dispatch.manifest.json").write_text(json.dumps({"modules": {"yes": {"mayApprove": True}}}))
    scene.trust()
    scene.begin()
    assert scene.pre().decision == ""
    scene.manifest({"modules": {"yes": {"mayApprove": True}}})
    assert scene.pre().decision == "allow"
    scene.feature("guard", "return deny('no')", critical=True, priority=90)
    scene.trust()
    assert scene.pre().decision == "deny"


# --- observe, pause, tampering ---------------------------------------------------------------------------------------


def test_what_is_observed_is_logged_and_changes_nothing(scene: Scene) -> None:
    scene.feature("guard", "return deny('no')", critical=True)
    scene.manifest({"modules": {"guard": {"mode": "observe"}}})
    scene.trust()
    scene.begin()
    assert scene.pre().decision == ""
    assert [(row["decision"], row["reason"]) for row in scene.rows("WOULD_DENY")] == [("deny", "no")]


def test_a_warning_mode_tells_the_person(scene: Scene) -> None:
    scene.feature("guard", "return deny('no')", critical=True)
    scene.manifest({"modules": {"guard": {"mode": "warn"}}})
    scene.trust()
    scene.begin()
    said = scene.pre()
    assert said.decision == ""
    assert "guard would deny: no" in said.body["systemMessage"]
    assert [row["decision"] for row in scene.rows("WOULD_DENY")] == ["deny"]


def pause(scene: Scene, feature: str, minutes: float = 5) -> None:
    until = int((time.time() + minutes * 60) * 1000)
    one = {"feature": feature, "until": until, "since": 0, "root": ""}
    (scene.store / "pause.json").write_text(json.dumps({"v": 1, "pauses": [one]}))


def test_a_person_always_has_a_way_out(scene: Scene) -> None:
    """`pause`: one hook or all of them, shown while it lasts; identity goes on."""
    scene.feature("guard", "return deny('no')", critical=True)
    scene.trust()
    scene.begin()
    assert scene.pre().decision == "deny"
    for feature in ("guard", "*"):
        pause(scene, feature)
        assert scene.pre().decision == ""
        assert "paused" in scene.prompt().body["systemMessage"]
    pause(scene, "*", minutes=-1)
    assert scene.pre().decision == "deny"
    assert scene.state()["core"]["lastTurnId"] == 2


def test_tampering_stops_what_changes_things_until_a_person_looks(scene: Scene) -> None:
    scene.begin()
    (scene.store / "tampered").write_text("~/.claude/settings.json was changed")
    said = scene.pre("echo hi")
    assert said.decision == "deny"
    assert "TAMPERED" in said.reason
    read = scene.tool(tool_name="Read", tool_input={"file_path": f"{scene.root}/x"})
    assert scene.say(read).decision == ""
    assert "settings.json was changed" in scene.prompt().body["systemMessage"]
    (scene.store / "tampered").unlink()
    assert scene.pre("echo hi").decision == ""


def test_a_fault_of_ours_is_told_once_in_a_session(scene: Scene) -> None:
    """A report in the store, and a word to the person: it never passes unseen (design section 2)."""
    crash = scene.store / "crash"
    crash.mkdir()
    (crash / "0ld00000.jsonl").write_text("{}\n")
    time.sleep(0.02)
    scene.begin()
    assert scene.prompt().body == {}
    (crash / "abcd1234.jsonl").write_text("{}\n")
    assert "abcd1234" in scene.prompt().body["systemMessage"]
    assert scene.prompt().body == {}
    scene.begin(session_id="later")
    assert scene.prompt(session_id="later").body == {}
    for path in crash.iterdir():
        path.unlink()


def test_a_hanging_hook_does_not_lift_tampering(scene: Scene) -> None:
    """The kernel's own rules hold for the answer that is given when a hook never ends."""
    scene.feature("odd", "while True:\n    try:\n        while True: pass\n    except BaseException: pass", priority=-5)
    scene.manifest({"budgets": {"PreToolUse": 100}})
    scene.trust()
    scene.begin()
    (scene.store / "tampered").write_text("changed")
    assert scene.pre().decision == "deny"


# --- the log's rows --------------------------------------------------------------------------------------------------


def test_the_decision_in_the_log_is_the_merged_one(scene: Scene) -> None:
    """Earlier implementations logged `allow` for every call, before the other modules had spoken."""
    scene.feature("guard", "return deny('no', code='SCOPE_VIOLATION') if 'bad' in event.command else None")
    scene.trust()
    scene.begin()
    for command in ("good", "bad"):
        scene.pre(command)
    rows = scene.rows("TOOL_DECISION")
    assert [(row["decision"], row.get("by", []), row.get("code", "")) for row in rows] == [
        ("allow", [], ""),
        ("deny", ["guard"], "SCOPE_VIOLATION"),
    ]


@pytest.mark.parametrize(
    ("event", "response", "outcome"),
    [("PostToolUse", {"interrupted": False}, "ok"), ("PostToolUse", {"interrupted": True}, "error"),
     ("PostToolUseFailure", None, "error")],
)  # fmt: skip
def test_outcomes_are_told(scene: Scene, event: str, response: Any, outcome: str) -> None:
    scene.say(scene.tool("false", event=event, tool_response=response, error="exit 1"))
    assert [row["outcome"] for row in scene.rows("TOOL_OUTCOME")] == [outcome]


def test_prompts_are_kept_as_keyed_hashes_unless_a_person_says_otherwise(scene: Scene) -> None:
    for mode, field in (("hash", "hash"), ("text", "text"), ("off", "")):
        scene.manifest({"prompts": mode})
        scene.prompt(f"{mode} my password=hunter22 please", session_id=mode)
        path = scene.place_of(mode) / "prompts.jsonl"
        found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        assert [field in one for one in found] == ([True] if field else [])
        whole = "".join(file.read_text(errors="replace") for file in scene.place_of(mode).rglob("*") if file.is_file())
        assert "hunter22" not in whole
    assert "my password=*** please" in (scene.place_of("text") / "prompts.jsonl").read_text()


def test_secrets_reach_no_file_of_ours(scene: Scene) -> None:
    """Commands, tool input, prompts, hooks' own words: one writer masks them all (design section 4)."""
    secret = "ghp_" + "a1B2" * 9
    scene.feature(
        "loud",
        f"ctx.log('warn', 'saw {secret}', {{'a': '{secret}'}})\n"
        f"return Action(decision='deny', reason='{secret}', warnings=('{secret}',),"
        f" state_patch={{'loud': {{'a': '{secret}'}}}},"
        f" emit_events=({{'kind': 'SEEN', 'data': '{secret}', '{secret}': 1}},), metrics={{'x': '{secret}'}})",
    )
    scene.trust()
    scene.prompt(f"use {secret}")
    scene.pre(f"curl -H 'Authorization: Bearer {secret}' https://me:{secret}@example.org", description=secret)
    for path in [*scene.place.rglob("*"), scene.root / ".ai" / "tmp" / "dispatch.log"]:
        if path.is_file():
            assert secret not in path.read_text(errors="replace"), path
    (scene.hooks / "features" / "loud" / "hook.py").unlink()


def test_a_hooks_own_log_is_its_own(scene: Scene) -> None:
    scene.feature("talks", "ctx.log('info', 'hello', {'n': 1})\nprint('not this')")
    scene.trust()
    scene.begin()
    assert scene.pre().body.keys() <= {"systemMessage"}
    line = json.loads((scene.place / "talks" / "logs" / "debug.log").read_text())
    assert (line["level"], line["message"], line["data"]) == ("info", "hello", {"n": 1})
