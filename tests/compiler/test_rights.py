"""What a feature may write of the state, who says who the session is, and what of ours it works with."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from jackline.builtin import REWRITE_OWNER, builtin_table
from jackline.compiler.registry import BUILT_IN
from jackline.store.reducer import split

from .project import Project

DEFAULT = {one.name: (frozenset(one.state), one.stamps, one.needs) for one in BUILT_IN if one.default_on}


class Rights(NamedTuple):
    state: frozenset[str]
    stamps: bool
    needs: tuple[str, ...]


def rights(project: Project, slug: str) -> Rights:
    """What the compiled hook table grants a feature."""
    row = project.publish().row(slug)
    assert row is not None
    return Rights(frozenset(row.state), row.stamps, row.needs)


@pytest.mark.parametrize("slug", DEFAULT)
def test_a_built_in_feature_has_what_it_declares(project: Project, slug: str) -> None:
    row = builtin_table(str(project.store)).row(slug)
    assert row is not None
    assert rights(project, slug) == DEFAULT[slug] == (frozenset(row.state), row.stamps, row.needs)


@pytest.mark.parametrize("slug", DEFAULT)
def test_a_copy_under_its_name_has_them_too(project: Project, slug: str) -> None:
    """Also one that was ejected from a version that knew no such words."""
    project.feature(slug)
    project.trust()
    row = project.publish().row(slug)
    assert row is not None and row.origin == "project"
    assert rights(project, slug) == DEFAULT[slug]


def test_a_copy_cannot_claim_what_the_built_in_one_has_not(project: Project) -> None:
    project.feature("planGraph-exec", more=', state=["core", "plan"], stamps=True')
    project.trust()
    assert rights(project, "planGraph-exec") == Rights(frozenset({"plan"}), False, ())


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", Rights(frozenset(), False, ())),
        (', state=["notes", "counts"]', Rights(frozenset({"notes", "counts"}), False, ())),
        (', state=["core", "notes", "cap", "plan"]', Rights(frozenset({"notes"}), False, ())),
        (', state=["core"]', Rights(frozenset(), False, ())),
        (", stamps=True", Rights(frozenset(), False, ())),
        (', needs=["intents"]', Rights(frozenset(), False, ("intents",))),
    ],
    ids=["nothing", "own", "some of ours", "ours", "stamps", "needs"],
)
def test_a_foreign_feature_gets_nothing_that_is_ours(project: Project, more: str, expected: Rights) -> None:
    """An empty `state` is the part of its own name."""
    project.feature("mine", more=more)
    project.trust()
    assert rights(project, "mine") == expected


def test_no_declaration_makes_an_owner_of_rewrites(project: Project) -> None:
    project.feature("mine", more=", rewrite_owner=True")
    project.trust()
    assert project.publish().rewrite_owner == REWRITE_OWNER


@pytest.mark.parametrize(("name", "dropped"), [("core", "core"), ("plan", "plan.phase"), ("cap", "cap")])
def test_a_name_is_no_claim_on_what_is_ours(project: Project, name: str, dropped: str) -> None:
    """A feature called like a part of the state that a built-in one writes owns no part at all."""
    project.feature(name)
    project.trust()
    state, stamps, _ = rights(project, name)
    assert (split(tuple(state), {name: {"phase": "EXECUTING"}}), stamps) == (({}, [dropped]), False)
