"""Git answers, and whatever a hostile repository configured, no program of it is run."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from jackline import git
from jackline.git import GitError


def prepare(root: Path, *words: str) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": "n", f"GIT_{role}_EMAIL": "e@example.invalid"}
    subprocess.run(["git", *words], cwd=root, env=env, capture_output=True, check=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "repo"
    made.mkdir()
    prepare(made, "init", "-q", "-b", "main")
    return made


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        (root / name.replace("__", "/")).parent.mkdir(parents=True, exist_ok=True)
        (root / name.replace("__", "/")).write_text(text)


def commit(root: Path) -> None:
    prepare(root, "add", ".")
    prepare(root, "commit", "-q", "-m", "x")


def test_before_the_first_commit(root: Path) -> None:
    assert git.head(str(root)) == ""
    write(root, staged="1", loose="2")
    prepare(root, "add", "staged")
    assert git.changed_files(str(root)) == ["loose", "staged"]


def test_changed_files_are_all_that_differ_from_head(root: Path) -> None:
    write(root, same="1", changed="1", deleted="1", staged="1", dir__deep="1")
    (root / ".gitignore").write_text("ignored\n")
    commit(root)
    write(root, changed="2", staged="2", new="1", ignored="1", dir__new="1")
    (root / "deleted").unlink()
    prepare(root, "add", "staged")
    odd = 'sp ace\n"quo"té'
    (root / odd).write_text("1")
    (root / os.fsdecode(b"bad-\xff")).write_text("1")
    expected = ["changed", "deleted", "dir/new", "new", "staged", odd, os.fsdecode(b"bad-\xff")]
    assert git.changed_files(str(root)) == sorted(expected)
    assert git.changed_files(str(root / "dir")) == ["new"], "relative to where one asks"


def test_blobs_of_a_ref(root: Path) -> None:
    write(root, a="one\n", d__b="two")
    (root / "odd name é").write_text("three")
    commit(root)
    write(root, a="later")
    names = ["a", "d/b", "missing", "odd name é", "d"]
    assert git.blobs(str(root), "main", names) == {"a": b"one\n", "d/b": b"two", "odd name é": b"three"}
    assert git.blobs(str(root / "d"), "refs/heads/main", ["b"]) == {"b": b"two"}
    assert git.blobs(str(root), "main", []) == {}


@pytest.mark.parametrize("ref", ["", "-x", "--upload-pack=x", "main:a", "a b", "main^{/x}", "a\nb", "nowhere"])
def test_a_ref_is_only_a_ref(root: Path, ref: str) -> None:
    write(root, a="1")
    commit(root)
    with pytest.raises(GitError):
        git.blobs(str(root), ref, ["a"])


CONFIG = """
[core]
	fsmonitor = touch {mark}; false
	hooksPath = {root}/hooks
	pager = touch {mark}
	editor = touch {mark}
	sshCommand = touch {mark}
	askPass = {root}/evil
	gitProxy = {root}/evil
	attributesFile = {root}/evil-attributes
	alternateRefsCommand = touch {mark}
[diff]
	external = {root}/evil
[diff "d"]
	command = {root}/evil
	textconv = {root}/evil
[filter "f"]
	clean = touch {mark}; cat
	smudge = touch {mark}; cat
	required = true
[filter "p"]
	process = {root}/evil
	required = true
[filter "a=b"]
	clean = touch {mark}; cat
[merge "m"]
	driver = touch {mark}
[gpg]
	program = {root}/evil
[credential]
	helper = !touch {mark}
[alias]
	ls-files = !touch {mark}
	rev-parse = !touch {mark}
[remote "origin"]
	url = ext::touch {mark}
	promisor = true
	partialclonefilter = blob:none
[extensions]
	partialClone = origin
[uploadpack]
	packObjectsHook = {root}/evil
[include]
	path = included
"""


def test_nothing_a_repository_configures_is_run(root: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    write(root, a="1", b="1", c="1", e="1")
    commit(root)
    (root / "evil").write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    (root / "evil").chmod(0o755)
    for name in ("pre-commit", "post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"):
        for folder in (root / "hooks", root / ".git" / "hooks"):
            folder.mkdir(exist_ok=True)
            (folder / name).write_text(f"#!/bin/sh\ntouch {mark}\n")
            (folder / name).chmod(0o755)
    with (root / ".git" / "config").open("a") as config:
        config.write(CONFIG.format(mark=mark, root=root))
    (root / ".git" / "included").write_text(f'[filter "i"]\n\tclean = touch {mark}; cat\n')
    (root / ".gitattributes").write_text("a filter=f diff=d\nb filter=p\nc filter=a=b\ne filter=i merge=m\n")
    time.sleep(0.02)
    write(root, a="2", b="2", c="2", e="2")
    for name in "abce":
        os.utime(root / name, (1, 1))
    found = git.changed_files(str(root))
    assert {"a", "b", "c", "e"} <= set(found)
    assert git.blobs(str(root), "main", ["a"]) == {"a": b"1"}
    with pytest.raises(GitError):
        git.run(str(root), "cat-file", "-e", "1" * 40)  # a missing object would be fetched from the promisor
    assert not mark.exists()


TRAPS = [
    ("[core]\n\tfsmonitor = touch {mark}; false\n", "", ["ls-files", "-m"]),
    ('[filter "f"]\n\tclean = touch {mark}; cat\n', "a filter=f\n", ["ls-files", "-m"]),
    ('[filter "f"]\n\tprocess = {root}/evil\n', "a filter=f\n", ["ls-files", "-m"]),
    ('[filter "a=b"]\n\tclean = touch {mark}; cat\n', "a filter=a=b\n", ["ls-files", "-m"]),
    ("[include]\n\tpath = included\n", "a filter=i\n", ["ls-files", "-m"]),
    ("[diff]\n\texternal = {root}/evil\n", "", ["diff"]),
    ("[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\turl = ext::sh -c touch% {mark}\n\tpromisor = true\n"
     "[protocol]\n\tallow = always\n", "", ["cat-file", "-e", "1" * 40]),
]  # fmt: skip


@pytest.mark.parametrize(("config", "attributes", "words"), TRAPS)
def test_traps_that_plain_git_runs_into(
    root: Path, tmp_path: Path, config: str, attributes: str, words: list[str]
) -> None:
    """Each trap works, and holds nobody who asks here: else the test before this one would show nothing."""
    mark = tmp_path / "ran"
    write(root, a="1")
    (root / "evil").write_text(f"#!/bin/sh\ntouch {mark}\n")
    (root / "evil").chmod(0o755)
    commit(root)
    with (root / ".git" / "config").open("a") as file:
        file.write(config.format(mark=mark, root=root))
    (root / ".git" / "included").write_text(f'[filter "i"]\n\tclean = touch {mark}; cat\n')
    (root / ".gitattributes").write_text(attributes)
    write(root, a="2")
    assert "a" in git.changed_files(str(root))
    if words[0] == "cat-file":
        with pytest.raises(GitError):
            git.run(str(root), *words)
    assert not mark.exists()
    subprocess.run(["git", *words], cwd=root, capture_output=True, check=False)
    assert mark.exists()


def test_environment_of_the_caller_is_not_passed_on(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_EXEC_PATH", "/nowhere")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "nonsense")
    assert git.head(str(root)) == ""
    assert git.changed_files(str(root)) == []


def test_git_is_an_absolute_program(tmp_path: Path) -> None:
    evil = tmp_path / "git"
    evil.write_text("#!/bin/sh\n")
    evil.chmod(0o755)
    assert git.program(f".:bin:{tmp_path}").startswith("/")
    assert git.program(str(tmp_path)) != str(evil), "the system's places come first"


def test_a_deadline_ends_the_whole_group(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\nsleep 30 & echo $! > {tmp_path}/pid\nwait\n")
    slow.chmod(0o755)
    monkeypatch.setattr(git, "program", lambda: str(slow))
    begun = time.monotonic()
    with pytest.raises(GitError, match="did not end within"):
        git.run(str(root), "rev-parse", deadline=0.5)
    assert time.monotonic() - begun < 5
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split():
            return
        time.sleep(0.02)
    pytest.fail("a grandchild outlived the deadline")


def test_output_is_bounded(root: Path) -> None:
    write(root, **{f"file{number}": "1" for number in range(50)})
    with pytest.raises(GitError, match="more than 0 MB"):
        git.run(str(root), "ls-files", "-o", limit=10)


def test_no_repository_and_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GitError, match="not a git repository"):
        git.run(str(tmp_path), "rev-parse", "--git-dir")
    with pytest.raises(GitError, match="could not be started"):
        git.run(str(tmp_path / "nowhere"), "rev-parse", "--git-dir")
    monkeypatch.setattr(git, "PLACES", ())
    with pytest.raises(GitError, match="git was not found"):
        git.run(str(tmp_path), "rev-parse")
