"""Scripts: found, named, ordered, trusted, switched off; what is left out is told and breaks nothing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jackline.compiler import scriptfind, scripts
from jackline.compiler.collect import NOT_TRUSTED
from jackline.compiler.scripts import slug
from jackline.hook_table import HookTable
from jackline.script import TYPES, Script
from jackline.staleness import content

from .project import Project

EXAMPLES = {
    "install-deps.sh": """#!/bin/bash
#---
# name: Install system deps
# type: session
# run_as: root
#---
apt-get update && apt-get install -y postgresql-client redis-tools
""",
    "setup-env.sh": """#!/bin/bash
#---
# name: Setup environment
# type: session
#---
pnpm install
cp .env.example .env
""",
    "go-fmt.sh": """#!/bin/bash
#---
# name: Go format check
# type: file
# pattern: "*.go"
#---
gofmt -l $DISCOBOT_CHANGED_FILES
""",
    "eslint-fix.sh": """#!/bin/bash
#---
# name: ESLint autofix
# type: file
# pattern: "*.{ts,tsx}"
# notify_llm: false
#---
npx eslint --fix $DISCOBOT_CHANGED_FILES
""",
    "typecheck.sh": """#!/bin/bash
#---
# name: Type check
# type: pre-commit
#---
pnpm typecheck
""",
}
"""The examples of the scripts document, as they stand there."""


def text(*lines: str, shebang: str = "#!/bin/sh") -> str:
    return "\n".join([shebang, "#---", *[f"# {line}" for line in lines], "#---", "exit 0", ""])


def put(project: Project, place: str, value: str, *, mode: int = 0o755) -> Path:
    path = project.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value)
    path.chmod(mode)
    return path


def trusted(project: Project) -> HookTable:
    project.trust()
    return project.publish()


def all_of(table: HookTable) -> dict[str, Script]:
    from jackline.model import EVENTS

    return {one.key: one for name in (*EVENTS, *TYPES[1:]) for one in table.scripts(name)}


def idle(table: HookTable) -> dict[str, str]:
    return {key or file: why for file, key, _, _, why in table.report()["scripts"]}


# --- the documents' own repositories -------------------------------------------------------------------------------


def test_a_discobot_repository_works_unchanged(project: Project) -> None:
    for name, value in EXAMPLES.items():
        put(project, f".discobot/hooks/{name}", value)
    table = trusted(project)
    assert table.report()["warnings"] == () and idle(table) == {}
    assert [one.key for one in table.scripts("session")] == ["install-deps", "setup-env"]
    assert [one.key for one in table.scripts("file")] == ["eslint-fix", "go-fmt"]
    path = project.root / ".discobot/hooks/go-fmt.sh"
    assert table.scripts("file")[1] == Script(
        "go-fmt",
        "file",
        str(path),
        content(str(path)),
        name="Go format check",
        folder=".discobot/hooks",
        pattern=("*.go",),
        timeout=900.0,
    )
    assert [one.run_as for one in table.scripts("session")] == ["root", "user"]
    assert [one.notify for one in table.scripts("file")] == [False, True]
    assert [(one.key, one.timeout) for one in table.scripts("pre-commit")] == [("typecheck", 0.0)]
    assert {one.prefix for one in all_of(table).values()} == {"Discobot"}


NODES = {
    # path: note's fields, program
    "core/mark-active": ("events: [UserPromptSubmit, PreToolUse]\norder: 10", True),
    "core/spec-first": ("events:\n  - PreToolUse\norder: 20\nblock: true", True),
    "core/spec-of-file": ("events: PostToolUse # after it\norder: 10", True),
    "core/stop-gate": ('events: ["Stop"]\norder: 10\nblock: true', True),
    "core/session-fail": ("events: [StopFailure]\norder: 10", True),
    "core/idle": ("events: [Notification]\r\norder: 10", True),
    "core/later": ("events: [Stop]\nstatus: pending", True),
}


def tree(project: Project) -> None:
    """A tree of nodes as the delivery document's own project has."""
    put(project, ".config/core/spec.md", "---\ntitle: core\nstatus: active\nhue: 200\ndesc: the core\n---\nThe core.\n")
    for name, (fields, _) in NODES.items():
        title = name.rpartition("/")[2]
        put(
            project,
            f".config/{name}/spec.md",
            f"---\ntitle: {title}\nsurface: hook\n{fields}\nhue: 10\n---\n# {title}\n",
        )
        put(project, f".config/{name}/{title}.sh", "#!/usr/bin/env bash\nexit 0\n")
    put(project, ".plugins/contract/b-rules/spec.md", "---\nsurface: system\n---\nSecond: `$&`.\n")
    put(project, ".plugins/contract/a-rules/spec.md", "---\nsurface: system\n---\n\nFirst.\n\n")
    put(project, ".plugins/contract/c-rules/spec.md", "---\nsurface: system\nstatus: pending\n---\nThird.\n")


def test_a_tree_of_nodes_works_unchanged(project: Project) -> None:
    tree(project)
    table = trusted(project)
    assert table.report()["warnings"] == ()
    assert idle(table) == {
        ".config/core/later/spec.md": "status: pending",
        ".plugins/contract/c-rules/spec.md": "status: pending",
    }
    order = {event: [one.key for one in table.scripts(event)] for event in ("PreToolUse", "Stop", "Error")}
    assert order == {"PreToolUse": ["mark-active", "spec-first"], "Stop": ["stop-gate"], "Error": ["session-fail"]}
    assert [one.block for one in table.scripts("PreToolUse")] == [False, True]
    assert table.scripts("Notification")[0].path == f"{project.root}/.config/core/idle/idle.sh"
    assert table.guidance() == (("a-rules", "First."), ("b-rules", "Second: `$&`."))
    assert table.report()["declared"]["stop-gate"] == ".config/core/stop-gate/spec.md"


def test_a_parent_node_does_not_take_its_childs_script(project: Project) -> None:
    put(project, ".config/parent/spec.md", "---\nsurface: hook\nevents: [Stop]\n---\n")
    put(project, ".config/parent/child/child.sh", "#!/bin/sh\n")
    table = trusted(project)
    assert not table.scripted("Stop")
    assert table.report()["warnings"] == (
        ".config/parent/spec.md:1 · script: expected a program in the same folder, got none"
        " · write: parent.sh beside it",
    )


def test_of_several_programs_the_note_names_its_own(project: Project) -> None:
    put(project, ".config/gate/spec.md", "---\nsurface: hook\nevents: [Stop]\n---\n")
    put(project, ".config/gate/one.sh", "#!/bin/sh\n")
    put(project, ".config/gate/two.py", "#!/usr/bin/env python3\n", mode=0o644)
    put(project, ".config/gate/notes.txt", "no program\n", mode=0o644)
    assert trusted(project).report()["warnings"] == (
        ".config/gate/spec.md:1 · script: expected one program in the same folder, or its name, got 2: one.sh, two.py"
        " · write: script: one.sh",
    )
    put(project, ".config/gate/spec.md", "---\nsurface: hook\nevents: [Stop]\nscript: ./two.py\n---\n")
    (found,) = trusted(project).scripts("Stop")
    assert (found.key, found.path, found.argv) == (
        "gate",
        f"{project.root}/.config/gate/two.py",
        ("/usr/bin/env", "python3"),
    )
    put(project, ".config/gate/spec.md", "---\nsurface: hook\nevents: [Stop]\nscript: three.sh\n---\n")
    assert trusted(project).report()["warnings"] == (
        ".config/gate/spec.md:4 · script: expected a program in the same folder, got three.sh (there: one.sh, two.py)"
        " · write: script: one.sh",
    )


def test_the_home_folders_own_configuration_is_no_tree_of_nodes(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(project)
    monkeypatch.setenv("HOME", str(project.root))
    assert not trusted(project).scripted("Stop")


# --- what can be started -------------------------------------------------------------------------------------------

FILE = ("type: file", 'pattern: "*"')
STARTED: dict[str, tuple[str, str, int, tuple[str, ...] | str]] = {
    # name: file, content, mode, argv or why not
    "executable": ("a.sh", text(*FILE), 0o755, ()),
    "not executable": ("a.sh", text(*FILE), 0o644, ("/bin/sh",)),
    "env": ("a", text(*FILE, shebang="#!/usr/bin/env python3"), 0o644, ("/usr/bin/env", "python3")),
    "env -S": ("a", text(*FILE, shebang="#!/usr/bin/env -S deno run"), 0o644, ("/usr/bin/env", "-S deno run")),
    "an argument": ("a", text(*FILE, shebang="#! /bin/bash -eu"), 0o644, ("/bin/bash", "-eu")),
    "CR LF": ("a.sh", text(*FILE).replace("\n", "\r\n"), 0o755, ("/bin/sh",)),
    "byte order mark": ("a.sh", "\ufeff" + text(*FILE), 0o755, ("/bin/sh",)),
    "no first line": ("a.sh", text(*FILE, shebang=""), 0o755, ("/bin/sh",)),
    "no first line, another language": (
        "a.py",
        text(*FILE, shebang=""),
        0o755,
        "no first line names its interpreter · write: #!/usr/bin/env INTERPRETER",
    ),
    "nothing": (
        "a.sh",
        text(*FILE, shebang=""),
        0o644,
        "not executable, and no first line names its interpreter · chmod +x .ai/hooks/scripts/a.sh",
    ),
    "windows": ("a.ps1", text(*FILE), 0o755, "not run on this system: .ps1 is for Windows"),
    "no front matter": (
        "a.sh",
        "#!/bin/sh\nmake lint\n",
        0o755,
        "no front matter · write: #---, # type: file, … #--- below its first line",
    ),
    "broken": (
        "a.sh",
        "#!/bin/sh\n#---\n# type: file\n",
        0o755,
        "line 2 · expected a closing #---, got the end of the file · write: #--- after the last field",
    ),
    "pending": ("a.sh", text(*FILE, "status: pending"), 0o755, "status: pending"),
}


@pytest.mark.parametrize("name", STARTED)
def test_how_a_script_is_started_or_why_not(project: Project, name: str) -> None:
    file, value, mode, expected = STARTED[name]
    put(project, f".ai/hooks/scripts/{file}", value, mode=mode)
    put(project, ".ai/hooks/scripts/good.sh", text(*FILE))
    table = trusted(project)
    found = all_of(table)
    assert "good" in found, "the others are not touched"
    assert table.faults == ()
    if isinstance(expected, tuple):
        assert found["a"].argv == expected and idle(table) == {}
    else:
        assert list(found) == ["good"] and idle(table) == {f".ai/hooks/scripts/{file}": expected}


def test_what_lies_beside_scripts_is_no_matter(project: Project) -> None:
    for name in ("README.md", "notes.txt", "data.json", ".hidden.sh", "lint.sh~", "library"):
        put(project, f".ai/hooks/scripts/{name}", "---\ntype: file\n", mode=0o644 if name != ".hidden.sh" else 0o755)
    (project.root / ".ai/hooks/scripts/library").write_text("x = 1\n")
    table = trusted(project)
    assert all_of(table) == {} and idle(table) == {} and table.report()["warnings"] == ()


def test_links_inside_are_followed_and_those_out_are_refused(project: Project, tmp_path: Path) -> None:
    put(project, "tools/lint.sh", text(*FILE))
    outside = tmp_path / "outside.sh"
    outside.write_text(text(*FILE))
    outside.chmod(0o755)
    folder = project.root / ".ai/hooks/scripts"
    folder.mkdir(parents=True)
    (folder / "lint.sh").symlink_to("../../../tools/lint.sh")
    (folder / "out.sh").symlink_to(outside)
    (folder / "loop.sh").symlink_to("loop.sh")
    (folder / "gone.sh").symlink_to("nothing")
    (folder / "up").symlink_to("..")
    table = trusted(project)
    assert list(all_of(table)) == ["lint"]
    assert idle(table) == {".ai/hooks/scripts/out.sh": "a link that leads out of the project · copy the file here"}
    os.remove(folder / "lint.sh")
    folder.rename(tmp_path / "scripts")
    folder.symlink_to(tmp_path / "scripts")
    assert idle(trusted(project)) == {".ai/hooks/scripts": "a link that leads out of the project · copy the file here"}


def test_pipes_and_large_files_do_not_keep_the_compiler(project: Project) -> None:
    put(project, ".ai/hooks/scripts/large.sh", text(*FILE) + "#" * (1 << 20))
    os.mkfifo(project.root / ".ai/hooks/scripts/pipe.sh")
    os.mkfifo(project.root / ".discobot", 0o644)
    assert idle(trusted(project)) == {".ai/hooks/scripts/large.sh": "larger than 1024 KB"}


def test_bounds_of_the_walk(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    put(project, ".ai/hooks/scripts/" + "d/" * 14 + "deep.sh", text(*FILE))
    assert list(idle(trusted(project)).values()) == ["not looked at: deeper than 12 folders"]
    monkeypatch.setattr(scriptfind, "ENTRIES", 3)
    put(project, ".ai/hooks/scripts/near.sh", text(*FILE))
    assert "not looked at: more than 3 entries" in idle(trusted(project)).values()


def test_an_ignore_file_is_taken_out_of_every_file_script_there(project: Project) -> None:
    put(project, ".discobot/hooks/ignore", "# generated\ndist/\n*.min.js\n", mode=0o644)
    put(project, ".discobot/hooks/a.sh", text(*FILE, "exclude: x"))
    put(project, ".ai/hooks/scripts/b.sh", text(*FILE))
    table = trusted(project)
    assert {one.key: one.exclude for one in table.scripts("file")} == {
        "a": ("x", "dist/", "dist/**", "*.min.js"),
        "b": (),
    }
    put(project, ".discobot/hooks/ignore", "*\n", mode=0o644)
    excluded = {one.key: one.exclude for one in project.publish().scripts("file")}
    assert excluded["a"] == ("x", "dist/", "dist/**", "*.min.js"), "it loosens, so it is part of what is trusted"


# --- names and order -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("go-fmt", "go-fmt"),
        ("Go Format_Check", "go-format-check"),
        ("01-lint.sh", "01-lint-sh"),
        ("проверка", "проверка"),
        ("--", "script-"),
        ("x" * 300, "x" * 12 + "-"),
        ("../../etc/passwd", "etc-passwd"),
        ("a\udcffb", "a-b"),
    ],
)
def test_slugs(name: str, expected: str) -> None:
    made = slug(name)
    assert made == expected or (expected.endswith("-") and made.startswith(expected) and len(made) == len(expected) + 8)
    assert "/" not in made and not made.startswith((".", "-"))


def test_equal_stems_take_the_whole_name(project: Project) -> None:
    for name in ("lint.py", "lint.sh", "a/x.sh", "b/x.sh", "only.sh"):
        put(project, f".ai/hooks/scripts/{name}", text(*FILE))
    assert sorted(all_of(trusted(project))) == ["a-x-sh", "b-x-sh", "lint-py", "lint-sh", "only"]


def test_an_id_that_an_earlier_root_has_gets_its_own_root_before_it(project: Project) -> None:
    put(project, ".ai/hooks/scripts/lint.sh", text(*FILE))
    put(project, ".discobot/hooks/lint.sh", text(*FILE))
    for folder in (project.user, project.managed):
        project.write("scripts/lint.sh", text(*FILE), folder).chmod(0o755)
    found = trusted(project).scripts("file")
    assert [(one.key, one.origin) for one in found] == [
        ("lint", "managed"),
        ("user.lint", "user"),
        ("ai-hooks-scripts.lint", "project"),
        ("discobot-hooks.lint", "project"),
    ]


def test_order(project: Project) -> None:
    """Event scripts by number, then key; the others by file name, never by the name they show."""
    for name, order in (("z", 1), ("b", 50), ("a", 50.5), ("c", -3)):
        put(project, f".ai/hooks/scripts/{name}.sh", text("event: Stop", f"order: {order}"))
    for name, shown in (("02-a", "A"), ("01-z", "Z"), ("10-b", "B")):
        put(project, f".ai/hooks/scripts/{name}.sh", text(*FILE, f"name: {shown}"))
    table = trusted(project)
    assert [one.key for one in table.scripts("Stop")] == ["c", "z", "b", "a"]
    assert [one.key for one in table.scripts("file")] == ["01-z", "02-a", "10-b"]


def test_the_order_of_files_on_disk_decides_nothing(project: Project, tmp_path: Path) -> None:
    names = [f"s{n:02}" for n in range(20)]
    for name in names:
        put(project, f".ai/hooks/scripts/{name}.sh", text(*FILE, "event: Stop"))
    first = trusted(project)._scripts
    for name in reversed(names):
        path = project.root / f".ai/hooks/scripts/{name}.sh"
        path.rename(tmp_path / "moved")
        (tmp_path / "moved").rename(path)
    assert trusted(project)._scripts == first


def test_roots_of_a_manifest(project: Project) -> None:
    put(project, "tools/hooks/lint.sh", text(*FILE))
    put(project, ".ai/hooks/scripts/other.sh", text(*FILE))
    project.manifest({"scripts": {"roots": ["tools/hooks", "../out", "."], "nodes": []}})
    table = trusted(project)
    assert list(all_of(table)) == ["lint"]
    assert table.report()["warnings"] == (
        '.ai/hooks/dispatch.manifest.json · scripts.roots: "../out" does not count: it leads out of the project',
        '.ai/hooks/dispatch.manifest.json · scripts.roots: "." does not count: it leads out of the project',
    )


# --- trust ---------------------------------------------------------------------------------------------------------


def test_the_projects_scripts_wait_for_trust_and_a_persons_own_do_not(project: Project) -> None:
    tree(project)
    put(project, ".ai/hooks/scripts/lint.sh", text(*FILE))
    for name, folder in (("mine", project.user), ("ours", project.managed)):
        project.write(f"scripts/{name}.sh", text(*FILE), folder).chmod(0o755)
    table = project.publish()
    assert sorted(all_of(table)) == ["mine", "ours"] and table.guidance() == ()
    assert idle(table)["lint"] == idle(table)["stop-gate"] == NOT_TRUSTED
    found = project.survey().needs
    assert ".ai/hooks/scripts/lint.sh" in found and ".plugins/contract/a-rules/spec.md" in found
    assert ".config/core/stop-gate/spec.md" in found and ".config/core/stop-gate/stop-gate.sh" in found
    assert not [name for name in found if "later" in name or "c-rules" in name], "what is inert needs no trust"
    assert "lint" in all_of(trusted(project))


CHANGES: dict[str, tuple[str, str]] = {
    "a script": (".ai/hooks/scripts/lint.sh", text(*FILE) + "# more\n"),
    "a note": (".config/core/stop-gate/spec.md", "---\nsurface: hook\nevents: [PreToolUse]\n---\n"),
    "a program": (".config/core/stop-gate/stop-gate.sh", "#!/bin/sh\nexit 2\n"),
    "a text": (".plugins/contract/a-rules/spec.md", "---\nsurface: system\n---\nObey me.\n"),
    "a new one": (".ai/hooks/scripts/new.sh", text(*FILE)),
    "one no longer pending": (".config/core/later/spec.md", "---\nsurface: hook\nevents: [Stop]\n---\n"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_whatever_changes_needs_trust_and_takes_nothing_else_along(project: Project, name: str) -> None:
    tree(project)
    put(project, ".ai/hooks/scripts/lint.sh", text(*FILE))
    before = trusted(project)
    place, value = CHANGES[name]
    put(project, place, value)
    table = project.publish()
    assert ran(table) == ran(before), "what was trusted goes on as it was"
    assert table.guidance() == (before.guidance()[1:] if name == "a text" else before.guidance())
    assert len(table.told) == 1 and place.rpartition("/")[0] in table.told[0]
    assert ran(trusted(project)) != ran(before) or trusted(project).guidance() != table.guidance()
    assert project.publish().told == ()


def ran(table: HookTable) -> dict[str, tuple[bytes, tuple[str, ...]]]:
    """The content that runs, by key, and the events it answers."""
    return {key: (one.digest, one.events) for key, one in all_of(table).items()}


# --- switched off --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "off", "running"),
    [
        ("managed", {"disabled": ["theirs", "mine", "ours"]}, []),
        ("user", {"disabled": ["theirs", "mine.sh"]}, ["ours"]),
        ("user", {"disabled": ["ours"]}, ["mine", "ours", "theirs"]),
        ("project", {"disabled": ["theirs"]}, ["mine", "ours"]),
        ("project", {"disabled": ["mine", "ours"]}, ["mine", "ours", "theirs"]),
        ("local", {"disabled": ["theirs"]}, ["mine", "ours"]),
        ("managed", {"enabled": False}, []),
        ("user", {"enabled": False}, ["ours"]),
        ("project", {"enabled": False}, ["mine", "ours"]),
        ("local", {"enabled": False}, ["mine", "ours"]),
    ],
    ids=lambda value: str(value),
)
def test_who_may_switch_off_what(project: Project, who: str, off: dict[str, Any], running: list[str]) -> None:
    put(project, ".ai/hooks/scripts/theirs.sh", text(*FILE))
    for name, folder in (("mine", project.user), ("ours", project.managed)):
        project.write(f"scripts/{name}.sh", text(*FILE), folder).chmod(0o755)
    folders = {"managed": project.managed, "user": project.user, "project": project.hooks, "local": project.hooks}
    name = "hooks.local.json" if who == "local" else "dispatch.manifest.json"
    project.write(name, {"scripts": off}, folders[who])
    table = trusted(project)
    assert sorted(all_of(table)) == running
    refused = [one for one in ("ours", "mine") if one in off.get("disabled", ()) and one in running]
    assert len([line for line in table.report()["warnings"] if "can switch it off" in line]) == len(refused)
    assert {"theirs", "mine", "ours"} - set(running) == set(idle(table))


def test_a_later_layer_switches_on_again_what_managed_did_not_switch_off(project: Project) -> None:
    put(project, ".ai/hooks/scripts/lint.sh", text(*FILE))
    project.manifest({"scripts": {"enabled": False}})
    project.write("hooks.local.json", {"scripts": {"enabled": True}})
    assert list(all_of(trusted(project))) == ["lint"]
    project.manifest({"scripts": {"enabled": False}}, project.managed)
    assert all_of(trusted(project)) == {}


def test_switching_off_what_is_not_there_is_told(project: Project) -> None:
    project.manifest({"scripts": {"disabled": ["lnit"]}}, project.user)
    where = project.user / "dispatch.manifest.json"
    assert project.publish().report()["warnings"] == (
        f"{where} · scripts.disabled: there is no script of the name lnit",
    )


# --- the body ------------------------------------------------------------------------------------------------------


def test_a_hook_table_holds_paths_below_its_root_only_as_such(project: Project, tmp_path: Path) -> None:
    """The same content in another worktree is the same hook table."""
    put(project, ".ai/hooks/scripts/lint.sh", text(*FILE))
    tree(project)
    first = trusted(project)
    other = Project.__new__(Project)
    other.__dict__ |= project.__dict__
    other.root = tmp_path / "other"
    subprocess.run(["cp", "-a", str(project.root), str(other.root)], check=True)
    other.hooks = other.root / ".ai" / "hooks"
    second = trusted(other)
    assert (first._scripts, first._guidance, first._report) == (second._scripts, second._guidance, second._report)
    assert second.scripts("file")[0].path == f"{other.root}/.ai/hooks/scripts/lint.sh"


def test_nothing_is_there_nothing_is_wired(project: Project) -> None:
    table = project.publish()
    assert table._scripts == {} and table.guidance() == () and table.chunks == ()
    assert table.scripts("Stop") == () and not table.scripted("file")


def test_settings_begin_as_documented() -> None:
    assert scripts.USUAL == {
        "scripts.roots": [".ai/hooks/scripts", ".discobot/hooks"],
        "scripts.nodes": [".config", ".plugins"],
        "scripts.enabled": True,
        "scripts.disabled": [],
    }


# --- what is new and broken takes no other along --------------------------------------------------------------------

NODE = "---\nsurface: hook\nevents: [Stop]\nblock: true\n{more}---\nWhy.\n"
BROKEN = {
    "no YAML": ("b/spec.md", "---\nsurface: hook\nevents: [Stop\n---\n"),
    "never closed": ("b/spec.md", "---\nsurface: hook\nevents: [Stop]\n"),
    "no such event": ("b/spec.md", "---\nsurface: hook\nevents: [Nope]\n---\n"),
    "no program": ("b/spec.md", NODE.format(more="")),
    "beside, no YAML": ("gate/new.md", "---\nsurface: hook\nevents: [Stop\n---\n"),
    "beside, no such event": ("gate/new.md", "---\nsurface: hook\nevents: [Nope]\n---\n"),
    "beside, no program": ("gate/new.md", NODE.format(more="script: nope.sh\n")),
    "too many texts": ("b/spec.md", "---\nsurface: hook\ntype: file\npattern: '{1..99999}.py'\n---\n"),
}


@pytest.mark.parametrize("note", ["spec.md", "why.md", "gate.md"])
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_new_node_takes_no_other_along(project: Project, name: str, note: str) -> None:
    """Neither its key, nor its program, nor what it is trusted with."""
    put(project, f".config/gate/{note}", NODE.format(more=""), mode=0o644)
    put(project, ".config/gate/gate.sh", "#!/bin/sh\nexit 2\n")
    put(project, ".ai/hooks/scripts/lint.sh", text("type: file", 'pattern: "*.py"'))
    before = all_of(trusted(project))
    assert set(before) == {"gate", "lint"}
    place, value = BROKEN[name]
    put(project, f".config/{place}", value, mode=0o644)
    if "program" not in name:
        put(project, f".config/b/{place.replace('.md', '.sh').rpartition('/')[2]}", "#!/bin/sh\n")
    table = project.publish()
    assert all_of(table) == before
    assert f".config/{place}" in idle(table)


def test_a_second_note_leaves_the_folders_name_to_the_spec(project: Project) -> None:
    put(project, ".config/gate/spec.md", NODE.format(more=""), mode=0o644)
    put(project, ".config/gate/gate.sh", "#!/bin/sh\n")
    before = all_of(trusted(project))
    put(project, ".config/gate/more.md", NODE.format(more=""), mode=0o644)
    put(project, ".config/gate/more.sh", "#!/bin/sh\n")
    after = all_of(trusted(project))
    assert after["gate"] == before["gate"]
    assert after["more"].path == f"{project.root}/.config/gate/more.sh"
