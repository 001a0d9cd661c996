"""The SDKs of two clients, as published, with the engine in their hosts: a call denied, one rewritten, one approved."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from .rig.clients import modules, program
from .rig.model import Model
from .rig.process import PORT, Process
from .rig.run import Run
from .rig.script import Turn, call, say, use
from .site import Site

pytestmark = pytest.mark.e2e

HOSTS = Path(__file__).parent / "hosts"
SERVICE = {
    "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{PORT}",
    "ANTHROPIC_API_KEY": "fake",
    "OPENAI_BASE_URL": f"http://127.0.0.1:{PORT}/v1",
    "OPENAI_API_KEY": "fake",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
}


def run(site: Site, command: Path, host: str, arguments: Sequence[str], turns: Sequence[Turn]) -> Run:
    """Run a host in a network namespace, with the scripted model on its loopback."""
    model = Model(turns)
    python = [str(command.parent / "python"), str(HOSTS / host), *arguments]
    env = {**site.env, **SERVICE, "PYTHONPATH": str(modules()), "PYTHONDONTWRITEBYTECODE": "1"}
    with Process(python, cwd=site.project, env=env, model=model, seconds=120) as process:
        process.hang_up()
        told = list(process.messages())
        code = process.end()
        return Run(code, 0.0, told, process.stderr(), list(model.requests))


def told(found: Run, kind: str) -> list[Any]:
    return [message["value"] for message in found.messages if message.get("kind") == kind]


def held(site: Site, found: Run) -> None:
    """Every line of the log has the id of its call, and the store's log has the same decisions."""
    (log,) = told(found, "log")
    ids = {line["invocation_id"] for line in log}
    assert all(uuid.UUID(one).version == 4 for one in ids)
    for one in ids:
        phases = [line["phase"] for line in log if line["invocation_id"] == one]
        assert (phases[0], phases[-1], phases.count("end")) == ("begin", "end", 1)
    logged = {row["id"] for row in site.rows("TOOL_DECISION")}
    assert logged == {one.replace("-", "") for one in ids}


def work(site: Site) -> Path:
    """Something that is in no commit."""
    file = site.project / "src/needle.py"
    file.write_text(file.read_text() + "changed\n")
    return file


def test_the_claude_agent_sdk(site: Site, command: Path) -> None:
    """Through the real client: what is denied never runs, what is rewritten runs so, a person is asked for the rest."""
    file = work(site)
    found = run(
        site,
        command,
        "claude_host.py",
        [str(program("claude-code")), str(site.project), "no", "yes"],
        [
            call(use("Bash", id="denied", command=f"rm -rf {site.home}", description="clean up")),
            call(use("Grep", id="wide", pattern="needle", output_mode="content")),
            call(use("Bash", id="rejected", command="git reset --hard", description="undo")),
            call(use("Bash", id="approved", command="git reset --hard HEAD", description="undo")),
            say("DONE"),
        ],
    )
    assert found.exit_code == 0, found.stderr
    assert '"type": "tool_error"' in found.result("denied") and "command-guard" in found.result("denied")
    assert (site.home / ".gitconfig").exists()
    assert "HITL_REJECT" in found.result("rejected")
    assert "HEAD is now at" in found.result("approved")
    assert "changed" not in file.read_text()
    asked = told(found, "asked")
    assert [one["command"] for one in asked] == ["git reset --hard", "git reset --hard HEAD"]
    assert all("git.reset" in one["reason"] and one["risk"] == "DESTRUCTIVE" for one in asked)
    (rewritten,) = [row for row in site.rows("TOOL_DECISION") if row["toolName"] == "Grep"]
    assert rewritten["data"]["rewrite"]
    assert told(found, "ended") == [
        ["Bash", "blocked"],
        ["Grep", "executed"],
        ["Bash", "blocked"],
        ["Bash", "executed"],
    ]
    held(site, found)


def test_the_openai_agents_sdk(site: Site, command: Path) -> None:
    """With the real runner and its real client of the API: the same, an interruption of the run for each question."""
    file = work(site)
    found = run(
        site,
        command,
        "openai_host.py",
        [str(site.project), "no", "yes"],
        [
            call(use("execute_command", id="denied", command=f"rm -rf {site.home}")),
            call(use("execute_command", id="wide", command="grep -rn needle .")),
            call(use("execute_command", id="rejected", command="git reset --hard")),
            call(use("execute_command", id="approved", command="git reset --hard HEAD")),
            say("DONE"),
        ],
    )
    assert found.exit_code == 0, found.stderr
    assert '"type": "tool_error"' in found.result("denied")
    assert (site.home / ".gitconfig").exists()
    executed = told(found, "executed")
    assert len(executed) == 2
    assert executed[0] != "grep -rn needle ."
    assert [word for word in executed[0].split() if word in ("grep", "-rn", "needle")] == ["grep", "-rn", "needle"]
    assert executed[1] == "git reset --hard HEAD"
    assert "needle" in found.result("wide")
    assert "HEAD is now at" in found.result("approved")
    assert "changed" not in file.read_text()
    assert told(found, "asked") == ["execute_command", "execute_command"]
    assert [status for _, status in told(found, "ended")] == ["blocked", "executed", "asked", "asked", "executed"]
    assert told(found, "final") == ["DONE"]
    held(site, found)
