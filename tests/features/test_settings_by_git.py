"""What git would bring to protected files of the project, or take away there, is asked about; other files are not."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from principles.case import Case
from principles.world import World


def git(world: World, *words: str) -> None:
    own = ["git", "-c", "user.name=p", "-c", "user.email=p@example.org", *words]
    subprocess.run(own, cwd=world.root, check=True, env=world.env(), capture_output=True)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """`other` has other settings than the branch that is checked out, `calm` other sources."""
    with pytest.MonkeyPatch.context() as patch:
        made = World(tmp_path_factory.mktemp("branches").resolve())
        patch.setenv("HOME", str(made.home))
        for name, path in (("other", ".claude/settings.json"), ("calm", "src/x")):
            git(made, "checkout", "-q", "-b", name)
            (made.root / path).write_text('{"env": {}}\n')
            git(made, "commit", "-qam", name)
            git(made, "checkout", "-q", "-")
        yield made
        made.end()


CLEAN = (
    "git checkout @",
    "git switch @",
    "git checkout -b new @",
    "git checkout @ -- .",
    "git restore --source @ .",
    "git reset --hard @",
    "git merge @",
    "git cherry-pick @",
    "git rebase @",
    "git read-tree -u -m @",
    "git stash apply @",
)


@pytest.mark.parametrize("call", CLEAN)
def test_settings_that_a_commit_brings_are_asked_about(world: World, call: str) -> None:
    said = [world.judge(Case("git", "", "", call.replace("@", one)))["self-protect"] for one in ("other", "calm")]
    assert said == ["ask", "pass"]


@pytest.mark.parametrize("call", ["git checkout other -- src", "git restore --source=other src", "git switch -c new"])
def test_only_the_paths_that_are_named_count(world: World, call: str) -> None:
    assert world.judge(Case("git", "", "", call))["self-protect"] == "pass"


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("git stash", "ask"),
        ("git stash push -m x", "ask"),
        ("git stash push -- src", "pass"),
        ("git checkout .", "ask"),
        ("git checkout -f calm", "ask"),
        ("git checkout -- src/x", "pass"),
        ("git restore .", "ask"),
        ("git restore src", "pass"),
        ("git restore --staged .", "pass"),
        ("git reset --hard", "ask"),
        ("git reset", "pass"),
        ("git switch calm", "pass"),
    ],
)
def test_settings_that_are_in_no_commit_may_not_go_unasked(world: World, call: str, says: str) -> None:
    settings = world.root / ".claude/settings.json"
    before = settings.read_text()
    settings.write_text('{"hooks": {}}\n')
    try:
        assert world.judge(Case("git", "", "", call))["self-protect"] == says
    finally:
        settings.write_text(before)
