"""`jackline hooks`: what would run at each event, in order, and what does not and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Desk

GATE = "#!/bin/sh\n#---\n# event: Stop\n# order: {order}\n# block: true\n# description: {key}\n#---\nexit 0\n"
LINT = '#!/bin/sh\n#---\n# name: Lint\n# type: file\n# pattern: "*.py"\n#---\nexit 0\n'


def put(desk: Desk, name: str, value: str) -> Path:
    path = desk.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value)
    path.chmod(0o755)
    return path


@pytest.fixture
def project(desk: Desk) -> Desk:
    put(desk, ".ai/hooks/scripts/gate.sh", GATE.format(order=20, key="the gate"))
    put(desk, ".ai/hooks/scripts/first.sh", GATE.format(order=3, key="first"))
    put(desk, ".ai/hooks/scripts/lint.sh", LINT)
    put(desk, ".ai/hooks/scripts/later.sh", LINT.replace("# type", "# status: pending\n# type"))
    put(desk, ".ai/hooks/scripts/broken.sh", LINT.replace("file", "fiel"))
    put(desk, ".config/told/spec.md", "---\nsurface: hook\nevents: [Notification, PreToolUse]\nmatcher: Edit\n---\n")
    put(desk, ".config/told/told.sh", "#!/bin/sh\n")
    return desk


def test_untrusted_scripts_are_listed_with_the_reason(project: Desk) -> None:
    told = project.jackline("hooks", "--json").data
    why = {one["file"].rpartition("/")[2]: one["why"] for one in told["idle"]}
    assert why["gate.sh"] == why["lint.sh"] == why["spec.md"] == "not trusted: run `jackline trust --diff`"
    assert why["later.sh"] == "status: pending"
    assert why["broken.sh"].startswith("line 4 · type: expected one of event, session, file, pre-commit")
    assert [row["kind"] for row in told["moments"]["Stop"]] == ["feature"]


def test_features_then_scripts_in_order(project: Desk) -> None:
    project.trust()
    told = project.jackline("hooks", "--json").data
    stop = [(row["kind"], row["name"], row["order"], row["blocks"]) for row in told["moments"]["Stop"]]
    assert stop == [("feature", "session", 0, True), ("script", "first", 3, True), ("script", "gate", 20, True)]
    assert [(row["name"], row["title"], row["from"]) for row in told["moments"]["file"]] == [
        ("lint", "Lint", ".ai/hooks/scripts/lint.sh")
    ]
    node = told["moments"]["Notification"][-1]
    assert (node["name"], node["from"], node["path"]) == (
        "told",
        ".config/told/spec.md",
        ".config/told/told.sh",
    )
    assert {one["file"].rpartition("/")[2] for one in told["idle"]} == {"later.sh", "broken.sh"}
    said = project.jackline("hooks").out
    assert said.index("Stop") < said.index("first") < said.index("gate") < said.index("pattern *.py")


@pytest.mark.parametrize("word", ["Stop", "agentStop"])
def test_one_event_in_any_clients_words(project: Desk, word: str) -> None:
    project.trust()
    told = project.jackline("hooks", word, "--json").data
    assert list(told["moments"]) == ["Stop", "file"]  # the scripts over changed files run then too
    assert {one["file"].rpartition("/")[2] for one in told["idle"]} == {"broken.sh", "later.sh"}
    said = project.jackline("hooks", word).out
    assert said.index("lint") < said.index("Lint")
    assert "lint" not in project.jackline("hooks", "SessionStart").out


def test_what_does_not_run_at_the_end_of_a_turn_is_told_there(project: Desk) -> None:
    assert ".ai/hooks/scripts/lint.sh" in {
        one["file"] for one in project.jackline("hooks", "Stop", "--json").data["idle"]
    }


def test_what_is_no_event_names_the_nearest(project: Desk) -> None:
    assert "did you mean Stop?" in project.jackline("hooks", "Stp", code=2).err
    assert "Nothing runs at pre-commit." in project.jackline("hooks", "pre-commit").out


def test_an_event_that_an_installed_client_lacks_is_told(project: Desk) -> None:
    project.trust()
    (project.home / ".codex").mkdir(exist_ok=True)
    project.jackline("init", "--client", "codex", "--yes")
    line = "codex has no Notification: told will not run there at that event"
    assert line in project.jackline("hooks", "--json").data["lacking"]
    assert line in project.jackline("compile").out
    assert line in project.jackline("compile", "--json").data["lacking"]
    assert "codex" not in project.jackline("hooks", "Stop").out


def test_compile_and_hook_table_show_scripts(project: Desk) -> None:
    project.trust()
    made = project.jackline("compile", "--json").data
    assert made["scripts"] == ["first", "gate", "lint", "told"]
    assert made["faults"] == [], "a broken script is no fault of the configuration"
    assert any("broken.sh:4" in line for line in made["warnings"])
    told = project.jackline("hooks", "--table", "--json").data
    assert told["scripts"]["Stop"] == ["first", "gate"] and told["scripts"]["file"] == ["lint"]
    assert "first → gate" in project.jackline("hooks", "--table").out


def test_a_paused_script_is_marked(project: Desk) -> None:
    from jackline import host
    from jackline.store import pauses

    project.trust()
    pauses.save(str(project.store), [pauses.Pause("gate", host.now() // 1_000_000 + 600_000)])
    rows = {row["name"]: row["paused"] for row in project.jackline("hooks", "Stop", "--json").data["moments"]["Stop"]}
    assert rows == {"session": False, "first": False, "gate": True}


def test_showing_hooks_writes_nothing(project: Desk) -> None:
    before = sorted(str(path) for path in project.folder.rglob("*"))
    project.jackline("hooks")
    assert sorted(str(path) for path in project.folder.rglob("*")) == before
