"""Folders with hooks of their own below the root: their features and scripts are added for calls that lead into them.

Kinds of folders × ways to lead into one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scene import Said, Scene, git

NAMED = ("-c", "user.name=a", "-c", "user.email=a@b")
SCRIPT = """#!/bin/sh
#---
# type: event
# events: [PreToolUse]
# block: true
#---
echo "script of $(basename "$PWD")" >&2
exit 2
"""


def a_sub_folder(scene: Scene) -> Path:
    return scene.root / "apps/web"


def a_repository(scene: Scene) -> Path:
    top = scene.root / "vendor/lent"
    top.mkdir(parents=True)
    git(top, "init", "-q")
    return top


def a_submodule(scene: Scene) -> Path:
    lent = scene.folder / "lent"
    lent.mkdir()
    git(lent, "init", "-q")
    git(lent, *NAMED, "commit", "-qm", "one", "--allow-empty")
    git(scene.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(lent), "parts/lent")
    return scene.root / "parts/lent"


def a_worktree(scene: Scene) -> Path:
    git(scene.root, *NAMED, "commit", "-qm", "one", "--allow-empty")
    git(scene.root, "worktree", "add", "-q", str(scene.root / ".trees/x"))
    return scene.root / ".trees/x"


def a_folder_below_another_repository(scene: Scene) -> Path:
    beside = scene.folder / "beside"
    (beside / "apps/web").mkdir(parents=True)
    git(beside, "init", "-q")
    return beside / "apps/web"


KINDS = (a_sub_folder, a_repository, a_submodule, a_worktree, a_folder_below_another_repository)


def by_cwd(scene: Scene, folder: Path) -> Said:
    return scene.pre("echo hi", cwd=str(folder))


def by_deeper_cwd(scene: Scene, folder: Path) -> Said:
    (folder / "src/deep").mkdir(parents=True, exist_ok=True)
    return scene.pre("echo hi", cwd=str(folder / "src/deep"))


def by_path(scene: Scene, folder: Path) -> Said:
    call = {
        "tool_name": "Read",
        "tool_input": {"file_path": f"{folder}/src/a.py"},
        "tool_use_id": f"t{time.monotonic_ns()}",
    }
    return scene.say(scene.payload("PreToolUse", **call))


def by_link(scene: Scene, folder: Path) -> Said:
    short = scene.root / "short"
    if not short.exists():
        short.symlink_to(folder)
    call = {
        "tool_name": "Read",
        "tool_input": {"file_path": f"{scene.root}/short/a.py"},
        "tool_use_id": f"t{time.monotonic_ns()}",
    }
    return scene.say(scene.payload("PreToolUse", **call))


def by_command(scene: Scene, folder: Path) -> Said:
    return scene.pre(f"touch {folder}/src/a.py")


def by_cd(scene: Scene, folder: Path) -> Said:
    return scene.pre(f"cd {folder} && make all")


WAYS = (by_cwd, by_deeper_cwd, by_path, by_link, by_command, by_cd)


@pytest.fixture(params=KINDS, ids=lambda one: one.__name__)
def folder(scene: Scene, request: pytest.FixtureRequest) -> Path:
    made: Path = request.param(scene)
    (made / ".ai/hooks/scripts").mkdir(parents=True)
    return made


@pytest.mark.parametrize("way", WAYS, ids=lambda one: one.__name__)
def test_its_hooks_are_added_for_calls_that_lead_there(
    scene: Scene, folder: Path, way: Callable[[Scene, Path], Said]
) -> None:
    scene.feature("house-rule", "return note('here', 'feature of the root')")
    scene.trust()
    scene.feature("house-rule", "return note('here', 'feature of the folder')", root=folder)
    (folder / ".ai/hooks/scripts/own.sh").write_text(SCRIPT)
    (folder / ".ai/hooks/scripts/own.sh").chmod(0o755)
    scene.begin()
    said = way(scene, folder)
    assert (said.decision, said.reason) == ("", ""), "nobody trusts them yet"
    scene.trust(folder)
    said = way(scene, folder)
    assert (said.decision, f"script of {folder.name}" in said.reason) == ("deny", True)
    row = scene.rows("TOOL_DECISION")[-1]
    assert [one["feature"] for one in row["data"]["actions"]].count("house-rule") == 2
    assert scene.pre("touch src/a.py").decision == ""
    assert len(scene.sessions()) == 1, "the session stays where it began"


@pytest.mark.parametrize(
    "command", ["touch {}/a.py", "cat {}/a.py", "ls {}", "npm --prefix={} test", "cat './{}/a.py'"]
)
def test_a_relative_path_of_a_command_leads_there(scene: Scene, command: str) -> None:
    web = scene.root / "apps/web"
    scene.feature("web-rule", "return deny('rule of web')", root=web)
    scene.trust(web)
    scene.begin()
    assert scene.pre(command.format("apps/web")).reason.startswith("rule of web")
    assert scene.pre(command.format("apps/we")).decision == ""
    assert scene.pre(command.format("web"), cwd=str(scene.root / "apps")).reason.startswith("rule of web")


def test_it_loosens_nothing(scene: Scene, folder: Path) -> None:
    """What its configuration switches off or approves holds nowhere."""
    (folder / ".ai/hooks/dispatch.manifest.json").write_text(
        '{"version": 1, "mode": "observe", "modules": {"command-guard": {"enabled": false},'
        ' "self-protect": {"enabled": false}, "yes-man": {"mayApprove": true}}}'
    )
    scene.feature("yes-man", "return approve('why not')", root=folder)
    scene.trust(folder)
    scene.begin()
    for cwd in (scene.root, folder):
        assert scene.pre("rm -rf ~", cwd=str(cwd)).decision == "deny", cwd
        assert scene.pre(f"cat {scene.store}/key", cwd=str(cwd)).decision == "deny", cwd
    assert scene.pre("make all", cwd=str(folder)).decision == "", "only a person's configuration approves"


def test_a_sub_folder_adds_only_what_it_brings(scene: Scene) -> None:
    """A feature that is off at the root stays off: the folder belongs to the same repository."""
    web = scene.root / "apps/web"
    (scene.root / ".ai/hooks").mkdir(parents=True, exist_ok=True)
    (scene.root / ".ai/hooks/dispatch.manifest.json").write_text(
        '{"version": 1, "modules": {"command-guard": {"enabled": false}}}'
    )
    scene.feature("web-rule", "return note('here', 'web')", root=web)
    for root in (scene.root, web):
        scene.trust(root)
    scene.begin()
    said = scene.pre("git clean -fd", cwd=str(web))
    actions = scene.rows("TOOL_DECISION")[-1]["data"]["actions"]
    assert "web-rule" in [one["feature"] for one in actions]
    assert "command-guard" not in [one["feature"] for one in actions]
    assert said.decision == ""
