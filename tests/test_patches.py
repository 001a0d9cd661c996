"""Files that stand only in the heads of a patch: what a call changes, whatever argument carries it."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.affected_paths import touches
from jackline.inprocess.vocabulary import Vocabulary
from jackline.model import Event
from jackline.patches import patched_files, removed_files
from jackline.policy.refusal import affected_files

EDIT = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y\n"
PATCHES = [
    # patch, files it names, files that are gone after it
    (EDIT, ["src/a.py"], []),
    (f"Here it is:\n{EDIT}", ["src/a.py"], []),
    (EDIT.replace("a/src", "src").replace("b/src", "src"), ["src/a.py"], []),
    (EDIT.replace("\n", "\r\n"), ["src/a.py"], []),
    ("--- a.py\t2026-01-01 00:00:00\n+++ a.py\t2026-01-02\n@@ -1 +1 @@\n-x\n+y\n", ["a.py"], []),
    ("diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+y\n", ["n"], []),
    ("diff --git a/o b/o\ndeleted file mode 100644\n--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n", ["o"], ["o"]),
    ("--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n", ["o"], ["o"]),
    ("diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n", ["o", "n"], ["o"]),
    ("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", ["x"], []),
    ('--- "a/\\303\\244 b.py"\n+++ "b/\\303\\244 b.py"\n@@ -1 +1 @@\n-x\n+y\n', ["ä b.py"], []),
    (EDIT + "--- a/two\n+++ b/two\n@@ -1 +1 @@\n-x\n+y\n", ["src/a.py", "two"], []),
    ("*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Delete File: c\n", ["a", "b", "c"], ["a", "c"]),
    ("diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n", ["e"], ["e"]),
    ("no patch\n-- at all\n", [], []),
]  # fmt: skip


@pytest.mark.parametrize(("patch", "files", "gone"), PATCHES, ids=[one[0].partition("\n")[0] for one in PATCHES])
def test_the_heads_name_the_files(patch: str, files: list[str], gone: list[str]) -> None:
    assert patched_files(patch) == files
    assert removed_files(patch) == gone


def described(name: str, given: dict[str, Any]) -> Event:
    return Vocabulary({}).describe(Event("PreToolUse", root="/r"), name, given, "/r")


CARRIERS = [
    ("apply_diff", "diff"),
    ("apply_patch", "patch"),
    ("apply_patch", "input"),
    ("edit_file", "unified_diff"),
    ("write_to_file", "content"),
    ("a_tool_nobody_knows", "diff"),
]


@pytest.mark.parametrize(("name", "key"), CARRIERS)
def test_a_refusal_names_the_files_of_a_patch(name: str, key: str) -> None:
    event = described(name, {key: EDIT})
    assert affected_files(event) == ("src/a.py",)
    assert [(one.path, one.changes) for one in touches(event)] == [("src/a.py", True)]


def test_a_wrapper_may_carry_one() -> None:
    given = {"server_name": "files", "tool_name": "patch", "arguments": {"diff": EDIT}}
    assert affected_files(described("use_mcp_tool", given)) == ("src/a.py",)


def test_what_an_argument_names_counts_alone() -> None:
    """A tool that is told its file writes that one, whatever text it is given."""
    assert affected_files(described("write_to_file", {"path": "how-to.md", "content": EDIT})) == ("how-to.md",)


def test_a_comment_that_quotes_a_diff_changes_nothing() -> None:
    given = {"server_name": "tracker", "tool_name": "comment", "arguments": {"body": f"Look:\n{EDIT}"}}
    assert affected_files(described("use_mcp_tool", given)) == ()


def test_what_a_patch_deletes_is_gone() -> None:
    (touch,) = touches(described("apply_diff", {"diff": "--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n"}))
    assert touch.delete
