"""Searches with a real ripgrep, the one that the pinned Codex brings: none gives lines of our own logs."""

from __future__ import annotations

import pytest

from features import test_own_logs as own_logs
from features.test_own_logs import HERE, MARK, RIPGREP, outcome, project
from scene import Scene

from .rig.clients import INSTALLED

__all__ = ["project"]
pytestmark = pytest.mark.e2e


@pytest.fixture(autouse=True)
def ripgrep(monkeypatch: pytest.MonkeyPatch) -> None:
    found = sorted(INSTALLED.glob("node_modules/@openai/codex*/vendor/*/*/rg"))
    assert found, f"Codex below {INSTALLED} brings no ripgrep"
    monkeypatch.setattr(own_logs, "RG", str(found[0]))


@pytest.mark.parametrize("command", RIPGREP)
def test_a_search_of_the_project_gives_none_of_them(project: Scene, command: str) -> None:
    changed, said = outcome(project, command)
    assert MARK not in said, changed
    assert "events.jsonl" not in said, changed


def test_and_still_finds_what_is_the_project_s(project: Scene) -> None:
    changed, said = outcome(project, "rg --no-ignore needle")
    assert HERE in said, (changed, said)
