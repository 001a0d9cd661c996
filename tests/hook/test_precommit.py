"""Git's hook and the text for agents as sessions keep them: doors as processes, real commits."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from jackline.install.textblock import END, START
from scene import BASE, Scene, git

AUTHOR = {f"GIT_{one}": "me" for one in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")}


def script(scene: Scene, name: str, body: str) -> Path:
    path = scene.hooks / "scripts" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n#---\n# type: pre-commit\n#---\n{body}\n")
    path.chmod(0o755)
    return path


def commit(scene: Scene, **env: str) -> subprocess.CompletedProcess[str]:
    git(scene.root, "add", "-A")
    command = ["git", "commit", "-q", "--allow-empty", "-m", "x"]
    every = {**scene.env, **AUTHOR, **env}
    return subprocess.run(command, cwd=scene.root, env=every, capture_output=True, text=True, check=False)


@pytest.fixture
def ready(scene: Scene) -> Scene:
    """A store with its interpreter, as `init` leaves it."""
    (scene.store / "bin").mkdir()
    (scene.store / "bin/python").symlink_to(BASE)
    return scene


def hook(scene: Scene) -> Path:
    return scene.root / ".git/hooks/pre-commit"


def test_a_session_installs_the_hook_and_an_edit_renews_it(ready: Scene) -> None:
    path = script(ready, "lint.sh", "echo once >&2; exit 1")
    ready.trust()
    assert ready.begin().body is not None
    first = hook(ready).read_bytes()
    assert commit(ready).stderr.startswith("once\n")
    path.write_text(path.read_text().replace("once", "twice"))
    ready.trust()
    ready.pre()
    assert hook(ready).read_bytes() != first
    assert commit(ready).stderr.startswith("twice\n")
    path.unlink()
    ready.trust()
    ready.begin()
    assert not hook(ready).exists()
    assert commit(ready).returncode == 0


def test_a_hook_that_is_gone_comes_back_with_the_next_session(ready: Scene) -> None:
    script(ready, "lint.sh", "exit 1")
    ready.trust()
    ready.begin()
    hook(ready).unlink()
    ready.begin()
    assert commit(ready).returncode == 1


def test_untrusted_content_is_silent_and_untouched(ready: Scene) -> None:
    script(ready, "lint.sh", "exit 1")
    ready.begin()
    assert not hook(ready).exists()
    assert not (ready.root / "AGENTS.md").exists()


def test_the_text_for_agents_follows_its_nodes(ready: Scene) -> None:
    node = ready.root / ".config/rules/rules.md"
    node.parent.mkdir(parents=True)
    node.write_text("---\nsurface: system\n---\nBe careful.\n")
    ready.trust()
    ready.begin()
    for name in ("AGENTS.md", "CLAUDE.md"):
        assert (ready.root / name).read_text() == f"{START}\nBe careful.\n{END}\n"
    assert ready.table().trusted
    (ready.root / "AGENTS.md").write_text("gone\n")
    ready.begin()
    assert (ready.root / "AGENTS.md").read_text() == f"gone\n\n{START}\nBe careful.\n{END}\n"
    assert ready.pre().decision == ""


def test_the_doors_own_road_is_taken(ready: Scene) -> None:
    """A commit that the door judged leaves no work to the hook: a changed script is compiled, and its copy runs."""
    path = script(ready, "lint.sh", "exit 0")
    ready.trust()
    ready.begin()
    door = [str(ready.store / "bin/python"), "-I", "-S", str(ready.store / "commit.py")]
    said = subprocess.run(door, cwd=ready.root, env=ready.env, capture_output=True, check=False)
    assert (said.returncode, said.stdout, said.stderr) == (0, b"", b"")
    path.write_text(path.read_text().replace("exit 0", "exit 1"))
    agent = {**ready.env, "CLAUDECODE": "1"}
    said = subprocess.run(door, cwd=ready.root, env=agent, capture_output=True, check=False)
    assert said.returncode == 0
    ready.trust()
    said = subprocess.run(door, cwd=ready.root, env=agent, capture_output=True, check=False)
    assert said.returncode == 1


def test_a_damaged_store_leaves_the_work_to_the_hook(ready: Scene) -> None:
    script(ready, "lint.sh", "echo by itself >&2; exit 1")
    ready.trust()
    ready.begin()
    for path in ready.store.glob("commit-*.bin"):
        path.unlink()
    said = commit(ready)
    assert said.returncode == 1
    assert said.stderr.startswith("by itself\n")


def test_idle_sessions_write_nothing_for_it(ready: Scene) -> None:
    """Without pre-commit scripts and texts nothing is written for them, neither in the project nor in the store."""
    ready.begin()
    before = {path: path.stat().st_mtime_ns for path in (ready.root / ".git/hooks").iterdir()}
    ready.begin()
    assert {path: path.stat().st_mtime_ns for path in (ready.root / ".git/hooks").iterdir()} == before
    assert not {"git-hooks.json", "guidance.json"} & set(os.listdir(ready.store))


def test_the_door_loads_hot_modules_only(ready: Scene) -> None:
    script(ready, "lint.sh", "exit 0")
    ready.trust()
    ready.begin()
    ready.pre()
    text = f"""import sys, posix
posix._exit = lambda code: print(*sorted(sys.modules))
__file__ = {str(ready.store / "commit.py")!r}
exec(open(__file__).read())"""
    said = subprocess.run(
        [BASE, "-I", "-S", "-c", text], cwd=ready.root, env=ready.env, capture_output=True, text=True, check=False
    )
    loaded = said.stdout.split()
    assert "jackline.precommit" in loaded, said
    slow = {"os", "re", "json", "typing", "subprocess", "enum", "dataclasses", "pathlib", "functools", "collections"}
    assert not slow & set(loaded)


def test_what_was_chained_runs_once_when_the_door_hands_back(ready: Scene) -> None:
    hook(ready).write_text("#!/bin/sh\necho theirs >&2\n")
    hook(ready).chmod(0o755)
    script(ready, "lint.sh", "echo ours >&2")
    ready.trust()
    ready.begin()
    assert commit(ready).stderr == "theirs\nours\n"
    (bundle,) = ready.store.glob("commit-*.bin")
    bundle.unlink()  # it is the bundle of all tests
    bundle.write_bytes(b"damaged")
    assert commit(ready).stderr == "theirs\nours\n"
    assert commit(ready, JACKLINE_ALONE="1").stderr == "theirs\nours\n"
