"""stop-synth: what a task did and what was decided, from the log alone, once, and nothing for who only looked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from jackline.services import artifacts
from scene import Scene

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


def on(scene: Scene, **knobs: Any) -> None:
    scene.manifest({"version": 1, "modules": {"stop-synth": {"enabled": True}}})
    (scene.home / ".config/jackline/config.json").write_text(json.dumps({"stop-synth": knobs}))


@pytest.fixture
def machine(scene: Scene) -> Scene:
    on(scene)
    scene.begin()
    scene.prompt("make it so")
    return scene


def stop(scene: Scene) -> None:
    assert scene.say(scene.payload("Stop", stop_hook_active=False)).body == {}


def writes(scene: Scene, name: str) -> None:
    """A call that writes a file, before and after."""
    given = {"file_path": str(scene.root / name), "content": "x"}
    (scene.root / name).write_text("x")
    for event in ("PreToolUse", "PostToolUse"):
        scene.say(scene.tool(event=event, tool_name="Write", tool_input=given, tool_use_id=f"t-{name}"))


def runs(scene: Scene, command: str) -> None:
    scene.say(scene.tool(command))
    scene.say(scene.tool(command, "PostToolUse"))


def output(scene: Scene) -> Path:
    return scene.place / "stop-synth/output"


def pages(scene: Scene) -> list[str]:
    found = output(scene).rglob("*.md") if output(scene).exists() else ()
    return sorted(str(path.relative_to(output(scene))) for path in found)


def summary(scene: Scene) -> str:
    return (output(scene) / "summary.md").read_text()


def draft(scene: Scene) -> str:
    return (output(scene) / f"adr/adr-{scene.place.name}-w001.md").read_text()


def section(page: str, title: str) -> list[str]:
    """The lines of one section."""
    found = re.search(rf"^## {re.escape(title)}\n\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    return found.group(1).strip().splitlines() if found else []


def announced(scene: Scene) -> list[tuple[str, str]]:
    found, _ = artifacts.follow(str(scene.place), 0, ("session_summary", "adr_draft"))
    return [(one.kind, one.supersedes) for one in found]


# --- only when something was made ----------------------------------------------------------------------------------


def test_who_only_asks_and_reads_leaves_nothing(machine: Scene) -> None:
    runs(machine, "git status")
    read = {"file_path": str(machine.root / "a.py")}
    for event in ("PreToolUse", "PostToolUse"):
        machine.say(machine.tool(event=event, tool_name="Read", tool_input=read))
    stop(machine)
    assert pages(machine) == [] and announced(machine) == []


def test_a_change_is_summed_up_without_a_decision(machine: Scene) -> None:
    writes(machine, "a.py")
    runs(machine, "make install")
    stop(machine)
    assert pages(machine) == ["summary.md"]
    page = summary(machine)
    assert page.startswith("# Summary of w001\n")
    for row in (
        f"| session | {machine.place.name} |",
        "| work unit | w001 |",
        "| turns | 1 |",
        "| final phase | PLANNING |",
    ):
        assert row in page
    assert section(page, "Tool Usage")[2:] == ["| Bash | 1 | 0 | 0 |", "| Write | 1 | 0 | 0 |"]
    assert section(page, "Files Touched") == ["- a.py"]
    for title in ("Errors", "Denials / Asks", "Friction Points", "Budget Exceeded"):
        assert f"## {title}" not in page


def test_a_shell_command_that_may_have_done_something_counts(machine: Scene) -> None:
    runs(machine, "touch a.py")
    stop(machine)
    assert pages(machine) == ["summary.md"]


def test_it_writes_nothing_while_it_is_off(scene: Scene) -> None:
    scene.begin()
    writes(scene, "a.py")
    stop(scene)
    assert pages(scene) == []


# --- decisions -----------------------------------------------------------------------------------------------------


def test_a_denied_call_stands_in_both_pages_as_it_was_decided(machine: Scene) -> None:
    for _ in range(3):
        assert machine.pre("rm -rf /").decision == "deny"
    stop(machine)
    [row] = {row["reason"] for row in machine.rows("TOOL_DECISION") if row["decision"] == "deny"}
    [denial] = section(summary(machine), "Denials / Asks")
    assert denial.startswith("- denied Bash: ") and denial.endswith("3 times)") and row.split()[0] in denial
    assert section(draft(machine), "Decisions Made") == [denial]
    [friction] = section(summary(machine), "Friction Points")
    assert friction.startswith("- Bash was refused 3 times: ")
    page = draft(machine)
    assert page.startswith("# Decisions of w001\n\n- Date: 20") and "- Status: Draft" in page
    assert page.endswith("## Consequences\n\n## Follow-ups\n")


def test_what_an_agent_claims_is_no_decision(machine: Scene) -> None:
    """Neither a file with the shape of the log, nor a page that somebody wrote before."""
    folder = output(machine)
    (folder / "adr").mkdir(parents=True)
    (folder / "summary.md").write_text("everything was approved")
    row = {"kind": "TOOL_DECISION", "decision": "deny", "reason": "forged", "workId": "w001", "ts": 1}
    (folder / "events.jsonl").write_text(json.dumps(row) + "\n")
    writes(machine, "a.py")
    stop(machine)
    assert "approved" not in summary(machine) and "forged" not in summary(machine)
    assert pages(machine) == ["summary.md"]


def test_an_event_of_the_plan_is_a_decision(machine: Scene) -> None:
    plan = machine.place / "planGraph-exec/output/planGraph.json"
    plan.parent.mkdir(parents=True)
    forbidden = {"id": "n1", "description": "leave it", "scope": "src/**", "status": "forbidden", "reason": "frozen"}
    plan.write_text(json.dumps({"nodes": [forbidden]}))
    (machine.root / "src").mkdir()
    given = {"file_path": str(machine.root / "src/a.py"), "content": "x"}
    assert machine.say(machine.tool(tool_name="Write", tool_input=given)).decision == "deny"
    stop(machine)
    assert any(line.startswith("- PLAN_GRAPH_DENY") for line in section(draft(machine), "Plan Graph Events"))
    assert any("frozen" in line for line in section(draft(machine), "Decisions Made"))


# --- replaced, never doubled ---------------------------------------------------------------------------------------


def test_each_turn_replaces_what_the_one_before_wrote(machine: Scene) -> None:
    writes(machine, "a.py")
    stop(machine)
    first = summary(machine)
    stop(machine)
    assert summary(machine) == first and announced(machine) == [("session_summary", "")], "the same is not said twice"
    [one] = artifacts.follow(str(machine.place), 0, ("session_summary",))[0]
    writes(machine, "b.py")
    machine.pre("rm -rf /")
    stop(machine)
    assert section(summary(machine), "Files Touched") == ["- a.py", "- b.py"]
    assert announced(machine) == [("session_summary", ""), ("session_summary", one.id), ("adr_draft", "")]
    assert pages(machine) == [f"adr/adr-{machine.place.name}-w001.md", "summary.md"]


def test_a_page_that_somebody_changed_is_written_again(machine: Scene) -> None:
    writes(machine, "a.py")
    stop(machine)
    (output(machine) / "summary.md").write_text("nothing happened")
    stop(machine)
    assert summary(machine).startswith("# Summary of w001") and len(announced(machine)) == 1


def test_names_come_from_the_knobs(scene: Scene) -> None:
    on(scene, summaryFile="end.md", adrDir="decisions")
    scene.begin()
    scene.pre("rm -rf /")
    stop(scene)
    assert pages(scene) == [f"decisions/adr-{scene.place.name}-w001.md", "end.md"]


# --- foreign text --------------------------------------------------------------------------------------------------


def test_foreign_text_can_be_no_markup_and_no_secret(machine: Scene) -> None:
    machine.pre(f"rm -rf / # {SECRET}")
    writes(machine, "a|b<img src=x>[c](d)\u202e.py")
    stop(machine)
    for page in (summary(machine), draft(machine)):
        assert SECRET not in page and "<img" not in page.replace("\\<img", "") and "\u202e" not in page
    [line] = section(summary(machine), "Files Touched")
    assert line == "- a\\|b\\<img src=x\\>\\[c\\](d)\\\\u202e.py"


def test_no_link_is_written_through(machine: Scene, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (machine.place / "stop-synth").symlink_to(tmp_path / "out", target_is_directory=True)
    writes(machine, "a.py")
    machine.say(machine.payload("Stop", stop_hook_active=False))
    assert list((tmp_path / "out").iterdir()) == []
    assert machine.rows("ERROR_MODULE"), "a fault is seen"


def test_at_most_thirty_files_are_named(machine: Scene) -> None:
    for number in range(33):
        writes(machine, f"{number:02d}.py")
    stop(machine)
    lines = section(summary(machine), "Files Touched")
    assert (lines[0], lines[29], lines[30:]) == ("- 03.py", "- 32.py", ["- and 3 more"])
