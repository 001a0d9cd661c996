"""`trust --watch` trusts what an author saves, as long as it runs, and nothing that git brought (design section 5a)."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from compiler.unit_kinds import GIT, commit, git, put, script
from jackline.cli.parts import trustwatch
from jackline.cli.parts.trustwatch import MovedByGit, Watch
from jackline.compiler import trust
from jackline.compiler.collect import say_yes, survey

from .conftest import Desk

PLACE = ".ai/hooks/scripts/say.sh"
KEY = ("script", PLACE)


def word(said: str) -> str:
    return script("event: PreToolUse", body=f"echo {said}")


@pytest.fixture
def author(desk: Desk) -> Desk:
    """`main` has a trusted script, `theirs` another form of it."""
    git(desk.root, "checkout", "-q", "-B", "main")
    put(desk.root, PLACE, word("one"))
    put(desk.root, "z.slow", "1\n")
    commit(desk.root)
    git(desk.root, "checkout", "-q", "-b", "theirs")
    put(desk.root, PLACE, word("theirs"))
    put(desk.root, "z.slow", "2\n")
    commit(desk.root)
    git(desk.root, "checkout", "-q", "main")
    found = survey(str(desk.root), str(desk.store))
    say_yes(str(desk.store), str(desk.root), [one.unit for one in found.waiting if one.unit], (), "person")
    return desk


@pytest.fixture
def watch(author: Desk, monkeypatch: pytest.MonkeyPatch) -> Watch:
    monkeypatch.setattr(trustwatch, "refresh", lambda *given: None)  # what it compiles is of no interest here
    return Watch(str(author.store), str(author.root), [KEY], "person")


def trusted(desk: Desk) -> list[str]:
    """The words of all contents that are trusted."""
    versions = trust.Book(str(desk.store)).units(str(desk.root))[KEY]
    held = [trust.copy_of(str(desk.store), one.own[PLACE]).decode() for one in versions]
    return [text.split("echo ")[1].strip() for text in held]


def test_each_saved_state_is_trusted_and_no_other_unit(author: Desk, watch: Watch) -> None:
    assert watch.look()[0] == []
    for said in ("two", "three"):
        put(author.root, PLACE, word(said))
        put(author.root, ".ai/hooks/scripts/other.sh", word(said))
        assert (watch.look(), watch.look()) == (([PLACE], []), ([], []))
    assert trusted(author) == ["one", "two", "three"]
    assert ("script", ".ai/hooks/scripts/other.sh") not in trust.Book(str(author.store)).units(str(author.root))
    put(author.root, PLACE, "broken")
    assert watch.look()[0] == []
    (author.root / PLACE).unlink()
    assert watch.look()[0] == []
    assert trusted(author) == ["one", "two", "three"]


def _stash_pop(root: Path) -> Iterator[None]:
    put(root, PLACE, word("theirs"))
    git(root, "stash", "-q")
    yield
    git(root, "stash", "pop", "-q")


def _stash_pop_untracked(root: Path) -> Iterator[None]:
    put(root, PLACE, word("theirs"))
    put(root, ".ai/hooks/scripts/lib.sh", "")
    git(root, "stash", "-q", "-u")
    yield
    git(root, "stash", "pop", "-q")


def _apply(root: Path) -> Iterator[None]:
    patch = git(root, "diff", "main", "theirs", "--", PLACE) + "\n"
    yield
    subprocess.run([*GIT, "apply", "--index"], input=patch, text=True, cwd=root, check=True)


def _rebase(root: Path) -> Iterator[None]:
    put(root, "mine", "x")
    commit(root)
    yield
    git(root, "rebase", "-q", "theirs")


def _by(*words: str) -> Callable[[Path], Iterator[None]]:
    def run(root: Path) -> Iterator[None]:
        yield
        git(root, *words)

    return run


BRINGS: dict[str, Callable[[Path], Iterator[None]]] = {
    "checkout": _by("checkout", "-q", "theirs"),
    "switch --detach": _by("switch", "-q", "--detach", "theirs"),
    "checkout of a file": _by("checkout", "theirs", "--", PLACE),
    "restore": _by("restore", "--source=theirs", "--staged", "--worktree", PLACE),
    "merge": _by("merge", "-q", "theirs"),
    "pull": _by("pull", "-q", "--ff-only", ".", "theirs"),
    "cherry-pick": _by("cherry-pick", "theirs"),
    "reset": _by("reset", "-q", "--hard", "theirs"),
    "read-tree": _by("read-tree", "-m", "-u", "HEAD", "theirs"),
    "rebase": _rebase,
    "apply --index": _apply,
    "stash pop": _stash_pop,
    "stash pop, untracked files too": _stash_pop_untracked,
}
"""What brings another content: what comes before the watch begins, and then what git does."""


@pytest.mark.parametrize("how", BRINGS)
def test_what_git_brings_is_not_trusted_and_ends_it(author: Desk, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trustwatch, "refresh", lambda *given: None)
    moves = BRINGS[how](author.root)
    next(moves)
    watch = Watch(str(author.store), str(author.root), [KEY], "person")
    assert watch.look()[0] == []
    assert next(moves, None) is None
    assert "theirs" in (author.root / PLACE).read_text()
    with pytest.raises(MovedByGit):
        watch.look()
    assert trusted(author) == ["one"]


@pytest.mark.parametrize("end", ["finished", "killed"])
def test_what_git_is_just_writing_is_not_trusted(author: Desk, watch: Watch, end: str) -> None:
    """Git writes the tree first, and moves index and HEAD when all of it is there."""
    git(author.root, "config", "filter.slow.smudge", "sleep 3; cat")
    (author.root / ".git/info/attributes").write_text("*.slow filter=slow\n")
    slow = subprocess.Popen([*GIT, "checkout", "-q", "theirs"], cwd=author.root, start_new_session=True)
    while "theirs" not in (author.root / PLACE).read_text():
        assert slow.poll() is None
        time.sleep(0.01)
    assert watch.look()[0] == [], "the lock is there, nothing moved yet"
    if end == "killed":
        os.killpg(slow.pid, signal.SIGKILL)
    slow.wait()
    (author.root / ".git/index.lock").unlink(missing_ok=True)
    with pytest.raises(MovedByGit):
        watch.look()
    assert trusted(author) == ["one"]


# --- as a command --------------------------------------------------------------------------------------------------


class Terminal:
    """A command that a person started in a terminal, and that goes on."""

    def __init__(self, desk: Desk, *words: str) -> None:
        self.said = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(desk.root)
            os.execve(sys.executable, desk.command(*words), {**desk.env, "TERM": "dumb", "COLUMNS": "200"})

    def until(self, text: str) -> None:
        while text.encode() not in self.said:
            assert select.select([self.fd], [], [], 30)[0], self.said
            self.said += os.read(self.fd, 4096)

    def end(self) -> int:
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.fd)
        return code


SCREENS = ("status", "doctor", "hooks", "compile", "trust", "log")


def shown(desk: Desk, name: str) -> str:
    done = subprocess.run(
        desk.command(name), env={**desk.env, "COLUMNS": "300"}, cwd=desk.root, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, start_new_session=True, timeout=60, check=False,
    )  # fmt: skip
    return " ".join(done.stdout.split())


def watching(desk: Desk) -> Terminal:
    made = Terminal(desk, "trust", "--watch", "say.sh")
    made.until("[y/N]")
    os.write(made.fd, b"y\n")
    made.until("what you save is trusted at once")
    return made


def test_as_long_as_it_runs_every_screen_says_so(author: Desk) -> None:
    author.begin()
    line = f"{PLACE} trusted as saved, by `jackline trust --watch`"

    def screens() -> list[str]:
        return [name for name in SCREENS if line in shown(author, name)]

    first = watching(author)
    put(author.root, PLACE, word("two"))
    first.until(f"trusted {PLACE}")
    assert screens() == [*SCREENS]
    os.kill(first.pid, signal.SIGKILL)
    first.end()
    assert screens() == []
    put(author.root, PLACE, word("three"))
    second = watching(author)
    second.until(f"trusted {PLACE}")
    git(author.root, "checkout", "-q", "-f", "theirs")
    second.until("git moved HEAD or the index")
    assert second.end() == 0
    assert trusted(author) == ["one", "two", "three"]
    assert list((author.store / "watch").iterdir()) == []
