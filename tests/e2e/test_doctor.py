"""`doctor` judges by what happened: green after a run, red when a hook is untrusted, missing or silent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jackline.install import entry

from .hands import CODEX, Hand
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


def older(site: Site, client: str) -> None:
    """The client's file and our record of it as the version before left them."""
    for path in (site.settings(client), site.store / "installs.json"):
        told = json.loads(path.read_text())
        _rewrite(told)
        path.write_text(json.dumps(told, indent=2))


def _rewrite(told: Any) -> None:
    for key, value in told.items() if isinstance(told, dict) else enumerate(told):
        found = entry.read(value) if isinstance(value, str) else None
        if found is not None:
            told[key] = entry.write(found._replace(fail="open", form=1))
        elif key == "fail":
            told[key] = "open"
        elif isinstance(value, dict | list):
            _rewrite(value)


def test_an_upgrade_of_older_entries_is_led_to_its_end(site: Site) -> None:
    """Codex skips what changed until a person trusts it again: every step says so, and nothing else is lost."""
    site.init("codex")
    older(site, "codex")
    codex.trust(site.project, site.home)
    turns = [call(CODEX.shell("one", "echo one")), say("DONE")]
    site.codex(*turns)
    assert site.rows("TOOL_DECISION")
    said = " ".join(site.jackline("doctor").said.split())
    assert "written by an earlier version" in said and "jackline init --client codex --scope project" in said
    assert "Codex then asks for trust again" in said

    upgraded = site.jackline("init", "--client", "codex", "--scope", "project", "--yes").said
    assert "trust the 2 Jackline hooks; until then Codex skips them" in " ".join(upgraded.split())
    before = len(site.rows("TOOL_DECISION"))
    site.codex(*turns)
    assert len(site.rows("TOOL_DECISION")) == before, "skipped silently, as doctor says"
    said = " ".join(site.jackline("doctor", code=RED).said.split())
    assert "SessionStart, PreToolUse: changed since they were trusted; Codex skips them silently" in said

    codex.trust(site.project, site.home)
    site.codex(*turns)
    assert len(site.rows("TOOL_DECISION")) == before + 1
    site.jackline("doctor")
