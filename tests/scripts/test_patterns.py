"""Patterns of file scripts against what picomatch itself says (`picomatch.json`, made once by node), and their cost."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from jackline.scripts.patterns import Index, PatternError, compile_match, fault

TABLE: dict[str, Any] = json.loads((Path(__file__).parent / "picomatch.json").read_text())
PATHS: list[str] = TABLE["paths"]

RANGE = "numbers in a range are counted; picomatch makes a class of letters of them unless told how to expand"
NEGATED = "[!a] is none of these, as in every shell; picomatch without its posix option reads the mark as a member"
REST = "!(a)b is anything but a, then b; picomatch looks at the beginning of the name only"
DOTS = "a leading dot is matched by a written dot only; picomatch forgets this behind such a group"
BELOW = "a slash at the end means all that lies below; picomatch lets such a pattern match no file"
ANCHOR = "a slash at the beginning means the root; picomatch lets such a pattern match no relative path"
SLASH = "no class and no group holds a slash"
LITERAL = "parentheses without an alternative are themselves (folders of some frameworks have them)"

DELIBERATE = {
    "a{1..10}.js": RANGE,
    "{01..10}.txt": RANGE,
    "{1..10..2}.txt": RANGE,
    "{10..1}.txt": RANGE,
    "[!a].js": NEGATED,
    "[!a-b].js": NEGATED,
    "[!.]*": NEGATED,
    "[!a]*.js": NEGATED,
    "[!]a].js": NEGATED,
    "a[!b]*.js": NEGATED,
    "!(a|b).js": REST,
    "!(foo).js": REST,
    "!(foo|bar).js": REST,
    "!(foo)*.js": REST,
    "!([0-9]).txt": REST,
    "**/!(a|b).js": REST,
    "[^a].js": DOTS,
    "!!*.go": DOTS,
    "{**/,}*.go": DOTS,
    "@(*).go": DOTS,
    "!(src)/**": DOTS,
    "!(src)/*": DOTS,
    "**/!(src)/*.py": DOTS,
    "!(*.go|*.md)": DOTS,
    "!(*.js)": DOTS,
    "src/": BELOW,
    "src/a/": BELOW,
    "src/*/": BELOW,
    "src/**/": BELOW,
    "docs/**/": BELOW,
    "**/*/": BELOW,
    "/main.go": ANCHOR,
    "/src/*.go": ANCHOR,
    "[a/b].js": SLASH,
    "src[/]main.go": SLASH,
    "@(src/main|main).go": SLASH,
    "a(b).js": LITERAL,
}
"""Where ours differ from picomatch, and why."""


def held(pattern: str) -> list[str]:
    match = compile_match([pattern])
    return [path for path in PATHS if match(path)]


def expected(pattern: str) -> list[str]:
    return [PATHS[at] for at in TABLE["matches"][pattern]]


@pytest.mark.parametrize("pattern", [one for one in TABLE["matches"] if one not in DELIBERATE])
def test_the_verdict_is_picomatchs(pattern: str) -> None:
    assert held(pattern) == expected(pattern)


@pytest.mark.parametrize("pattern", DELIBERATE)
def test_a_difference_is_one(pattern: str) -> None:
    """Whatever stands in the list of differences differs: the list cannot hide what is equal."""
    assert held(pattern) != expected(pattern)


@pytest.mark.parametrize(
    ("pattern", "path", "holds"),
    [
        ("*.go", "internal/server/handler.go", True),
        ("a{1..10}.js", "a7.js", True),
        ("a{1..10}.js", "a11.js", False),
        ("[!a].js", "b.js", True),
        ("[!a].js", "a.js", False),
        ("!(foo).js", "foobar.js", True),
        ("!(foo).js", "foo.js", False),
        ("!(*.test).ts", "a/x.test.ts", False),
        ("src/", "src/a/b.c", True),
        ("/main.go", "main.go", True),
        ("/main.go", "x/main.go", False),
        ("app/(group)/page.tsx", "app/(group)/page.tsx", True),
        ("*.py", "a\nb.py", True),
        ("*.py", "a.py\n", False),
        ("src/**", "src/\udcff.py", True),
        ("*", ".env", False),
        (".*", ".env", True),
    ],
)
def test_what_holds_where_we_differ_and_elsewhere(pattern: str, path: str, holds: bool) -> None:
    assert compile_match([pattern])(path) is holds


@pytest.mark.parametrize(
    ("patterns", "exclude", "path", "holds"),
    [
        (["*.go", "*.py"], [], "a/b.py", True),
        (["*.go", "!vendor/**"], [], "vendor/a.go", False),
        (["!vendor/**", "*.go"], [], "vendor/a.go", False),
        (["!vendor/**", "!*.md"], [], "src/a.go", True),
        (["!vendor/**", "!*.md"], [], "README.md", False),
        (["*.go"], ["gen/"], "gen/.cache/a.go", False),
        (["*.go"], ["gen/"], "regen/a.go", True),
        (["*.go"], ["*_test.go"], "a/b_test.go", False),
        ([], [], "a", False),
    ],
)
def test_several_patterns(patterns: list[str], exclude: list[str], path: str, holds: bool) -> None:
    """Any of them takes in; what `!` or `exclude` names is out, wherever it stands."""
    assert compile_match(patterns, exclude)(path) is holds


def test_a_pattern_that_means_too_much_is_refused() -> None:
    bomb = "{a,b}" * 12
    with pytest.raises(PatternError, match="more than 1000 texts"):
        compile_match([bomb])
    assert "more than 1000 texts" in fault(bomb)
    assert fault("!") == "an empty pattern matches no file"
    assert fault("src/**/*.{ts,tsx}") == ""


@pytest.mark.parametrize("pattern", TABLE["matches"])
def test_an_index_selects_what_the_test_holds(pattern: str) -> None:
    assert Index(PATHS).select([pattern]) == sorted(set(held(pattern)))


@pytest.mark.parametrize("shape", ["*.e{}", "src/pkg{}/**/*.{{py,ts}}", "**/*{}.py", "**/file[0-9]{}*.@(py|ts)"])
def test_a_hundred_patterns_and_ten_thousand_files(shape: str) -> None:
    """A million questions: far below what reading ten thousand files costs."""
    index = Index([f"src/pkg{at % 100}/deep/file{at}.{('py', 'ts', 'go', 'js')[at % 4]}" for at in range(10_000)])
    begun = time.process_time()
    for at in range(100):
        index.select([shape.format(at)])
    assert time.process_time() - begun < 3
