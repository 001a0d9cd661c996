"""Gemini CLI and Qwen Code as a person has them: what is refused does not run and the model reads why, what passes
runs, a turn that is not done goes on, and after uninstall nothing is left.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from .rig.gemini_family import FAMILY, configure
from .rig.run import Run
from .rig.script import Turn, call, say, use
from .site import Site
from .test_guards import refusal

pytestmark = pytest.mark.e2e

Play = Callable[..., Run]
CHECK = """#!/bin/sh
#---
# name: green
# type: file
# pattern: "*.txt"
#---
[ -e green.ok ] || { echo "green.ok is missing"; exit 1; }
"""


@pytest.fixture(params=list(FAMILY))
def client(request: pytest.FixtureRequest, site: Site) -> str:
    """A trusted project where `jackline init` was run for one of them."""
    name = str(request.param)
    configure(name, site.home, site.project)
    site.init(name)
    return name


@pytest.fixture
def play(client: str, site: Site) -> Play:
    def run(*turns: Turn, **options: str) -> Run:
        return site.member(client, *turns, **options)

    return run


def test_a_denied_call_does_not_run_and_the_model_reads_why(site: Site, client: str, play: Play) -> None:
    settings = site.settings(client)
    installed = json.loads(settings.read_text())["hooks"]
    inner = settings.relative_to(site.project)
    run = play(
        call(use("run_shell_command", id="sed", command=f"sed -i s/jackline/x/ {inner} && touch ran-sed")),
        call(use("write_file", id="write", file_path=str(settings), content="{}")),
        call(use("run_shell_command", id="store", command=f"rm -rf {site.store}")),
        call(use("run_shell_command", id="fine", command="echo all-is-well")),
        say("DONE"),
    )
    assert run.exit_code == 0, run.stderr
    for name in ("sed", "write", "store"):
        assert refusal(run, name)["message"]
    assert "all-is-well" in run.result("fine")
    assert json.loads(settings.read_text())["hooks"] == installed  # Qwen Code notes its version there by itself
    assert not list(site.project.glob("ran-*"))
    assert {row["data"]["client"] for row in site.rows("SESSION_INIT")} == {client}
    decided = [row["decision"] for row in site.rows("TOOL_DECISION")]
    assert decided == ["deny", "deny", "deny", "allow"]


def test_what_is_asked_about_is_denied_and_waits(client: str, play: Play) -> None:
    """Gemini CLI would end its run at a question without a person, and say nothing."""
    run = play(call(use("run_shell_command", id="ask", command="git push --force origin main")), say("DONE"))
    assert refusal(run, "ask")["code"] == "HITL_PENDING", client


def test_a_turn_that_is_not_done_goes_on(site: Site, play: Play) -> None:
    folder = site.project / ".ai/hooks/scripts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "green.sh").write_text(CHECK)
    (folder / "green.sh").chmod(0o755)
    site.trust()
    run = play(
        call(use("write_file", id="write", file_path=str(site.project / "new.txt"), content="x\n")),
        say("I am done"),
        call(use("run_shell_command", id="mend", command="touch green.ok")),
        say("NOW I am done"),
    )
    assert run.exit_code == 0, run.stderr
    assert run.model_saw("green.ok is missing")
    assert (site.project / "green.ok").exists()


def test_no_env_file_of_a_project_answers_for_the_door(site: Site, client: str, play: Play) -> None:
    """They put variables into their settings, and read a project's `.env`."""
    site.jackline("uninstall", "--yes")
    site.init(client, "user")
    (site.project / ".env").write_text("a={}\nJ=/nonexistent\n1={}\n")
    run = play(call(use("run_shell_command", id="store", command=f"rm -rf {site.store}")), say("DONE"))
    assert refusal(run, "store")["message"]


def test_doctor_is_content_and_uninstall_gives_back_the_file(site: Site, client: str, play: Play) -> None:
    play(call(use("run_shell_command", id="fine", command="echo hi")), say("DONE"))
    site.jackline("doctor")
    site.jackline("status")
    site.jackline("uninstall", "--yes")
    left = site.settings(client)
    assert not left.exists() or set(json.loads(left.read_text())) == {"$version"}
    run = play(call(use("run_shell_command", id="fine", command="echo still-here")), say("DONE"))
    assert "still-here" in run.result("fine")
