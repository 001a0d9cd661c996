"""What changed in a tree, by content: real git, real files, and names nobody likes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from jackline import git
from jackline.scripts import changes
from jackline.scripts.changes import ChangesError, Entry, Look, TreeState
from scripts.tree import Tree, reads, settle


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    made = Tree(tmp_path)
    made.commit("a.py", "b.py", "src/c.py", ".gitignore")
    made.write(".gitignore", "ignored/\n*.log\n")
    made.commit()
    return made


def test_the_first_time_all_that_is_not_committed(tree: Tree) -> None:
    tree.write("a.py", "changed\n")
    tree.write("new.py")
    tree.write("src/staged.py")
    tree.git("add", "src/staged.py")
    assert tree.changed() == ["a.py", "new.py", "src/staged.py"]
    assert tree.changed() == []


def test_content_counts_not_time(tree: Tree) -> None:
    tree.write("a.py", "one\n")
    assert tree.changed() == ["a.py"]
    os.utime(tree.root / "a.py", ns=(1, 1))
    tree.write("b.py", "x\n")  # as it was
    assert tree.changed() == []
    before = os.stat(tree.root / "a.py")
    tree.write("a.py", "two\n")
    os.utime(tree.root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert tree.changed() == ["a.py"]


def test_two_changes_within_one_tick_of_the_clock(tree: Tree) -> None:
    for number in range(5):
        tree.write("a.py", f"{number}\n")
        assert tree.changed() == ["a.py"], number


def test_reverted_and_deleted_are_changes_once(tree: Tree) -> None:
    tree.write("a.py", "one\n")
    tree.write("new.py")
    tree.changed()
    tree.git("checkout", "-q", "a.py")
    (tree.root / "new.py").unlink()
    (tree.root / "b.py").unlink()
    assert tree.changed() == ["a.py", "b.py", "new.py"]
    assert tree.changed() == []


def test_names_nobody_likes(tree: Tree) -> None:
    names = ["äöü/日本.py", "two\nlines.py", "a b.py", "-rf.py", 'q"uote.py', "tab\t.py", "*.py", ":(top)x.py", "é.py"]
    for name in names:
        tree.write(name)
    raw = os.fsencode(tree.root) + b"/\xff\xfe.py"
    Path(os.fsdecode(raw)).write_text("x")
    assert tree.changed() == sorted([*names, "\udcff\udcfe.py"])
    assert tree.changed() == []


def test_ignored_files_and_our_own_are_no_changes(tree: Tree) -> None:
    tree.write("ignored/x.py")
    tree.write("x.log")
    tree.write(".ai/tmp/.gitignore", "*\n")
    tree.write(".ai/tmp/0123abcd/events.jsonl")
    assert tree.changed() == []


def test_before_the_first_commit(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.write("a.py")
    tree.write("b.py")
    tree.git("add", "b.py")
    assert tree.changed() == ["a.py", "b.py"]
    tree.commit()
    assert tree.changed() == []
    tree.write("c.py")
    tree.commit()
    assert tree.changed() == ["c.py"]


def test_a_commit_made_since_is_a_change(tree: Tree) -> None:
    """An agent that commits what it writes does not slip away."""
    tree.snapshot()
    tree.write("a.py", "one\n")
    tree.commit()
    assert tree.changed() == ["a.py"]
    tree.write("a.py", "two\n")
    assert tree.changed() == ["a.py"]
    tree.commit()
    assert tree.changed() == [], "it was looked at already"
    tree.write("b.py", "two\n")
    tree.git("commit", "-qam", "x")
    tree.write("b.py", "three\n")
    tree.git("commit", "-qa", "--amend", "-m", "x")
    assert tree.changed() == ["b.py"]


def test_what_a_merge_or_an_older_commit_brings_is_no_change(tree: Tree) -> None:
    tree.git("checkout", "-qb", "other")
    tree.write("other.py")
    tree.git("add", "-A")
    old = {"GIT_COMMITTER_DATE": "2001-01-01T00:00:00Z", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old"],
        cwd=tree.root, env=old, check=True, capture_output=True,
    )  # fmt: skip
    tree.git("checkout", "-q", "main")
    tree.commit("main.py")
    tree.snapshot()
    tree.changed()
    tree.git("merge", "-q", "--no-ff", "-m", "merge", "other")
    assert tree.changed() == []
    tree.git("checkout", "-q", "other")
    assert tree.changed() == []


def test_a_folder_below_the_top_of_its_repository(tree: Tree) -> None:
    tree.write("src/new.py")
    tree.write("outside.py")
    now = changes.look(str(tree.root / "src"), {})
    assert sorted(now.files) == ["new.py"]
    tree.snapshot()
    seen = changes.read(str(tree.place))
    tree.commit()
    inner = changes.look(str(tree.root / "src"), {})
    assert changes.committed_files(str(tree.root / "src"), seen, inner) == ["new.py"]


def test_links_are_not_followed(tree: Tree, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.py").write_text("x")
    (tree.root / "link.py").symlink_to(outside / "x.py")
    (tree.root / "folder").symlink_to(outside)
    assert tree.changed() == []
    assert changes.entries(str(tree.root), ["folder/x.py", "link.py"], {}, lambda: False) == {
        "folder/x.py": Entry((), changes.GONE)
    }


def test_pipes_are_not_waited_for(tree: Tree) -> None:
    os.mkfifo(tree.root / "pipe.py")
    assert tree.changed() == []


def test_renames(tree: Tree) -> None:
    tree.git("mv", "a.py", "A.py")
    tree.git("mv", "b.py", "moved.py")
    assert tree.changed() == ["A.py", "a.py", "b.py", "moved.py"]


def test_submodules_are_others_business(tree: Tree, tmp_path: Path) -> None:
    other = Tree(tmp_path / "other")
    other.commit("inner.py")
    tree.git("submodule", "--quiet", "add", str(other.root), "sub")
    tree.commit()
    tree.changed()
    tree.write("sub/inner.py", "changed\n")
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "x"], cwd=tree.root / "sub", check=True
    )
    assert tree.changed() == []


def test_a_sparse_checkout_lacks_nothing(tree: Tree) -> None:
    tree.changed()
    tree.git("sparse-checkout", "set", "--no-cone", "/*", "!/src/")
    assert not (tree.root / "src").exists()
    assert tree.changed() == []


def test_a_hostile_repository_runs_nothing(tree: Tree, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    for key in (
        "core.fsmonitor",
        "filter.x.clean",
        "diff.external",
        "core.sshCommand",
        "diff.x.textconv",
        "gpg.program",
    ):
        tree.git("config", key, f"touch {mark}")
    tree.git("config", "log.showSignature", "true")
    tree.write(".gitattributes", "* filter=x diff=x\n")
    tree.snapshot()
    tree.write("a.py", "changed\n")
    mark.unlink(missing_ok=True)
    assert "a.py" in tree.changed()
    git.committed_files(str(tree.root), "", git.head(str(tree.root)), 0)
    assert not mark.exists()


def test_a_repository_git_cannot_read(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.write(".git/config", "[core\n")
    tree.write("a.py")
    with pytest.raises(ChangesError, match="git cannot tell what changed"):
        changes.look(str(tree.root), {})


def test_a_git_that_is_no_repository_is_none(tmp_path: Path) -> None:
    """Files are compared without it, as where there is no git at all."""
    tree = Tree(tmp_path, with_git=False)
    tree.write(".git", "gitdir: /nowhere\n")
    tree.write("a.py")
    seen = changes.look(str(tree.root), {})
    assert (seen.git, list(seen.files)) == (False, ["a.py"])


def test_a_file_is_read_again_only_when_it_moved(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        tree.write(f"new{number}.py")
    settle()
    tree.changed()
    read = reads(monkeypatch)
    tree.write("new7.py", "other\n")
    assert tree.changed() == ["new7.py"]
    assert read == [f"{tree.root}/new7.py"]


# --- without git ---------------------------------------------------------------------------------------------------


def test_without_git_all_files_are_new(tmp_path: Path) -> None:
    tree = Tree(tmp_path, with_git=False)
    tree.write("a.py")
    tree.write("node_modules/x/index.js")
    tree.write("out/x.py")
    tree.write("x.log")
    tree.write(".gitignore", "# comment\nout/\n*.log\n!keep.log\n")
    assert tree.changed() == [".gitignore", "a.py"]
    assert tree.changed() == []


IGNORING = ("out/", "*.log", "/top.txt", "a/b", "a/*.tmp", "**/deep/x", "[xy].z", "{a,b}.c", "name", "# no\n!keep.log")


@pytest.mark.parametrize("lines", [*IGNORING, "\n".join(IGNORING)])
def test_without_git_a_file_is_ignored_as_git_would(tmp_path: Path, lines: str) -> None:
    """All but braces, which are ours: git takes them for signs."""
    places = ("", "a/", "a/b/", "out/", "a/out/", "deep/", "a/deep/", "name/", ".h/")
    names = ("f", "out", "x.log", ".x.log", "keep.log", "top.txt", "b", "t.tmp", "x", "x.z", "name")
    tree = Tree(tmp_path, with_git=False)
    tree.write(".gitignore", lines + "\n")
    for place in places:
        for name in names:
            if f"{place}{name}/" not in places:
                tree.write(f"{place}{name}")
    subprocess.run(["git", "init", "-q", tree.root], check=True)
    said = subprocess.run(
        ["git", "ls-files", "-oz", "--exclude-standard"], cwd=tree.root, capture_output=True, check=True
    )
    assert changes.walk(str(tree.root)) == sorted(one for one in said.stdout.decode().split("\0") if one)


def test_without_git_the_sessions_beginning_is_what_counts(tmp_path: Path) -> None:
    tree = Tree(tmp_path, with_git=False)
    tree.write("a.py")
    tree.write("b.py")
    settle()
    assert tree.snapshot()
    assert not tree.snapshot()
    assert tree.changed() == []
    tree.write("a.py", "one\n")
    tree.write("c.py")
    assert tree.changed() == ["a.py", "c.py"]
    (tree.root / "c.py").unlink()
    (tree.root / "b.py").unlink()
    assert tree.changed() == ["b.py", "c.py"]
    assert tree.changed() == []


def test_a_tree_too_large_to_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = Tree(tmp_path, with_git=False)
    for number in range(12):
        tree.write(f"{number}.py")
    monkeypatch.setattr(changes, "MOST", 10)
    assert tree.evaluate([]).why == "more than 10 files and no git to tell which of them changed"


# --- what is remembered ----------------------------------------------------------------------------------------------


def test_what_is_remembered_is_read_again(tmp_path: Path) -> None:
    files = {"a\nb": Entry((1, 2, 3, 4), "aa"), "\udcff": Entry((), "-")}
    seen = TreeState(7, "head", True, True, files, {"x": Entry((1, 1, 1, 1), "bb")}, ("c",))
    changes.write(str(tmp_path), seen)
    assert changes.read(str(tmp_path)) == seen


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"v": 2}', '{"v": 1}', '{"v":1,"at":"x"}', '{"v":1,"at":1,"head":"","evaluated":1,"based":1,'
     '"files":{"a":7},"base":{},"committed":[]}'],
)  # fmt: skip
def test_what_makes_no_sense_is_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "seen.json").write_text(text)
    assert changes.read(str(tmp_path)) == TreeState()


def test_large_files_are_told_by_their_stamp(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "LARGE", 10)
    tree.write("a.py", "x" * 20)
    assert tree.changed() == ["a.py"]
    tree.write("a.py", "y" * 20)
    assert tree.changed() == ["a.py"]


def test_a_look_that_takes_too_long_is_none(tree: Tree) -> None:
    tree.write("a.py", "changed")
    with pytest.raises(ChangesError):
        changes.look(str(tree.root), {}, limit_s=-1)
    assert isinstance(changes.look(str(tree.root), {}), Look)
