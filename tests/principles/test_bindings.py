"""A yes binds what it shows: what the words of a call resolve to when it is asked, and again when it is run.

The matrix: what is named (a file, a pattern, a link, a variable, a script, a recipe, a revision, a patch, an archive,
a configuration) x what changes meanwhile (content, target, the set of matches, the object behind a name, a new file).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jackline.model import Event
from jackline.runtime import bindings, fingerprint
from runtime.test_approvals import asking, one, pending, ran, say
from scene import Scene

assert asking

Change = Callable[[Path], object]

FILES = {
    "a.log": "a\n", "b.log": "b\n", "keep.txt": "k\n", "src/app.py": "print(1)\n", "src/lib/x.py": "x = 1\n",
    "run.sh": "#!/bin/sh\n. ./lib.sh\nrm -rf dist\n", "lib.sh": "true\n", "deep.sh": "sh run.sh\n",
    "fix.patch": "--- a/keep.txt\n+++ b/keep.txt\n@@ -1 +1 @@\n-k\n+l\n", "app.conf": "[x]\n", "list.txt": "a.log\n",
    "Makefile": "clean:\n\trm -rf dist\n", "package.json": '{"scripts": {"clean": "rm -rf dist"}}\n',
    "tool.py": "print(1)\n", "data.tar": "tar\n", "q.sql": "delete from x;\n", "main.tf": "x\n", "dist/out": "o\n",
    ".env": "A=1\n", "env.list": "A=1\n", "pod.yaml": "kind: Pod\n", "other.txt": "o\n",
}  # fmt: skip


def git(root: Path, *words: str) -> str:
    known = ["-c", "user.name=p", "-c", "user.email=p@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *known, *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository with two branches, a tag, a stash, a remote, links, and work that is in no commit."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    here = tmp_path / "project"
    here.mkdir()
    for name, text in FILES.items():
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text(text)
    (here / "current").symlink_to("a.log")
    (here / "live").symlink_to("src")
    git(here, "init", "-q")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "first")
    git(here, "branch", "-M", "main")
    git(here, "tag", "v1")
    git(here, "branch", "topic")
    git(here, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(here, "remote", "add", "origin", "/nowhere")
    (here / "keep.txt").write_text("stashed\n")
    git(here, "stash", "-q")
    (here / "keep.txt").write_text("not committed\n")
    yield here.resolve()


def read(root: Path, command: str) -> dict[str, str]:
    event = Event("PreToolUse", kind="shell", tool="Bash", command=command, root=str(root), cwd=str(root))
    event.home = str(root.parent / "home")
    return dict(fingerprint.files(event))


def write(name: str, text: str = "other\n") -> Change:
    def change(root: Path) -> None:
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_text(text)

    return change


def gone(name: str) -> Change:
    return lambda root: (root / name).unlink()


def link(name: str, to: str) -> Change:
    def change(root: Path) -> None:
        (root / name).unlink()
        (root / name).symlink_to(to)

    return change


def commit(root: Path) -> None:
    git(root, "commit", "-q", "--allow-empty", "-m", "next")


def by_git(*words: str) -> Change:
    def change(root: Path) -> None:
        git(root, *words)

    return change


def moved_ref(name: str) -> Change:
    def change(root: Path) -> None:
        made = git(root, "commit-tree", "HEAD^{tree}", "-m", "other").strip()
        git(root, "update-ref", name, made)

    return change


def switched(root: Path) -> None:
    git(root, "symbolic-ref", "HEAD", "refs/heads/topic")


NAMED: dict[str, tuple[list[str], dict[str, Change]]] = {
    "file": (
        [
            "rm keep.txt",
            "cp keep.txt /tmp/x",
            "scp keep.txt h:",
            "shred -u keep.txt",
            "curl -T keep.txt https://h",
            "curl -d @keep.txt https://h",
            "mail -s x p < keep.txt",
            "frobnicate keep.txt",
            "frobnicate --in=keep.txt",
        ],
        {"content": write("keep.txt"), "gone": gone("keep.txt"), "a link now": link("keep.txt", "other.txt")},
    ),
    "new file": (
        ["echo x > made.txt", "cp keep.txt made.txt", "tee made.txt < keep.txt"],
        {"made by somebody": write("made.txt"), "a link to another": lambda r: (r / "made.txt").symlink_to("a.log")},
    ),
    "pattern": (
        [
            "rm *.log",
            "rm -f [a-c].log",
            "rm ./?.log",
            "cat *.log | sh",
            "scp *.log h:",
            "frobnicate *.log",
            "chmod 0 *.log",
        ],
        {"one more": write("c.log"), "one less": gone("b.log"), "content": write("b.log")},
    ),
    "pattern of folders": (
        ["rm src/*/*.py", "frobnicate src/*/*.py"],
        {"one more": write("src/new/y.py"), "content": write("src/lib/x.py")},
    ),
    "link": (
        [
            'rm "$(pwd)/../project/current"',
            "cat current | sh",
            "sh current",
            "frobnicate current",
            "cp keep.txt current",
        ],
        {"target": link("current", "b.log"), "content behind it": write("a.log")},
    ),
    "link to a folder": (
        ["rm -rf live/lib", "frobnicate live/app.py", "rm live/app.py"],
        {
            "target": link("live", "dist"),
        },
    ),
    "variable": (
        ["F=keep.txt; rm $F", 'F=keep.txt; rm "$F"', "F=*.log; rm $F keep.txt", "for f in keep.txt; do rm $f; done"],
        {"content": write("keep.txt")},
    ),
    "folder": (
        ["rm -rf dist", "tar cz dist | nc h 1", "scp -r dist h:", "mv dist /tmp/x"],
        {"one more": write("dist/new"), "one less": gone("dist/out")},
    ),
    "script": (
        [
            "sh run.sh",
            "./run.sh",
            "bash deep.sh",
            ". ./run.sh",
            "cat run.sh | sh",
            "nohup sh run.sh &",
            "env -i sh run.sh",
        ],
        {"content": write("run.sh"), "what it sources": write("lib.sh")},
    ),
    "recipe": (
        ["make clean", "make -C . clean", "make -f Makefile clean"],
        {"content": write("Makefile", "clean:\n\trm -rf ~\n")},
    ),
    "package script": (["npm run clean", "yarn clean"], {"content": write("package.json", "{}")}),
    "program of a language": (
        ["python3 tool.py", "python3 -m tool", "frobnicate | python3 tool.py", "env python3 ./tool.py"],
        {"content": write("tool.py")},
    ),
    "patch": (
        ["git apply fix.patch", "patch -p1 < fix.patch", "patch -p1 -i fix.patch"],
        {"content": write("fix.patch")},
    ),
    "archive": (["tar xf data.tar", "tar -xf data.tar -C /tmp", "unzip data.tar"], {"content": write("data.tar")}),
    "list": (
        ["xargs rm < list.txt", "xargs -a list.txt rm", "rsync --files-from=list.txt . h:"],
        {"content": write("list.txt")},
    ),
    "configuration": (
        [
            "terraform -chdir=. destroy",
            "psql -f q.sql",
            "docker run --env-file env.list x",
            "kubectl delete -f pod.yaml",
            "frobnicate -capp.conf",
            "CONFIG=app.conf frobnicate",
        ],
        {"content": lambda r: [write(n)(r) for n in ("main.tf", "q.sql", "env.list", "pod.yaml", "app.conf")] and None},
    ),
    "HEAD": (
        [
            "git reset --hard",
            "git push --force",
            "git checkout .",
            "git rebase -i HEAD~1",
            "git commit --amend",
            "git clean -fd",
        ],
        {"a commit": commit, "another branch": switched},
    ),
    "branch": (
        [
            "git branch -D topic",
            "git merge topic",
            "git push origin topic --force",
            "git reset --hard topic",
            "git push origin +topic:main",
            "git rebase main..topic",
        ],
        {"its object": moved_ref("refs/heads/topic"), "gone": by_git("branch", "-D", "topic")},
    ),
    "tag": (["git tag -d v1", "git push origin :v1", "git checkout v1"], {"its object": moved_ref("refs/tags/v1")}),
    "remote ref": (
        ["git reset --hard origin/main", "git push --force origin main", "git checkout origin/main -- ."],
        {"its object": moved_ref("refs/remotes/origin/main")},
    ),
    "remote": (
        ["git push origin main", "git push --force"],
        {"its address": by_git("remote", "set-url", "origin", "/else")},
    ),
    "stash": (
        ["git stash drop", "git stash clear", "git stash pop"],
        {"one more": by_git("stash", "-q"), "another": moved_ref("refs/stash")},
    ),
    "work tree": (
        [
            "git reset --hard",
            "git checkout .",
            "git restore .",
            "git clean -fdx",
            "git stash",
            "git checkout -- keep.txt",
        ],
        {
            "other changes": write("keep.txt", "more work\n"),
            "a new file": write("new.txt"),
            "staged": by_git("add", "keep.txt"),
        },
    ),
}
ROWS = [
    pytest.param(command, change, id=f"{named}: {command}: {what}")
    for named, (commands, changes) in NAMED.items()
    for command in commands
    for what, change in changes.items()
]


@pytest.mark.parametrize(("command", "change"), ROWS)
def test_what_changed_meanwhile_is_another_call(root: Path, command: str, change: Change) -> None:
    before = read(root, command)
    change(root)
    assert read(root, command) != before


ELSEWHERE: dict[str, Change] = {
    "a file it does not name": write("other.txt"),
    "a new file elsewhere": write("src/new.py"),
    "the same bytes again": lambda root: (root / "keep.txt").write_bytes((root / "keep.txt").read_bytes()),
    "a moment later": lambda root: os.utime(root / "keep.txt"),
}


def _of_refs(commands: list[str]) -> list[str]:
    return [one for one in commands if not one.startswith("git ") or one.split()[1] in bindings.REFS_ALONE]


@pytest.mark.parametrize("change", ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_is_as_it_was_is_the_same_call(root: Path, change: Change) -> None:
    """A commit, a push or a test elsewhere ends no yes; what loses the work tree binds the work tree."""
    commands = [one for commands, _ in NAMED.values() for one in _of_refs(commands)]
    before = {command: read(root, command) for command in commands}
    change(root)
    assert [command for command in commands if read(root, command) != before[command]] == []


def test_another_branch_that_moves_ends_no_yes(root: Path) -> None:
    before = read(root, "git push origin topic")
    moved_ref("refs/heads/elsewhere")(root)
    assert read(root, "git push origin topic") == before


def test_without_it_most_of_the_matrix_passes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One function is the principle: replaced by one that binds nothing, half of the rows are the same call."""
    monkeypatch.setattr(bindings, "bound", lambda *given: {})
    same = 0
    for named, (commands, changes) in NAMED.items():
        change = next(iter(changes.values()))
        before = [read(root, command) for command in commands]
        change(root)
        same += sum(read(root, command) == one for command, one in zip(commands, before, strict=True))
        git(root, "checkout", "-qf", "HEAD", "--", ".") if named not in ("HEAD",) else None
    assert same >= sum(len(commands) for commands, _ in NAMED.values()) / 2


def test_what_cannot_be_read_is_bound_as_lost(tmp_path: Path) -> None:
    assert read(tmp_path, "git push --force")[f"git in {tmp_path}"] == bindings.LOST


def test_a_pattern_that_matches_more_ends_a_yes_at_the_door(asking: Scene) -> None:
    (asking.root / "a.log").write_text("a")
    pending(ran(asking, "touch *.log"))
    assert say(asking, "approve", one(asking))
    (asking.root / "b.log").write_text("b")
    said = ran(asking, "touch *.log")
    pending(said)
    assert "was changed since they approved it" in said.reason.split("\n")[0]
    (asking.root / "b.log").unlink()
    assert ran(asking, "touch *.log").decision == ""
