"""touched: what a call reads and changes, by every kind of tool, and when that is not all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.affected_paths import Touch, touches, unsure
from jackline.clients import specs
from jackline.clients.payload import describe, tool_input
from jackline.model import KINDS, Event

DIALECTS = {dialect: specs.tools_of(dialect) for dialect in specs.DIALECTS}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    home = tmp_path / "pro[1]ject"
    for name in ("src/app.py", "src/auth/key.py", "docs/a.md", "one.py"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(f"{name}\n")
    (home / "link.py").symlink_to("src/app.py")
    return home


def event(root: Path, tool: str, given: dict[str, Any], dialect: str = "claude-code", cwd: str = "") -> Event:
    made = Event("PreToolUse", root=str(root), cwd=cwd or str(root), client=dialect)
    describe(made, tool, tool_input({"tool_input": given}, []), DIALECTS[dialect])
    return made


def rows(found: tuple[Touch, ...]) -> list[str]:
    """Touches as text: letters for what is done, then the path, and the glob where there is one."""
    return [
        "".join(
            [
                "r" if one.reads else "",
                "c" if one.changes else "",
                "x" if one.delete else "",
                "*" if one.deep else "",
                " ",
                one.path,
                f" {one.pattern}" if one.pattern else "",
            ]
        )
        for one in found
    ]


PATCH = """*** Begin Patch
*** Update File: one.py
*** Move to: two.py
@@
-one.py
+two
*** Update File: src/app.py
@@
-src/app.py
+x
*** Delete File: docs/a.md
*** Add File: new.py
+x
*** End Patch"""

TABLE: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("claude-code", "Read", {"file_path": "src/app.py"}, ["r src/app.py"]),
    ("claude-code", "Read", {"file_path": "src/../one.py"}, ["r one.py"]),
    ("claude-code", "Read", {"file_path": "link.py"}, ["r src/app.py"]),
    ("claude-code", "Read", {"file_path": "/etc/hosts"}, ["r /etc/hosts"]),
    ("claude-code", "Write", {"file_path": "src/new.py", "content": "x"}, ["c src/new.py"]),
    ("claude-code", "Edit", {"file_path": "one.py", "old_string": "a", "new_string": "b"}, ["c one.py"]),
    ("claude-code", "MultiEdit", {"file_path": "one.py", "edits": []}, ["c one.py"]),
    ("claude-code", "NotebookEdit", {"notebook_path": "n.ipynb", "new_source": ""}, ["c n.ipynb"]),
    ("claude-code", "NotebookRead", {"notebook_path": "n.ipynb"}, ["r n.ipynb"]),
    ("claude-code", "Grep", {"pattern": "x", "path": "src"}, ["r* src"]),
    ("claude-code", "Grep", {"pattern": "x"}, ["r* ."]),
    ("claude-code", "Glob", {"pattern": "src/**/*.py"}, ["r* src"]),
    ("claude-code", "LS", {"path": "src"}, ["r* src"]),
    ("claude-code", "LS", {"path": ".."}, ["r* ."]),
    ("claude-code", "WebFetch", {"url": "https://example.org/a"}, []),
    ("claude-code", "Task", {"prompt": "look at src/app.py"}, []),
    ("claude-code", "TodoWrite", {"todos": []}, []),
    ("claude-code", "AskUserQuestion", {"questions": []}, []),
    ("claude-code", "ExitPlanMode", {"plan": "write src/app.py"}, []),
    ("claude-code", "Bash", {"command": "cat one.py"}, ["r one.py"]),
    ("claude-code", "Bash", {"command": "echo a > src/new.py"}, ["c src/new.py"]),
    ("claude-code", "Bash", {"command": "sed -i s/a/b/ one.py"}, ["r one.py", "c one.py"]),
    ("claude-code", "Bash", {"command": "tee -a one.py </dev/null"}, ["c one.py"]),
    ("claude-code", "Bash", {"command": "cp one.py src/two.py"}, ["r one.py", "c src/two.py"]),
    (
        "claude-code",
        "Bash",
        {"command": "mv one.py two.py"},
        ["cx* one.py", "r* one.py", "c* two.py", "c* two.py/one.py"],
    ),
    ("claude-code", "Bash", {"command": "rm one.py"}, ["cx* one.py"]),
    ("claude-code", "Bash", {"command": "rm -rf src"}, ["cx* src"]),
    ("claude-code", "Bash", {"command": "rm src/*.py"}, ["cx* src src/*.py"]),
    ("claude-code", "Bash", {"command": "cat $FILE"}, ["r* . **"]),
    ("claude-code", "Bash", {"command": "cd src && touch b.py"}, ["c src/b.py"]),
    ("claude-code", "Bash", {"command": "git checkout -- one.py"}, ["c* one.py"]),
    ("claude-code", "Bash", {"command": "git commit -m 'rm one.py'"}, []),
    ("claude-code", "mcp__fs__write_file", {"path": "one.py", "content": "/etc/passwd\n"}, ["rc one.py"]),
    ("claude-code", "mcp__fs__move_file", {"source": "one.py", "destination": "b.py"}, ["rcx* one.py", "rcx* b.py"]),
    ("claude-code", "mcp__ide__patch", {"pathInProject": "src/app.py"}, ["rc src/app.py"]),
    ("claude-code", "mcp__ide__refactor", {"where": {"relative_path": "src"}}, ["rc* src"]),
    ("claude-code", "mcp__ide__run", {"command": "rm docs/a.md"}, ["cx* docs/a.md"]),
    ("claude-code", "mcp__web__get", {"url": "https://example.org/file", "file_type": "pdf"}, []),
    (
        "claude-code",
        "use_mcp_tool",
        {"server_name": "s", "tool_name": "t", "arguments": '{"path": "one.py"}'},
        ["rc one.py"],
    ),
    ("claude-code", "Strange", {"where": ["/etc/hosts", "no path"]}, ["rc /etc/hosts"]),
    ("claude-code", "Strange", {"uri": "file:///etc/hosts"}, ["rc /etc/hosts"]),
    ("claude-code", "Strange", {"place": {"uri": "file://here/etc/docs/%2E%2e/%68osts"}}, ["rc /etc/hosts"]),
    ("codex", "apply_patch", {"command": PATCH}, ["cx one.py", "c two.py", "c src/app.py", "cx docs/a.md", "c new.py"]),
    ("codex", "exec_command", {"cmd": "sed -n 1,3p one.py"}, ["r one.py"]),
    ("codex", "shell", {"command": ["bash", "-lc", "echo a >> one.py"]}, ["c one.py"]),
    ("codex", "list_dir", {"dir_path": "src"}, ["r* src"]),
    (
        "github",
        "multi_replace_string_in_file",
        {"replacements": [{"filePath": "one.py"}, {"filePath": "src/app.py"}]},
        ["c one.py", "c src/app.py"],
    ),
    ("github", "grep_search", {"query": "x", "includePattern": "src/**"}, ["r* src"]),
    ("github", "run_in_terminal", {"command": "rm one.py"}, ["cx* one.py"]),
    ("github", "memory", {"command": "rename", "old_path": "one.py", "new_path": "two.py"}, ["c one.py", "c two.py"]),
    ("github", "open_simple_browser", {"url": "https://example.org"}, []),
]


@pytest.mark.parametrize(
    ("dialect", "tool", "given", "wanted"), TABLE, ids=lambda one: one if isinstance(one, str) else ""
)
def test_touches_of_every_kind_of_tool(
    root: Path, dialect: str, tool: str, given: dict[str, Any], wanted: list[str]
) -> None:
    assert rows(touches(event(root, tool, given, dialect))) == wanted


def test_the_table_has_every_kind(tmp_path: Path) -> None:
    assert {event(tmp_path, tool, given, dialect).kind for dialect, tool, given, _ in TABLE} == set(KINDS)


def test_a_glob_of_the_shell_is_relative_though_the_roots_name_holds_signs_of_globs(root: Path) -> None:
    assert "[1]" in str(root)
    assert touches(event(root, "Bash", {"command": "rm src/*.py"}))[0].pattern == "src/*.py"


def test_a_shell_apply_patch_names_its_files(root: Path) -> None:
    found = touches(event(root, "Bash", {"command": f"apply_patch <<'E'\n{PATCH}\nE"}))
    assert {one.path for one in found if one.changes} == {"one.py", "two.py", "src/app.py", "docs/a.md", "new.py"}
    assert {one.path for one in found if one.delete} >= {"one.py", "docs/a.md"}


UNSURE = [
    ("Read", {"file_path": "one.py"}, False),
    ("Edit", {"file_path": "one.py"}, False),
    ("Edit", {}, True),
    ("Grep", {"pattern": "x"}, False),
    ("Bash", {"command": "cat one.py"}, False),
    ("Bash", {"command": "rm $FILE"}, True),
    ("Bash", {"command": "make"}, True),
    ("Bash", {"command": "echo 'unclosed"}, True),
    ("mcp__fs__write_file", {"path": "one.py"}, True),
    ("Strange", {}, True),
    ("Task", {"prompt": "x"}, False),
]


@pytest.mark.parametrize(("tool", "given", "wanted"), UNSURE, ids=lambda one: json.dumps(one))
def test_unsure_says_why_when_there_may_be_more(root: Path, tool: str, given: dict[str, Any], wanted: bool) -> None:
    assert bool(unsure(event(root, tool, given))) is wanted


def test_deep_and_large_arguments_are_bounded(root: Path) -> None:
    nested: dict[str, Any] = {"path": "one.py"}
    for _ in range(100):
        nested = {"in": nested}
    assert touches(event(root, "Strange", nested)) == ()
    many = {"paths": [f"f{n}" for n in range(50_000)]}
    assert len(touches(event(root, "Strange", many))) <= 12_000
