"""What a person trusted stays in force until a person changes it: every kind of unit in every state (design 5a).

A new kind of unit is one row in `unit_kinds.KINDS`, a new state one row of the table here.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline.compiler import trust
from jackline.compiler.trust_state import is_digest_of
from jackline.staleness import fresh

from .project import Project
from .unit_kinds import KINDS, SCRIPTS, Kind, commit, git, put, remove, script, scripts, write

# --- the states ----------------------------------------------------------------------------------------------------


def nothing_happens(project: Project, kind: Kind) -> None: ...


def changed(project: Project, kind: Kind) -> None:
    write(project, kind, "two")


def committed_change(project: Project, kind: Kind) -> None:
    write(project, kind, "two")
    commit(project.root)


def unreadable(project: Project, kind: Kind) -> None:
    (project.root / kind.main).unlink()
    (project.root / kind.main).mkdir()


def too_large(project: Project, kind: Kind) -> None:
    with (project.root / kind.main).open("a") as file:
        file.write("\n" * (1 << 21))


def a_link_out(project: Project, kind: Kind) -> None:
    place = project.root / kind.main
    place.rename(project.root.parent / "outside")
    place.symlink_to(project.root.parent / "outside")


def gone(project: Project, kind: Kind) -> None:
    remove(project, kind)


def gone_from_the_branch(project: Project, kind: Kind) -> None:
    remove(project, kind)
    commit(project.root)


def gone_by_a_switch(project: Project, kind: Kind) -> None:
    git(project.root, "checkout", "-q", "empty")
    for name in kind.around:
        git(project.root, "checkout", "-q", "main", "--", name)


def gone_then_back(project: Project, kind: Kind) -> None:
    gone_by_a_switch(project, kind)
    project.publish()
    git(project.root, "checkout", "-q", "-f", "main")


def gone_with_the_repository(project: Project, kind: Kind) -> None:
    """Whoever takes `.git` away makes no other repository of it."""
    (project.root / ".git").rename(project.root / "no-git")
    remove(project, kind)


def gone_before_the_commit(project: Project, kind: Kind) -> None:
    """The deletion is seen by an event first, and then committed: HEAD moved between one with it and one without."""
    remove(project, kind)
    project.publish()
    commit(project.root)


def gone_from_an_unborn_branch(project: Project, kind: Kind) -> None:
    git(project.root, "checkout", "-q", "--orphan", "void")
    remove(project, kind)


State = Callable[[Project, Kind], None]

STATES: dict[State, tuple[str, str, str]] = {
    # what happens: what is in force of a feature or script, of configuration, of a text
    nothing_happens: ("one", "one", "one"),
    changed: ("one", "one tight", ""),
    committed_change: ("one", "one tight", ""),
    unreadable: ("one", "one", ""),
    too_large: ("one", "one", ""),
    a_link_out: ("one", "one", ""),
    gone: ("one", "one", ""),
    gone_from_the_branch: ("", "one", ""),
    gone_by_a_switch: ("", "one", ""),
    gone_then_back: ("one", "one", "one"),
    gone_with_the_repository: ("one", "one", ""),
    gone_before_the_commit: ("", "one", ""),
    gone_from_an_unborn_branch: ("one", "one", ""),
}
"""Of a unit whose word `one` is committed and trusted; `two` tightens, where it is configuration."""

COLUMNS = ("program", "configuration", "text")


def force(project: Project, kind: Kind) -> str:
    return kind.in_force(project.publish(), project.root)


def begin(project: Project, kind: Kind, word: str = "one") -> None:
    """A repository with a branch that has nothing, and the unit committed and trusted on `main`."""
    git(project.root, "init", "-q", "-b", "main")
    (project.root / "README").write_text("x")
    commit(project.root)
    git(project.root, "branch", "empty")
    write(project, kind, word)
    commit(project.root)
    project.trust()
    assert force(project, kind).split()[0] == word


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_what_is_in_force(project: Project, kind: Kind, state: State) -> None:
    begin(project, kind)
    state(project, kind)
    expected = kind.expected(STATES[state][COLUMNS.index(kind.column)])
    assert force(project, kind) == expected
    assert force(project, kind) == expected, "and at the next event"
    told = [row for row in project.publish().report()["units"] if row[:2] == kind.key]
    is_told = state not in (nothing_happens, gone_then_back) and not (expected == "" and "gone" in state.__name__)
    assert bool(told) is is_told or kind.column == "text"


# --- HEAD moved more than once since a compile last looked ------------------------------------------------------------


def committed_and_taken_back(project: Project, kind: Kind) -> None:
    """The author says yes before the commit."""
    commit(project.root)
    gone_from_the_branch(project, kind)


def committed_on_another_branch(project: Project, kind: Kind) -> None:
    """HEAD is again where it was when a compile last looked."""
    git(project.root, "checkout", "-q", "-b", "mine")
    commit(project.root)
    git(project.root, "checkout", "-q", "main")


def never_committed(project: Project, kind: Kind) -> None:
    remove(project, kind)
    git(project.root, "commit", "-q", "--allow-empty", "-m", "another matter")


def forgotten(project: Project, kind: Kind) -> None:
    """Git knows no more where HEAD was."""
    committed_and_taken_back(project, kind)
    git(project.root, "reflog", "expire", "--expire=now", "--all")


UNSEEN: dict[State, str] = {
    committed_and_taken_back: "",
    committed_on_another_branch: "",
    never_committed: "one",
    forgotten: "one",
}
"""What is in force of a unit that a person trusted before it was in any commit."""


@pytest.mark.parametrize("state", UNSEEN, ids=lambda state: state.__name__)
@pytest.mark.parametrize("born", [False, True], ids=["before the first commit", "later"])
def test_moves_that_no_compile_saw(project: Project, state: State, born: bool) -> None:
    born = born or state is committed_on_another_branch  # there has to be a branch to go back to
    kind = next(one for one in KINDS if one.column == "program")
    git(project.root, "init", "-q", "-b", "main")
    if born:
        git(project.root, "commit", "-q", "--allow-empty", "-m", "first")
    write(project, kind, "one")
    project.trust()
    assert force(project, kind) == "one"
    state(project, kind)
    assert force(project, kind) == UNSEEN[state]
    assert force(project, kind) == UNSEEN[state], "and at the next event"


BROKEN = [(kind, data) for kind in KINDS for data in kind.broken]


@pytest.mark.parametrize(("kind", "data"), BROKEN, ids=lambda one: getattr(one, "name", repr(one)[:30]))
def test_a_broken_unit_stays_as_it_was_trusted(project: Project, kind: Kind, data: str) -> None:
    begin(project, kind)
    put(project.root, kind.main, data)
    for _ in ("in the tree", "committed"):
        assert force(project, kind) == ("" if kind.column == "text" else "one")
        told = [row for row in project.publish().report()["units"] if row[:2] == kind.key]
        assert len(told) == 1, told
        commit(project.root)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("where", ["at HEAD", "in the tree"])
def test_older_content(project: Project, kind: Kind, where: str) -> None:
    """A feature or script runs in an older form only where HEAD holds that."""
    begin(project, kind)
    write(project, kind, "two")
    commit(project.root)
    project.trust()
    assert force(project, kind).split()[0] == "two"
    if where == "at HEAD":
        git(project.root, "checkout", "-q", "HEAD~")
        expected = {"program": "one", "configuration": "two tight", "text": ""}
    else:
        write(project, kind, "one")
        expected = {"program": "two", "configuration": "two tight", "text": ""}
    assert force(project, kind) == kind.expected(expected[kind.column])
    assert force(project, kind) == kind.expected(expected[kind.column])
    assert [row[:2] for row in project.publish().report()["units"]] == [kind.key]
    git(project.root, "checkout", "-q", "-f", "main")
    assert force(project, kind).split()[0] == "two"
    assert project.publish().told == ()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.elsewhere], ids=lambda kind: kind.name)
def test_what_moved_goes_on_from_its_new_place(project: Project, kind: Kind) -> None:
    begin(project, kind)
    place = project.root / kind.elsewhere
    place.parent.mkdir(parents=True, exist_ok=True)
    (project.root / kind.main).rename(place)
    if kind.main.rpartition("/")[0] != kind.elsewhere.rpartition("/")[0]:
        (project.root / kind.main).parent.rmdir()
    assert force(project, kind) == "one"
    (row,) = project.publish().report()["units"]
    assert row[2] == "moved" and kind.key[1] in row[-1]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_what_nobody_trusted_does_nothing_and_changes_nothing(project: Project, kind: Kind) -> None:
    for name, content in kind.around.items():
        put(project.root, name, content)
    project.trust()
    assert force(project, kind) == ""
    write(project, kind, "two")
    assert force(project, kind) == kind.expected("tight" if kind.column == "configuration" else "")
    told = {row[:3] for row in project.publish().report()["units"]}
    named = {("configuration", ".ai/hooks/two.json", "new")} if kind.name == "workspace.json" else set()
    assert told == {(*kind.key, "new")} | named
    project.trust()
    assert force(project, kind).split()[0] == "two" and project.publish().told == ()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.helper], ids=lambda kind: kind.name)
@pytest.mark.parametrize("how", ["changed", "gone", "unreadable"])
def test_an_input_is_part_of_what_was_trusted(project: Project, kind: Kind, how: str) -> None:
    begin(project, kind)
    if how == "changed":
        put(project.root, kind.helper, kind.files("two")[kind.helper])
    else:
        (project.root / kind.helper).unlink()
    if how == "unreadable":
        (project.root / kind.helper).mkdir()
    assert force(project, kind) == "one"
    (row,) = project.publish().report()["units"]
    assert row[:3] == (*kind.key, "changed")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_whether_a_scripts_files_may_be_executed_is_part_of_it(project: Project, kind: Kind) -> None:
    """A script, and whatever it works with, runs as it was; of what is loaded or read alone nothing depends on it."""
    begin(project, kind)
    for name in kind.files("one"):
        before = project.publish()
        path = project.root / name
        path.chmod(path.stat().st_mode ^ 0o111)
        assert fresh(before) == "stale" or kind.key[0] != "script"
        told = [(*kind.key, "changed")] if kind.key[0] == "script" else []
        assert force(project, kind) == "one"
        assert [row[:3] for row in project.publish().report()["units"]] == told
        path.chmod(path.stat().st_mode ^ 0o111)
        assert (force(project, kind), project.publish().told) == ("one", ())


def _flip(path: Path) -> None:
    path.chmod(path.stat().st_mode ^ 0o111)


RUN_PARTS = 'for one in "$(dirname "$0")"/parts/*; do [ -x "$one" ] && "$one"; done; true'


def test_a_copy_may_execute_what_was_executable_and_no_more(project: Project) -> None:
    for name, content in {
        f"{SCRIPTS}/say.sh": script("event: PreToolUse", body=RUN_PARTS),
        f"{SCRIPTS}/parts/a": "#!/bin/sh\necho one\n",
        f"{SCRIPTS}/parts/b": "#!/bin/sh\necho two\n",
    }.items():
        put(project.root, name, content)
    _flip(project.root / SCRIPTS / "parts/b")
    project.trust()
    assert scripts(project.publish(), project.root) == "one"
    for name in ("parts/a", "parts/b", "say.sh"):
        _flip(project.root / SCRIPTS / name)
        assert scripts(project.publish(), project.root) == "one"


def test_what_a_person_did_not_read_as_a_nodes_program_does_not_become_it(project: Project) -> None:
    """Which file beside a note is its program depends on what may be executed: no byte has to change for another."""
    put(project.root, ".config/gate/spec.md", "---\nsurface: hook\nevents: [PreToolUse]\n---\n")
    put(project.root, ".config/gate/check.sh", "echo one\n")
    put(project.root, ".config/gate/gate", "echo two\n")
    project.trust()
    assert scripts(project.publish(), project.root) == "one"
    _flip(project.root / ".config/gate/gate")
    assert scripts(project.publish(), project.root) == "one"


def test_what_becomes_executable_becomes_no_new_script(project: Project) -> None:
    path = project.root / SCRIPTS / "say.sh"
    put(project.root, f"{SCRIPTS}/say.sh", script("event: PreToolUse", body="echo one").partition("\n")[2])
    _flip(path)
    project.trust()
    assert scripts(project.publish(), project.root) == ""
    _flip(path)
    table = project.publish()
    assert scripts(table, project.root) == ""
    assert [row[:3] for row in table.report()["units"]] == [("script", f"{SCRIPTS}/say.sh", "new")]


def test_another_place_and_another_mode_is_no_move(project: Project) -> None:
    put(project.root, f"{SCRIPTS}/say.sh", script("event: PreToolUse", body="echo one"))
    project.trust()
    project.publish()
    place = project.root / SCRIPTS / "tell.sh"
    (project.root / SCRIPTS / "say.sh").rename(place)
    _flip(place)
    table = project.publish()
    assert scripts(table, project.root) == "one" and "/trusted/" in table.scripts("PreToolUse")[0].path
    assert [row[2] for row in table.report()["units"]] == ["gone", "new"]


@pytest.mark.parametrize("place", ["deep/say.sh", "deep/lib.sh"])
def test_what_moved_away_from_what_it_works_with_is_no_move(project: Project, place: str) -> None:
    """The same bytes would find another file at their new place, or themselves, or none."""
    kind = next(kind for kind in KINDS if kind.name == "script that sources")
    begin(project, kind)
    path = project.root / SCRIPTS / place
    path.parent.mkdir()
    (project.root / kind.main).rename(path)
    assert force(project, kind) == "one"
    assert [row[2] for row in project.publish().report()["units"]] == ["new", "gone"]


def test_a_digest_of_an_earlier_version_means_the_same_content(project: Project) -> None:
    put(project.root, f"{SCRIPTS}/say.sh", script("event: PreToolUse", body="echo one"))
    found = project.survey()
    names = [one.unit.files for one in found.standings if one.unit]
    older = trust.digest_of(names[0])
    assert older != found.digest
    assert is_digest_of(older, found.standings) and is_digest_of(found.digest, found.standings)
    put(project.root, f"{SCRIPTS}/say.sh", script("event: PreToolUse", body="echo two"))
    assert not is_digest_of(older, project.survey().standings)


def test_what_an_earlier_version_did_not_look_at_changes_nothing(project: Project) -> None:
    """A book without a word on what may be executed: everything fits, and a copy starts."""
    path = project.root / SCRIPTS / "say.sh"
    put(project.root, f"{SCRIPTS}/say.sh", script("event: PreToolUse", body="echo one"))
    project.trust()
    book = trust.Book(str(project.store))
    for versions in book.data["repos"][trust.key_of(str(project.root))]["units"].values():
        for version in versions:
            del version["more"][trust.EXECUTABLE]
    book.save()
    _flip(path)
    assert (scripts(project.publish(), project.root), project.publish().told) == ("one", ())
    path.write_text("")
    assert scripts(project.publish(), project.root) == "one"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_lost_copy_loosens_nothing_and_is_said(project: Project, kind: Kind) -> None:
    """Where the trusted copy cannot be had, a program holds its calls."""
    begin(project, kind)
    for path in (project.store / trust.COPIES).glob("*"):
        if path.is_file():
            path.unlink()
    assert force(project, kind) == "one", "what is there is still what was trusted"
    write(project, kind, "two")
    assert force(project, kind) == kind.expected("tight" if kind.column == "configuration" else "")
    assert bool(project.publish().holds) is (kind.column == "program")


def _others(kind: Kind) -> dict[str, str]:
    """Files of every other kind, under names of their own where they are programs; no configuration, it may tighten."""
    taken = {*kind.files("one"), *kind.around}
    found: dict[str, str] = {}
    for other in KINDS:
        if other.column != "configuration" and not other.helper:
            found |= {name: content for name, content in other.files("two").items() if name not in taken}
    return found | {".config/gate/aa/spec.md": "---\nsurface: hook\nevents: [PreToolUse]\n---\n",
                    ".config/gate/aa/say.sh": "#!/bin/sh\necho two\n"}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_strangers_units_leave_the_others_as_they_are(project: Project, kind: Kind) -> None:
    """No name, key, order or row of what is trusted moves because of files that nobody trusted."""
    begin(project, kind)
    before = project.publish()
    for name, content in _others(kind).items():
        put(project.root, name, content)
    after = project.publish()
    assert force(project, kind) == "one"
    assert (after._scripts, after.orders, after._guidance) == (before._scripts, before.orders, before._guidance)
    assert after._features == before._features
    told = [row[:3] for row in after.report()["units"]]
    assert kind.key not in [row[:2] for row in told] and {row[2] for row in told} == {"new"}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.column == "program"], ids=lambda kind: kind.name)
def test_without_git_gone_is_changed_and_git_init_makes_nobody_a_stranger(project: Project, kind: Kind) -> None:
    write(project, kind, "one")
    project.trust()
    assert force(project, kind) == "one"
    remove(project, kind)
    assert force(project, kind) == "one"
    write(project, kind, "one")
    git(project.root, "init", "-q", "-b", "main")
    assert force(project, kind) == "one"
    remove(project, kind)
    assert force(project, kind) == "one"


def test_what_has_no_effect_yet_needs_no_word(project: Project) -> None:
    """Policies of features to come (docs/contract.md): the feature that reads them makes units of them."""
    before = project.publish()
    project.write("rlm-policy.json", {"version": 1, "defaultMode": "deny"})
    rule = {"id": "a", "trigger": {"event": "PreToolUse"}, "followup": {"action": "warn"}}
    project.write("followup-rules.json", {"version": 1, "rules": [rule]})
    after = project.publish()
    assert (after.faults, project.survey().standings) == ((), ())
    assert (after.orders, after._features, after._scripts) == (before.orders, before._features, before._scripts)


def test_a_persons_yes_to_one_unit_is_to_that_one_alone(project: Project, tmp_path: Path) -> None:
    kinds = [kind for kind in KINDS if kind.name in ("feature", "node", "text")]
    for kind in kinds:
        write(project, kind, "one")
    found = project.survey()
    (unit,) = [one.unit for one in found.waiting if one.key == kinds[1].key]
    assert unit is not None
    trust.trust(str(project.store), str(project.root), [unit], "person")
    table = project.publish()
    assert [kind.in_force(table, project.root) for kind in kinds] == ["", "one", ""]


# --- the hooks of a sub-folder: a part of its repository, trusted by itself ------------------------------------------


def switched_to_a_branch_without_the_folder(project: Project, kind: Kind) -> None:
    git(project.root.parent.parent, "checkout", "-q", "empty")
    assert not project.root.exists()


def the_folder_removed(project: Project, kind: Kind) -> None:
    shutil.rmtree(project.root)


def the_repository_taken_away(project: Project, kind: Kind) -> None:
    top = project.root.parent.parent
    (top / ".git").rename(top / "no-git")


def a_repository_made_in_it(project: Project, kind: Kind) -> None:
    git(project.root, "init", "-q", "-b", "main")


BELOW: dict[State, str] = {
    nothing_happens: "one",
    changed: "one",
    committed_change: "one",
    gone: "one",
    gone_from_the_branch: "",
    switched_to_a_branch_without_the_folder: "",
    the_folder_removed: "one",
    the_repository_taken_away: "one",
    a_repository_made_in_it: "one",
}


@pytest.mark.parametrize("state", BELOW, ids=lambda state: state.__name__)
def test_a_sub_folder_is_of_its_repository(project: Project, state: State) -> None:
    """What HEAD says of the repository, it says of the hooks of a sub-folder; the repository's own are others."""
    (kind,) = [kind for kind in KINDS if kind.name == "feature"]
    top = project.root
    project.root = top / "apps/web"
    git(top, "init", "-q", "-b", "main")
    (top / "README").write_text("x")
    commit(top)
    git(top, "branch", "empty")
    write(project, kind, "one")
    commit(top)
    project.trust()
    assert force(project, kind) == "one"
    state(project, kind)
    assert force(project, kind) == BELOW[state]
    assert force(project, kind) == BELOW[state], "and at the next event"


def test_trust_in_a_sub_folder_holds_in_all_worktrees(project: Project) -> None:
    (kind,) = [kind for kind in KINDS if kind.name == "feature"]
    top = project.root
    project.root = top / "apps/web"
    git(top, "init", "-q", "-b", "main")
    write(project, kind, "one")
    commit(top)
    project.trust()
    git(top, "worktree", "add", "-q", str(top.parent / "other"))
    project.root = top.parent / "other/apps/web"
    assert force(project, kind) == "one"
    project.root = top.parent / "other"
    write(project, kind, "one")
    assert force(project, kind) == "", "the same name at the top is another unit"
