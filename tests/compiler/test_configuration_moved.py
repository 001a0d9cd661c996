"""Configuration that `workspace.json` moves: what was trusted for a role stays in force, for that role alone (5a)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackline.compiler import trust
from jackline.hook_table import HookTable
from jackline.jsonio import dumps

from .project import Project
from .unit_kinds import KINDS, Kind, put

HOOKS = ".ai/hooks"
WORKSPACE = f"{HOOKS}/workspace.json"
BY_ROLE = {
    "manifestFile": next(kind for kind in KINDS if kind.name == "manifest"),
    "configFile": next(kind for kind in KINDS if kind.name == "config.json"),
}


def trust_one(project: Project, place: str) -> None:
    """A person's yes to one file."""
    (unit,) = [one.unit for one in project.survey().waiting if one.key[1] == place]
    assert unit is not None
    trust.trust(str(project.store), str(project.root), [unit], "person")


def names(project: Project, **said: str) -> None:
    put(project.root, WORKSPACE, dumps({"version": 2, "hooks": said}))


def units(table: HookTable) -> list[tuple[str, str]]:
    return [(row[1].removeprefix(f"{HOOKS}/"), row[2]) for row in table.report()["units"]]


def stays(project: Project, kind: Kind) -> None: ...


def changes(project: Project, kind: Kind) -> None:
    put(project.root, f"{HOOKS}/new.json", kind.files("two")[kind.main])


def breaks(project: Project, kind: Kind) -> None:
    put(project.root, f"{HOOKS}/new.json", "{")


def vanishes(project: Project, kind: Kind) -> None:
    (project.root / HOOKS / "new.json").unlink()


STATES: dict[Callable[[Project, Kind], None], tuple[str, str]] = {
    # what becomes of it at its new place: what counts, and what is told
    stays: ("one", "moved"),
    changes: ("one tight", "changed"),
    breaks: ("one", "broken"),
    vanishes: ("one", "gone"),
}


@pytest.mark.parametrize("role", BY_ROLE)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_what_was_trusted_counts_from_its_new_place(
    project: Project, role: str, state: Callable[[Project, Kind], None]
) -> None:
    kind = BY_ROLE[role]
    put(project.root, kind.main, kind.files("one")[kind.main])
    project.trust()
    assert kind.in_force(project.publish(), project.root) == "one"
    (project.root / kind.main).rename(project.root / HOOKS / "new.json")
    names(project, **{role: "new.json"})
    assert kind.in_force(project.publish(), project.root) == "one", "nobody trusted the move"
    trust_one(project, WORKSPACE)
    project.publish()
    state(project, kind)
    for _ in ("now", "at the next event"):
        table = project.publish()
        assert (kind.in_force(table, project.root), units(table)) == (
            STATES[state][0],
            [("new.json", STATES[state][1])],
        )
    if state in (stays, changes):
        project.trust()
        word = "one" if state is stays else "two tight"
        assert (kind.in_force(project.publish(), project.root), project.publish().told) == (word, ())


@pytest.mark.parametrize("content", [{}, {"enforcePhases": True}], ids=["nothing", "something else"])
def test_what_a_strangers_file_tightened_and_says_no_more_is_told(project: Project, content: dict[str, bool]) -> None:
    project.manifest({"prompts": "off"})
    assert project.publish().told == ()
    project.manifest(content)
    table = project.publish()
    assert (table.prompts, units(table)) == ("off", [("dispatch.manifest.json", "new")])
    project.trust()
    assert (project.publish().prompts, project.publish().told) == ("hash", ())


def test_what_moved_to_where_nothing_is_stays(project: Project) -> None:
    project.manifest({"budgets": {"Stop": 71}})
    project.trust()
    project.publish()
    (project.hooks / "dispatch.manifest.json").unlink()
    names(project, manifestFile="new.json")
    trust_one(project, WORKSPACE)
    table = project.publish()
    assert (table.budget("Stop"), units(table)) == (71, [("new.json", "gone")])
    project.trust()
    assert project.publish().budget("Stop") != 71 and project.publish().told == ()


def test_what_a_strangers_file_tightened_stays_where_it_moved_to(project: Project) -> None:
    project.manifest({"prompts": "off"})
    assert project.publish().prompts == "off"
    (project.hooks / "dispatch.manifest.json").unlink()
    names(project, manifestFile="new.json")
    trust_one(project, WORKSPACE)
    assert project.publish().prompts == "off"
    project.write("new.json", {})
    assert project.publish().prompts == "off"
    project.trust()
    assert project.publish().prompts == "hash"


EMPTY = "{}"
"""Right for every role."""


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("dispatch.manifest.json", "new.json", {"configFile": "new.json"}),
        ("config.json", "new.json", {"manifestFile": "new.json"}),
        ("config.json", "config.json", {"manifestFile": "config.json", "configFile": "dispatch.manifest.json"}),
        ("hooks.local.json", "new.json", {"manifestFile": "new.json"}),
        ("hooks.local.json", "new.json", {"configFile": "new.json"}),
        ("hooks.local.json", "dispatch.manifest.json", {}),
        ("dispatch.manifest.json", "hooks.local.json", {}),
        ("config.json", "hooks.local.json", {}),
    ],
)
def test_nothing_stands_in_for_a_file_of_another_role(
    project: Project, before: str, after: str, said: dict[str, str]
) -> None:
    """A yes to the same bytes, for something else, is none."""
    project.write(before, {"version": 1})
    names(project)
    project.trust()
    trust_one_config(project, before)
    project.publish()
    (project.hooks / before).rename(project.hooks / after)
    names(project, **said)
    trust_one(project, WORKSPACE) if said else None
    found = {one.key[1]: one.state for one in project.survey().standings}
    assert found.get(f"{HOOKS}/{after}", "new") == "new"


def trust_one_config(project: Project, name: str) -> None:
    """A yes to configuration that needs none, since it loosens nothing."""
    place = f"{HOOKS}/{name}"
    data = (project.root / place).read_bytes()
    role = {"dispatch.manifest.json": "manifest", "config.json": "config", "hooks.local.json": "local"}[name]
    unit = trust.Unit("configuration", place, {place: data}, more={"role": role})
    trust.trust(str(project.store), str(project.root), [unit], "person")


@pytest.mark.parametrize("name", ["hooks.local.json", "workspace.json", "config.json", "rlm-policy.json"])
def test_a_file_has_one_role(project: Project, name: str) -> None:
    project.manifest({"budgets": {"Stop": 71}})
    project.trust()
    names(project, manifestFile=name)
    project.write(name, {"modules": {"session": {"mayApprove": True}}}) if name != "workspace.json" else None
    project.trust()
    made = project.compile()
    assert any("a file of its own" in fault for fault in made.table.faults), made.table.faults
    assert made.table.budget("Stop") == 71


def test_what_another_worktree_had_does_not_count_here(project: Project) -> None:
    """A role's earlier content is in force where it was once, or where its bytes are."""
    place = f"{HOOKS}/dispatch.manifest.json"
    data = dumps({"budgets": {"Stop": 71}}).encode()
    unit = trust.Unit("configuration", place, {place: data}, more={"role": "manifest"})
    trust.trust(str(project.store), str(project.root), [unit], "person")
    names(project, manifestFile="new.json")
    project.write("new.json", {"budgets": {"Stop": 72}})
    trust_one(project, WORKSPACE)
    before = project.publish()
    assert before.budget("Stop") not in (71, 72) and units(before) == [("new.json", "new")]
    put(project.root, f"{HOOKS}/new.json", data.decode())
    assert project.publish().budget("Stop") == 71
