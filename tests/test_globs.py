"""The project's glob matcher: its documented semantics row by row, and its agreement with wcmatch."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from wcmatch import glob as wcglob

from jackline import globs

MATCHES = [
    ("src/a.py", "src/a.py", True),
    ("src/a.py", "src/a.pyc", False),
    ("*.py", "a.py", True),
    ("*.py", "src/a.py", False),
    ("**/*.py", "a.py", True),
    ("**/*.py", "src/deep/a.py", True),
    ("src/**", "src", True),
    ("src/**", "src/a/b", True),
    ("src/**", "srcs/a", False),
    ("src/**/test", "src/test", True),
    ("src/**/test", "src/a/b/test", True),
    ("a**b", "axxb", True),
    ("a**b", "ax/xb", False),
    ("*", ".env", True),
    ("?", "ab", False),
    ("[a-c]x", "bx", True),
    ("[!a-c]x", "bx", False),
    ("[^a-c]x", "dx", True),
    ("[]]x", "]x", True),
    ("[abc", "[abc", True),
    ("{a,b}/c", "b/c", True),
    ("{a,b/{c,d}}", "b/d", True),
    ("{a}", "{a}", True),
    ("{a,b", "{a,b", True),
    (r"\*", "*", True),
    (r"\*", "a", False),
    (r"\{a,b}", "{a,b}", True),
    ("src/", "src/x/y", True),
    ("./src//a", "src/a", True),
    ("**", ".", True),
    ("**", "../x", False),
    ("src/**", "src/../etc", False),
    ("**/passwd", "/etc/passwd", False),
    ("/etc/**", "/etc/passwd", True),
    ("/etc/**", "etc/passwd", False),
    ("*A*", "xay", False),
]


@pytest.mark.parametrize(("pattern", "path", "holds"), MATCHES, ids=[f"{p} {q}" for p, q, _ in MATCHES])
def test_match(pattern: str, path: str, holds: bool) -> None:
    assert globs.match(pattern, path) is holds


@pytest.mark.parametrize(
    ("scope", "path", "holds"),
    [
        ("src/app", "src/app/x.py", True),
        ("src/app", "src/app", True),
        ("src/app", "src/apple/x.py", False),
        ("src/*/x", "src/a/x/deep", True),
        (".", "anything/at/all", True),
        ("", "a", False),
        ("src/app/**/*.py", "src/app/a.txt", False),
        ("{src,tests}", "tests/a", True),
    ],
)
def test_a_scope_covers_what_lies_below_it(scope: str, path: str, holds: bool) -> None:
    assert globs.covers(scope, path) is holds


@pytest.mark.parametrize(
    ("pattern", "folder"),
    [("src/*.py", "src"), ("**/*.py", ""), ("src/app", "src/app"), ("/etc/*", "/etc"), ("a/b[1]/c", "a"), ("*", "")],
)
def test_base(pattern: str, folder: str) -> None:
    assert globs.base(pattern) == folder


def test_braces_multiply_only_to_a_limit() -> None:
    found = globs.expand("{a,b}" * 40)
    assert len(found) <= globs.MAX_ALTERNATIVES


def test_stars_do_not_explode() -> None:
    """Matching is linear in backtracking: a pattern of many stars against a long path answers at once."""
    assert globs.match("/".join(["**", "a"] * 30) + "/b", "/".join(["a"] * 200)) is False
    assert globs.match("*a" * 40 + "b", "a" * 400) is False


NAMES = st.text(alphabet="ab.-]", min_size=1, max_size=3).filter(lambda name: name not in (".", ".."))
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
ATOMS = st.sampled_from(["a", "b", ".", "*", "?", "[ab]", "[!a]", "[^b-]", "a*", "*b", "{a,b}", "{a,{b,.}}x"])
SEGMENTS = st.one_of(st.just("**"), st.lists(ATOMS, min_size=1, max_size=3).map("".join))
PATTERNS = st.lists(SEGMENTS, min_size=1, max_size=4).map("/".join)
FLAGS = wcglob.GLOBSTAR | wcglob.DOTGLOB | wcglob.FORCEUNIX | wcglob.CASE
"""Braces are not among them: of a pattern that means too many texts some stand as they are, as `expand` left them."""


def _plain(text: str) -> bool:
    """Dot segments and the tail `/**` (which ours lets match the folder itself) are told apart above."""
    parts = text.split("/")
    return not any(set(part) <= {"."} or ("**" in part and part != "**") for part in parts) and parts[-1] != "**"


@settings(max_examples=400, deadline=None)
@example(pattern="/".join(["{a,{b,.}}x" * 2] * 4), path="]")
@given(pattern=PATTERNS, path=PATHS)
def test_agrees_with_wcmatch(pattern: str, path: str) -> None:
    for one in globs.expand(pattern):
        if _plain(one) and _plain(path):
            assert globs.match(one, path) is wcglob.globmatch(path, one, flags=FLAGS)


@settings(max_examples=200, deadline=None)
@given(pattern=PATTERNS)
def test_expansion_agrees_with_bracex(pattern: str) -> None:
    from bracex import expand

    meant = set(expand(pattern, limit=0))
    assume(len(meant) < globs.MAX_ALTERNATIVES // 4)
    assert set(globs.expand(pattern)) == meant


@settings(max_examples=200, deadline=None)
@given(path=PATHS)
def test_a_path_matches_itself_escaped(path: str) -> None:
    assert globs.match("".join("\\" + char if char in "[]" else char for char in path), path)


@settings(max_examples=200, deadline=None)
@given(pattern=PATTERNS, path=PATHS)
def test_what_matches_is_covered(pattern: str, path: str) -> None:
    if globs.match(pattern, path):
        assert globs.covers(pattern, path)
        assert globs.covers(pattern, path + "/below")


@pytest.mark.parametrize(
    ("pattern", "folder", "holds"),
    [
        ("src/auth/**", "src", True),
        ("src/auth/**", "src/auth/deep", True),
        ("src/auth", "docs", False),
        ("src/auth", "src/authority", False),
        ("**/*.py", "docs/deep", True),
        ("src/*/x", "src/a", True),
        ("src/*/x", "src/a/y", False),
        ("src/*/x", "src/a/x/y", True),
        ("src", ".", True),
        ("src", "/", False),
        ("/etc/**", "/", True),
        ("{a,b}/c", "b", True),
        ("", ".", False),
        ("src", "src/..", False),
    ],
)
def test_reaches(pattern: str, folder: str, holds: bool) -> None:
    assert globs.reaches(pattern, folder) is holds


@settings(max_examples=400, deadline=None)
@given(pattern=PATTERNS, path=PATHS)
def test_what_is_covered_is_reached_from_every_folder_above_and_at_it(pattern: str, path: str) -> None:
    parts = path.split("/")
    for depth in range(len(parts) + 1):
        folder = "/".join(parts[:depth]) or "."
        if globs.covers(pattern, path):
            assert globs.reaches(pattern, folder)


SLASHED = [
    ("src/app", "src/app"),
    ("src\\app\\**", "src/app/**"),
    ("src\\*.py", "src/*.py"),
    ("src/\\*.py", "src/\\*.py"),
    ("app/\\[id\\]/x", "app/\\[id\\]/x"),
    ("app\\page/x", "app/page/x"),
    ("\\#a", "\\#a"),
    ("a\\", "a/"),
]


@pytest.mark.parametrize(("written", "meant"), SLASHED, ids=[one[0] for one in SLASHED])
def test_the_separators_of_windows(written: str, meant: str) -> None:
    """A backslash escapes what has a meaning, and separates elsewhere."""
    assert globs.with_slashes(written) == meant
    assert globs.with_slashes(meant) == meant
