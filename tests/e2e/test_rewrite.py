"""An unbounded search runs with a bound added and no argument lost: judged by what a second, foreign hook saw run."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from .rig import codex, process
from .rig.script import call, say, use
from .site import Site

pytestmark = pytest.mark.e2e

PROBE = Path(process.__file__).with_name("probe.py")


def witness(site: Site, settings: str) -> Path:
    """A recording hook of somebody else's after every tool, in the person's own configuration."""
    seen = site.home / "seen"
    seen.mkdir()
    hook = {"type": "command", "command": shlex.join([sys.executable, "-I", "-S", str(PROBE), str(seen)])}
    file = site.home / settings
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"hooks": {"PostToolUse": [{"hooks": [hook]}]}}))
    return seen


def ran(seen: Path, name: str) -> dict[str, Any]:
    """The input that the client ran a call with, as its PostToolUse tells it."""
    payloads = [json.loads(file.read_text())["payload"] for file in seen.glob("*.json")]
    (found,) = [payload["tool_input"] for payload in payloads if payload["tool_use_id"] == name]
    assert isinstance(found, dict)
    return found


def test_claude_code_searches_with_a_bound(site: Site) -> None:
    seen = witness(site, ".claude/settings.json")
    site.init("claude-code")
    grep: dict[str, Any] = {"pattern": "needle", "output_mode": "content", "-n": True}
    shell: dict[str, Any] = {"command": "grep -rn needle .", "description": "look for it", "timeout": 20000}
    run = site.claude(
        call(use("Grep", id="grep", **grep)),
        call(use("Bash", id="shell", **shell)),
        call(use("Bash", id="bounded", command="grep -rn needle src", description="look below src")),
        say("DONE"),
    )
    assert run.exit_code == 0
    bounded = ran(seen, "grep")
    assert {key: value for key, value in bounded.items() if key in grep} == grep
    assert set(bounded) - set(grep)
    assert "needle.py" in run.result("grep")
    rewritten = ran(seen, "shell")
    assert {**rewritten, "command": ""} == {**shell, "command": ""}
    assert rewritten["command"] != shell["command"]
    assert [word for word in rewritten["command"].split() if word in ("grep", "-rn", "needle")] == [
        "grep",
        "-rn",
        "needle",
    ]
    assert "needle.py" in run.result("shell")
    assert ran(seen, "bounded")["command"] == "grep -rn needle src"


def test_codex_searches_with_a_bound(site: Site) -> None:
    seen = witness(site, ".codex/hooks.json")
    site.init("codex")
    run = site.codex(
        call(use("exec_command", id="shell", cmd="grep -rn needle .")),
        call(use("exec_command", id="workdir", cmd="grep -rn needle .", workdir=str(site.project / "src"))),
        call(use("exec_command", id="bounded", cmd="grep -rn needle src")),
        say("DONE"),
    )
    assert run.exit_code == 0
    rewritten = ran(seen, "shell")["command"]
    assert rewritten != "grep -rn needle ."
    assert [word for word in rewritten.split() if word in ("grep", "-rn", "needle")] == ["grep", "-rn", "needle"]
    assert "src/needle.py" in run.result("shell")
    assert "./needle.py" in run.result("workdir")  # the working directory of the call stayed
    assert ran(seen, "bounded")["command"] == "grep -rn needle src"


def test_the_witness_is_trusted_like_every_hook(site: Site) -> None:
    """Guards this file against proving nothing: without trust the foreign hook would be silent."""
    seen = witness(site, ".codex/hooks.json")
    codex.trust(site.project, site.home)
    site.codex(call(use("exec_command", id="one", cmd="echo one")), say("DONE"))
    assert ran(seen, "one") == {"command": "echo one"}
