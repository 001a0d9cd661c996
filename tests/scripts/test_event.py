"""Event scripts through the door: whole runs on real clients' payloads, with hostile scripts among them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jackline import processes
from scene import Said, Scene, audit


def script(scene: Scene, name: str, body: str, *front: str, type: str = "event") -> Path:
    """Write a script of the project. It counts once the project is trusted."""
    path = scene.root / ".ai" / "hooks" / "scripts" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    head = "".join(f"# {line}\n" for line in (f"type: {type}", *front))
    path.write_text(f"#!/bin/sh\n#---\n{head}#---\n{body}\n")
    path.chmod(0o755)
    return path


BLOCK = ("events: PreToolUse", "block: true")
REFUSE = "echo 'not here' >&2; exit 2"


def timeless(said: str) -> str:
    """A sentence without how long it took."""
    return re.sub(r"within [\d.]+ s", "within … s", said)


def runs(scene: Scene) -> list[dict[str, Any]]:
    return [row["data"] for row in scene.rows("SCRIPT_RUN")]


def until(true: Any, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


# --- blocking ---


def client_call(scene: Scene, dialect: str) -> dict[str, Any]:
    """A shell call as that client sends it."""
    own = {
        "claude-code": {"prompt_id": "p", "permission_mode": "default"},
        "codex": {"model": "m", "turn_id": "t", "permission_mode": "default"},
        "github": {"timestamp": "2026-01-01T00:00:00Z", "transcript_path": "/t/GitHub.copilot-chat/x"},
    }[dialect]
    tool = "run_in_terminal" if dialect == "github" else "Bash"
    given = {"tool_name": tool, "tool_input": {"command": "echo hi"}, "tool_use_id": f"u{time.monotonic_ns()}"}
    return {"session_id": scene.session, "cwd": str(scene.root), "hook_event_name": "PreToolUse", **own, **given}


@pytest.mark.parametrize("dialect", ["claude-code", "codex", "github"])
def test_only_declared_scripts_block_on_every_client(scene: Scene, dialect: str) -> None:
    """The script gets the bytes that the client sent."""
    path = script(scene, "guard.sh", f"cat > given; {REFUSE}", *BLOCK)
    scene.trust()
    raw = json.dumps(client_call(scene, dialect)).encode()
    said = scene.send(raw, "PreToolUse", dialect=dialect)
    assert said.decision == "deny" and said.reason.startswith("not here — refused by"), said
    assert (scene.root / "given").read_bytes() == raw
    path.write_text(path.read_text().replace("# block: true\n", ""))
    scene.trust()
    said = scene.send(json.dumps(client_call(scene, dialect)).encode(), "PreToolUse", dialect=dialect)
    assert said.decision == ""
    assert "does not declare `block: true`" in said.body.get("systemMessage", "does not declare `block: true`")
    assert [(row["exit"], row.get("decision")) for row in runs(scene)] == [(2, "deny"), (2, None)]
    for folder in scene.sessions():
        audit(folder)


@pytest.mark.parametrize("dialect", ["claude-code", "codex", "github"])
def test_a_block_at_the_turns_end_keeps_the_agent_going(scene: Scene, dialect: str) -> None:
    script(scene, "gate.sh", """echo '{"decision":"block","reason":"run the tests"}'""", "events: Stop", "block: true")
    scene.trust()
    payload = {**client_call(scene, dialect), "hook_event_name": "Stop", "stop_hook_active": False}
    for name in ("tool_name", "tool_input", "tool_use_id"):
        payload.pop(name)
    said = scene.send(json.dumps(payload).encode(), "Stop", dialect=dialect)
    body = said.body
    inner = body.get("hookSpecificOutput", body)
    assert (inner.get("decision"), inner.get("reason")) == ("block", "run the tests"), body


def test_all_run_in_order_and_see_the_verdict_so_far(scene: Scene) -> None:
    """A feature denies first; the scripts all run, their reasons are joined behind the feature's."""
    scene.feature("strict", 'return deny("the feature says no")')
    script(scene, "b.sh", 'echo "b $JACKLINE_VERDICT" >> order; echo "b says no" >&2; exit 2', "order: 20", *BLOCK)
    script(scene, "a.sh", 'echo "a $JACKLINE_VERDICT" >> order; echo "a says no" >&2; exit 2', "order: 10", *BLOCK)
    script(scene, "c.sh", "echo c >> order", "order: 30", "run: if-allowed", "events: PreToolUse")
    scene.trust()
    said = scene.pre()
    assert said.decision == "deny"
    assert said.reason.split("\n{")[0].split("\n") == [
        "the feature says no — refused by strict",
        "a says no — refused by script a",
        "b says no — refused by script b",
    ]
    assert (scene.root / "order").read_text() == "a deny\nb deny\n"
    (row,) = scene.rows("TOOL_DECISION")
    assert row["by"] == ["strict", "script:a", "script:b"]
    assert {"feature": "script:c", "why": "denied before it"} in row["data"]["skipped"]


def test_the_verdict_so_far_is_allow_where_nobody_objected(scene: Scene) -> None:
    script(scene, "see.sh", 'echo "$JACKLINE_VERDICT $JACKLINE_EVENT $JACKLINE_TURN" > seen', "events: PreToolUse")
    scene.trust()
    assert scene.pre().out == b"{}\n"
    assert (scene.root / "seen").read_text() == "allow PreToolUse 0\n"


def test_what_scripts_say_is_merged_not_joined(scene: Scene) -> None:
    for name in ("one", "two"):
        answer = json.dumps(
            {"hookSpecificOutput": {"additionalContext": f"from {name}"}, "systemMessage": f"hey {name}"}
        )
        script(scene, f"{name}.sh", f"echo '{answer}'", "events: PostToolUse")
    scene.trust()
    body = scene.say(scene.tool(event="PostToolUse")).body
    assert body["hookSpecificOutput"]["additionalContext"] == "one.sh: from one\ntwo.sh: from two"
    assert body["systemMessage"] == "hey one\nhey two"


# --- who runs ---


def test_tools_choose_and_pauses_and_dry_runs_leave_out(scene: Scene) -> None:
    script(scene, "edits.sh", "echo ran >> edits", "events: PreToolUse", "tools: Write|Edit")
    script(scene, "always.sh", "echo ran >> always", "events: PreToolUse")
    scene.trust()
    scene.pre()
    assert not (scene.root / "edits").exists() and (scene.root / "always").exists()
    scene.say(scene.tool(tool_name="Write", tool_input={"file_path": "x", "content": ""}))
    assert (scene.root / "edits").exists()
    pause = {"feature": "always", "until": int(time.time() * 1000) + 60_000, "since": 0, "root": ""}
    (scene.store / "pause.json").write_text(json.dumps({"v": 1, "pauses": [pause]}))
    scene.pre()
    (scene.store / "pause.json").unlink()
    scene.pre(jackline_probe=True)
    assert (scene.root / "always").read_text() == "ran\n" * 2


def test_observe_and_warn_change_nothing(scene: Scene) -> None:
    path = script(scene, "guard.sh", REFUSE, "mode: observe", *BLOCK)
    scene.trust()
    assert scene.pre().out == b"{}\n"
    assert [row["decision"] for row in scene.rows("WOULD_DENY")] == ["deny"]
    path.write_text(path.read_text().replace("observe", "warn"))
    scene.trust()
    assert scene.pre().body == {"systemMessage": "script:guard would deny: not here"}


def test_an_untrusted_script_does_not_run(scene: Scene) -> None:
    script(scene, "guard.sh", REFUSE, *BLOCK)
    assert scene.pre().decision == ""
    scene.trust()
    assert scene.pre().decision == "deny"
    script(scene, "guard.sh", "touch ran", *BLOCK)
    assert scene.pre().decision == "deny", "it runs as it was trusted"
    assert not (scene.root / "ran").exists()


def test_a_hook_table_that_somebody_removed_is_made_anew(scene: Scene) -> None:
    script(scene, "guard.sh", REFUSE, *BLOCK)
    scene.trust()
    assert scene.pre().decision == "deny"
    shutil.rmtree(scene.store / "wirings")
    assert scene.pre().decision == "deny"


def test_no_secret_reaches_it(scene: Scene) -> None:
    script(scene, "env.sh", "env > env.txt", "events: PreToolUse", "env: [WANTED_TOKEN]")
    scene.trust()
    secret = {"ANTHROPIC_API_KEY": "sk-ant-1", "GITHUB_TOKEN": "gho_1", "WANTED_TOKEN": "w", "PLAIN": "p"}
    scene.say(scene.tool(), env=secret)
    found = (scene.root / "env.txt").read_text()
    assert "sk-ant" not in found and "gho_" not in found and "WANTED_TOKEN=w" in found and "PLAIN=p" in found


def test_of_two_entries_for_one_call_one_runs_the_scripts(scene: Scene) -> None:
    """Clients read each other's configuration and fire twice; both doors give the script's denial."""
    script(scene, "guard.sh", f"echo ran >> runs; {REFUSE}", *BLOCK)
    scene.trust()
    for place in ((), ("project",)):
        scene.say(scene.payload("SessionStart", source="startup"), *place)
    call = scene.tool()
    said = [scene.say(call), scene.say(call, "project")]
    assert [one.decision for one in said] == ["deny", "deny"]
    assert (scene.root / "runs").read_text() == "ran\n"


# --- hostile ones ---

HOSTILE: Sequence[tuple[str, str, float]] = (
    ("a hang", "sleep 100", 4),
    ("one that ignores TERM", "trap '' TERM; while :; do sleep 1; done", 5),
    ("a daemon that holds the output", "sleep 300 & echo $! > daemon", 3),
    ("a gigabyte", "head -c 1000000000 /dev/zero", 15),
    ("a kill of its group", "kill -9 0", 3),
    ("a large input never read", "exec 0<&-", 3),
    ("deep JSON", "printf '{\"a\":%050000d' 0 | tr 0 '['", 3),
    ("control characters", 'printf \'\\033[2J\\000\\007{"decision":"block"}\'', 3),
    ("no interpreter", "", 3),
)


@pytest.mark.parametrize(("body", "seconds"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_a_hostile_script_costs_its_deadline_and_nothing_else(scene: Scene, body: str, seconds: float) -> None:
    """The door answers in one document, the script after it still decides."""
    path = script(scene, "a-hostile.sh", body, "timeout: 1", "order: 1", *BLOCK)
    if not body:
        path.write_text(path.read_text().replace("#!/bin/sh", "#!/no/such/interpreter"))
    script(scene, "z-guard.sh", REFUSE, "order: 99", *BLOCK)
    scene.trust()
    begun = time.monotonic()
    said = scene.pre("echo " + "x" * 500_000)
    assert time.monotonic() - begun < seconds
    assert said.decision == "deny" and said.reason.startswith("not here")
    assert [row["script"] for row in runs(scene)] == ["a-hostile", "z-guard"]
    assert not (scene.place / "scripts" / "running").exists()
    if (scene.root / "daemon").exists():
        os.kill(int((scene.root / "daemon").read_text()), 9)
    assert scene.crashes() == []
    audit(scene.place)


def test_a_script_that_fails_is_told_and_blocks_nothing(scene: Scene) -> None:
    script(scene, "bad.sh", "echo 'no luck' >&2; exit 1", *BLOCK)
    scene.trust()
    assert scene.pre().body == {"systemMessage": '"bad.sh" failed (exit 1): no luck; the call passed'}
    assert runs(scene)[0]["result"] == "failure"
    status = json.loads((scene.place / "scripts" / "status.json").read_text())
    assert (status["hooks"]["bad"]["lastResult"], status["hooks"]["bad"]["lastExitCode"]) == ("failure", 1)
    assert (scene.place / "scripts" / "output" / "bad.log").read_text() == "no luck\n"


@pytest.mark.parametrize("block", [True, False])
def test_a_script_that_is_too_late_says_that_the_call_passed(scene: Scene, block: bool) -> None:
    """Nobody takes silence for a yes: by its name, and whether anybody else held the call."""
    front = ["name: Slow check", "timeout: 0.3", *BLOCK[: 1 + block]]
    script(scene, "slow.sh", "sleep 20", *front)
    scene.trust()
    [said] = scene.pre().body.values()
    assert timeless(said) == '"Slow check" did not end within … s and was stopped; the call passed'
    [run] = runs(scene)
    assert (run["late"], run["name"], run["said"]) == (True, "Slow check", said)


def test_a_script_that_is_too_late_says_who_held_the_call(scene: Scene) -> None:
    script(scene, "slow.sh", "sleep 20", "name: Slow check", "timeout: 0.3", "order: 1", *BLOCK)
    script(scene, "strict.sh", REFUSE, *BLOCK)
    scene.trust()
    said = scene.pre()
    assert said.decision == "deny"
    assert timeless(said.body["systemMessage"]) == (
        '"Slow check" did not end within … s and was stopped; the call was held by script:strict'
    )


def test_whoever_judges_after_the_scripts_holds_the_call_too(scene: Scene) -> None:
    """What came of it is said when all have judged: no rule of ours refuses a call that is said to have passed."""
    scene.manifest({"enforcePhases": True, "phasePolicy": {"EXECUTING": {"allowTools": [], "mode": "deny"}}})
    script(scene, "slow.sh", "sleep 20", "name: Slow check", "timeout: 0.3", *BLOCK)
    scene.trust()
    said = scene.pre("touch x")
    assert said.decision == "deny"
    sentence = said.body["systemMessage"]
    assert timeless(sentence).endswith("and was stopped; the call was held by phasePolicy")
    [run] = runs(scene)
    assert run["said"] == sentence


@pytest.mark.parametrize(
    ("event", "came"),
    [
        ("UserPromptSubmit", "; the prompt passed"),
        ("PostToolUse", "; the result passed"),
        ("Stop", "; the turn ended"),
        ("SessionStart", ""),
    ],
)
def test_what_came_of_an_event_whose_script_was_too_late(scene: Scene, event: str, came: str) -> None:
    script(scene, "slow.sh", "sleep 20", "timeout: 0.3", "block: true", f"events: {event}")
    scene.trust()
    payload = scene.tool(event=event) if event == "PostToolUse" else scene.payload(event, prompt="x", source="startup")
    said = scene.say(payload).body
    assert timeless(said["systemMessage"]).endswith(f'"slow.sh" did not end within … s and was stopped{came}')


def test_the_door_answers_before_its_own_deadline(scene: Scene) -> None:
    """A script that declares more time than the door has is ended by the door's clock."""
    script(scene, "long.sh", "sleep 60", "timeout: 300", "events: PreToolUse")
    scene.trust()
    begun = time.monotonic()
    assert "did not end within" in scene.pre().body["systemMessage"]
    assert 9 < time.monotonic() - begun < 13


def test_a_killed_door_leaves_a_script_that_the_next_event_ends(scene: Scene) -> None:
    script(scene, "slow.sh", "echo $$ > pid; sleep 60", "events: PreToolUse", "tools: Write")
    scene.trust()
    door = scene.start("PreToolUse")
    call = scene.tool(tool_name="Write", tool_input={"file_path": "x", "content": ""})
    assert door.stdin is not None
    door.stdin.write(json.dumps(call).encode())
    door.stdin.close()
    door.stdin = None  # `communicate` is not to flush it
    until(lambda: (scene.root / "pid").exists() and (scene.root / "pid").read_text())
    until(lambda: list((scene.place / "scripts" / "running").glob("[0-9]*")))
    pid = int((scene.root / "pid").read_text())
    scene.pre()
    assert not gone(pid), "its door still waits for it"
    door.kill()
    door.communicate()
    assert not gone(pid)
    scene.pre()
    until(lambda: gone(pid))
    assert not (scene.place / "scripts" / "running").exists()


def test_a_group_of_somebody_else_is_left_alone(scene: Scene) -> None:
    """Numbers of processes are given again."""
    script(scene, "any.sh", "true", "events: PreToolUse")
    scene.trust()
    scene.pre()
    other = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        folder = scene.place / "scripts" / "running"
        folder.mkdir()
        (folder / str(other.pid)).write_text(f"{processes.start_ticks(other.pid)} 999999 1")
        (folder / "77").write_text("rubbish")
        scene.pre()
        assert other.poll() is None
        assert not folder.exists()
    finally:
        other.kill()
        other.wait()


# --- after the event ---


def test_what_comes_after_is_told_at_the_next_event_that_can(scene: Scene) -> None:
    body = """sleep 0.5; echo '{"additionalContext":"indexed","systemMessage":"all well"}'; touch done"""
    script(scene, "index.sh", body, "events: PostToolUse", "when: after")
    scene.trust()
    begun = time.monotonic()
    assert scene.say(scene.tool(event="PostToolUse")).out == b"{}\n"
    assert time.monotonic() - begun < 5
    until(lambda: (scene.place / "scripts" / "later.jsonl").exists())
    assert scene.say(scene.payload("Stop", stop_hook_active=False)).out == b"{}\n", "no context is carried there"
    body_said = scene.prompt().body
    assert body_said["hookSpecificOutput"]["additionalContext"] == "index.sh: indexed"
    assert body_said["systemMessage"] == "all well"
    assert "hookSpecificOutput" not in scene.prompt().body
    until(lambda: [row.get("detached") for row in runs(scene)] == [True])
    audit(scene.place)


def test_at_the_sessions_end_scripts_outlive_the_door(scene: Scene) -> None:
    """Clients wait a second or two there, and kill whatever the door started."""
    script(scene, "bye.sh", "sleep 1; echo $PPID > done", "events: SessionEnd")
    scene.trust()
    door = scene.start("SessionEnd", start_new_session=True)
    out, _ = door.communicate(json.dumps(scene.payload("SessionEnd", reason="exit")).encode(), 10)
    assert out == b"{}\n" and not (scene.root / "done").exists()
    try:
        os.killpg(door.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    until(lambda: (scene.root / "done").exists())
    until(lambda: runs(scene) and runs(scene)[-1]["exit"] == 0)


# --- ours ---


def test_a_fault_of_ours_is_reported_and_costs_the_scripts(scene: Scene) -> None:
    """The loops of the other types are rooms of their own; one that breaks does not break the turn."""
    script(scene, "fine.sh", 'echo \'{"systemMessage":"fine"}\'', "events: UserPromptSubmit")
    scene.trust()
    scene.begin()
    (scene.place / "scripts").mkdir(exist_ok=True)
    (scene.place / "scripts" / "later.jsonl").write_bytes(b'["context"]\n["note","","kept"]\n\xff\n5\n')
    said: Said = scene.prompt()
    assert said.body["systemMessage"] == "kept\nfine"


def test_plain_events_of_a_project_with_scripts_load_none_of_this(scene: Scene) -> None:
    script(scene, "commit.sh", "true", type="pre-commit")
    scene.trust()
    scene.pre()
    assert scene.pre().out == b"{}\n"
    assert not (scene.place / "scripts").exists()
