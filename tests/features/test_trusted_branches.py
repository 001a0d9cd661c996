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
    """`old` has the first version of a script, `without` none, `main` the second, `other` a file more."""
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
    git(root, "checkout", "-q", "main")
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
    ],
)
def test_what_a_git_call_does_to_a_trusted_hook(history: Scene, command: str, word: str) -> None:
    answer = history.pre(command.format(root=history.root))
    said = str(answer)
    if word:
        assert word in said and ".discobot/hooks/check.sh" in said and "ask" in said
    else:
        assert "a person trusted" not in said


def test_roots_of_scripts_are_protected_as_ours(history: Scene) -> None:
    for command in ("echo x >> .discobot/hooks/check.sh", "rm .discobot/hooks/check.sh", "cd .discobot && rm -r hooks"):
        assert "deny" in str(history.pre(command)), command
