"""Every situation in which a session may start: its events and the command line have the same root there.

One row a situation: it makes the folders and says where the session starts and what its root is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli.conftest import Desk
from jackline.store.session_index import records
from scene import git

NAMED = ("-c", "user.name=a", "-c", "user.email=a@b")


class Start(NamedTuple):
    """`folder` is where the client starts; `named`: what its project variable says, where that is another folder."""

    folder: Path
    root: Path
    named: Path | None = None
    person: Path | None = None
    """Where the person calls the command line, where that is another folder than the client's."""


def folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def committed(top: Path) -> Path:
    top.mkdir(parents=True, exist_ok=True)
    git(top, "init", "-q")
    git(top, *NAMED, "commit", "-qm", "one", "--allow-empty")
    return top


def the_top(desk: Desk) -> Start:
    return Start(desk.root, desk.root)


def a_sub_folder(desk: Desk) -> Start:
    return Start(folder(desk.root / "apps/web"), desk.root)


def a_sub_folder_with_hooks(desk: Desk) -> Start:
    folder(desk.root / "apps/web/.ai/hooks")
    return Start(desk.root / "apps/web", desk.root)


def a_nested_repository(desk: Desk) -> Start:
    top = committed(desk.root / "vendor/lent")
    return Start(folder(top / "src"), top)


def a_submodule(desk: Desk) -> Start:
    lent = committed(desk.folder / "lent")
    git(desk.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(lent), "parts/lent")
    return Start(folder(desk.root / "parts/lent/src"), desk.root / "parts/lent")


def a_worktree(desk: Desk) -> Start:
    committed(desk.root)
    git(desk.root, "worktree", "add", "-q", str(desk.folder / "tree"))
    return Start(folder(desk.folder / "tree/src"), desk.folder / "tree")


def a_worktree_inside(desk: Desk) -> Start:
    committed(desk.root)
    git(desk.root, "worktree", "add", "-q", str(desk.root / ".trees/x"))
    return Start(desk.root / ".trees/x", desk.root / ".trees/x")


def an_empty_git_folder(desk: Desk) -> Start:
    folder(desk.root / "apps/web/.git")
    return Start(desk.root / "apps/web", desk.root)


def a_git_file_that_points_nowhere(desk: Desk) -> Start:
    (folder(desk.root / "apps/web") / ".git").write_text("gitdir: ../../gone\n")
    return Start(desk.root / "apps/web", desk.root)


def a_repository_of_somebody_else(desk: Desk) -> Start:
    top = committed(desk.root / "vendor/lent")
    os.chown(top / ".git", 12345, 12345)
    return Start(folder(top / "src"), desk.root)


def a_home_that_is_one(desk: Desk) -> Start:
    git(desk.home, "init", "-q")
    return Start(desk.home, desk.home)


def a_folder_in_a_home_that_is_one(desk: Desk) -> Start:
    git(desk.home, "init", "-q")
    return Start(folder(desk.home / "notes/today"), desk.home / "notes/today")


def a_repository_in_a_home_that_is_one(desk: Desk) -> Start:
    git(desk.home, "init", "-q")
    top = committed(desk.home / "code/x")
    return Start(folder(top / "src"), top)


def a_folder_above_the_home_that_is_one(desk: Desk) -> Start:
    git(desk.folder, "init", "-q")
    return Start(folder(desk.folder / "beside"), desk.folder / "beside")


def no_repository(desk: Desk) -> Start:
    top = folder(desk.folder / "plain/deep")
    return Start(top, top)


def no_repository_but_a_variable(desk: Desk) -> Start:
    top = folder(desk.folder / "plain")
    return Start(folder(top / "deep"), top, named=top, person=top)


def a_variable_that_names_a_sub_folder(desk: Desk) -> Start:
    web = folder(desk.root / "apps/web")
    return Start(desk.folder, desk.root, named=web, person=web)


def a_variable_that_names_nothing(desk: Desk) -> Start:
    return Start(folder(desk.root / "src"), desk.root, named=desk.folder / "gone")


def a_link_to_the_top(desk: Desk) -> Start:
    (desk.folder / "short").symlink_to(desk.root)
    return Start(desk.folder / "short", desk.root)


def a_link_to_a_sub_folder(desk: Desk) -> Start:
    (desk.folder / "short").symlink_to(folder(desk.root / "apps/web"))
    return Start(desk.folder / "short", desk.root)


def a_link_out_of_the_repository(desk: Desk) -> Start:
    top = committed(desk.folder / "other")
    (desk.root / "other").symlink_to(folder(top / "src"))
    return Start(desk.root / "other", top)


def inside_the_git_folder(desk: Desk) -> Start:
    return Start(desk.root / ".git/objects", desk.root)


SITUATIONS: tuple[Callable[[Desk], Start], ...] = (
    *(the_top, a_sub_folder, a_sub_folder_with_hooks, a_nested_repository, a_submodule, a_worktree, a_worktree_inside),
    *(an_empty_git_folder, a_git_file_that_points_nowhere, a_repository_of_somebody_else, a_home_that_is_one),
    *(a_folder_in_a_home_that_is_one, a_repository_in_a_home_that_is_one, a_folder_above_the_home_that_is_one),
    *(no_repository, no_repository_but_a_variable, a_variable_that_names_a_sub_folder, a_variable_that_names_nothing),
    *(a_link_to_the_top, a_link_to_a_sub_folder, a_link_out_of_the_repository, inside_the_git_folder),
)


@pytest.fixture(params=SITUATIONS, ids=lambda one: one.__name__)
def start(desk: Desk, request: pytest.FixtureRequest) -> Start:
    if request.param is a_repository_of_somebody_else and os.getuid():
        pytest.skip("only root can give a folder away")
    made: Start = request.param(desk)
    return made


def pinned(desk: Desk) -> str:
    (record,) = [found for _, found in records(desk.store)]
    return str(record["root"])


def begin(desk: Desk, start: Start, **fields: Any) -> None:
    env = {} if start.named is None else {"CLAUDE_PROJECT_DIR": str(start.named)}
    said = desk.say(desk.payload("SessionStart", source="startup", cwd=str(start.folder), **fields), env=env)
    assert said.exit == 0


def test_events_and_command_line_have_the_same_root(desk: Desk, start: Start) -> None:
    begin(desk, start)
    assert pinned(desk) == str(start.root)
    at = start.person or start.folder
    (one,) = desk.jackline("sessions", "--json", cwd=at).data
    assert one["root"] == str(start.root)
    assert desk.jackline("log", "--json", "--all", cwd=at).out.count("SESSION_INIT") == 1
    status = desk.jackline("status", "--json", cwd=at, code=1).data
    assert status["root"] == str(start.root)
    assert [row["what"].count(one["session"]) for row in status["rows"] if row["about"] == "sessions"] == [1]


def test_the_hooks_of_a_sub_folder_are_trusted_by_themselves(desk: Desk) -> None:
    """`--here` takes the folder for the root; without it the repository is, in the sub-folder as well."""
    web = desk.root / "apps/web"
    desk.feature("web-rule", "return deny('not in web')", root=web)
    assert desk.jackline("trust", "--json", cwd=web).data["root"] == str(desk.root)
    rows = desk.jackline("status", "--json", cwd=web, code=1).data["rows"]
    (what,) = [row["what"] for row in rows if row["about"] == "trust" and row["grade"] == "warn"]
    assert what.endswith(" · jackline --here trust .ai/hooks/features/web-rule")
    for verb, code in (("doctor", 1), ("hooks", 0), ("status", 1)):
        told = desk.jackline(verb, code=code).out
        assert "apps/web: .ai/hooks/features/web-rule (feature) is new" in " ".join(told.split())
        assert "jackline -C apps/web --here trust .ai/hooks/features/web-rule" in " ".join(told.split())
    digest = desk.jackline("--here", "trust", "--json", cwd=web, code=1).data["digest"]
    assert desk.pre(cwd=str(web)).decision == ""
    desk.jackline("-C", "apps/web", "--here", "trust", "--yes", digest)
    assert desk.pre(cwd=str(web)).decision == "deny"
    assert desk.pre().decision == ""
    rows = desk.jackline("status", "--json", cwd=web, code=1).data["rows"]
    assert [row["grade"] for row in rows if row["about"] == "trust"] == ["quiet", "good"]


@pytest.mark.parametrize("verb", ["trust --yes 0123", "pause", "uninstall"])
def test_an_agent_goes_no_other_way_by_it(desk: Desk, verb: str) -> None:
    (desk.root / "apps/web/.ai/hooks").mkdir(parents=True)
    for option in ("-C apps/web --here", "--here -C apps/web", "--here"):
        assert desk.pre(f"jackline {option} {verb}").decision == "deny", option


def test_the_pin_holds(desk: Desk, start: Start) -> None:
    """Neither a `cd` of the agent nor a repository that it makes, breaks or takes away moves the root."""
    begin(desk, start)
    below = start.root / "made/by/agent"
    below.mkdir(parents=True)
    for folder in (below, start.root / "made"):
        git(folder, "init", "-q")
    for cwd in (below, desk.folder, Path("/"), start.root):
        assert desk.pre("echo hi", cwd=str(cwd)).decision == "", cwd
    if (start.root / ".git").is_dir() and start.root != desk.home:
        (start.root / ".git").rename(desk.folder / "taken")
        assert desk.pre("echo hi", cwd=str(below)).decision == ""
        (desk.folder / "taken").rename(start.root / ".git")
    begin(desk, Start(below, start.root))
    assert pinned(desk) == str(start.root)


def test_what_a_sub_folder_brings_can_be_paused_and_is_named_by_check(desk: Desk) -> None:
    web = desk.root / "apps/web"
    desk.feature("web-rule", "return deny('not in web')", root=web)
    script = web / ".ai/hooks/scripts/lint.sh"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n#---\n# type: file\n# pattern: '*.md'\n#---\nexit 1\n")
    said = desk.jackline("check", "--all-files").out
    assert "apps/web has scripts of its own · jackline -C apps/web --here check" in " ".join(said.split())
    desk.trust(web)
    desk.begin()
    for name in ("web-rule", "apps/web/lint"):
        desk.jackline("pause", name, "--yes")
    assert desk.pre(cwd=str(web)).decision == ""
    (web / "a.md").write_text("x")
    stop = desk.payload("Stop", stop_hook_active=False)
    assert "decision" not in desk.say(stop).body
    desk.jackline("pause", "--end", "--yes")
    assert desk.say(stop).body["decision"] == "block"
