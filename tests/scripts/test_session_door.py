"""Session scripts through the real door: what a client is told at SessionStart and after it."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

from scene import Scene


def script(scene: Scene, name: str, body: str, *fields: str) -> None:
    path = scene.root / ".discobot/hooks" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    front = "".join(f"# {line}\n" for line in ("type: session", *fields))
    path.write_text(f"#!/bin/sh\n#---\n{front}#---\n{body}\n")
    path.chmod(0o755)


def test_scripts_of_the_document_run_at_the_start_of_a_session(scene: Scene) -> None:
    script(scene, "02-env.sh", 'echo "$DISCOBOT_SESSION_ID $DISCOBOT_WORKSPACE $DISCOBOT_HOOK_TYPE" > env', "name: A")
    script(scene, "01-first.sh", "test ! -e env && touch first", "name: Z")
    scene.trust()
    said = scene.begin()
    assert "Session scripts" not in str(said.body)
    assert (scene.root / "first").exists(), "by file name, not by the name for show"
    assert (scene.root / "env").read_text() == f"{scene.place.name} {scene.root} session\n"
    assert [row["data"]["result"] for row in scene.rows("SCRIPT_RUN")] == ["success", "success"]
    (done,) = scene.rows("SCRIPTS_DONE")
    assert done["data"] == {"occasion": "startup", "total": 2, "failed": []}
    scene.begin()
    assert len(scene.rows("SCRIPT_RUN")) == 2, "once per session"


def test_a_failure_reaches_the_model_and_the_person_and_the_session_goes_on(scene: Scene) -> None:
    script(scene, "a.sh", "echo no network >&2; exit 7", "name: Install")
    scene.trust()
    said = scene.begin()
    line = (
        f'Session scripts: 1 of 1 failed: "Install" (exit 7; output in .ai/tmp/{scene.place.name}/scripts/output/a.log)'
    )
    assert line in said.body["hookSpecificOutput"]["additionalContext"]
    assert line in said.body["systemMessage"]
    assert scene.prompt("go").exit == 0
    assert "Session scripts" not in scene.prompt("more").out.decode()


def test_nothing_runs_untrusted(scene: Scene) -> None:
    script(scene, "a.sh", "touch ran")
    scene.begin()
    assert not (scene.root / "ran").exists()


def test_who_is_impatient_hears_of_it_at_the_next_prompt(scene: Scene) -> None:
    """The client kills the door: its scripts go on, and the next event tells how they ended."""
    script(scene, "a.sh", "echo $$ > pid; while ! test -e go; do sleep 0.02; done; exit 5", "name: Slow")
    scene.trust()
    door = scene.start("SessionStart")
    assert door.stdin is not None
    door.stdin.write(json.dumps(scene.payload("SessionStart", source="startup")).encode())
    door.stdin.close()
    door.stdin = None
    pid = scene.root / "pid"
    for _ in range(500):
        if pid.exists() and pid.read_text().strip():
            break
        time.sleep(0.02)
    os.kill(door.pid, signal.SIGKILL)
    door.communicate()
    assert Path(f"/proc/{int(pid.read_text())}").exists()
    assert "Session scripts" not in scene.prompt("still running").out.decode()
    (scene.root / "go").touch()
    for _ in range(500):
        if scene.rows("SCRIPTS_DONE"):
            break
        time.sleep(0.02)
    assert '"Slow" (exit 5; output in ' in scene.prompt("done").body["hookSpecificOutput"]["additionalContext"]
