"""Silence leaves the client's own permission rules in force, and a rewrite does not lead around them."""

from __future__ import annotations

import json

import pytest

from .rig.script import call, say, use
from .site import Site

pytestmark = pytest.mark.e2e


def test_claude_code_refuses_by_its_own_rules_what_the_guards_let_pass(site: Site) -> None:
    rules = {"allow": ["Bash(echo *)", "Bash(printf *)"], "deny": ["Bash(printf *)", "Bash(find *)"]}
    (site.project / ".claude").mkdir()
    site.settings("claude-code").write_text(json.dumps({"permissions": rules}))
    site.init("claude-code")
    commands = {
        "unasked": "touch ran-unasked",
        "forbidden": "printf x > ran-forbidden",
        "rewritten": "find . -name needle.py",
        "allowed": "echo let-through",
    }
    calls = [use("Bash", id=name, command=text, description="d") for name, text in commands.items()]
    run = site.claude(*map(call, calls), say("DONE"), permission_mode="default", allowed=())
    assert run.exit_code == 0
    assert "needs approval" in run.result("unasked")
    assert "denied" in run.result("forbidden")
    assert "denied" in run.result("rewritten")
    assert "let-through" in run.result("allowed")
    assert not list(site.project.glob("ran-*"))
    for name in commands:
        (row,) = site.rows("TOOL_DECISION", toolUseId=name)
        assert row["decision"] == "allow"  # the hook saw it, and had no objection


def test_codex_asks_the_person_for_what_the_guards_let_pass(site: Site) -> None:
    site.init("codex")
    rules = site.home / ".codex/rules/default.rules"
    rules.parent.mkdir()
    rules.write_text('prefix_rule(pattern=["mkdir"], decision="forbidden")\n')
    more = {"sandbox_permissions": "require_escalated", "justification": "why"}
    run = site.codex_server(
        call(use("exec_command", id="accepted", cmd="touch ran-accepted", **more)),
        call(use("exec_command", id="declined", cmd="touch ran-declined", **more)),
        call(use("exec_command", id="rewritten", cmd="grep -rn needle .", **more)),
        call(use("exec_command", id="forbidden", cmd="mkdir ran-forbidden")),
        say("DONE"),
        approvals=["accept", "decline", "decline"],
    )
    assert run.exit_code == 0
    asked = [message for message in run.messages if message.get("method") == "item/commandExecution/requestApproval"]
    assert len(asked) == 3
    assert [made.name for made in site.project.glob("ran-*")] == ["ran-accepted"]
    assert "needle.py" not in run.result("rewritten")
    for name in ("accepted", "declined", "rewritten", "forbidden"):
        (row,) = site.rows("TOOL_DECISION", toolUseId=name)
        assert row["decision"] == "allow"
