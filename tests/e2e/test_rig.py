"""The rig itself, proved with a recording hook before anything of the product is trusted to it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .rig import codex, process
from .rig.claude import run_claude
from .rig.codex import run_codex, run_codex_server
from .rig.environment import clean
from .rig.model import Model
from .rig.script import Thread, call, say, use

pytestmark = pytest.mark.e2e

PROBE = Path(process.__file__).with_name("probe.py")
EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "Stop")


def denial(reason: str) -> dict[str, Any]:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }


class Probe:
    """A scratch project whose hooks record to `seen`."""

    def __init__(self, folder: Path, settings: str) -> None:
        self.project, self.home, self.seen = folder / "project", folder / "home", folder / "seen"
        for made in (self.project, self.home, self.seen):
            made.mkdir()
        self.plan = folder / "plan.json"
        self.plan.write_text("{}")
        command = shlex.join([sys.executable, "-I", "-S", str(PROBE), str(self.seen), str(self.plan)])
        entry = [{"hooks": [{"type": "command", "command": command}]}]
        file = self.project / settings
        file.parent.mkdir()
        file.write_text(json.dumps({"hooks": dict.fromkeys(EVENTS, entry)}))

    def answer(self, **answers: Any) -> None:
        self.plan.write_text(json.dumps({key.replace("__", ":"): value for key, value in answers.items()}))

    def records(self, event: str) -> list[dict[str, Any]]:
        found = [json.loads(file.read_text()) for file in self.seen.glob("*.json")]
        return [record for record in found if record["event"] == event]


def test_the_namespace_has_a_loopback_and_nothing_else(tmp_path: Path) -> None:
    look = "import socket; print('{\"names\": %r}' % sorted(n for _, n in socket.if_nameindex()).__str__())"
    model = Model(())
    with process.Process(
        [sys.executable, "-c", look], cwd=tmp_path, env=clean(tmp_path / "home"), model=model, seconds=20
    ) as p:
        names = [message["names"] for message in p.messages()]
        assert p.end() == 0
    assert names == ["['lo']"]


@pytest.mark.parametrize("there", [True, False], ids=["refused", "no unshare"])
def test_a_machine_without_namespaces_fails_with_the_way_out(tmp_path: Path, there: bool) -> None:
    if there:
        refusing = tmp_path / "unshare"
        refusing.write_text("#!/bin/sh\necho 'unshare: Operation not permitted' >&2\nexit 1\n")
        refusing.chmod(0o755)
    env = {**clean(tmp_path / "home"), "PATH": str(tmp_path)}
    why = "Operation not permitted" if there else "No such file"
    with pytest.raises(process.NoNamespaceError, match=f"allow user namespaces.*{why}"):
        process.Process(["/bin/true"], cwd=tmp_path, env=env, model=Model(()), seconds=20)


def test_a_client_that_does_not_end_is_ended(tmp_path: Path) -> None:
    env = clean(tmp_path / "home")
    with (
        process.Process(["/bin/sleep", "60"], cwd=tmp_path, env=env, model=Model(()), seconds=0.5) as sleeping,
        pytest.raises(process.TooLongError),
    ):
        list(sleeping.messages())
    assert subprocess.run(["ps", "-o", "pid=", "-g", str(sleeping._process.pid)], capture_output=True).stdout == b""


def test_claude_code_speaks_to_the_scripted_model(tmp_path: Path) -> None:
    probe = Probe(tmp_path, ".claude/settings.json")
    probe.answer(PreToolUse__Write=denial("NOT-HERE"))
    task: dict[str, Any] = {
        "description": "part",
        "prompt": "SUB-PROMPT",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    }
    run = run_claude(
        probe.project,
        probe.home,
        [
            call(
                use("Bash", id="toolu_one", command="echo ran-one", description="one"),
                use("Bash", id="toolu_two", command="echo ran-two", description="two"),
            ),
            call(use("Write", id="toolu_write", file_path=str(probe.project / "no.txt"), content="x")),
            call(use("Agent", id="toolu_agent", **task)),
            say("FIRST-DONE"),
            say("SECOND-DONE"),
        ],
        threads=[
            Thread("sub", "SUB-PROMPT", (call(use("Bash", command="echo from-sub", description="s")), say("SUB-DONE")))
        ],
        prompts=("MAIN-PROMPT", "SECOND-PROMPT"),
    )
    assert run.exit_code == 0
    assert [request.answer.text for request in run.thread()] == ["", "", "", "FIRST-DONE", "SECOND-DONE"]
    assert run.result("toolu_one") == "ran-one"
    assert run.result("toolu_two") == "ran-two"
    assert "NOT-HERE" in run.result("toolu_write")
    assert not (probe.project / "no.txt").exists()
    assert run.model_saw("SUB-DONE", "main")
    assert not run.model_saw("FIRST-DONE")  # its own words are not told to it
    assert len(probe.records("UserPromptSubmit")) == 2
    assert len(probe.records("PreToolUse")) == 5
    assert [bool(record["payload"].get("agent_id")) for record in probe.records("SubagentStop")] == [True]
    assert run.hook_events


def test_claude_code_asks_the_person_at_the_host(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    touch = call(use("Bash", command="touch asked.txt", description="t"))
    run = run_claude(
        project,
        tmp_path / "home",
        [touch, say("DONE")],
        permission_mode="default",
        allowed=(),
        person=[{"behavior": "allow"}],
    )
    assert run.exit_code == 0
    assert (project / "asked.txt").exists()


def test_codex_runs_hooks_that_got_their_trust_the_regular_way(tmp_path: Path) -> None:
    probe = Probe(tmp_path, ".codex/hooks.json")
    probe.answer(PreToolUse__apply_patch=denial("NOT-HERE"))
    codex.configure(probe.home, probe.project)
    turns = [
        call(
            use("exec_command", id="call_one", cmd="echo ran-one"),
            use("exec_command", id="call_two", cmd="echo ran-two"),
        ),
        call(use("apply_patch", id="call_patch", raw="*** Begin Patch\n*** Add File: no.txt\n+x\n*** End Patch\n")),
        call(use("spawn_agent", namespace="multi_agent_v1", message="SUB-PROMPT")),
        call(use("exec_command", cmd="sleep 4")),
        say("DONE"),
    ]
    untrusted = run_codex(probe.project, probe.home, [say("DONE")])
    assert untrusted.exit_code == 0
    assert not list(probe.seen.iterdir())  # an untrusted hook is skipped, silently

    assert len(codex.trust(probe.project, probe.home)) == len(EVENTS)
    assert {hook["trustStatus"] for hook in codex.hooks(probe.project, probe.home)} == {"trusted"}
    sub = Thread("sub", "SUB-PROMPT", (call(use("exec_command", cmd="echo from-sub")), say("SUB-DONE")))
    run = run_codex(probe.project, probe.home, turns, threads=[sub])
    assert run.exit_code == 0
    assert [request.answer.text for request in run.thread()] == ["", "", "", "", "DONE"]
    assert "ran-one" in run.result("call_one")
    assert "ran-two" in run.result("call_two")
    assert "NOT-HERE" in run.result("call_patch")
    assert not (probe.project / "no.txt").exists()
    assert len(probe.records("SessionStart")) == 1
    assert any(record["payload"].get("agent_id") for record in probe.records("PreToolUse"))


def test_codex_app_server_asks_for_approval(tmp_path: Path) -> None:
    probe = Probe(tmp_path, ".codex/hooks.json")
    codex.configure(probe.home, probe.project)
    codex.trust(probe.project, probe.home)
    escalated = {"sandbox_permissions": "require_escalated", "justification": "why"}
    run = run_codex_server(
        probe.project,
        probe.home,
        [call(use("exec_command", id="call_touch", cmd="touch approved.txt", **escalated)), say("DONE")],
        approvals=["accept"],
    )
    assert run.exit_code == 0
    assert (probe.project / "approved.txt").exists()
    assert [message["params"]["run"]["eventName"] for message in run.hook_events].count("preToolUse") == 1
