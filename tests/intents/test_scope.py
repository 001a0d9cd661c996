"""What a scope holds: the globs of intents with their exclusions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.intents.scope import Scope, excluded, fault, holds, holds_below, ignored, leads_to, scope

HELD = {
    "below a folder": (["src/auth/**"], "src/auth/a/b.py"),
    "a folder by its name": (["src/auth"], "src/auth/a.py"),
    "a folder with a slash": (["src/auth/"], "src/auth/a.py"),
    "the folder itself": (["src/auth/**"], "src/auth"),
    "a file": (["README.md"], "README.md"),
    "a wildcard": (["src/*.py"], "src/a.py"),
    "003: `**/x` misses the top level": (["**/*.md"], "README.md"),
    "003: `**/x` deeper": (["**/*.md"], "docs/a/b.md"),
    "003: braces do not work": (["src/{auth,login}/**"], "src/login/a.py"),
    "braces in braces": (["src/{a,b/{c,d}}/*.py"], "src/b/d/x.py"),
    "003: `?` does not work": (["src/v?/a.py"], "src/v2/a.py"),
    "a class": (["src/[a-c]/x"], "src/b/x"),
    "003: exclusions do not work: beside them": (["src/**", "!src/old/**"], "src/new/a.py"),
    "everything": (["**"], "a/b/c"),
    "the root": (["."], "a/b/c"),
    "written with ./": (["./src/**"], "src/a"),
    "written absolute": (["/srv/shop/src/**"], "src/a"),
    "another place": (["/srv/other/**"], "/srv/other/a"),
}

NOT_HELD = {
    "beside": (["src/auth/**"], "src/billing/x.py"),
    "a name that begins alike": (["src/auth/**"], "src/authority/x.py"),
    "a name that begins alike, by its name": (["src/auth"], "src/auth2/x.py"),
    "below a wildcard": (["src/*"], "src/a/b.py"),
    "another ending": (["src/*.py"], "src/a.pyc"),
    "case": (["src/auth/**"], "SRC/auth/x"),
    "003: exclusions do not work": (["src/**", "!src/old/**"], "src/old/a.py"),
    "an exclusion before the inclusion": (["!src/old/**", "src/**"], "src/old/a.py"),
    "an exclusion of a folder by its name": (["src/**", "!src/old"], "src/old/a/b.py"),
    "an exclusion at the top level": (["**", "!**/*.lock"], "x.lock"),
    "an exclusion with braces": (["**", "!{a,b}/**"], "b/x"),
    "an exclusion, whatever the case": (["src/**", "!src/old/**"], "src/OLD/a.py"),
    "003: `src/auth/../billing/x` is in scope": (["src/auth/**"], "src/auth/../billing/x"),
    "outside the root": (["**"], "/etc/passwd"),
    "only exclusions": (["!src/**"], "docs/a"),
    "nothing": ([], "a"),
}


@pytest.mark.parametrize(("patterns", "path"), HELD.values(), ids=HELD)
def test_what_is_in_scope(patterns: list[str], path: str) -> None:
    assert holds(scope(patterns, "/srv/shop"), path)


@pytest.mark.parametrize(("patterns", "path"), NOT_HELD.values(), ids=NOT_HELD)
def test_what_is_not(patterns: list[str], path: str) -> None:
    assert not holds(scope(patterns, "/srv/shop"), path)


BELOW = {
    "the folder": (["src/**"], "src", True),
    "a folder in it": (["src/**"], "src/a/b", True),
    "by its name": (["src"], "src/a", True),
    "everything": (["**"], ".", True),
    "a wildcard folder": (["pkg/*/src/**"], "pkg/a/src", True),
    "above": (["src/auth/**"], "src", False),
    "one level": (["src/*"], "src", False),
    "two levels": (["src/*/*"], "src", False),
    "only some files": (["src/**/*.py"], "src", False),
    "an exclusion in it": (["src/**", "!src/old/**"], "src", False),
    "an exclusion beside it": (["src/**", "!src/old/**"], "src/new", True),
    "an exclusion anywhere": (["src/**", "!**/*.lock"], "src/new", False),
    "an exclusion above it": (["src/**", "!src/old/**"], "src/old/a", False),
}


@pytest.mark.parametrize(("patterns", "path", "whole"), BELOW.values(), ids=BELOW)
def test_a_folder_with_everything_below(patterns: list[str], path: str, whole: bool) -> None:
    assert holds_below(scope(patterns), path) is whole


def test_folders_that_lead_to_the_scope() -> None:
    known = scope(["src/auth/**"])
    assert [leads_to(known, path) for path in (".", "src", "src/auth", "src/auth/a", "docs", "src/billing")] == [
        True,
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("pattern", ["", "!", "  ", "../x/**", "src/../x", "~/x", "a\nb", "!../x"])
def test_globs_that_mean_nothing_hold_nothing(pattern: str) -> None:
    assert fault(pattern)
    assert scope([pattern]) == Scope()


def test_intentignore_is_written_like_gitignore() -> None:
    text = "# notes\n\n*.log\n/build/\ndocs/**/*.png\n!keep.log\n../x\n"
    globs = ignored(text)
    assert globs == ("**/*.log", "build/", "docs/**/*.png", "!**/keep.log")
    known = scope(globs)
    assert holds(known, "a/b/x.log") and holds(known, "x.log") and holds(known, "build/a/b")
    assert not holds(known, "a/build/b") and not holds(known, "a/keep.log") and excluded(known, "a/keep.log")


NAMES = st.sampled_from(["src", "a", "b", "old", "x.py", "Y"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PARTS = st.sampled_from(["src", "a", "b", "*", "**", "?", "{a,b}", "x.*"])
GLOBS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)


@given(st.lists(GLOBS, max_size=3), st.lists(GLOBS, max_size=2), GLOBS, PATHS)
def test_an_exclusion_never_widens_a_scope(inside: list[str], outside: list[str], more: str, path: str) -> None:
    before = [*inside, *["!" + one for one in outside]]
    if holds(scope([*before, "!" + more]), path):
        assert holds(scope(before), path)


@given(st.lists(GLOBS, max_size=3), st.lists(GLOBS, max_size=2), PATHS, PATHS)
def test_what_is_held_with_all_below_is_held_below(
    inside: list[str], outside: list[str], path: str, below: str
) -> None:
    known = scope([*inside, *["!" + one for one in outside]])
    if holds_below(known, path):
        assert holds(known, path) and holds(known, f"{path}/{below}")
