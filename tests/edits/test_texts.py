"""The texts before and after a call, for every way in which clients write files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.edits import Proposed, preview, proposed
from jackline.model import Event

KINDS = {
    "Write": "write",
    "write_to_file": "write",
    "create_file": "write",
    "create": "write",
    "NotebookEdit": "notebook",
    "edit_notebook_file": "notebook",
    "Bash": "shell",
}
TEXT = "one\ntwo\nthree\ntwo again\n"


def event(root: Path, tool: str, given: dict[str, Any], kind: str = "", **more: Any) -> Event:
    return Event(
        "PreToolUse",
        tool=tool,
        kind=kind or KINDS.get(tool, "edit"),
        input=given,
        root=str(root),
        cwd=str(root),
        **more,
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(TEXT)
    return tmp_path


AFTER = TEXT.replace("three", "3")
PATCH = "*** Begin Patch\n*** Update File: a.txt\n@@\n two\n-three\n+3\n two again\n*** End Patch\n"
DIFF = "--- a/a.txt\n+++ b/a.txt\n@@ -2,3 +2,3 @@\n two\n-three\n+3\n two again\n"
BLOCK = "<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE"
CLINE = "------- SEARCH\nthree\n=======\n3\n+++++++ REPLACE"
ROO = "<<<<<<< SEARCH\n:start_line:3\n-------\nthree\n=======\n3\n>>>>>>> REPLACE"

ONE_FILE: dict[str, tuple[str, dict[str, Any]]] = {
    "write": ("Write", {"file_path": "a.txt", "content": AFTER}),
    "write_to_file": ("write_to_file", {"path": "a.txt", "content": AFTER}),
    "create_file": ("create_file", {"filePath": "a.txt", "content": AFTER}),
    "copilot create": ("create", {"path": "a.txt", "file_text": AFTER}),
    "cline editor": ("editor", {"path": "a.txt", "new_text": AFTER}),
    "cline editor, a part": ("editor", {"path": "a.txt", "old_text": "three", "new_text": "3"}),
    "edit": ("Edit", {"file_path": "a.txt", "old_string": "three", "new_string": "3", "replace_all": False}),
    "multi-edit": (
        "MultiEdit",
        {
            "file_path": "a.txt",
            "edits": [{"old_string": "three", "new_string": "x"}, {"old_string": "x", "new_string": "3"}],
        },
    ),
    "copilot edit": ("edit", {"path": "a.txt", "old_str": "three", "new_str": "3"}),
    "str_replace": (
        "str_replace_based_edit_tool",
        {"command": "str_replace", "path": "a.txt", "old_str": "three", "new_str": "3"},
    ),
    "vscode": ("replace_string_in_file", {"filePath": "a.txt", "oldString": "three", "newString": "3"}),
    "vscode, many": (
        "multi_replace_string_in_file",
        {"explanation": "x", "replacements": [{"filePath": "a.txt", "oldString": "three", "newString": "3"}]},
    ),
    "gemini": ("replace", {"file_path": "a.txt", "instruction": "x", "old_string": "three", "new_string": "3"}),
    "search and replace": ("replace_in_file", {"path": "a.txt", "diff": BLOCK}),
    "cline's blocks": ("replace_in_file", {"path": "a.txt", "diff": CLINE}),
    "blocks with a line": ("apply_diff", {"path": "a.txt", "diff": ROO}),
    "apply_patch": ("apply_patch", {"command": PATCH}),
    "vscode's patch": ("apply_patch", {"input": PATCH, "explanation": "x"}),
    "unified": ("apply_diff", {"diff": DIFF}),
    "unified with a path": (
        "apply_diff",
        {"path": "a.txt", "diff": DIFF.partition("@@")[2] and "@@" + DIFF.partition("@@")[2]},
    ),
    "an mcp server's edits": ("fs/edit_file", {"path": "a.txt", "edits": [{"oldText": "three", "newText": "3"}]}),
}


@pytest.mark.parametrize("case", ONE_FILE)
def test_every_way_of_writing_gives_the_same_texts(root: Path, case: str) -> None:
    tool, given = ONE_FILE[case]
    kind = "mcp" if "/" in tool else ""
    assert proposed(event(root, tool, given, kind)) == (Proposed("a.txt", TEXT, AFTER),)
    assert preview(event(root, tool, given, kind))[:3] == ["--- a/a.txt", "+++ b/a.txt", "@@ -1,4 +1,4 @@"]
    assert "-three" in preview(event(root, tool, given, kind))
    assert (root / "a.txt").read_text() == TEXT


def test_a_shell_that_carries_a_patch_changes_what_the_patch_says(root: Path) -> None:
    call = event(root, "Bash", {}, command=f"apply_patch <<'EOF'\n{PATCH}EOF\n")
    assert proposed(call) == (Proposed("a.txt", TEXT, AFTER),)


INSERTS = {
    "insert_line": ({"command": "insert", "path": "a.txt", "insert_line": 1, "new_str": "new"}, "one\nnew\ntwo"),
    "at the top": ({"command": "insert", "path": "a.txt", "insert_line": 0, "insert_text": "new\n"}, "new\none\ntwo"),
}


@pytest.mark.parametrize("case", INSERTS)
def test_a_text_is_inserted_after_its_line(root: Path, case: str) -> None:
    given, start = INSERTS[case]
    (found,) = proposed(event(root, "str_replace_based_edit_tool", given))
    assert found.after is not None and found.after.startswith(start)


@pytest.mark.parametrize("path", ["file:///{root}/a.txt", "file://here/{root}/%61.txt", "FILE:/{root}/b/%2e%2e/a.txt"])
def test_an_address_is_the_file_it_means(root: Path, path: str) -> None:
    told = path.format(root=str(root).strip("/"))
    (found,) = proposed(event(root, "Write", {"file_path": told, "content": "x\n"}))
    assert found == Proposed("a.txt", TEXT, "x\n")


def test_a_viewer_proposes_nothing(root: Path) -> None:
    assert proposed(event(root, "str_replace_based_edit_tool", {"command": "view", "path": "a.txt"})) == ()
    assert proposed(event(root, "Read", {"file_path": "a.txt"}, "read")) == ()


UNFIT: dict[str, tuple[str, dict[str, Any]]] = {
    "not there": ("Edit", {"file_path": "a.txt", "old_string": "four", "new_string": "4"}),
    "more than once": ("Edit", {"file_path": "a.txt", "old_string": "two", "new_string": "2"}),
    "one of many": (
        "MultiEdit",
        {
            "file_path": "a.txt",
            "edits": [{"old_string": "three", "new_string": "3"}, {"old_string": "four", "new_string": "4"}],
        },
    ),
    "a sketch": ("insert_edit_into_file", {"filePath": "a.txt", "code": "// ...existing code...\nnew"}),
    "a hunk": ("apply_patch", {"input": PATCH.replace("two again", "never")}),
    "into a text": ("Edit", {"file_path": "a.txt", "old_string": "", "new_string": "4"}),
}


@pytest.mark.parametrize("case", UNFIT)
def test_what_does_not_fit_has_no_text_afterwards(root: Path, case: str) -> None:
    tool, given = UNFIT[case]
    (found,) = proposed(event(root, tool, given))
    assert (found.path, found.before, found.after) == ("a.txt", TEXT, None)
    assert found.why


def test_all_occurrences_when_all_are_meant(root: Path) -> None:
    (found,) = proposed(
        event(root, "Edit", {"file_path": "a.txt", "old_string": "two", "new_string": "2", "replace_all": True})
    )
    assert found.after == TEXT.replace("two", "2")


def test_a_patch_adds_deletes_and_moves(root: Path) -> None:
    patch = (
        "*** Begin Patch\n*** Add File: sub/new.py\n+x = 1\n+y = 2\n*** Delete File: gone.txt\n"
        "*** Update File: a.txt\n*** Move to: b.txt\n@@ two\n-three\n+3\n*** End Patch"
    )
    (root / "gone.txt").write_text("old\n")
    assert proposed(event(root, "apply_patch", {"input": patch})) == (
        Proposed("sub/new.py", None, "x = 1\ny = 2\n"),
        Proposed("gone.txt", "old\n", None, "", True),
        Proposed("a.txt", TEXT, None, "", True),
        Proposed("b.txt", TEXT, AFTER, "", False, "a.txt"),
    )


def test_a_unified_diff_adds_deletes_and_keeps_apart(root: Path) -> None:
    (root / "gone.txt").write_text("old\n")
    diff = (
        "diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+p\n+q\n"
        "diff --git a/gone.txt b/gone.txt\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n" + DIFF
    )
    assert proposed(event(root, "apply_diff", {"diff": diff})) == (
        Proposed("n.txt", None, "p\nq\n"),
        Proposed("gone.txt", "old\n", None, "", True),
        Proposed("a.txt", TEXT, AFTER),
    )


def test_a_name_that_git_quotes_is_the_file_it_means(root: Path) -> None:
    (root / "ä b.txt").write_text("x\n")
    diff = '--- "a/\\303\\244 b.txt"\n+++ "b/\\303\\244 b.txt"\n@@ -1 +1 @@\n-x\n+y\n'
    assert proposed(event(root, "apply_diff", {"diff": diff})) == (Proposed("ä b.txt", "x\n", "y\n"),)


def test_a_hunk_at_its_line_where_its_text_stands_twice(root: Path) -> None:
    (root / "b.txt").write_text("x\ny\nx\ny\n")
    diff = "--- a/b.txt\n+++ b/b.txt\n@@ -3,2 +3,2 @@\n-x\n+z\n y\n"
    (found,) = proposed(event(root, "apply_diff", {"diff": diff}))
    assert found.after == "x\ny\nz\ny\n"


def test_an_anchor_leads_a_hunk_to_its_place(root: Path) -> None:
    (root / "b.py").write_text("def f():\n    return 1\n\ndef g():\n    return 1\n")
    patch = "*** Begin Patch\n*** Update File: b.py\n@@ def g():\n-    return 1\n+    return 2\n*** End Patch"
    (found,) = proposed(event(root, "apply_patch", {"input": patch}))
    assert found.after == "def f():\n    return 1\n\ndef g():\n    return 2\n"


def test_line_ends_of_the_file_stay(root: Path) -> None:
    (root / "w.txt").write_bytes(b"one\r\ntwo\r\n")
    (found,) = proposed(event(root, "Edit", {"file_path": "w.txt", "old_string": "one\ntwo", "new_string": "1\n2"}))
    assert found.after == "1\r\n2\r\n"


def test_files_that_are_no_texts_are_unknown(root: Path) -> None:
    (root / "bin").write_bytes(b"\xff\xfe\0a")
    (root / "big").write_text("x" * 1_000_001)
    (root / "dir").mkdir()
    for name in ("bin", "big", "dir"):
        (found,) = proposed(event(root, "Edit", {"file_path": name, "old_string": "a", "new_string": "b"}))
        assert (found.before, found.after, bool(found.why)) == (None, None, True), name
    (found,) = proposed(event(root, "Write", {"file_path": "bin", "content": "text"}))
    assert (found.before, found.after) == (None, "text")
    (found,) = proposed(event(root, "Write", {"file_path": "new", "content": "x" * 1_000_001}))
    assert found.after is None


def test_a_new_file_by_an_edit_without_a_search(root: Path) -> None:
    (found,) = proposed(event(root, "Edit", {"file_path": "new/n.py", "old_string": "", "new_string": "x = 1\n"}))
    assert found == Proposed("new/n.py", None, "x = 1\n")


def test_a_replacement_cannot_grow_without_bound(root: Path) -> None:
    (root / "x").write_text("a" * 900_000)
    given = {"file_path": "x", "old_string": "a", "new_string": "b" * 100_000, "replace_all": True}
    (found,) = proposed(event(root, "Edit", given))
    assert found.after is None


def test_paths_are_resolved_as_the_machine_does(root: Path) -> None:
    (root / "sub").mkdir()
    (root / "link").symlink_to(root / "sub")
    outside = root.parent / "outside.txt"
    given = {
        "replacements": [{"filePath": path, "oldString": "", "newString": "n"} for path in ("link/n", str(outside))]
    }
    found = proposed(event(root, "multi_replace_string_in_file", given))
    assert [one.path for one in found] == ["sub/n", str(outside)]


BOOK = {
    "cells": [
        {"cell_type": "markdown", "id": "m", "metadata": {}, "source": ["# Title"]},
        {"cell_type": "code", "id": "c", "metadata": {}, "outputs": [1], "execution_count": 3, "source": ["x = 1"]},
    ],
    "nbformat": 4,
}


@pytest.mark.parametrize(
    ("tool", "given", "sources"),
    [
        ("NotebookEdit", {"cell_id": "c", "new_source": "x = 2"}, ["# Title", "x = 2"]),
        ("NotebookEdit", {"cell_id": "cell-1", "new_source": "x = 2"}, ["# Title", "x = 2"]),
        ("NotebookEdit", {"cell_id": "m", "edit_mode": "delete"}, ["x = 1"]),
        (
            "NotebookEdit",
            {"cell_id": "m", "edit_mode": "insert", "cell_type": "code", "new_source": "y"},
            ["# Title", "y", "x = 1"],
        ),
        (
            "edit_notebook_file",
            {"cellId": "BOTTOM", "editType": "insert", "newCode": ["y\n", "z"]},
            ["# Title", "x = 1", "y\nz"],
        ),
        ("edit_notebook_file", {"cellId": "c", "editType": "edit", "newCode": "q"}, ["# Title", "q"]),
    ],
)
def test_a_cell_is_edited_in_its_notebook(root: Path, tool: str, given: dict[str, Any], sources: list[str]) -> None:
    (root / "n.ipynb").write_text(json.dumps(BOOK, indent=1) + "\n")
    key = "notebook_path" if tool == "NotebookEdit" else "filePath"
    (found,) = proposed(event(root, tool, {key: "n.ipynb", **given}))
    assert found.after is not None
    assert ["".join(cell["source"]) for cell in json.loads(found.after)["cells"]] == sources


def test_a_preview_is_short_escaped_and_holds_no_secret(root: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    text = f"\x1b[31mred\ntoken = '{key}'\n" + "line\n" * 100
    shown = preview(event(root, "Write", {"file_path": "n.txt", "content": text}))
    assert len(shown) == 20
    assert shown[-1] == "… 86 more lines"
    assert "+\\x1b[31mred" in shown
    assert key not in "\n".join(shown)
    assert preview(event(root, "Write", {"file_path": "n.txt", "content": text}), 0) == []


def test_a_preview_of_credentials_shows_none(root: Path) -> None:
    (root / ".env").write_text("PIN=1234\n")
    shown = preview(event(root, "Write", {"file_path": ".env", "content": "PIN=4321\n"}))
    assert shown == ["--- a/.env", "+++ b/.env", "(not shown: the file may hold credentials)"]


def test_a_preview_of_what_does_not_fit_shows_what_was_asked(root: Path) -> None:
    shown = preview(event(root, "Edit", {"file_path": "a.txt", "old_string": "four", "new_string": "4"}))
    assert shown[3:] == ["@@ @@", "-four", "+4"]
