"""git in one place: what a repository configured starts nothing and changes nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from jackline import git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()

    def run(*words: str) -> None:
        env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", "-C", str(root), *words], check=True, env=env, capture_output=True)

    run("init", "-q")
    (root / "a.txt").write_text("a")
    (root / "süß und so.txt").write_text("b")
    (root / ".gitignore").write_text("ignored\n")
    run("add", "-A")
    run("-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-q", "-m", "begin")
    return root


def test_changed_new_and_deleted_files_are_seen(repository: Path) -> None:
    assert git.changed_files(str(repository)) == []
    (repository / "süß und so.txt").write_text("changed")
    (repository / "a.txt").unlink()
    (repository / "new\nline").write_text("x")
    (repository / "ignored").write_text("x")
    assert git.changed_files(str(repository)) == ["a.txt", "new\nline", "süß und so.txt"]


def test_what_the_repository_configured_does_not_run(repository: Path, tmp_path: Path) -> None:
    """fsmonitor, hooks, filters, external diff and textconv of a hostile repository."""
    mark = tmp_path / "ran"
    bad = f"touch {mark}"
    with (repository / ".git/config").open("a") as config:
        config.write(
            f'[core]\n\tfsmonitor = "{bad}"\n\tpager = "{bad}"\n[diff]\n\texternal = "{bad}"\n'
            f'[filter "x"]\n\tclean = "{bad}"\n\tsmudge = "{bad}"\n\tprocess = "{bad}"\n'
            f'[diff "x"]\n\ttextconv = "{bad}"\n\tcommand = "{bad}"\n'
        )
    hook = repository / ".git/hooks/post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{bad}\n")
    hook.chmod(0o755)
    (repository / ".gitattributes").write_text("* filter=x diff=x\n")
    (repository / "a.txt").write_text("b")
    before = (repository / ".git/index").stat().st_mtime_ns
    assert git.changed_files(str(repository)) == [".gitattributes", "a.txt"]
    assert not mark.exists()
    assert (repository / ".git/index").stat().st_mtime_ns == before


def test_what_is_no_repository_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(git.GitError):
        git.changed_files(str(tmp_path))
