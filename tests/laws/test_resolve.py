"""Laws of paths: `resolve` is `os.path.realpath`, links and all; `within` never takes a neighbour for a child."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline import paths

NAMES = ("a", "b", "c", "deep")
PARTS = st.lists(st.sampled_from((*NAMES, "..", ".", "", "missing", "a b", "ü")), min_size=1, max_size=7).map("/".join)
TREES = st.lists(
    st.tuples(
        st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join),
        st.sampled_from(("folder", "file", "link", "link", "absolute")),
        PARTS,
    ),
    max_size=7,
)


def grow(root: Path, tree: list[tuple[str, str, str]]) -> None:
    """Make folders, files and links below `root`; what cannot be made is left out.

    Links that run in a circle are taken away again: the kernel opens none, and Python's versions differ on their name.
    """
    for path, what, target in tree:
        at = root / path
        try:
            at.parent.mkdir(parents=True, exist_ok=True)
            if what == "folder":
                at.mkdir()
            elif what == "file":
                at.write_text("x")
            elif target.strip("/"):
                at.symlink_to(f"{root}/{target}" if what == "absolute" else target.lstrip("/"))
        except OSError:
            continue
    for link in [path for path in root.rglob("*") if path.is_symlink()]:
        try:
            link.stat()
        except OSError as fault:
            if fault.errno == errno.ELOOP:
                link.unlink()


@settings(max_examples=80)
@given(tree=TREES, names=st.lists(PARTS, min_size=1, max_size=4), absolute=st.booleans())
def test_resolve_is_realpath(
    tmp_path_factory: Any, tree: list[tuple[str, str, str]], names: list[str], absolute: bool
) -> None:
    root = tmp_path_factory.mktemp("tree")
    grow(root, tree)
    for path in names:
        given_path = f"{root}/{path}" if absolute else path.lstrip("/") or "."
        whole = f"{root}/{given_path}" if not given_path.startswith("/") else given_path
        assert paths.resolve(str(root), given_path) == os.path.realpath(whole)


@given(text=st.text(max_size=30), base=st.sampled_from(("/", "/tmp", "/nowhere/at all")))
def test_any_text_becomes_a_clean_absolute_path(text: str, base: str) -> None:
    found = paths.resolve(base, text)
    assert found.startswith("/")
    assert "\0" not in found
    assert not {"", ".", ".."} & set(found.split("/")[1:]) or found == "/"


@given(root=PARTS, path=PARTS)
def test_within_is_below_by_whole_names(root: str, path: str) -> None:
    top, below = paths.resolve("/nowhere", root), paths.resolve("/nowhere", path)
    found = paths.within(top, below)
    inside = below == top or os.path.commonpath([top, below]) == top
    assert (not found.startswith("/")) == inside
    if inside:
        assert os.path.normpath(os.path.join(top, found)) == below
    else:
        assert found == below


def test_a_neighbour_is_no_child() -> None:
    assert paths.within("/a/b", "/a/bc") == "/a/bc"
    assert paths.within("/a/b", "/a/b/c") == "c"
    assert paths.within("/a/b", "/a/b") == "."
    assert paths.within("/", "/a") == "a"
    assert paths.within("", "/a") == "/a"


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "self").symlink_to("self/x")
    for name in ("a", "b/c", "self", "self/../a"):
        assert paths.resolve(str(tmp_path), name).startswith("/")


def test_a_path_of_any_length_is_resolved_at_once() -> None:
    begun = time.monotonic()
    assert paths.resolve("/nowhere", "a/" * 300_000 + "..").count("/") == 300_000
    assert paths.resolve("/nowhere", "a/../" * 300_000 + "b") == "/nowhere/b"
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(("home", "at"), [("/home/ada", "/home/ada"), ("", "/")], ids=["given", "none"])
def test_home_is_the_one_given(home: str, at: str) -> None:
    assert paths.resolve("/x", "~", home) == at
    assert paths.resolve("/x", "~/a", home) == f"{at.rstrip('/')}/a"
    assert paths.resolve("/x", "~other/a", home) == "/x/~other/a"
