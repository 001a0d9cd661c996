"""One evaluation of the file scripts, as tables: who waits, who runs on what, who stops whom. Real trees, no doors."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from jackline.script import Outcome, Script
from jackline.scripts import changes, evaluation, messages, pending, turn
from jackline.scripts.evaluation import Evaluation
from scripts.tree import BAD, OK, Tree, reads, script, settle

FMT, LINT, TYPES = script("fmt"), script("lint"), script("types")
ALL = (FMT, LINT, TYPES)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    made = Tree(tmp_path)
    made.commit("a.py", "b.py", "README.md")
    return made


def fails(*keys: str, outcome: Outcome = BAD) -> Callable[[Script, Sequence[str]], Outcome]:
    return lambda one, files: outcome if one.key in keys else OK


# --- 001's own example ---------------------------------------------------------------------------------------------


def test_the_example_of_the_document(tree: Tree) -> None:
    """Hook-A fails, Hook-B stays pending; when A is mended both run."""
    tree.write("a.py", "1")
    made = tree.evaluate((FMT, LINT), fails("fmt"))
    assert tree.ran == [("fmt", ("a.py",))]
    assert made.failed is not None and made.failed.script is FMT and made.prompts
    assert tree.pending == ["fmt", "lint"]
    assert set(made.newly) == {"fmt", "lint"}
    tree.write("a.py", "2")
    made = tree.evaluate((FMT, LINT))
    assert tree.ran == [("fmt", ("a.py",)), ("lint", ("a.py",))]
    assert (made.failed, made.waiting, tree.pending) == (None, (), [])


def test_pending_scripts_run_although_nothing_changed(tree: Tree) -> None:
    """Whoever was cut off must not be forgotten."""
    tree.write("a.py", "1")
    tree.evaluate(ALL, fails("fmt"))
    made = tree.evaluate(ALL)
    assert [key for key, _ in tree.ran] == ["fmt", "lint", "types"]
    assert made.changed == ()
    tree.evaluate(ALL)
    assert tree.ran == []


def test_all_dirty_matches_are_given_not_only_what_changed(tree: Tree) -> None:
    tree.write("a.py", "1")
    tree.evaluate((FMT,))
    tree.write("b.py", "1")
    made = tree.evaluate((FMT,))
    assert made.changed == ("b.py",)
    assert tree.ran == [("fmt", ("a.py", "b.py"))]


def test_a_script_without_a_match_is_not_run_and_does_not_wait(tree: Tree) -> None:
    tree.write("a.py", "1")
    tree.evaluate((script("go", "*.go"), FMT), fails("fmt"))
    assert (tree.ran, tree.pending) == ([("fmt", ("a.py",))], ["fmt"])
    tree.git("checkout", "-q", "a.py")
    made = tree.evaluate((FMT,))
    assert (tree.ran, tree.pending, made.changed) == ([], [], ("a.py",))


def test_deleted_files_are_never_given(tree: Tree) -> None:
    tree.write("a.py", "1")
    (tree.root / "b.py").unlink()
    made = tree.evaluate((FMT,))
    assert made.changed == ("a.py", "b.py")
    assert tree.ran == [("fmt", ("a.py",))]
    (tree.root / "a.py").unlink()
    tree.evaluate((FMT,))
    assert (tree.ran, tree.pending) == ([], [])


def test_a_deletion_makes_a_script_run_on_what_is_left(tree: Tree) -> None:
    tree.write("a.py", "1")
    tree.write("b.py", "1")
    tree.evaluate((FMT,))
    (tree.root / "b.py").unlink()
    tree.evaluate((FMT,))
    assert tree.ran == [("fmt", ("a.py",))]


def test_a_silent_failure_stops_the_others_without_a_word(tree: Tree) -> None:
    silent = script("silent", notify=False)
    tree.write("a.py", "1")
    made = tree.evaluate((silent, LINT), fails("silent"))
    assert [key for key, _ in tree.ran] == ["silent"]
    assert made.failed is not None and not made.prompts
    assert tree.pending == ["lint", "silent"]


def test_what_could_not_be_started_waits_and_stops_nobody(tree: Tree) -> None:
    tree.write("a.py", "1")
    made = tree.evaluate((FMT, LINT), fails("fmt", outcome=Outcome(126, fault="changed since it was compiled")))
    assert [key for key, _ in tree.ran] == ["fmt", "lint"]
    assert (made.failed, made.waiting) == (None, ("fmt",))
    assert made.why == "fmt was not run: changed since it was compiled"


@pytest.mark.parametrize("waits", [False, True])
def test_a_pattern_that_nobody_can_read_stops_nobody(tree: Tree, waits: bool) -> None:
    odd = script("odd", "{1..99999}.py")
    if waits:
        pending.add(str(tree.place), ["odd"])
    tree.write("a.py", "1")
    made = tree.evaluate((odd, LINT))
    assert tree.ran == [("lint", ("a.py",))]
    assert made.why == "odd was not run: the braces of '{1..99999}.py' mean more than 1000 texts"


def test_committed_files_are_given_until_the_script_is_content(tree: Tree) -> None:
    tree.snapshot()
    tree.write("a.py", "1")
    tree.commit()
    tree.evaluate((FMT,), fails("fmt"))
    assert tree.ran == [("fmt", ("a.py",))]
    tree.evaluate((FMT,), fails("fmt"))
    assert tree.ran == [("fmt", ("a.py",))]
    tree.evaluate((FMT,))
    assert tree.ran == [("fmt", ("a.py",))]
    tree.write("b.py", "1")
    tree.evaluate((FMT,))
    assert tree.ran == [("fmt", ("b.py",))]


@pytest.mark.parametrize(
    ("baseline", "given"), [("uncommitted", ("a.py", "b.py", "c.py")), ("session", ("b.py", "c.py"))]
)
def test_baseline(tree: Tree, baseline: str, given: tuple[str, ...]) -> None:
    """`session`: what was uncommitted before the session is not the agent's, as long as nobody touches it."""
    tree.write("a.py", "1")
    tree.write("b.py", "1")
    tree.snapshot()
    tree.write("b.py", "2")
    tree.write("c.py", "1")
    one = script("fmt", baseline=baseline)
    tree.evaluate((one,))
    assert tree.ran == [("fmt", given)]
    tree.write("a.py", "2")
    tree.evaluate((one,))
    assert tree.ran == [("fmt", ("a.py", "b.py", "c.py"))]


def test_baseline_without_a_snapshot_is_all_that_is_uncommitted(tree: Tree) -> None:
    tree.write("a.py", "1")
    tree.evaluate((script("fmt", baseline="session"),))
    assert tree.ran == [("fmt", ("a.py",))]


# --- formatters ----------------------------------------------------------------------------------------------------


def test_a_formatter_looks_at_its_own_edits_once_and_is_not_brought_back(tree: Tree) -> None:
    tree.write("a.py", "1")

    def fmt(one: Script, files: Sequence[str]) -> Outcome:
        tree.write("a.py", "formatted\n")
        tree.write("made.py", "made\n")
        return OK

    tree.evaluate((FMT,), fmt)
    assert tree.ran == [("fmt", ("a.py",)), ("fmt", ("a.py", "made.py"))]
    tree.evaluate((FMT,), fmt)
    assert tree.ran == []


def test_what_a_formatter_wrote_is_looked_at_by_everybody_who_asks_for_it(tree: Tree) -> None:
    """At the end each has seen what is there. docs asks for another ending, and waits for what fmt makes of it."""
    tree.write("a.py", "1")
    lint, fmt, docs = script("1-lint"), script("2-fmt", "*.{py,md}"), script("3-docs", "*.md")

    def results(one: Script, files: Sequence[str]) -> Outcome:
        if one.key == "2-fmt":
            tree.write("a.py", "formatted\n")
            tree.write("README.md", "formatted\n")
        return OK

    tree.evaluate((lint, fmt, docs), results)
    assert tree.ran[:2] == [("1-lint", ("a.py",)), ("2-fmt", ("a.py",))]
    assert tree.ran[2:] == [
        ("1-lint", ("a.py",)), ("2-fmt", ("README.md", "a.py")), ("3-docs", ("README.md",)),
    ]  # fmt: skip
    assert tree.evaluate((lint, fmt, docs)).changed == ()
    assert tree.ran == []


@pytest.mark.parametrize("name", ["a.py", "b.py", "new.py"], ids=["given", "not given", "new"])
@pytest.mark.parametrize("while_", ["1-lint", "2-types"])
def test_what_anybody_else_changes_meanwhile_is_looked_at(tree: Tree, name: str, while_: str) -> None:
    """A person saves a file while a script runs: it is not taken for the script's work, by nobody who asks for it."""
    tree.write("a.py", "1")
    seen: dict[str, str] = {}

    def results(one: Script, files: Sequence[str]) -> Outcome:
        seen[one.key] = (tree.root / name).read_text() if name in files else ""
        if one.key == while_ and not (tree.root / "saved").exists():
            tree.write("saved")
            tree.write(name, "by a person\n")
        return OK

    tree.evaluate((script("1-lint"), script("2-types")), results)
    assert seen == {"1-lint": "by a person\n", "2-types": "by a person\n"}
    assert (tree.pending, tree.evaluate((script("1-lint"), script("2-types"))).runs) == ([], ())


def test_what_a_person_saves_while_a_script_fails_is_looked_at_by_those_before_it(tree: Tree) -> None:
    tree.write("a.py", "1")
    lint, types = script("1-lint"), script("2-types")

    def results(one: Script, files: Sequence[str]) -> Outcome:
        if one.key == "2-types":
            tree.write("a.py", "by a person\n")
            return BAD
        return OK

    assert tree.evaluate((lint, types), results).waiting == ("1-lint", "2-types")


def test_what_never_settles_waits_and_says_so(tree: Tree) -> None:
    """Two formatters that undo each other, or one that writes the time: three runs, then the next turn's end."""
    count = iter(range(100))

    def results(one: Script, files: Sequence[str]) -> Outcome:
        tree.write("a.py", f"{next(count)}\n")
        return OK

    tree.write("a.py", "1")
    found = tree.evaluate((FMT,), results)
    assert [key for key, _ in tree.ran] == ["fmt"] * evaluation.ROUNDS
    assert (found.failed, found.waiting) == (None, ("fmt",))
    assert found.why == "what fmt looks at changed during each of 3 runs; it waits for the next turn's end"


def test_what_a_generator_writes_for_others_is_looked_at_by_all_of_them(tree: Tree) -> None:
    """A script that asks for .proto writes .py: nobody who asks for .py has seen that."""
    tree.write("a.proto", "1")
    lint, gen = script("1-lint"), script("2-gen", "*.proto")

    def results(one: Script, files: Sequence[str]) -> Outcome:
        if one.key == "2-gen":
            tree.write("gen.py", "generated\n")
        return OK

    tree.evaluate((lint, gen), results)
    assert tree.ran == [("2-gen", ("a.proto",)), ("1-lint", ("gen.py",))]
    tree.evaluate((lint, gen), results)
    assert tree.ran == []


def test_scripts_that_feed_each_other_come_to_an_end(tree: Tree) -> None:
    """One writes .md for each .py, the other .py for each .md: a few rounds, then the next turn's end."""
    count = 0

    def results(one: Script, files: Sequence[str]) -> Outcome:
        nonlocal count
        count += 1
        tree.write(f"{count}.{'md' if one.key == 'py' else 'py'}", "more\n")
        return OK

    tree.write("a.py", "1")
    tree.evaluate((script("py", "*.py"), script("md", "*.md")), results)
    assert count <= 2 * evaluation.ROUNDS


def test_a_formatter_that_fails_leaves_no_change_of_its_own(tree: Tree) -> None:
    tree.write("a.py", "1")

    def results(one: Script, files: Sequence[str]) -> Outcome:
        tree.write("a.py", "half\n")
        return BAD

    tree.evaluate((FMT,), results)
    assert tree.evaluate((FMT,), fails("fmt")).changed == ()


def test_who_waited_is_not_lost_with_a_damaged_file(tree: Tree) -> None:
    tree.write("a.py", "1")
    tree.evaluate(ALL, fails("lint"))
    (tree.place / "scripts" / "status.json").write_text("{")
    tree.evaluate(ALL)
    assert [key for key, _ in tree.ran] == ["fmt", "lint", "types"]


# --- being interrupted -----------------------------------------------------------------------------------------------


def test_the_marks_are_there_before_the_script_runs(tree: Tree) -> None:
    """Whoever is killed now leaves the script pending, and the tree seen."""
    tree.write("a.py", "1")
    there: list[object] = []

    def results(one: Script, files: Sequence[str]) -> Outcome:
        there.append((tree.pending, changes.read(str(tree.place)).evaluated))
        return OK

    tree.evaluate((FMT,), results)
    assert there == [(["fmt"], True)]


def test_a_change_during_a_run_is_seen_by_the_next_evaluation(tree: Tree) -> None:
    """A file that no script which ran asks for is somebody else's change."""
    tree.write("a.py", "1")
    go = script("go", "*.go")

    def results(one: Script, files: Sequence[str]) -> Outcome:
        if one.key == "fmt":
            tree.write("new.go", "1")
        return OK

    tree.evaluate((go, FMT), results)
    assert tree.ran == [("fmt", ("a.py",)), ("go", ("new.go",))]


def test_the_person_typed_before_the_second_script(tree: Tree) -> None:
    tree.write("a.py", "1")
    answers = iter([True, False])
    made = tree.evaluate(ALL, wanted=lambda: next(answers, False))
    assert [key for key, _ in tree.ran] == ["fmt"]
    assert (made.unwanted, made.failed, made.waiting) == (True, None, ("lint", "types"))


def test_the_person_typed_while_one_ran(tree: Tree) -> None:
    tree.write("a.py", "1")
    made = tree.evaluate(ALL, fails("fmt", outcome=Outcome(-15, stopped=True)))
    assert [key for key, _ in tree.ran] == ["fmt"]
    assert (made.unwanted, made.failed, made.waiting) == (True, None, ("fmt", "lint", "types"))


@pytest.mark.parametrize(
    ("timeout", "left", "failed", "why"),
    [
        (5.0, 60.0, True, ""),
        (60.0, 5.0, False, "fmt did not end in the time there was; it waits for the next turn's end"),
        (60.0, 0.5, False, "no time was left for fmt; it waits for the end of the next turn"),
    ],
    ids=["its own time", "our time", "no time"],
)
def test_whose_time_was_over(tree: Tree, timeout: float, left: float, failed: bool, why: str) -> None:
    """A script that is late by its own timeout failed; one that we cut off did not."""
    tree.write("a.py", "1")
    made = tree.evaluate(
        (script("fmt", timeout=timeout),), fails("fmt", outcome=Outcome(-15, late=True)), left=lambda: left
    )
    assert ((made.failed is not None), made.why, made.waiting) == (failed, why, ("fmt",))


def test_scripts_that_are_not_due_only_learn_that_they_wait(tree: Tree) -> None:
    tree.write("a.py", "1")
    after = script("later", when="after")
    tree.evaluate((FMT, after), due=lambda one: one.when == "stop")
    assert ([key for key, _ in tree.ran], tree.pending) == (["fmt"], ["later"])
    tree.evaluate((FMT, after), due=lambda one: one.when == "after")
    assert ([key for key, _ in tree.ran], tree.pending) == (["later"], [])


def test_one_evaluation_at_a_time_in_a_tree(tree: Tree) -> None:
    """Whoever comes second waits, as long as he is wanted; then he finds nothing left to do."""
    tree.write("a.py", "1")
    inside, go_on = threading.Event(), threading.Event()

    def slow(one: Script, files: Sequence[str]) -> Outcome:
        inside.set()
        assert go_on.wait(10)
        return OK

    made: list[Evaluation] = []
    first = threading.Thread(target=lambda: made.append(tree.evaluate((FMT,), slow)))
    first.start()
    assert inside.wait(10)
    impatient = tree.evaluate((FMT,), left=lambda: 0.5)
    assert (impatient.why, tree.ran) == ("another evaluation is under way", [])
    assert tree.evaluate((FMT,), wanted=lambda: False).unwanted
    second = threading.Thread(target=lambda: made.append(tree.evaluate((FMT,))))
    second.start()
    time.sleep(0.1)
    go_on.set()
    first.join(10)
    second.join(10)
    assert [len(one.runs) for one in made] == [1, 0]


def test_an_unreadable_tree_says_why(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.write(".git/config", "[core\n")
    pending.add(str(tree.place), ["fmt"])
    made = tree.evaluate((FMT,))
    assert made.why.startswith("git cannot tell what changed")
    assert made.waiting == ("fmt",)


def test_unmoved_files_are_not_read_again(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        tree.write(f"{number}.py")
    settle()
    tree.evaluate(ALL)
    read = reads(monkeypatch)
    tree.write("3.py", "other")
    tree.evaluate(ALL, fails("types"))
    assert len(read) <= 4 * 2, "once a look and a script, while the clock has not ticked; nobody else"
    assert {name.rpartition("/")[2] for name in read} == {"3.py"}


# --- the message -----------------------------------------------------------------------------------------------------


def said(outcome: Outcome, **fields: object) -> str:
    one = script("go-fmt", "*.go")._replace(name="Go format check", folder=".discobot/hooks")
    return messages.failure(
        one, outcome, ["internal/server/handler.go", "internal/server/service.go"],
        path="~/.discobot/abc123/hooks/output/go-format-check.log", attempt=1, attempts=3,
    )  # fmt: skip


def test_the_documents_small_message() -> None:
    out = b"".join(
        [b"internal/server/%s.go: formatting differs from gofmt\n" % one for one in (b"handler", b"service")]
    )
    assert said(Outcome(1, out)) == (
        '[Discobot Hook Failed] "Go format check" (pattern: *.go)\n'
        "\n"
        "Files: internal/server/handler.go, internal/server/service.go\n"
        "Exit code: 1\n"
        "\n"
        "Output:\n"
        "internal/server/handler.go: formatting differs from gofmt\n"
        "internal/server/service.go: formatting differs from gofmt\n"
        "\n"
        "Please fix the issues and ensure the hook passes. (Attempt 1/3)"
    )


def test_the_documents_large_message() -> None:
    assert said(Outcome(1, b"x\n" * 847)) == (
        '[Discobot Hook Failed] "Go format check" (pattern: *.go)\n'
        "\n"
        "Files: internal/server/handler.go, internal/server/service.go\n"
        "Exit code: 1\n"
        "\n"
        "Output is large (847 lines). Full output saved to:\n"
        "  ~/.discobot/abc123/hooks/output/go-format-check.log\n"
        "\n"
        "Please read the file to see the full output and address the issues. (Attempt 1/3)"
    )


@pytest.mark.parametrize(
    ("out", "inline"),
    [
        (b"x\n" * 200, True),
        (b"x\n" * 201, False),
        (b"x" * 5120, True),
        (b"x" * 5121, False),
        ("é".encode() * 2561, False),
        (b"", True),
    ],
    ids=["200 lines", "201 lines", "5 KB", "more than 5 KB", "bytes, not letters", "nothing"],
)
def test_what_is_large(out: bytes, inline: bool) -> None:
    assert ("Output is large" not in said(Outcome(1, out))) is inline


def test_foreign_text_in_a_message() -> None:
    """Secrets masked, colours gone, what could deceive by its number; line ends and tabs stay."""
    out = "\x1b[31mred\x1b[0m\t\u202eevil\n\x07token=ghp_abcdefghijklmnopqrstuvwxyz0123\n".encode()
    text = said(Outcome(1, out))
    assert "red\t\\u202eevil\n\\x07" in text
    assert "ghp_" not in text and "***" in text
    assert said(Outcome(1, b"a" * 10, cut=True)).count("more than 1 lines") == 1


def test_names_in_a_message() -> None:
    text = messages.failure(FMT, BAD, ["a\nb.py", *[f"{n}.py" for n in range(60)]], path="p")
    assert "Files: a\\nb.py, 0.py" in text and " and 11 more\n" in text
    assert text.endswith("ensure the hook passes.")


# --- one child, in batches -------------------------------------------------------------------------------------------


def test_more_names_than_a_variable_holds(tree: Tree) -> None:
    """Batches of 100 KB; names with blanks stand in the list only; the list is gone afterwards."""
    path = tree.write(
        "check.sh",
        "#!/bin/sh\necho $JACKLINE_CHANGED_FILES | wc -w\ntr -cd '\\0' <$JACKLINE_CHANGED_FILES_LIST | wc -c\n",
    )
    path.chmod(0o755)
    from _blake2 import blake2b

    digest = blake2b(path.read_bytes(), digest_size=16).digest()
    one = script("check")._replace(path=str(path), digest=digest)
    names = [f"{'d' * 90}/{number:06}.py" for number in range(1500)] + ["a b.py"]
    run = turn.child(str(tree.place), str(tree.root), {"PATH": "/usr/bin:/bin"}, session="s")
    outcome = run(one, names, 30.0)
    counts = [int(word) for word in outcome.out.split()]
    assert outcome.ok
    assert (sum(counts[0::2]), sum(counts[1::2]), len(counts)) == (1500, 1501, 4)
    assert list((tree.place / "scripts" / "files").iterdir()) == []


def test_seen_is_plain_json(tree: Tree) -> None:
    tree.write("a.py", "1")
    tree.evaluate((FMT,))
    found = json.loads((tree.place / "scripts" / "seen.json").read_text())
    assert sorted(found) == ["at", "base", "based", "committed", "evaluated", "files", "head", "v"]
