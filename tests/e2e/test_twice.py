"""Installed for person and project, a client opens two doors for each call: one decision, one row, two answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .hands import CLAUDE, CODEX
from .rig.script import call, say
from .site import Site

pytestmark = pytest.mark.e2e


TELLS = '''"""Tells the model one thing at a prompt and at a tool."""

from jackline.sdk import hook, note


@hook(name="teller", supports=["UserPromptSubmit", "PostToolUse"], priority=60)
def handle(event, ctx):
    return note("teller", f"TOLD-AT-{event.name}-{event.tool_use_id}")
'''


def install(site: Site, client: str) -> None:
    site.init(client, "user")
    site.init(client, "project")
    site.feature("teller", TELLS)
    site.trust()


def test_claude_code(site: Site) -> None:
    install(site, "claude-code")
    run = site.claude(
        call(CLAUDE.shell("denied", "sed -i s/x/y/ .claude/settings.json")),
        call(CLAUDE.shell("fine", "echo fine"), CLAUDE.shell("same", "echo fine")),
        say("DONE"),
    )
    assert run.exit_code == 0
    answers: dict[str, list[Any]] = {"PreToolUse": [], "PostToolUse": []}
    for event in run.hook_events:
        assert event["exit_code"] == 0
        assert event["stderr"] == ""
        answer = json.loads(event["stdout"])
        if event["hook_event"] in answers:
            answers[event["hook_event"]].append(answer)
    denials = [answer for answer in answers["PreToolUse"] if "hookSpecificOutput" in answer]
    assert len(answers["PreToolUse"]) == 6
    assert len(denials) == 2
    assert denials[0] == denials[1]
    assert len(answers["PostToolUse"]) == 4
    assert run.result("denied").count("tool_error") == 1
    for name in ("denied", "fine", "same"):
        assert len(site.rows("TOOL_DECISION", toolUseId=name)) == 1
    for name in ("fine", "same"):
        assert len(site.rows("TOOL_OUTCOME", toolUseId=name)) == 1
        assert run.times_told(f"TOLD-AT-PostToolUse-{name}") == 1
    assert run.times_told("TOLD-AT-UserPromptSubmit") == 1


def test_codex(site: Site) -> None:
    install(site, "codex")
    run = site.codex_server(
        call(CODEX.shell("denied", "sed -i s/x/y/ .codex/hooks.json")),
        call(CODEX.shell("fine", "echo fine"), CODEX.shell("same", "echo fine")),
        say("DONE"),
        sandbox="danger-full-access",
        approval="never",
    )
    assert run.exit_code == 0
    states: dict[str, list[str]] = {}
    for message in run.hook_events:
        one = message["params"]["run"]
        states.setdefault(one["eventName"], []).append(one["status"])
    assert sorted(states["preToolUse"]) == ["blocked"] * 2 + ["completed"] * 4
    assert states["postToolUse"] == ["completed"] * 4
    for name in ("denied", "fine", "same"):
        assert len(site.rows("TOOL_DECISION", toolUseId=name)) == 1
    for name in ("fine", "same"):
        assert len(site.rows("TOOL_OUTCOME", toolUseId=name)) == 1
        assert run.times_told(f"TOLD-AT-PostToolUse-{name}") == 1
    assert run.times_told("TOLD-AT-UserPromptSubmit") == 1
