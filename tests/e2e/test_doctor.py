"""`doctor` judges by what happened: green after a run, red when a hook is untrusted, missing or silent."""

from __future__ import annotations

import json

import pytest

from .hands import Hand
from .rig import codex
from .rig.script import call, say
from .site import Site

pytestmark = pytest.mark.e2e

RED = 1
SILENT = {"claude-code": ["--settings", '{"disableAllHooks": true}'], "codex": ["--disable", "hooks"]}
"""How a client is started so that it keeps its hooks from running."""


def test_green_after_a_run_and_red_without_the_entry(site: Site, hand: Hand) -> None:
    site.init(hand.client)
    run = hand.play(
        site, [call(hand.shell("one", "echo one"), hand.write("two", site.project / "new.txt", "x\n")), say("D")]
    )
    assert run.exit_code == 0
    site.jackline("doctor")
    site.jackline("status")

    settings = site.settings(hand.client)
    configured = json.loads(settings.read_text())
    del configured["hooks"]["PreToolUse"]
    settings.write_text(json.dumps(configured))
    assert "PreToolUse" in site.jackline("doctor", code=RED).said


def test_red_when_files_change_and_no_event_is_seen(site: Site, hand: Hand) -> None:
    """The configuration is all there, but the client works without telling: it looks like an agent nobody holds."""
    site.init(hand.client)
    silent = SILENT[hand.client]
    run = hand.play(site, [call(hand.write("one", site.project / "new.txt", "x\n")), say("DONE")], arguments=silent)
    assert run.exit_code == 0
    assert (site.project / "new.txt").exists()
    assert not site.events()
    assert "DRIFT" in site.jackline("doctor", code=RED).said


def test_red_when_codex_does_not_trust_the_hook(site: Site) -> None:
    site.jackline("init", "--client", "codex", "--scope", "project")
    assert "trust" in site.jackline("doctor", code=RED).said
    site.codex(say("DONE"))
    assert not site.events()
    codex.trust(site.project, site.home)
    site.codex(say("DONE"))
    assert site.events()
    site.jackline("doctor")
