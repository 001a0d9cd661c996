"""File scripts through the door: an agent's turn ends when they pass, or when they were told of three times."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jackline.clients.rows import ROWS
from jackline.model import Answer
from jackline.runtime.pipeline import run
from jackline.runtime.request import Request, Store
from scene import Said, Scene, git

from .test_event import timeless

CHECK = """#!/bin/sh
#---
# name: No tabs
# type: file
# pattern: "*.py"
#---
found=$(grep -l "$(printf '\\t')" $JACKLINE_CHANGED_FILES) || exit 0
echo "$found: has a tab"
exit 1
"""
FAILS = """#!/bin/sh
#---
# type: file
# pattern: "*.py"
#---
cat $JACKLINE_CHANGED_FILES
exit 3
"""


def script(scene: Scene, name: str, text: str, folder: str = ".ai/hooks/scripts") -> Path:
    path = scene.root / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def commit(scene: Scene) -> None:
    git(scene.root, "add", "-A")
    git(scene.root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "begin")


def ready(scene: Scene, scripts: dict[str, str], folder: str = ".ai/hooks/scripts") -> None:
    """A trusted repository with these scripts, committed, in which a session began and a person asked for something."""
    for name, text in scripts.items():
        script(scene, name, text, folder)
    (scene.root / "README.md").write_text("hello\n")
    commit(scene)
    scene.trust()
    scene.begin()
    scene.prompt("do it")


def write(scene: Scene, name: str, text: str) -> None:
    """What the agent does to a file, with the events around it."""
    path = scene.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    scene.say(scene.tool(f"edit {name}", event="PostToolUse"))


def stop(scene: Scene, **fields: Any) -> Said:
    return scene.say(scene.payload("Stop", **fields))


def pending(scene: Scene) -> list[str]:
    found: list[str] = status(scene)["pendingHooks"] if (scene.place / "scripts" / "status.json").exists() else []
    return found


def status(scene: Scene) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((scene.place / "scripts" / "status.json").read_text())
    return found


def blocked(said: Said) -> bool:
    return said.body.get("decision") == "block"


def test_edit_fail_repair_pass_silence(scene: Scene) -> None:
    """The flow of 001, with its message to the letter."""
    ready(scene, {"no-tabs.sh": CHECK})
    write(scene, "src/a.py", "x = 1\n\ty = 2\n")
    said = stop(scene)
    assert said.reason == (
        '[Jackline Hook Failed] "No tabs" (pattern: *.py)\n\n'
        "Files: src/a.py\nExit code: 1\n\n"
        "Output:\nsrc/a.py: has a tab\n\n"
        "Please fix the issues and ensure the hook passes. (Attempt 1/3)"
    )
    assert blocked(said)
    assert pending(scene) == ["no-tabs"]
    write(scene, "src/a.py", "x = 1\n")
    assert stop(scene, stop_hook_active=True).body == {}
    assert pending(scene) == []
    assert stop(scene).body == {}
    found = status(scene)["hooks"]["no-tabs"]
    assert (found["runCount"], found["failCount"], found["lastResult"]) == (2, 1, "success")
    assert [row["data"]["result"] for row in scene.rows("SCRIPT_RUN")] == ["failure", "success"]


PLAIN = ".ai/hooks/scripts"


def test_a_script_that_always_fails_ends_after_three(scene: Scene) -> None:
    """001's loop guard: three re-prompts, then a word to the person; what waits stays so, the next prompt resets."""
    ready(scene, {"fails.sh": FAILS})
    for number in (1, 2, 3):
        write(scene, "a.py", f"{number}\n")
        said = stop(scene, stop_hook_active=number > 1)
        assert said.reason.endswith(
            f"Output:\n{number}\n\nPlease fix the issues and ensure the hook passes. (Attempt {number}/3)"
        )
    write(scene, "a.py", "4\n")
    said = stop(scene, stop_hook_active=True)
    assert not blocked(said)
    assert said.body["systemMessage"].startswith("fails still fails: the agent was kept going 3 times in this turn")
    assert pending(scene) == ["fails"]
    assert len(scene.rows("CONTINUATION_END")) == 1
    scene.prompt("go on")
    said = stop(scene)
    assert said.reason.endswith("(Attempt 1/3)")


def test_the_same_failure_has_three_attempts_too(scene: Scene) -> None:
    ready(scene, {"fails.sh": FAILS})
    write(scene, "a.py", "1\n")
    for number in (1, 2, 3):
        assert stop(scene, stop_hook_active=number > 1).reason.endswith(f"(Attempt {number}/3)")
    assert not blocked(stop(scene, stop_hook_active=True))
    assert pending(scene) == ["fails"]
    (row,) = scene.rows("CONTINUATION_END")
    assert row["data"] == {"by": "scripts", "held": ["script:fails"]}


@pytest.mark.parametrize(
    "fields",
    [
        {"background_tasks": [{"id": "b", "type": "agent", "status": "running"}]},
        {"agent_id": "agent-1", "agent_type": "explore"},
    ],
    ids=["background", "sub-agent"],
)
def test_a_stop_that_ends_no_turn_runs_nothing(scene: Scene, fields: dict[str, Any]) -> None:
    ready(scene, {"fails.sh": FAILS})
    write(scene, "a.py", "1\n")
    assert stop(scene, **fields).body == {}
    assert (scene.rows("SCRIPT_RUN"), pending(scene)) == ([], [])
    assert blocked(stop(scene))


def test_a_sub_agents_end_runs_nothing(scene: Scene) -> None:
    ready(scene, {"fails.sh": FAILS})
    write(scene, "a.py", "1\n")
    said = scene.say(scene.payload("SubagentStop", agent_id="agent-1", agent_type="explore"))
    assert (said.body, scene.rows("SCRIPT_RUN")) == ({}, [])


def test_discobots_scripts_speak_as_discobot(scene: Scene) -> None:
    text = FAILS.replace("JACKLINE_", "DISCOBOT_")
    ready(scene, {"fails.sh": text}, ".discobot/hooks")
    write(scene, "a.py", "1\n")
    assert stop(scene).reason.startswith(
        '[Discobot Hook Failed] "fails.sh" (pattern: *.py)\n\nFiles: a.py\nExit code: 3'
    )


def test_large_output_is_pointed_at(scene: Scene) -> None:
    ready(scene, {"many.sh": FAILS.replace("cat $JACKLINE_CHANGED_FILES", "seq 847")})
    write(scene, "a.py", "1\n")
    said = stop(scene)
    path = f".ai/tmp/{scene.place.name}/scripts/output/many.log"
    assert f"Output is large (847 lines). Full output saved to:\n  {path}\n\nPlease read the file" in said.reason
    assert (scene.root / path).read_text().split() == [str(n) for n in range(1, 848)]


def test_order_is_by_file_name_and_the_first_failure_stops(scene: Scene) -> None:
    names = {"20-second.sh": FAILS, "10-first.sh": FAILS.replace("exit 3", "exit 0"), "30-third.sh": FAILS}
    ready(scene, names)
    write(scene, "a.py", "1\n")
    assert '"20-second.sh"' in stop(scene).reason
    assert [row["data"]["script"] for row in scene.rows("SCRIPT_RUN")] == ["10-first", "20-second"]
    assert pending(scene) == ["20-second", "30-third"]


def test_a_silent_failure_is_silent(scene: Scene) -> None:
    ready(scene, {"fails.sh": FAILS.replace("# type", "# notify_llm: false\n# type")})
    write(scene, "a.py", "1\n")
    assert stop(scene).body == {}
    assert pending(scene) == ["fails"]
    assert status(scene)["hooks"]["fails"]["lastResult"] == "failure"


LATE = """#!/bin/sh
#---
# name: Type check
# type: file
# pattern: "*.py"
# timeout: 0.4
#---
echo run >> runs
sleep 20
"""


def test_a_script_that_is_too_late_asks_for_nothing_and_is_not_run_again_in_its_turn(scene: Scene) -> None:
    """There is nothing that a model could fix; who waits for it is told, and the next turn's end tries it once more."""
    ready(scene, {"types.sh": LATE})
    write(scene, "a.py", "x")
    said = '"Type check" did not end within … s and was stopped; it is not run again before your next prompt; '
    said += "the turn ended"
    assert timeless(stop(scene).body["systemMessage"]) == said
    write(scene, "b.py", "x")
    assert stop(scene, stop_hook_active=True).body == {}
    assert pending(scene) == ["types"]
    assert (scene.root / "runs").read_text() == "run\n"
    assert "Hook Failed" not in scene.prompt("go on").out.decode()
    assert timeless(stop(scene).body["systemMessage"]) == said
    assert (scene.root / "runs").read_text() == "run\nrun\n"


def test_a_turn_that_a_gate_holds_is_not_said_to_have_ended(scene: Scene) -> None:
    gate = "#!/bin/sh\n#---\n# events: Stop\n# block: true\n#---\ntest -e done || { echo more >&2; exit 2; }\n"
    ready(scene, {"types.sh": LATE, "gate.sh": gate})
    write(scene, "a.py", "x")
    said = stop(scene)
    assert blocked(said)
    assert said.body["systemMessage"].endswith("before your next prompt; the turn's end was held by script:gate")
    write(scene, "done", "x")
    assert not blocked(stop(scene, stop_hook_active=True))
    assert (scene.root / "runs").read_text() == "run\n"


def test_a_script_that_the_doors_own_clock_ends_is_not_run_again_in_its_turn(scene: Scene) -> None:
    """It has more time by itself than the door has: who ended it makes no difference to the agent or the person."""
    ready(scene, {"types.sh": LATE.replace("0.4", "600")})
    write(scene, "a.py", "x")
    first, second = [answered(scene, "Stop", 3.5, stop_hook_active=again) for again in (False, True)]
    assert timeless(first["systemMessage"]) == (
        '"Type check" did not end within … s and was stopped; it is not run again before your next prompt; the turn '
        "ended"
    )
    assert (second, pending(scene)) == ({}, ["types"])
    assert (scene.root / "runs").read_text() == "run\n"


def test_a_script_that_is_too_late_after_the_turn_asks_for_nothing_either(scene: Scene) -> None:
    ready(scene, {"types.sh": LATE.replace("# timeout", "# when: after\n# timeout")})
    write(scene, "a.py", "x")
    assert stop(scene).body == {}
    until(lambda: all_rows(scene, "SCRIPT_RUN"))
    assert scene.prompt("go on").body == {}


def test_an_agent_that_commits_does_not_slip_away(scene: Scene) -> None:
    ready(scene, {"fails.sh": FAILS})
    write(scene, "a.py", "1\n")
    commit(scene)
    assert "Files: a.py" in stop(scene).reason


def test_what_was_there_before_the_session(scene: Scene) -> None:
    """By default all that is uncommitted is looked at; `baseline: session` leaves the person's own work alone."""
    for name in ("all.sh", "mine.sh"):
        more = "# baseline: session\n" if name == "mine.sh" else ""
        script(scene, name, FAILS.replace("# type", f"{more}# type").replace("exit 3", "exit 0"))
    commit(scene)
    (scene.root / "persons.py").write_text("person\n")
    scene.trust()
    scene.begin()
    scene.prompt()
    write(scene, "agents.py", "agent\n")
    assert stop(scene).body == {}
    output = scene.place / "scripts" / "output"
    assert (output / "all.log").read_text() == "agent\nperson\n"
    assert (output / "mine.log").read_text() == "agent\n"


# --- other clients ---------------------------------------------------------------------------------------------------


def codex(scene: Scene, event: str, **fields: Any) -> Said:
    made = {"session_id": scene.session, "cwd": str(scene.root), "hook_event_name": event, "turn_id": "t-1"}
    return scene.say({**made, **fields}, dialect="codex")


def test_codex(scene: Scene) -> None:
    ready(scene, {"fails.sh": CHECK})
    codex(scene, "SessionStart", source="startup")
    codex(scene, "UserPromptSubmit", prompt="do it")
    (scene.root / "a.py").write_text("\tx\n")
    said = codex(scene, "Stop", stop_hook_active=False, last_assistant_message="done")
    assert blocked(said) and said.reason.startswith('[Jackline Hook Failed] "No tabs"')
    assert said.reason.endswith("(Attempt 1/3)")
    (scene.root / "a.py").write_text("x\n")
    assert codex(scene, "Stop", stop_hook_active=True, last_assistant_message="done").body == {}
    assert codex(scene, "Stop", stop_hook_active=False, last_assistant_message="done").body == {}


@pytest.mark.parametrize("client", ["vscode", "copilot-cli/pascal", "copilot-cli/camel"])
def test_github(scene: Scene, client: str) -> None:
    """VS Code and Copilot's own program, in both spellings of the latter."""
    camel = client.endswith("camel")

    def say(event: str, native: str, file: str, **fields: Any) -> Said:
        payload = scene.recorded(f"{client}/{file}.json", **fields)
        return scene.say(payload, event=native if camel else event, dialect="github")

    ready(scene, {"no-tabs.sh": CHECK})
    say("SessionStart", "sessionStart", "sessionStart" if camel else "SessionStart")
    say("UserPromptSubmit", "userPromptSubmitted", "userPromptSubmitted" if camel else "UserPromptSubmit")
    (scene.root / "a.py").write_text("\tx\n")
    said = say("Stop", "agentStop", "agentStop" if camel else "Stop")
    inner = said.body.get("hookSpecificOutput", said.body)
    assert (inner.get("decision") or said.body.get("decision")) == "block"
    assert '[Jackline Hook Failed] "No tabs" (pattern: *.py)' in json.dumps(said.body, ensure_ascii=False).replace(
        r"\"", '"'
    )
    (scene.root / "a.py").write_text("x\n")
    assert say("Stop", "agentStop", "agentStop" if camel else "Stop", stop_hook_active=True).body == {}
    assert [row["data"]["result"] for row in all_rows(scene, "SCRIPT_RUN")] == ["failure", "success"]


def all_rows(scene: Scene, kind: str) -> list[dict[str, Any]]:
    return [row for folder in scene.sessions() for row in scene.rows(kind, folder=folder)]


def answered(scene: Scene, event: str, within_s: float = 0, **fields: Any) -> dict[str, Any]:
    """What our pipeline answers in this process: for clients that nobody has yet, and doors that have little time."""
    request = Request(
        "claude-code", event, json.dumps(scene.payload(event, **fields)).encode(), scene.env, str(scene.root),
        uid=os.getuid(), now=time.time_ns(), entropy=os.urandom(16), clock=time.monotonic_ns,
        deadline=time.monotonic_ns() + int(within_s * 1e9) if within_s else 0,
    )  # fmt: skip
    said: list[Answer] = []
    run(request, Store(str(scene.store)), said.append)
    found: dict[str, Any] = json.loads(said[0].out)
    return found


def test_a_client_that_cannot_go_on_is_told_with_the_next_prompt(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROWS["claude-code"], "Stop", ("note", "", "", 0))
    ready(scene, {"fails.sh": FAILS})
    write(scene, "a.py", "1\n")
    assert answered(scene, "Stop") == {"systemMessage": "fails failed; the agent is told with the next prompt."}
    assert pending(scene) == ["fails"]
    assert "Hook Failed" not in json.dumps(answered(scene, "PreToolUse", tool_name="Read", tool_input={}))
    context = answered(scene, "UserPromptSubmit", prompt="go on")["hookSpecificOutput"]["additionalContext"]
    assert '[Jackline Hook Failed] "fails.sh" (pattern: *.py)' in context
    assert context.rstrip().endswith("Please fix the issues and ensure the hook passes.")
    assert answered(scene, "UserPromptSubmit", prompt="go on") == {}


def until(holds: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def test_scripts_that_run_after_the_turn(scene: Scene) -> None:
    """`when: after`: the turn ends at once; what failed is told with the next prompt."""
    ready(scene, {"later.sh": FAILS.replace("# type", "# when: after\n# type"), "first.sh": CHECK})
    write(scene, "a.py", "1\n")
    assert stop(scene).body == {}
    until(lambda: (scene.place / "scripts" / "next-prompt").exists())
    assert '[Jackline Hook Failed] "later.sh"' in scene.prompt("go on").body["hookSpecificOutput"]["additionalContext"]
    assert pending(scene) == ["later"]
    until(lambda: not list((scene.place / "scripts").glob("running/*")))


# --- formatters, interruptions, storms -------------------------------------------------------------------------------


FORMATTER = """#!/bin/sh
#---
# type: file
# pattern: "*.py"
#---
for f in $JACKLINE_CHANGED_FILES; do echo formatted >$f; done
echo made >made.py
"""


def test_a_formatter_looks_at_its_work_once_and_does_not_come_back(scene: Scene) -> None:
    ready(scene, {"fmt.sh": FORMATTER})
    write(scene, "a.py", "1\n")
    for _ in range(3):
        assert stop(scene).body == {}
    assert len(scene.rows("SCRIPT_RUN")) == 2
    assert (scene.root / "a.py").read_text() == "formatted\n"
    write(scene, "a.py", "2\n")
    stop(scene)
    stop(scene)
    assert len(scene.rows("SCRIPT_RUN")) == 4


HOLDS = """#!/bin/sh
#---
# type: file
# pattern: "*.py"
#---
[ -e hold ] || exit 0
touch started
exec sleep 60
"""


def started(scene: Scene) -> subprocess.Popen[bytes]:
    """A Stop whose script holds it."""
    (scene.root / "hold").touch()
    write(scene, "a.py", "1\n")
    door = scene.start("Stop")
    assert door.stdin
    door.stdin.write(json.dumps(scene.payload("Stop")).encode())
    door.stdin.close()
    until((scene.root / "started").exists)
    return door


def ended(door: subprocess.Popen[bytes]) -> bytes:
    assert door.stdout and door.stderr
    out = door.stdout.read()
    door.wait(10)
    door.stdout.close()
    door.stderr.close()
    return out


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["kill -9", "Esc"])
def test_a_killed_door_leaves_the_script_pending(scene: Scene, number: int) -> None:
    ready(scene, {"holds.sh": HOLDS})
    door = started(scene)
    assert pending(scene) == ["holds"]
    door.send_signal(number)
    ended(door)
    assert pending(scene) == ["holds"]
    (scene.root / "hold").unlink()
    scene.prompt("go on")
    assert stop(scene).body == {}
    assert pending(scene) == []
    assert not (scene.place / "scripts" / "running").exists(), "the orphan was ended"
    assert [row["data"]["result"] for row in scene.rows("SCRIPT_RUN")] == ["success"]


def test_the_person_types_while_a_script_runs(scene: Scene) -> None:
    """The script is stopped, its Stop ends without a word, and it runs again after the person's turn."""
    ready(scene, {"holds.sh": HOLDS})
    door = started(scene)
    begun = time.monotonic()
    scene.prompt("wait, do something else")
    assert ended(door) == b"{}\n"
    assert time.monotonic() - begun < 8
    assert pending(scene) == ["holds"]
    assert not list((scene.place / "scripts").glob("running/*"))
    (scene.root / "hold").unlink()
    assert stop(scene).body == {}
    assert pending(scene) == []


def test_a_storm_of_stops(scene: Scene) -> None:
    """32 at once: `status.json` is whole at every moment, and counts every run that the log has."""
    ready(scene, {"fails.sh": FAILS, "more.sh": FAILS})
    write(scene, "a.py", "1\n")
    assert blocked(stop(scene))
    raw = json.dumps(scene.payload("Stop", stop_hook_active=True)).encode()
    doors = [scene.start("Stop") for _ in range(32)]
    for door in doors:
        assert door.stdin
        door.stdin.write(raw)
        door.stdin.close()
    looks = 0
    while any(door.poll() is None for door in doors):
        assert set(status(scene)) == {"hooks", "pendingHooks", "lastEvaluatedAt"}
        looks += 1
        time.sleep(0.005)
    answers = [json.loads(ended(door)) for door in doors]
    runs = scene.rows("SCRIPT_RUN")
    found = status(scene)
    assert looks > 3
    assert found["hooks"]["fails"]["runCount"] == found["hooks"]["fails"]["failCount"] == len(runs) > 3
    assert found["pendingHooks"] == ["fails", "more"]
    assert [one.get("decision") for one in answers].count("block") <= 2, "three in a turn, whoever asks"
