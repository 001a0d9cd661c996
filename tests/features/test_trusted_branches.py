"""An agent's git call that takes a trusted hook away, or brings an older one, is asked about; others pass."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from scene import Scene

SCRIPT = "#!/bin/sh\n#---\n# type: event\n# events: [PreToolUse]\n# block: true\n#---\n{body}\n"


def git(root: Path, *words: str) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": "n", f"GIT_{role}_EMAIL": "e@example.invalid"}
    subprocess.run(["git", *words], cwd=root, env=env, check=True, capture_output=True)


@pytest.fixture
def history(scene: Scene) -> Scene:
    """`old` has the first version of a script, `without` none, `main` the second, `other` a file more.

    A teammate's `team/work` takes it away; `main` follows that, and `host` has it, too.
    """
    root = scene.root
    git(root, "init", "-q")
    git(root, "checkout", "-q", "-B", "main")
    place = root / ".discobot/hooks/check.sh"
    place.parent.mkdir(parents=True)

    def write(body: str) -> None:
        place.write_text(SCRIPT.format(body=body))
        place.chmod(0o755)
        git(root, "add", "-A", ".discobot")
        git(root, "commit", "-q", "-m", body)
        scene.trust()

    git(root, "commit", "-q", "-m", "nothing", "--allow-empty")
    git(root, "branch", "without")
    write("true # first")
    git(root, "branch", "old")
    write("true # second")
    git(root, "checkout", "-q", "-b", "other")
    (root / "more.txt").write_text("more")
    git(root, "add", "more.txt")
    git(root, "commit", "-q", "-m", "more")
    git(root, "checkout", "-q", "-b", "work", "main")
    git(root, "rm", "-q", ".discobot/hooks/check.sh")
    git(root, "commit", "-q", "-m", "a teammate's work")
    git(root, "update-ref", "refs/remotes/team/work", "work")
    git(root, "update-ref", "refs/remotes/host/work", "work")
    git(root, "symbolic-ref", "refs/remotes/host/HEAD", "refs/remotes/host/work")
    git(root, "remote", "add", "team", "/nowhere")
    git(root, "checkout", "-q", "main")
    git(root, "branch", "-q", "-D", "work")
    git(root, "branch", "-q", "-u", "team/work")
    return scene


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("git checkout without", "take away"),
        ("git switch without", "take away"),
        ("git checkout old", "older version"),
        ("git reset --hard HEAD~1", "older version"),
        ("cd /tmp && git -C {root} checkout old", "older version"),
        ("git revert --no-edit HEAD", "older version"),
        ("git checkout other", ""),
        ("git merge other", ""),
        ("git merge old", ""),
        ("git status", ""),
        ("git merge team/work", "take away"),
        ("git merge -m 'a word or two' -s ort --no-ff --no-edit team/work", "take away"),
        ("git merge", "take away"),
        ("git pull", "take away"),
        ("git pull team", "take away"),
        ("git pull host", "take away"),
        ("git pull --no-rebase team work", "take away"),
        ("git pull team +refs/heads/work:mine", "take away"),
        ("git pull . team/work", "take away"),
        ("git pull . other", ""),
        ("git rebase --onto team/work main", "take away"),
        ("git cherry-pick team/work", "take away"),
        ("git -c alias.m=merge m team/work", "take away"),
        ("/usr/bin/git --git-dir .git merge team/work", "take away"),
        ("a=gi; ${{a}}t merge team/work", "take away"),
        ("git log --grep merge", ""),
        ("git merge -m team/work other", ""),
        ("git checkout -b without", ""),
    ],
)
def test_what_a_git_call_does_to_a_trusted_hook(history: Scene, command: str, word: str) -> None:
    answer = history.pre(command.format(root=history.root))
    said = str(answer)
    if word:
        assert word in said and ".discobot/hooks/check.sh" in said and "ask" in said
    else:
        assert "a person trusted" not in said


def test_every_hook_is_named_and_the_ways_on(scene: Scene) -> None:
    """A yes is to all of it: three by name, then a count."""
    git(scene.root, "checkout", "-q", "-B", "main")
    git(scene.root, "commit", "-q", "-m", "nothing", "--allow-empty")
    git(scene.root, "branch", "without")
    folder = scene.root / ".discobot/hooks"
    folder.mkdir(parents=True)
    for name in "abcde":
        (folder / f"{name}.sh").write_text(SCRIPT.format(body=f"true # {name}"))
        (folder / f"{name}.sh").chmod(0o755)
    git(scene.root, "add", "-A", ".discobot")
    git(scene.root, "commit", "-q", "-m", "five")
    scene.trust()
    said = scene.pre("git checkout without")
    assert said.decision == "ask"
    assert said.reason.splitlines()[:3] == [
        "this would take away .discobot/hooks/a.sh, .discobot/hooks/b.sh, .discobot/hooks/c.sh and 2 more, "
        "which a person trusted",
        "self-protect: trusted hooks",
        "ask the person to run it in a terminal of their own",
    ]


def test_roots_of_scripts_are_protected_as_ours(history: Scene) -> None:
    for command in ("echo x >> .discobot/hooks/check.sh", "rm .discobot/hooks/check.sh", "cd .discobot && rm -r hooks"):
        assert "deny" in str(history.pre(command)), command
