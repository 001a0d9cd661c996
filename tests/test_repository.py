"""What counts as a repository, and which folder is the root of what starts in another."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline.repository import git_root, is_repository, project_root
from scene import git


def _whole(top: Path) -> None:
    git(top, "init", "-q")


def _detached(top: Path) -> None:
    git(top, "init", "-q")
    git(top, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one", "--allow-empty")
    git(top, "checkout", "-q", "--detach")


def _elsewhere(top: Path) -> None:
    git(top, "init", "-q", "--separate-git-dir", str(top.parent / "apart"))


def _linked(top: Path) -> None:
    git(top, "init", "-q")
    (top / ".git").rename(top.parent / "apart")
    (top / ".git").symlink_to(top.parent / "apart")


def _empty(top: Path) -> None:
    (top / ".git").mkdir()


def _nowhere(top: Path) -> None:
    (top / ".git").write_text("gitdir: ../gone/.git/worktrees/x\n")


def _words(top: Path) -> None:
    (top / ".git").write_text("what git does\n")


def _loop(top: Path) -> None:
    (top / ".git").symlink_to(".git")


def _pipe(top: Path) -> None:
    os.mkfifo(top / ".git")


def _headless(top: Path) -> None:
    git(top, "init", "-q")
    (top / ".git/HEAD").unlink()


def _nonsense(top: Path) -> None:
    git(top, "init", "-q")
    (top / ".git/HEAD").write_text("ref: elsewhere\n")


def _hollow(top: Path) -> None:
    (top / ".git/objects").mkdir(parents=True)
    (top / ".git/HEAD").write_text("ref: refs/heads/main\n")


WHOLE = (_whole, _detached, _elsewhere, _linked)
BROKEN = (_empty, _nowhere, _words, _loop, _pipe, _headless, _nonsense, _hollow)


def _agrees(top: Path) -> bool:
    """What git itself says: whether `top` is the top of a work tree."""
    try:
        return git(top, "rev-parse", "--show-toplevel").strip() == str(top)
    except Exception:
        return False


@pytest.mark.parametrize("make", (*WHOLE, *BROKEN), ids=lambda one: one.__name__.strip("_"))
def test_it_is_one_where_git_says_so(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """An entry that is none is passed over, whatever lies above it."""
    outer, top = tmp_path / "outer", tmp_path / "outer/top"
    (top / "deep").mkdir(parents=True)
    git(outer, "init", "-q")
    make(top)
    assert is_repository(str(top)) is (make in WHOLE)
    if make not in (_loop, _pipe):  # git waits for a pipe
        assert _agrees(top) is (make in WHOLE)
    assert git_root(str(top / "deep")) == str(top if make in WHOLE else outer)


def test_worktrees_and_submodules_are_repositories_of_their_own(tmp_path: Path) -> None:
    main, lent = tmp_path / "main", tmp_path / "lent"
    for one in (main, lent):
        one.mkdir()
        _detached(one)
    git(main, "worktree", "add", "-q", str(main / "trees/x"))
    git(main, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(lent), "parts/lent")
    for top in (main / "trees/x", main / "parts/lent"):
        assert is_repository(str(top))
        assert git_root(f"{top}/a/file/to/come") == str(top)
    (main / ".git/worktrees/x/commondir").write_text("../../../gone\n")
    assert git_root(str(main / "trees/x")) == str(main)


def test_somebody_elses_is_none(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert is_repository(str(tmp_path), os.getuid())
    assert not is_repository(str(tmp_path), os.getuid() + 1)
    assert git_root(str(tmp_path), os.getuid() + 1) == ""


def test_nothing_is_above_the_top(tmp_path: Path) -> None:
    assert git_root("") == ""
    assert git_root("/") == ""
    assert project_root("/", str(tmp_path)) == "/"


@pytest.mark.parametrize(
    ("kept", "start", "root"),
    [
        ("home", "home", "home"),
        ("home", "home/x", "home/x"),
        ("home", "home/x/deep", "home/x/deep"),
        (".", "home/x", "home/x"),
        (".", "home", "home"),
        (".", ".", "."),
        (".", "beside/deep", "beside/deep"),
        ("home/x", "home/x/deep", "home/x"),
    ],
)
def test_a_home_kept_in_git_is_no_project(tmp_path: Path, kept: str, start: str, root: str) -> None:
    """Nor is what holds the home folder, unless one starts right there."""
    for folder in ("home/x/deep", "beside/deep"):
        (tmp_path / folder).mkdir(parents=True)
    git(tmp_path / kept, "init", "-q")
    assert project_root(str(tmp_path / start), str(tmp_path / "home")) == os.path.normpath(tmp_path / root)


def test_a_home_behind_a_link_is_the_same_home(tmp_path: Path) -> None:
    (tmp_path / "real/x").mkdir(parents=True)
    git(tmp_path / "real", "init", "-q")
    (tmp_path / "home").symlink_to("real")
    for home in ("home", "real"):
        for start in ("home/x", "real/x"):
            assert project_root(str(tmp_path / start), str(tmp_path / home)) == str(tmp_path / "real/x")
