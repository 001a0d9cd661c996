"""The real opencode with our program in it: calls, sub-agents, the end of a turn, a door that is dead or gone."""

from __future__ import annotations

import json
import shutil
import statistics
from pathlib import Path
from typing import Any

import pytest

from jackline.install import entry

from .rig.opencode import run_opencode
from .rig.script import Thread, Tool, call, say, use
from .site import Site

pytestmark = pytest.mark.e2e

CLIENT = "opencode"
PLUGIN = ".opencode/plugin/jackline.js"
PAIRS = 3
SLOWEST = 1.2
"""A start with the plugin, as a share of one without, in the quietest pair: who waits for a registry waits in each."""

ASKS = """from jackline.sdk import ask, hook


@hook(name="asker", supports=["PreToolUse"], priority=60, tools=["kind:shell"])
def handle(event, ctx):
    if "touch" in event.command:
        return ask("MAY-IT-TOUCH", rule="asker: touching", safer="leave it")
"""
NO_WRONG = """#!/bin/sh
#---
# name: No WRONG
# type: file
# pattern: "*.txt"
#---
! grep -n WRONG $JACKLINE_CHANGED_FILES
"""


def shell(name: str, command: str) -> Tool:
    return use("bash", id=name, command=command, description="as the test says")


def code_of(text: str) -> str:
    """The code in a refusal's line of data."""
    return str(json.loads(next(line for line in text.splitlines() if line.startswith("{")))["code"])


def test_a_session_is_judged_and_remembered(site: Site) -> None:
    site.init(CLIENT)
    run = site.opencode(
        call(shell("one", "echo one"), shell("two", f"sed -i s/x/y/ {PLUGIN}")),
        call(shell("three", "exit 3")),
        call(use("read", id="four", filePath="nothing.txt")),
        call(use("task", id="five", subagent_type="general", description="part", prompt="SUB-PROMPT")),
        say("DONE"),
        threads=[
            Thread("sub", "SUB-PROMPT", (call(shell("six", "echo six"), shell("seven", "rm -rf .ai")), say("SUB-DONE")))
        ],
    )
    assert run.exit_code == 0
    assert "one" in run.result("one")
    assert code_of(run.result("two")) == "SCOPE_VIOLATION"
    assert "six" in run.result("six")
    assert "may not be changed by an agent" in run.result("seven")
    assert (site.project / ".ai").is_dir()
    decided = {row["toolUseId"]: row["decision"] for row in site.rows("TOOL_DECISION")}
    assert decided == dict.fromkeys(("one", "three", "four", "five", "six"), "allow") | {"two": "deny", "seven": "deny"}
    agents = {row["toolUseId"]: row["agentId"] for row in site.rows("TOOL_DECISION")}
    assert (agents["one"], agents["six"]) == ("u00", "a01")
    assert len(site.sessions()) == 1
    heard = {row["event"] for row in site.events()}
    assert heard >= {"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "SubagentStart"}
    assert heard >= {"SubagentStop", "Stop", "SessionEnd"}
    found = {
        one["code"]: one["grade"] for one in json.loads(site.jackline("doctor", "--json", code=None).out)["findings"]
    }
    assert (found["entries"], found["answer"], found["last-event"]) == ("ok", "ok", "ok")


def test_what_would_be_asked_is_refused_and_waits_for_a_person(site: Site) -> None:
    site.init(CLIENT)
    site.feature("asker", ASKS)
    site.trust()
    run = site.opencode(call(shell("touch", "touch made")), say("DONE"))
    assert "MAY-IT-TOUCH" in run.result("touch")
    assert code_of(run.result("touch")) == "HITL_PENDING"
    assert not (site.project / "made").exists()


def test_a_failing_file_script_keeps_it_going_until_it_is_mended(site: Site) -> None:
    site.init(CLIENT)
    path = site.project / ".ai/hooks/scripts/no-wrong"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(NO_WRONG)
    path.chmod(0o755)
    site.trust()
    run = site.opencode(
        call(use("write", filePath="a.txt", content="WRONG\n"), text="I write"),
        say("DONE?"),
        call(use("write", filePath="a.txt", content="right\n")),
        say("DONE"),
    )
    assert run.exit_code == 0
    assert run.model_saw("No WRONG")
    assert run.times_told("Attempt 1/3") == 1
    assert run.requests[-1].answer.text == "DONE"


def _door_gone(store: Path) -> None:
    (store / "door.py").unlink()


def _interpreter_gone(store: Path) -> None:
    (store / "bin/python").unlink()


@pytest.mark.parametrize(("spoil", "refuses"), [(_door_gone, True), (_interpreter_gone, False), (shutil.rmtree, False)])
def test_a_dead_door_refuses_and_an_absent_one_is_silent(site: Site, spoil: Any, refuses: bool) -> None:
    site.init(CLIENT, "user")
    spoil(site.store)
    run = site.opencode(call(shell("one", "echo one")), say("DONE"))
    assert run.exit_code == 0
    assert (entry.REASON in run.result("one")) is refuses
    assert ("one" in run.result("one").split()) is not refuses


def test_uninstalled_nothing_of_ours_is_left(site: Site) -> None:
    before = sorted(str(path) for path in site.home.rglob("*"))
    site.init(CLIENT, "user")
    site.jackline("uninstall", "--purge", "--yes")
    assert sorted(str(path) for path in site.home.rglob("*") if "/.local" not in str(path)) == before


def test_a_start_without_a_registry_takes_hardly_longer(site: Site, tmp_path: Path) -> None:
    """Beside a start of its own, one after another, so that what else the machine does concerns both."""
    site.init(CLIENT, "user")
    bare, project = tmp_path / "bare-home", tmp_path / "bare-project"
    shutil.copytree(site.project, project)
    shutil.rmtree(project / ".ai", ignore_errors=True)

    def ours() -> float:
        return site.opencode(say("DONE")).seconds

    def own() -> float:
        return run_opencode(project, bare, [say("DONE")]).seconds

    ours(), own()  # first starts make what later ones find
    shares = [(ours() / own()) if turn % 2 else 1 / (own() / ours()) for turn in range(PAIRS)]
    print(f"a start with the plugin, as a share of one without: {statistics.median(shares):.2f}")
    assert min(shares) <= SLOWEST
