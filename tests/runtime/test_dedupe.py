"""Two entries for one call: one verdict, one row of the log, two valid answers (design section 6).

Clients read each other's configuration and fire twice. A second door for one call is a duplicate only if its dialect
or its entry's place differs; equal calls from one entry are different calls.
"""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from jackline import host
from jackline.compiler import schemas
from jackline.runtime import pipeline
from jackline.runtime.outcome import Outcome
from jackline.runtime.request import Request, Store
from scene import Said, Scene

GUARD = """
import posix
fd = posix.open({marks!r} + '/' + str(posix.getpid()), posix.O_CREAT | posix.O_WRONLY, 0o600)
posix.close(fd)
return deny('not this one') if 'forbidden' in str(event.input) else None
"""


@pytest.fixture
def marks(scene: Scene) -> Path:
    """Where a guard leaves a file each time it judges."""
    folder = scene.folder / "marks"
    folder.mkdir()
    return folder


def prepared(scene: Scene, marks: Path, body: str = GUARD) -> None:
    scene.feature("guard", body.format(marks=str(marks)), critical=True)
    scene.trust()
    scene.begin()


def judged(marks: Path) -> int:
    return len(list(marks.iterdir()))


def both(scene: Scene, payload: dict[str, Any], other: str = "project") -> list[Said]:
    """The user's and another entry for one call, as a client runs them: at the same time."""
    said: dict[int, Said] = {}

    def run(number: int, *place: str) -> None:
        said[number] = scene.say(payload, *place)

    threads = [threading.Thread(target=run, args=(0,)), threading.Thread(target=run, args=(1, other))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [said[0], said[1]]


@pytest.fixture
def two_places(scene: Scene) -> None:
    """A project with an entry of ours, beside the user's."""
    for folder in (scene.root, scene.home):
        (folder / ".claude").mkdir()
        (folder / ".claude" / "settings.json").write_text('{"hooks":"… door.py …"}')


@pytest.mark.usefixtures("two_places")
@pytest.mark.parametrize(("command", "decision"), [("forbidden", "deny"), ("echo hi", "")])
def test_user_and_project_entry_are_one_call(scene: Scene, marks: Path, command: str, decision: str) -> None:
    prepared(scene, marks)
    said = both(scene, scene.tool(command))
    assert [one.decision for one in said] == [decision, decision]
    assert len(scene.rows("TOOL_DECISION")) == 1
    assert judged(marks) == 1
    if decision:
        assert said[0].reason == said[1].reason, "the same call has one invocation id"


@pytest.mark.usefixtures("two_places")
def test_one_after_the_other(scene: Scene, marks: Path) -> None:
    prepared(scene, marks)
    for order in (("project", "user"), ("user", "project")):
        payload = scene.tool("forbidden")
        said = [scene.say(payload, *([] if place == "user" else [place])) for place in order]
        assert [one.decision for one in said] == ["deny", "deny"]
    assert len(scene.rows("TOOL_DECISION")) == 2
    assert judged(marks) == 2


@pytest.mark.usefixtures("two_places")
def test_equal_calls_from_one_entry_are_two_calls(scene: Scene, marks: Path) -> None:
    """With an id of their own each, or without any."""
    prepared(scene, marks)
    for _ in range(2):
        scene.say(scene.tool("echo hi", tool_use_id=""))
    assert len(scene.rows("TOOL_DECISION")) == 2
    for _ in range(2):
        scene.say(scene.tool("echo hi", tool_use_id=""), "project")
    assert len(scene.rows("TOOL_DECISION")) == 2, "the project's two are the duplicates of the user's two"
    scene.say(scene.tool("echo hi", tool_use_id=""), "project")
    assert len(scene.rows("TOOL_DECISION")) == 3
    assert judged(marks) == 3


@pytest.mark.usefixtures("two_places")
def test_a_prompt_counts_once(scene: Scene, marks: Path) -> None:
    prepared(scene, marks)
    for number in (1, 2, 2):
        both(scene, scene.payload("UserPromptSubmit", prompt=f"prompt {number}"))
    assert scene.state()["core"]["lastTurnId"] == 3
    assert [row["turnId"] for row in scene.rows("TURN_INCREMENT")] == [1, 2, 3]


@pytest.mark.usefixtures("two_places")
def test_context_comes_through_one_door(scene: Scene, marks: Path) -> None:
    """Claude Code shows the model the contexts of all hooks: once is enough."""
    prepared(scene, marks, "return note('seen', 'yes')")
    said = both(scene, scene.tool())
    told = [one.body.get("hookSpecificOutput", {}).get("additionalContext") for one in said]
    assert sorted(told, key=str) == [None, "seen: yes"]


def test_the_other_entry_has_the_verdict_before_it_is_written_down(
    scene: Scene, marks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for as long as the client waits for us: a busy disk costs it nothing."""
    prepared(scene, marks)
    told: list[list[str]] = []

    def commit(outcome: Outcome) -> str:
        told.append([path.name for path in (scene.place / "calls").glob("*.verdict")])
        return ""

    monkeypatch.setattr(pipeline, "commit", commit)
    raw = json.dumps(scene.tool("forbidden", tool_use_id="call-1")).encode()
    request = Request(
        "claude-code", "PreToolUse", raw, {}, str(scene.root), "project", os.getuid(),
        now=host.now(), entropy=host.entropy(), clock=host.clock, home=str(scene.home), pid=os.getpid(),
    )  # fmt: skip
    outcome = pipeline.run(request, Store(str(scene.store)), lambda answer: None)
    assert outcome.answered.decision == "deny"
    assert told == [["PreToolUse.call-1.1.verdict"]]


@pytest.mark.usefixtures("two_places")
def test_many_pairs_at_once(scene: Scene, marks: Path) -> None:
    prepared(scene, marks)
    payloads = [scene.tool(f"forbidden {number}", tool_use_id=f"call-{number}") for number in range(10)]
    doors = [(payload, scene.start("PreToolUse", *place)) for payload in payloads for place in ((), ("project",))]
    for payload, door in doors:
        assert door.stdin is not None
        door.stdin.write(json.dumps(payload).encode())
        door.stdin.close()
        door.stdin = None
    for _, door in doors:
        out, err = door.communicate(timeout=60)
        assert Said(door.returncode, out, err, 0).decision == "deny"
    assert len(scene.rows("TOOL_DECISION")) == 10
    assert judged(marks) == 10


SLOW_GUARD = """
import posix, time
mark = {marks!r} + '/' + str(posix.getpid())
posix.close(posix.open(mark, posix.O_CREAT | posix.O_WRONLY, 0o600))
if not posix.access({marks!r} + '/dead', posix.F_OK):
    time.sleep(4)
return deny('not this one')
"""


@pytest.mark.usefixtures("two_places")
def test_a_leader_that_dies_is_not_waited_for(scene: Scene, marks: Path) -> None:
    """The other door judges itself, at once, and well within the client's time."""
    prepared(scene, marks, SLOW_GUARD)
    raw = json.dumps(scene.tool("forbidden")).encode()
    with scene.start("PreToolUse") as leader, scene.start("PreToolUse", "project") as follower:
        assert leader.stdin is not None
        leader.stdin.write(raw)
        leader.stdin.close()
        deadline = time.monotonic() + 10
        while judged(marks) < 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert follower.stdin is not None
        follower.stdin.write(raw)
        follower.stdin.close()
        time.sleep(0.3)
        assert follower.poll() is None, "it waits for the leader's verdict"
        (marks / "dead").touch()
        leader.kill()
        begun = time.monotonic()
        assert follower.stdout is not None
        assert follower.stderr is not None
        out, err = follower.stdout.read(), follower.stderr.read()
    assert Said(follower.returncode, out, err, 0).decision == "deny"
    assert time.monotonic() - begun < 3
    assert len(scene.rows("TOOL_DECISION")) == 1


def test_one_place_asks_nobody(scene: Scene, marks: Path) -> None:
    """With a single entry no call is looked for: nothing is paid for duplicates."""
    prepared(scene, marks)
    scene.pre()
    assert not (scene.place / "calls").exists()


TWICE = [
    ("PreToolUse.Bash.json", "preToolUse.bash.json"),
    ("PreToolUse.Read.json", "preToolUse.view.json"),
    ("PreToolUse.Grep.json", "preToolUse.grep.json"),
    ("PreToolUse.Write.json", "preToolUse.create.json"),
    ("PostToolUse.Bash.json", "postToolUse.bash.json"),
    ("UserPromptSubmit.json", "userPromptSubmitted.json"),
    ("SessionStart.json", "sessionStart.json"),
    ("Stop.json", "agentStop.json"),
]


@pytest.mark.usefixtures("two_places")
@pytest.mark.parametrize(("pascal", "camel"), TWICE)
def test_copilot_through_its_own_and_claudes_configuration(scene: Scene, marks: Path, pascal: str, camel: str) -> None:
    """Its recorded payloads, through the `claude-code` entry it reads and its own: one row, two valid answers."""
    scene.feature("guard", GUARD.format(marks=str(marks)), critical=True, supports=("PreToolUse",))
    scene.trust()
    doors = [
        (scene.recorded(f"copilot-cli/pascal/{pascal}"), pascal.split(".")[0], "claude-code"),
        (scene.recorded(f"copilot-cli/camel/{camel}"), camel.split(".")[0], "github"),
    ]
    said = [scene.say(payload, event=event, dialect=dialect) for payload, event, dialect in doors]
    for one in said:
        assert schemas.validate("hook-output", one.body) == []
    rows = [
        row
        for row in scene.log()
        if row["producer"] == "kernel" and row["kind"] not in ("STATE_PATCH", "PHASE_TRANSITION")
    ]
    assert len(rows) == 1, rows
    assert rows[0]["data"]["client"] == "copilot-cli"
    assert judged(marks) == (1 if pascal.startswith("PreToolUse") else 0)


def test_an_entry_that_no_file_tells_of_is_learnt(scene: Scene, marks: Path) -> None:
    """A managed one, or a client that reads another's configuration: the usual door asks too from then on."""
    prepared(scene, marks)
    both(scene, scene.tool(), "managed")
    for _ in range(3):
        before = judged(marks)
        said = both(scene, scene.tool("forbidden"), "managed")
        assert [one.decision for one in said] == ["deny", "deny"]
        assert judged(marks) == before + 1
        scene.say(scene.payload("SessionStart", source="resume"))


@pytest.mark.usefixtures("two_places")
def test_copilots_two_entries_both_say_no(scene: Scene, marks: Path) -> None:
    """Denied through the first configuration it reads, Copilot asks no further one."""
    prepared(scene, marks)
    pascal = scene.recorded("copilot-cli/pascal/PreToolUse.Bash.json")
    pascal["tool_input"]["command"] = "forbidden"
    said = scene.say(pascal, dialect="claude-code")
    assert said.body["permissionDecision"] == "deny" == said.body["hookSpecificOutput"]["permissionDecision"]
    camel = scene.recorded("copilot-cli/camel/preToolUse.bash.json")
    camel["toolArgs"]["command"] = "forbidden"
    assert scene.say(camel, event="preToolUse", dialect="github").body["permissionDecision"] == "deny"
