"""Validators run as scripts do, once for a content, and a task waits for what it changed. All processes are real."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from jackline.services import compiled
from jackline.services.plans.acceptance import Where
from jackline.services.validators import content, due, listing, results, runs
from jackline.services.validators.listing import Validator
from jackline.services.validators.place import place
from jackline.services.validators.runs import Tree
from jackline.staleness import content as file_digest

from .together import together

GIT = ("git", "-c", "user.name=p", "-c", "user.email=p@example.org", "-c", "commit.gpgsign=false")


def git(root: Path, *words: str) -> None:
    subprocess.run([*GIT, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "a.py").write_text("good\n")
    (root / "notes.md").write_text("x\n")
    (root / ".gitignore").write_text("*.log\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")
    store = tmp_path / "store"
    store.mkdir()
    return Tree(str(store), str(root), {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})


def sh(tree: Tree, text: str, name: str = "check", **more: object) -> Validator:
    """A validator that runs a few lines of shell; each run leaves a line beside the project."""
    file = Path(tree.root).parent / f"{name}.sh"
    file.write_text(f"echo {name} >> '{Path(tree.root).parent}/ran'\n{text}\n")
    given = {"paths": ("**/*.py",), **more}
    digest = "".join(f"{ord(char):02x}" for char in name).ljust(32, "0")[:32]
    return Validator(name, ("sh", str(file)), digest, **given)  # type: ignore[arg-type]


def ran(tree: Tree) -> list[str]:
    file = Path(tree.root).parent / "ran"
    return file.read_text().split() if file.exists() else []


def write(tree: Tree, name: str, text: str) -> None:
    (Path(tree.root) / name).write_text(text)


# --- content -------------------------------------------------------------------------------------------------------


def digest(tree: Tree, *paths: str) -> str:
    return content.of(Validator("x", ("true",), "0" * 32, paths or ("**",)), content.look(tree.root, tree.env))


def test_a_content_is_the_same_committed_or_not(tree: Tree) -> None:
    before = digest(tree)
    write(tree, "a.py", "other\n")
    write(tree, "new.py", "new\n")
    changed = digest(tree)
    assert changed != before
    git(Path(tree.root), "add", "-A")
    assert digest(tree) == changed, "staged"
    git(Path(tree.root), "commit", "-q", "-m", "y")
    assert digest(tree) == changed, "committed"
    git(Path(tree.root), "revert", "--no-edit", "HEAD")
    assert digest(tree) == before


def test_only_files_of_its_globs_count(tree: Tree) -> None:
    before = digest(tree, "**/*.py")
    write(tree, "notes.md", "other\n")
    write(tree, "build.log", "ignored by git\n")
    assert digest(tree, "**/*.py") == before
    assert digest(tree, "**", "!notes.md") == digest(tree, "**", "!*.md")
    write(tree, "b.py", "")
    assert digest(tree, "**/*.py") != before
    (Path(tree.root) / "b.py").unlink()
    assert digest(tree, "**/*.py") == before
    os.chmod(f"{tree.root}/a.py", 0o755)
    (Path(tree.root) / "a.py").unlink()
    assert digest(tree, "**/*.py") != before


def test_without_git_the_tree_is_walked(tree: Tree) -> None:
    (Path(tree.root) / ".git").rename(f"{tree.root}/../git")
    before = digest(tree, "**/*.py")
    write(tree, "a.py", "other\n")
    assert digest(tree, "**/*.py") != before


# --- one run -------------------------------------------------------------------------------------------------------


def test_red_turns_green_when_the_content_changes_and_nothing_is_computed_twice(tree: Tree) -> None:
    one = sh(tree, "cat a.py; grep -q good a.py")
    assert runs.compute(one, tree).ok  # type: ignore[union-attr]
    write(tree, "a.py", "bad\n")
    for _ in range(2):
        red = runs.compute(one, tree)
        assert red is not None and (red.ok, red.exit, red.digest) == (False, 1, "bad")
    write(tree, "a.py", "good\n")
    assert runs.compute(one, tree).ok  # type: ignore[union-attr]
    assert ran(tree) == ["check", "check"]


def test_another_row_is_another_result(tree: Tree) -> None:
    one = sh(tree, "true")
    runs.compute(one, tree)
    runs.compute(one._replace(digest="f" * 32), tree)
    assert len(ran(tree)) == 2


def test_what_is_red_runs_once_more_where_a_person_asks(tree: Tree) -> None:
    one = sh(tree, f"test -e '{tree.store}/there'")
    assert not runs.compute(one, tree).ok  # type: ignore[union-attr]
    Path(tree.store, "there").touch()
    assert not runs.compute(one, tree).ok  # type: ignore[union-attr]
    assert runs.compute(one, tree, again=True).ok  # type: ignore[union-attr]
    runs.compute(one, tree, again=True)
    assert len(ran(tree)) == 2


def test_one_that_hangs_is_ended_with_all_it_started(tree: Tree) -> None:
    beside = Path(tree.root).parent / "pid"
    one = sh(tree, f"sleep 1000 & echo $! > '{beside}'; echo waiting; wait", timeout=1)
    made = runs.compute(one, tree)
    assert made is not None and made.late and not made.ok and made.word.startswith("did not end in")
    assert "waiting" in made.output
    pid = int(beside.read_text())
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(pid, 0)
            time.sleep(0.05)


def test_words_are_words_and_no_shell_reads_them(tree: Tree) -> None:
    one = Validator("x", ("echo", "$HOME; touch pwned", "`id`"), "0" * 32)
    made = runs.compute(one, tree)
    assert made is not None and made.output == "$HOME; touch pwned `id`"
    assert not Path(tree.root, "pwned").exists()


def test_it_has_the_environment_of_scripts_and_its_output_is_masked(tree: Tree) -> None:
    token = "ghp_" + "aB3dE6gH9jK2" * 3
    secret = tree._replace(env={**tree.env, "ANTHROPIC_API_KEY": "x", "MINE": "yes"})
    made = runs.compute(sh(tree, f"echo $MINE-$ANTHROPIC_API_KEY-$JACKLINE_EVENT {token}"), secret)
    assert made is not None and made.output.startswith("yes--validator ") and token not in made.output
    kept = place(tree.store, tree.root)
    assert all(token not in Path(kept, name).read_text() for name in os.listdir(kept))
    assert {Path(kept, name).stat().st_mode & 0o777 for name in os.listdir(kept)} == {0o600}


def test_a_program_that_is_not_there_is_no_verdict(tree: Tree) -> None:
    one = Validator("x", ("no-such-program",), "0" * 32)
    made = runs.compute(one, tree)
    assert made is not None and not made.ok and made.fault.startswith("no-such-program is not there")
    folder = Path(tree.root).parent / "bin"
    folder.mkdir()
    (folder / "no-such-program").write_text("#!/bin/sh\n")
    (folder / "no-such-program").chmod(0o755)
    made = runs.compute(one, tree._replace(env={**tree.env, "PATH": f"{folder}:/usr/bin:/bin"}))
    assert made is not None and made.ok


def test_a_program_of_the_project_that_changed_is_not_run(tree: Tree) -> None:
    write(tree, "check.sh", "true\n")
    wanted = listing.of_row({
        "id": "x", "command": ["sh", "check.sh"], "digest": "0" * 32,
        "program": [1, f"{tree.root}/check.sh", file_digest(f"{tree.root}/check.sh").hex()],
    })  # fmt: skip
    assert runs.compute(wanted, tree).ok  # type: ignore[union-attr]
    write(tree, "check.sh", "touch pwned\n")
    made = runs.compute(wanted, tree)
    assert made is not None and "changed since it was compiled" in made.fault
    assert not Path(tree.root, "pwned").exists()


def test_what_writes_into_its_own_files_judges_what_it_left(tree: Tree) -> None:
    made = runs.compute(sh(tree, "grep -q formatted a.py || echo formatted >> a.py"), tree)
    assert made is not None and made.ok and made.content == digest(tree, "**/*.py")
    assert len(ran(tree)) == 2
    made = runs.compute(sh(tree, "echo more >> a.py", "moving"), tree)
    assert made is not None and made.fault == runs.MOVES


# --- several -------------------------------------------------------------------------------------------------------


def test_two_at_once_compute_once(tree: Tree) -> None:
    one = sh(tree, "sleep 0.3; grep -q good a.py")

    def compute(_: int) -> int:
        made = runs.compute(one, tree, 20_000)
        return int(made is not None and made.ok)

    assert together(4, compute) == [1] * 4
    assert ran(tree) == ["check"]


def test_who_does_not_wait_is_told_that_it_runs(tree: Tree) -> None:
    one = sh(tree, f"until test -e '{tree.store}/go'; do sleep 0.05; done")
    runs.start([one], tree)
    wait(lambda: ran(tree) == ["check"])
    assert runs.compute(one, tree) is None
    assert results.is_running(tree.store, tree.root, one)
    Path(tree.store, "go").touch()
    wait(lambda: results.read(tree.store, tree.root, one, digest(tree, "**/*.py")) is not None)
    assert runs.compute(one, tree).ok  # type: ignore[union-attr]
    assert ran(tree) == ["check"]


def wait(until: object) -> None:
    for _ in range(400):
        if until():  # type: ignore[operator]
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to that")


def test_those_that_need_nothing_of_each_other_run_at_the_same_time(tree: Tree) -> None:
    """Each waits for the other to have begun."""
    meet = "touch '{0}/{1}'; until test -e '{0}/{2}'; do sleep 0.05; done"
    pairs = (("left", "right"), ("right", "left"))
    rows = [sh(tree, meet.format(tree.store, mine, other), mine, timeout=30) for mine, other in pairs]
    made = runs.compute_all(rows, tree)
    assert [one is not None and one.ok for one in made.values()] == [True, True]


def test_one_runs_after_what_it_needs_and_not_where_that_is_red(tree: Tree) -> None:
    lint = sh(tree, "grep -q good a.py", "lint")
    rows = [sh(tree, "true", "test", needs=("lint",)), lint]
    assert all(one is not None and one.ok for one in runs.compute_all(rows, tree).values())
    assert ran(tree) == ["lint", "test"]
    write(tree, "a.py", "bad\n")
    made = runs.compute_all(rows, tree)
    assert made["test"] is None and made["lint"] is not None and not made["lint"].ok
    assert ran(tree) == ["lint", "test", "lint"]


def test_a_circle_of_needs_runs_nothing_and_hangs_nowhere(tree: Tree) -> None:
    rows = [sh(tree, "true", "a", needs=("b",)), sh(tree, "true", "b", needs=("a",))]
    assert runs.compute_all(rows, tree) == {"a": None, "b": None}


# --- a task --------------------------------------------------------------------------------------------------------


@pytest.fixture
def where(tree: Tree) -> Where:
    return Where(tree.store, tree.root, "0badcafe", "w001", f"{tree.root}/.ai/tmp/0badcafe")


def begin(tree: Tree, where: Where, *rows: Validator) -> None:
    os.makedirs(f"{tree.store}/wirings", exist_ok=True)
    data = [{**row._asdict(), "program": None} for row in rows]
    from jackline.store.ids import slot

    compiled.write(tree.store, slot(tree.root), listing.KIND, "enforce", data)
    due.begin(where, tree, 1)
    for row in rows:
        if row.baseline:
            wait(lambda row=row: due.checks(where, [row])[0].result is not None)


def test_what_the_task_did_not_touch_is_not_due(tree: Tree, where: Where) -> None:
    one = sh(tree, "grep -q good a.py", baseline=False)
    begin(tree, where, one)
    assert (due.checks(where)[0].due, due.is_passed(where)) == (False, True)
    write(tree, "a.py", "good, other\n")
    assert (due.checks(where)[0].due, due.is_passed(where)) == (True, False)
    runs.compute(one, tree)
    assert due.is_passed(where)
    write(tree, "a.py", "good, again another\n")
    assert not due.is_passed(where), "an outdated result counts for nothing"


def test_what_was_red_before_the_task_holds_back_nobody_else(tree: Tree, where: Where) -> None:
    one = sh(tree, "grep -q fine a.py")
    begin(tree, where, one)
    assert ran(tree) == ["check"]
    write(tree, "a.py", "good, other\n")
    runs.compute(one, tree)
    (found,) = due.checks(where)
    assert (found.is_red, found.excused, due.is_passed(where)) == (True, True, True)
    (found,) = due.checks(where, claimed=("check",))
    assert (found.is_red, found.excused) == (True, False)


def test_of_a_row_that_was_not_looked_at_before_nothing_is_excused(tree: Tree, where: Where) -> None:
    one = sh(tree, "grep -q fine a.py", baseline=False)
    begin(tree, where, one)
    write(tree, "a.py", "good, other\n")
    runs.compute(one, tree)
    assert (due.checks(where)[0].excused, due.is_passed(where)) == (False, False)


def test_the_end_of_a_turn_is_held_three_times_a_turn(tree: Tree, where: Where) -> None:
    os.makedirs(tree.store, exist_ok=True)
    held = [due.held(where, 1) for _ in range(4)]
    assert [number for number, _ in held] == [1, 2, 3, 4]
    assert [bool(why) for _, why in held] == [False, False, False, True]
    assert due.held(where, 2) == (1, "")
