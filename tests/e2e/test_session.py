"""A conversation that is compacted or taken up again is the same session, with the same guards."""

from __future__ import annotations

import pytest

from .hands import CLAUDE, CODEX
from .rig.script import call, say
from .site import Site

pytestmark = pytest.mark.e2e


def test_claude_code(site: Site) -> None:
    site.init("claude-code", "user", "--no-project")
    one, two, three = (call(CLAUDE.shell(name, f"echo {name}")) for name in ("one", "two", "three"))
    turns = (one, say("D"), say("<summary>SO-FAR</summary>"), two, say("D"))
    first = site.claude(*turns, prompts=("MAIN-PROMPT", "/compact", "SECOND-PROMPT"))
    assert first.exit_code == 0
    second = site.claude(three, say("D"), arguments=("--continue",))
    assert second.exit_code == 0
    (folder,) = site.sessions()
    assert folder.is_relative_to(site.store)  # installed for the person, in a project without `.ai/`
    assert not (site.project / ".ai").exists()
    assert [row["toolUseId"] for row in site.rows("TOOL_OUTCOME")] == ["one", "two", "three"]
    assert [row["turnId"] for row in site.rows("TOOL_OUTCOME")] == [1, 2, 3]
    sources = [row["data"]["source"] for row in site.rows("HOOK_EVENT", event="SessionStart")]
    assert sources == ["startup", "compact", "resume"]


def test_codex(site: Site) -> None:
    site.init("codex", "user", "--no-project")
    first = site.codex(call(CODEX.shell("one", "echo one")), say("D"))
    assert first.exit_code == 0
    second = site.codex(call(CODEX.shell("two", "echo two")), say("D"), arguments=("resume", "--last"))
    assert second.exit_code == 0
    (folder,) = site.sessions()
    assert folder.is_relative_to(site.store)
    assert not (site.project / ".ai").exists()
    assert [row["toolUseId"] for row in site.rows("TOOL_OUTCOME")] == ["one", "two"]
    assert [row["turnId"] for row in site.rows("TOOL_OUTCOME")] == [1, 2]
