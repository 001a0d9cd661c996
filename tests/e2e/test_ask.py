"""A feature that wants a person's word: the client's own dialog where it has one, else a refusal that says so."""

from __future__ import annotations

import pytest

from .hands import CLAUDE, CODEX
from .rig.script import call, say
from .site import Site

pytestmark = pytest.mark.e2e

ASKS = '''"""Wants a person's word for whatever touches."""

from jackline.sdk import ask, hook


@hook(name="asker", supports=["PreToolUse"], priority=60, tools=["kind:shell"])
def handle(event, ctx):
    if "touch" in event.command:
        return ask("MAY-IT-TOUCH", rule="asker: touching", safer="leave it")
'''


def test_claude_code_asks_the_person_even_where_a_rule_allows(site: Site) -> None:
    site.init("claude-code")
    site.feature("asker", ASKS)
    site.trust()
    run = site.claude(
        call(CLAUDE.shell("yes", "touch said-yes")),
        call(CLAUDE.shell("no", "touch said-no")),
        say("DONE"),
        person=[{"behavior": "allow"}, {"behavior": "deny", "message": "NOT-TODAY"}],
    )
    assert run.exit_code == 0
    asked = [message["request"] for message in run.messages if message.get("type") == "control_request"]
    assert ["MAY-IT-TOUCH" in question["decision_reason"] for question in asked] == [True, True]
    assert [made.name for made in site.project.glob("said-*")] == ["said-yes"]
    assert "NOT-TODAY" in run.result("no")
    assert [row["decision"] for row in site.rows("TOOL_DECISION")] == ["ask", "ask"]


def test_without_anybody_to_ask_the_call_is_refused(site: Site) -> None:
    site.init("claude-code")
    site.init("codex")
    site.feature("asker", ASKS)
    site.trust()
    for hand in (CLAUDE, CODEX):
        run = hand.play(site, [call(hand.shell(f"{hand.client}-touch", "touch made")), say("DONE")])
        assert run.exit_code == 0
        assert "MAY-IT-TOUCH" in run.result(f"{hand.client}-touch")
    assert "HITL_PENDING" in run.result("codex-touch")
    assert not (site.project / "made").exists()
