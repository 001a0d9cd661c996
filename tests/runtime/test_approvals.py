"""A person's word through the door: what waits, what a yes lets through, what it does not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from jackline.host import clock, now
from jackline.model import Answer
from jackline.runtime import pipeline, request
from jackline.runtime.request import Store
from jackline.runtime.stages.prompt_commands import record
from jackline.store import approvals, authority
from jackline.store.approvals import Request, Word
from scene import Said, Scene

ASKS = """
if "touch" in event.command or event.kind in ("write", "edit"):
    return ask("MAY-IT", rule="asker: touching", safer="leave it", code="HITL_REJECT")
"""
ALONE = {"CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}


@pytest.fixture
def asking(scene: Scene) -> Scene:
    """A machine with a feature that asks about whatever touches or writes."""
    scene.feature("asker", ASKS, critical=True)
    scene.trust()
    scene.begin()
    return scene


def wait(scene: Scene) -> list[Request]:
    return approvals.waiting(str(scene.store), now() // 1_000_000)


def one(scene: Scene) -> Request:
    (found,) = wait(scene)
    return found


def say(scene: Scene, decision: str, request: Request, **fields: Any) -> bool:
    word = Word(decision, "person", fields.pop("ts", now() // 1_000_000), **fields)  # type: ignore[arg-type]
    if not approvals.say(str(scene.store), request.id, word):
        return False
    record(str(scene.store), request, word, now())
    return True


def pending(said: Said) -> dict[str, Any]:
    assert said.decision == "deny", said
    error: dict[str, Any] = json.loads(said.reason.split("\n")[3])
    assert error["code"] == "HITL_PENDING", said.reason
    return error


def ran(scene: Scene, command: str = "touch made", **fields: Any) -> Said:
    """A shell call where nobody sits at the client."""
    return scene.say(scene.tool(command, **fields), env=ALONE)


def test_headless_the_call_waits_and_a_yes_lets_it_through_once(asking: Scene) -> None:
    said = ran(asking)
    error = pending(said)
    request = one(asking)
    lines = said.reason.split("\n")
    assert lines[0] == f"MAY-IT — pending approval {request.id}"
    assert lines[1] == "asker: touching"
    assert lines[2] == (
        f"leave it; or stop and ask the person to run `jackline approve {request.id}`, "
        "then run exactly this call again. Do not work around this."
    )
    assert error["meta"]["affected_files"] == ["made"]
    assert error["meta"]["normalized_tool_name"] == "execute_command"
    assert one(asking) == request
    pending(ran(asking))
    assert wait(asking) == [request]  # the same call waits once
    assert say(asking, "approve", request)
    assert ran(asking).decision == ""
    again = ran(asking)
    pending(again)
    assert request.id not in again.reason
    kinds = [row["kind"] for row in asking.log() if row["kind"].startswith(("APPROVAL", "GRANT"))]
    assert kinds == ["APPROVAL_ASKED", "GRANT_USED", "APPROVAL_ASKED"]
    assert [record["kind"] for record in authority.read(str(asking.store))] == ["TRUST", "APPROVE", "GRANT_USE"]
    assert authority.verify(str(asking.store))[1] == ""


@pytest.mark.parametrize(
    "duplicate",
    [
        {"command": "touch made other"},
        {"command": "touch  made"},
        {"session_id": "33333333-2222-3333-4444-555555555555"},
        {"agent_id": "sub-1"},
        {"tool_name": "PowerShell"},
        {"cwd": ".."},
        {"tool_input": {"command": "touch made", "run_in_background": True}},
    ],
    ids=str,
)
def test_an_altered_twin_does_not_pass(asking: Scene, duplicate: dict[str, Any]) -> None:
    pending(ran(asking))
    say(asking, "approve", one(asking))
    if duplicate.get("cwd"):
        duplicate = {"cwd": str(asking.root.parent)}
    fields = {"command": "touch made", **duplicate}
    pending(ran(asking, **fields))
    assert ran(asking).decision == ""  # and the approved one still does


def test_words_about_a_call_are_no_part_of_it(asking: Scene) -> None:
    pending(ran(asking, tool_input={"command": "touch made", "description": "d", "timeout": 5}))
    say(asking, "approve", one(asking))
    assert ran(asking, tool_input={"command": "touch made", "description": "other", "timeout": 9}).decision == ""


@pytest.mark.parametrize(
    ("command", "file", "before", "after"),
    [
        ("bash touch.sh", "touch.sh", "touch made\n", "touch made; rm -rf src\n"),
        ("./touch.sh", "touch.sh", "#!/bin/sh\ntouch made\n", "#!/bin/sh\nrm -rf src\n"),
        ("bash touch-all.sh", "part.sh", "touch made\n", "rm -rf src\n"),
        ("make touch", "Makefile", "touch:\n\ttouch made\n", "touch:\n\trm -rf src\n"),
        ("cat touch.sh | sh", "touch.sh", "touch made\n", "rm -rf src\n"),
        ("touch made; python3 -m tool", "tool.py", "print(1)\n", "import shutil\n"),
        ("touch x > made", "made", "old\n", "somebody else's\n"),
        ("touch x > made", "made", None, "somebody else's\n"),
    ],
)
def test_a_changed_file_that_it_runs_or_overwrites_ends_a_yes(
    asking: Scene, command: str, file: str, before: str | None, after: str
) -> None:
    (asking.root / "touch-all.sh").write_text("set -e\n. ./part.sh\n")
    if before is not None:
        (asking.root / file).write_text(before)
    pending(ran(asking, command))
    request = one(asking)
    assert say(asking, "approve", request)
    (asking.root / file).write_text(after)
    said = ran(asking, command)
    pending(said)
    assert f"{file} was changed since they approved it" in said.reason.split("\n")[0]
    assert one(asking).id != request.id
    if before is not None:
        (asking.root / file).write_text(before)  # as it was: what they saw
        assert ran(asking, command).decision == ""


@pytest.mark.parametrize("scope", ["once", "session"])
def test_what_the_approved_call_overwrote_itself_is_no_news(asking: Scene, scope: str) -> None:
    """Its yes is used: the next question does not say that somebody changed the file since."""
    (asking.root / "made").write_text("old\n")
    pending(ran(asking, "touch x > made"))
    assert say(asking, "approve", one(asking), scope=scope)
    assert ran(asking, "touch x > made").decision == ""
    (asking.root / "made").write_text("what it wrote\n")
    said = ran(asking, "touch x > made")
    pending(said)
    assert "was changed" not in said.reason
    assert said.reason.startswith(f"MAY-IT — pending approval {one(asking).id}\n")


def test_what_a_hook_shows_is_kept_without_secrets(scene: Scene) -> None:
    token = "ghp_" + "a1B2" * 9
    shown = f"['+token = {token}'] * 30"
    scene.feature("asker", f'return ask("MAY-IT", rule="asker: all", safer="leave it", preview={shown})', critical=True)
    scene.trust()
    scene.begin()
    pending(ran(scene))
    request = one(scene)
    assert len(request.preview) == 20
    assert token not in (scene.store / "approvals" / f"{request.id}.ask").read_text()


def test_of_a_command_that_breaks_its_reader_every_file_it_names_is_bound(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jackline.model import Event
    from jackline.runtime.fingerprint import files

    def fails(*_: object) -> None:
        raise RecursionError

    (scene.root / "outer.sh").write_text("set -e\n. ./inner.sh\n")
    (scene.root / "inner.sh").write_text("true\n")
    monkeypatch.setattr("jackline.shell.effects.of_event", fails)
    root = str(scene.root)
    found = files(Event("PreToolUse", kind="shell", command="((((bash outer.sh", root=root, cwd=root))
    assert set(found) == {f"{root}/outer.sh", f"{root}/inner.sh"}


def test_a_yes_ends_after_ten_minutes_and_a_code_too(asking: Scene) -> None:
    pending(ran(asking))
    request = one(asking)
    store, late = str(asking.store), request.until
    assert approvals.standing(store, request, late - 1) == "waiting"
    assert approvals.standing(store, request, late) == "expired"
    assert say(asking, "approve", request, ts=now() // 1_000_000 - approvals.LIFE_MS)
    pending(ran(asking))


def test_the_same_call_may_come_again_until_it_has_run(asking: Scene) -> None:
    """A client may send one call twice; after its outcome nothing is left of the yes."""
    pending(ran(asking))
    say(asking, "approve", one(asking))
    call = asking.tool("touch made")
    assert asking.say(call, env=ALONE).decision == ""
    assert asking.say(call, env=ALONE).decision == ""
    pending(ran(asking))
    asking.say({**call, "hook_event_name": "PostToolUse", "tool_response": {"stdout": ""}})
    pending(asking.say(call, env=ALONE))


def test_after_a_minute_a_pass_is_used_up(asking: Scene) -> None:
    pending(ran(asking))
    request = one(asking)
    say(asking, "approve", request)
    call = asking.tool("touch made")
    assert approvals.spend(str(asking.store), request.id, call["tool_use_id"], now() // 1_000_000 - 59_000)
    assert asking.say(call, env=ALONE).decision == ""
    (asking.store / "approvals" / f"{request.id}.use").unlink()
    assert approvals.spend(str(asking.store), request.id, call["tool_use_id"], now() // 1_000_000 - 60_000)
    pending(asking.say(call, env=ALONE))


def test_of_eight_equal_calls_at_once_one_passes(asking: Scene) -> None:
    pending(ran(asking))
    say(asking, "approve", one(asking))
    doors = [asking.start("PreToolUse", env=ALONE) for _ in range(8)]
    calls = [json.dumps(asking.tool("touch made")).encode() for _ in doors]
    for door, call in zip(doors, calls, strict=True):
        assert door.stdin is not None
        door.stdin.write(call)
        door.stdin.flush()
    answers = [door.communicate(timeout=30)[0] for door in doors]
    assert sorted(b"deny" in answer for answer in answers) == [False] + [True] * 7
    uses = [record for record in authority.read(str(asking.store)) if record["kind"] == "GRANT_USE"]
    assert len(uses) == 1


def test_two_entries_for_one_call_use_a_yes_once(asking: Scene) -> None:
    pending(ran(asking))
    say(asking, "approve", one(asking))
    call = asking.tool("touch made")
    assert asking.say(call, "project", env=ALONE).decision == ""
    assert asking.say(call, env=ALONE).decision == ""
    uses = [record for record in authority.read(str(asking.store)) if record["kind"] == "GRANT_USE"]
    assert len(uses) == 1
    pending(ran(asking))


def test_a_yes_that_no_record_holds_is_none(asking: Scene) -> None:
    """A file written into the store beside us: what counts stands in the chain of authority."""
    pending(ran(asking))
    request = one(asking)
    forged = Word("approve", "person", now() // 1_000_000)
    assert approvals.say(str(asking.store), request.id, forged)
    pending(ran(asking))
    made = {"v": 1, "kind": "APPROVE", "data": {"id": request.id}, "hash": "0" * 32}
    with (asking.store / "authority.jsonl").open("a") as chain:
        chain.write(json.dumps(made) + "\n")
    pending(ran(asking))
    record(str(asking.store), request, forged, now())
    assert ran(asking).decision == ""


def test_where_somebody_sits_the_client_asks(asking: Scene) -> None:
    change = {"file_path": str(asking.root / "new.py"), "content": "a = 1\n"}
    said = asking.say(asking.tool(tool_name="Write", tool_input=change), env={"CLAUDE_CODE_SESSION_ATTENDED": "1"})
    assert said.decision == "ask"
    lines = said.reason.split("\n")
    assert lines[:3] == ["MAY-IT", "asker: touching", "leave it"]
    assert "files: new.py" in lines
    assert not [line for line in lines if line.startswith("intent:")], "nobody here works with intents"
    assert lines[-1] == "+a = 1"
    assert wait(asking) == []


def test_where_intents_are_on_the_dialog_says_that_none_is_active(asking: Scene) -> None:
    asking.manifest({"modules": {"intent-scope": {"enabled": True, "mode": "observe"}}})
    said = asking.say(asking.tool("touch made"), env={"CLAUDE_CODE_SESSION_ATTENDED": "1"})
    assert said.decision == "ask"
    assert "intent: none is active" in said.reason.split("\n")


def test_a_sub_agent_is_never_asked_about_in_the_dialog(asking: Scene) -> None:
    said = asking.say(asking.tool("touch made", agent_id="sub-1"), env={"CLAUDE_CODE_SESSION_ATTENDED": "1"})
    pending(said)
    code = approvals.code(str(asking.store), one(asking))
    assert code in said.body["systemMessage"]
    assert code not in said.reason


def test_a_code_stands_nowhere_that_an_agent_may_read(asking: Scene) -> None:
    said = asking.say(asking.tool("touch made", agent_id="sub-1"), "project")
    code = approvals.code(str(asking.store), one(asking))
    assert code in said.out.decode()
    for path in asking.folder.rglob("*"):
        if path.is_file() and ".git/" not in str(path):
            assert code.encode() not in path.read_bytes(), path
    assert code not in ran(asking, agent_id="sub-1").out.decode()  # where nobody sits, a program reads along


def test_a_session_that_nobody_can_name_gets_no_yes(asking: Scene) -> None:
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "touch made"}}
    raw = json.dumps({**payload, "prompt_id": "p", "cwd": str(asking.root)}).encode()
    said: list[Answer] = []
    given = request.Request(
        "claude-code", "PreToolUse", raw, ALONE, str(asking.root), uid=os.getuid(), now=now(), clock=clock
    )
    outcome = pipeline.run(given, Store(str(asking.store)), said.append)
    assert not outcome.session.identified
    assert b"HITL_PENDING" in said[0].out
    assert b"nobody can approve in it" in said[0].out
    assert wait(asking) == []


# --- a prompt that speaks to us ---


def test_a_typed_code_approves_and_the_agent_is_told(asking: Scene) -> None:
    asking.prompt("go")
    pending(ran(asking))
    request = one(asking)
    code = approvals.code(str(asking.store), request)
    told = asking.prompt(f"jackline approve {code}").body["hookSpecificOutput"]["additionalContext"]
    assert f"The person approved call {request.id}" in told
    assert code not in told
    assert ran(asking).decision == ""
    pending(ran(asking))
    kinds = [record["kind"] for record in authority.read(str(asking.store))]
    assert kinds[-2:] == ["APPROVE", "GRANT_USE"]


def test_a_typed_rejection_holds_in_its_own_turn(asking: Scene) -> None:
    asking.prompt("go")
    pending(ran(asking))
    code = approvals.code(str(asking.store), one(asking))
    told = asking.prompt(f"jackline reject {code} not today").body["hookSpecificOutput"]["additionalContext"]
    assert "not today" in told
    said = ran(asking)
    assert '"code":"HITL_REJECT"' in said.reason
    assert "not today" in said.reason


def test_a_typed_approval_for_the_session(asking: Scene) -> None:
    pending(ran(asking))
    code = approvals.code(str(asking.store), one(asking))
    asking.prompt(f"  jackline approve {code.lower()} --for session")
    assert [ran(asking).decision for _ in range(3)] == ["", "", ""]
    pending(ran(asking, "touch made other"))


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ("jackline approve", "a code is needed here"),
        ("jackline approve {id}", "a code is needed here"),
        ("jackline approve BBB-BBB", "2 more tries"),
        ("jackline reject {wrong} why", "2 more tries"),
    ],
)
def test_what_fits_nothing_does_not_reach_the_model(asking: Scene, prompt: str, says: str) -> None:
    pending(ran(asking))
    request = one(asking)
    said = asking.prompt(prompt.format(id=request.id, wrong="BBB-BBC"))
    assert said.body["decision"] == "block"
    assert says in said.body["reason"]
    assert approvals.standing(str(asking.store), request, now() // 1_000_000) == "waiting"


@pytest.mark.parametrize(
    "prompt", ["jackline status", "jackline approved everything, didn't it?", "please run jackline approve", "jackline"]
)
def test_other_prompts_are_the_models(asking: Scene, prompt: str) -> None:
    pending(ran(asking))
    assert asking.prompt(prompt).body.get("decision") is None


@pytest.mark.parametrize(
    "fields",
    [{"agent_id": "sub-1"}, {"source": "system"}, {"session_id": "44444444-2222-3333-4444-555555555555"}],
    ids=["a sub-agent's", "nobody's", "another session's"],
)
def test_a_code_counts_only_where_a_person_typed_it(asking: Scene, fields: dict[str, str]) -> None:
    pending(ran(asking))
    request = one(asking)
    code = approvals.code(str(asking.store), request)
    asking.prompt(f"jackline approve {code}", **fields)
    assert wait(asking) == [request]


def test_another_process_of_the_client_cannot_speak(asking: Scene) -> None:
    """`claude --resume` by an agent is the same session, and another process."""
    pending(ran(asking))
    request = one(asking)
    code = approvals.code(str(asking.store), request)
    payload = json.dumps(asking.payload("UserPromptSubmit", prompt=f"jackline approve {code}"))
    argv = asking.argv("UserPromptSubmit")
    other = "import subprocess, sys; subprocess.run(sys.argv[2:], input=sys.argv[1].encode())"
    done = subprocess.run([sys.executable, "-c", other, payload, *argv], env=asking.env, capture_output=True, text=True)
    assert "nothing waits for a word in this session" in done.stdout, done
    assert wait(asking) == [request]


# --- other clients ---


def codex(scene: Scene, command: str = "touch made", number: int = 1, **fields: Any) -> Said:
    call = {"session_id": "codex-1", "turn_id": "t-1", "cwd": str(scene.root), "hook_event_name": "PreToolUse"}
    tool = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"call_{number}"}
    return scene.say({**call, **tool, **fields}, dialect="codex")


def test_codex_cannot_ask_so_the_call_waits(asking: Scene) -> None:
    said = codex(asking)
    pending(said)
    request = one(asking)
    code = approvals.code(str(asking.store), request)
    assert code in said.body["systemMessage"]
    prompt = {"session_id": "codex-1", "turn_id": "t-2", "cwd": str(asking.root), "hook_event_name": "UserPromptSubmit"}
    told = asking.say({**prompt, "prompt": f"jackline approve {code}"}, dialect="codex")
    assert request.id in told.body["hookSpecificOutput"]["additionalContext"]
    assert codex(asking, number=2).body == {}
    pending(codex(asking, number=3))


def test_copilot_asks_its_person(asking: Scene) -> None:
    """Whether one sits there its command line says (tests/clients/test_person_present.py)."""
    arguments = json.dumps({"command": "touch made", "description": "d"})
    call = {"sessionId": "cop-1", "timestamp": 1, "cwd": str(asking.root), "toolName": "bash", "toolArgs": arguments}
    assert asking.say(call, event="preToolUse", dialect="github").decision == "ask"
    assert wait(asking) == []


def test_copilot_with_a_prompt_on_its_command_line_has_nobody_to_ask(asking: Scene) -> None:
    """Its own process is known by its name, and says by `-p` that it answers once."""
    copilot = asking.folder / "copilot"
    shutil.copy("/bin/sh", copilot)
    arguments = json.dumps({"command": "touch made", "description": "d"})
    call = {"sessionId": "cop-1", "timestamp": 1, "cwd": str(asking.root), "toolName": "bash", "toolArgs": arguments}

    def said(*options: str) -> dict[str, Any]:
        argv = [str(copilot), *options, "-c", '"$@"; exit $?', "copilot", *asking.argv("preToolUse", "github")]
        done = subprocess.run(
            argv, input=json.dumps(call).encode(), env=asking.env, cwd=asking.root, capture_output=True
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    assert said()["permissionDecision"] == "ask"
    refused = said("-p")
    assert refused["permissionDecision"] == "deny"
    request = one(asking)
    assert f"pending approval {request.id}" in refused["permissionDecisionReason"]
    assert approvals.code(str(asking.store), request) not in json.dumps(refused)
    say(asking, "approve", request)
    assert said("-p") == {}
    assert said("-p")["permissionDecision"] == "deny"


def test_what_a_dry_run_asks_waits_nowhere(asking: Scene) -> None:
    assert asking.say({**asking.tool("touch made"), "jackline_probe": True}, env=ALONE).decision == "ask"
    assert wait(asking) == []


def test_a_further_reason_to_ask_is_asked_about(asking: Scene) -> None:
    pending(ran(asking))
    say(asking, "approve", one(asking))
    asking.feature("second", 'return ask("ALSO-THIS") if "touch" in event.command else None', critical=True)
    asking.trust()
    said = ran(asking)
    pending(said)
    assert "ALSO-THIS" in one(asking).reason


def test_nothing_in_the_dialog_deceives(asking: Scene) -> None:
    said = asking.say(asking.tool("touch a\u202eb"), env={"CLAUDE_CODE_SESSION_ATTENDED": "1"})
    assert said.decision == "ask"
    assert "\u202e" not in said.reason
    assert "files: a\\u202eb" in said.reason
