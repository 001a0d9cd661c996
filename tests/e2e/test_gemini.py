"""Gemini CLI as a person has it: what is refused does not run and the model reads why, what passes runs, a turn that is
not done goes on, and after uninstall nothing is left.
"""

from __future__ import annotations

import pytest

from .rig.gemini_cli import configure
from .rig.script import call, say, use
from .site import Site
from .test_guards import refusal

pytestmark = pytest.mark.e2e

CLIENT = "gemini-cli"
CHECK = """#!/bin/sh
#---
# name: green
# type: file
# pattern: "*.txt"
#---
[ -e green.ok ] || { echo "green.ok is missing"; exit 1; }
"""


@pytest.fixture
def gemini(site: Site) -> Site:
    """A trusted project where `jackline init` was run for Gemini CLI."""
    configure(site.home, site.project)
    site.init(CLIENT)
    return site


def test_a_denied_call_does_not_run_and_the_model_reads_why(gemini: Site) -> None:
    settings = gemini.settings(CLIENT)
    installed = settings.read_bytes()
    run = gemini.gemini(
        call(use("run_shell_command", id="sed", command="sed -i s/jackline/x/ .gemini/settings.json && touch ran-sed")),
        call(use("write_file", id="write", file_path=str(settings), content="{}")),
        call(use("run_shell_command", id="store", command=f"rm -rf {gemini.store}")),
        call(use("run_shell_command", id="fine", command="echo all-is-well")),
        say("DONE"),
    )
    assert run.exit_code == 0, run.stderr
    for name in ("sed", "write", "store"):
        assert refusal(run, name)["message"]
    assert "all-is-well" in run.result("fine")
    assert settings.read_bytes() == installed and not list(gemini.project.glob("ran-*"))
    assert {row["data"]["client"] for row in gemini.rows("SESSION_INIT")} == {CLIENT}
    decided = [row["decision"] for row in gemini.rows("TOOL_DECISION")]
    assert decided == ["deny", "deny", "deny", "allow"]


def test_what_is_asked_about_is_denied_and_waits(gemini: Site) -> None:
    """It would end its run at a question without a person, and say nothing."""
    run = gemini.gemini(call(use("run_shell_command", id="ask", command="git push --force origin main")), say("DONE"))
    told = refusal(run, "ask")
    assert told["code"] == "HITL_PENDING"


def test_a_turn_that_is_not_done_goes_on(gemini: Site) -> None:
    folder = gemini.project / ".ai/hooks/scripts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "green.sh").write_text(CHECK)
    (folder / "green.sh").chmod(0o755)
    gemini.trust()
    run = gemini.gemini(
        call(use("write_file", id="write", file_path=str(gemini.project / "new.txt"), content="x\n")),
        say("I am done"),
        call(use("run_shell_command", id="mend", command="touch green.ok")),
        say("NOW I am done"),
    )
    assert run.exit_code == 0, run.stderr
    assert run.model_saw("green.ok is missing")
    assert (gemini.project / "green.ok").exists()


def test_doctor_is_content_and_uninstall_gives_back_the_file(gemini: Site) -> None:
    gemini.gemini(call(use("run_shell_command", id="fine", command="echo hi")), say("DONE"))
    gemini.jackline("doctor")
    gemini.jackline("status")
    gemini.jackline("uninstall", "--yes")
    assert not gemini.settings(CLIENT).exists()
    run = gemini.gemini(call(use("run_shell_command", id="fine", command="echo still-here")), say("DONE"))
    assert "still-here" in run.result("fine")
