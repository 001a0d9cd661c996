"""Scripts of a project on the real clients: the end-of-turn loop, an event script, a commit that is stopped."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .hands import Hand
from .rig.run import Run
from .rig.script import Thread, call, say, use
from .site import Site

pytestmark = pytest.mark.e2e

NO_WRONG = """#!/bin/sh
#---
# name: No WRONG
# type: file
# pattern: "*.txt"
#---
echo "$JACKLINE_CHANGED_FILES" >> ../checked.log
! grep -n WRONG $JACKLINE_CHANGED_FILES
"""

ALWAYS = """#!/bin/sh
#---
# type: file
# pattern: "*.txt"
#---
echo run >> ../checked.log
date +%s%N
exit 3
"""

COMMIT = """#!/bin/sh
#---
# name: No WRONG in a commit
# type: pre-commit
#---
if git grep -n --cached WRONG; then echo "a commit holds no WRONG"; exit 1; fi
"""

NO_TOUCH = """#!/usr/bin/env python3
#---
# type: event
# events: [PreToolUse]
# tools: [kind:shell]
# block: true
#---
import json, sys
if "touch forbidden" in sys.stdin.read():
    print(json.dumps({"decision": "block", "reason": "NOTHING-FORBIDDEN is touched here"}))
"""


def script(site: Site, name: str, text: str) -> None:
    path = site.project / ".ai/hooks/scripts" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def checked(site: Site) -> list[str]:
    log = site.project.parent / "checked.log"
    return log.read_text().splitlines() if log.exists() else []


def status(site: Site) -> dict[str, Any]:
    (folder,) = [one for one in site.sessions() if (one / "scripts/status.json").exists()]
    found: dict[str, Any] = json.loads((folder / "scripts/status.json").read_text())
    return found


def told(attempt: int, line: str = "1:WRONG", files: str = "note.txt") -> str:
    """The document's message, as the model must read it."""
    return (
        f'[Jackline Hook Failed] "No WRONG" (pattern: *.txt)\n\nFiles: {files}\nExit code: 1\n\nOutput:\n{line}\n\n'
        f"Please fix the issues and ensure the hook passes. (Attempt {attempt}/3)"
    )


def write(hand: Hand, site: Site, name: str, text: str) -> Any:
    return call(hand.shell(name, f"printf '%s\\n' '{text}' > {site.project}/note.txt"))


def test_a_failing_file_script_is_repaired_and_the_turn_ends(here: Site, hand: Hand) -> None:
    script(here, "no-wrong.sh", NO_WRONG)
    here.trust()
    turns = [
        write(hand, here, "break", "WRONG"),
        say("DONE"),
        write(hand, here, "mend", "right"),
        say("REPAIRED"),
    ]
    run: Run = hand.play(here, turns)
    assert run.exit_code == 0
    assert run.model_saw(told(1))
    assert not run.model_saw("Attempt 2/3")
    assert len(run.thread()) == len(turns), "the second end ends the turn"
    assert checked(here) == ["note.txt", "note.txt"]
    found = status(here)
    (one,) = found["hooks"].values()
    assert (one["runCount"], one["failCount"], one["consecutiveFailures"], one["lastResult"]) == (2, 1, 0, "success")
    assert found["pendingHooks"] == []


def test_a_script_that_always_fails_ends_after_three(here: Site, hand: Hand) -> None:
    script(here, "always.sh", ALWAYS)
    here.trust()
    turns = [write(hand, here, "first", "one")]
    for number in range(1, 6):
        turns += [say(f"DONE-{number}"), write(hand, here, f"again-{number}", f"try {number}")]
    run = hand.play(here, turns, default=say("STILL"))
    assert run.exit_code == 0
    for number in (1, 2, 3):
        assert run.model_saw(f"(Attempt {number}/3)")
    assert not run.model_saw("Attempt 4/3")
    assert len(checked(here)) == 4, "the fourth end is checked once more, and lets go"
    assert status(here)["pendingHooks"] == ["always"]


def test_a_background_sub_agents_stop_runs_nothing(here: Site, hand: Hand) -> None:
    """While a sub-agent works and ends nothing is checked; at the main agent's own end it is, once."""
    script(here, "no-wrong.sh", NO_WRONG)
    here.trust()
    sub = Thread("sub", "SUB-PROMPT", (write(hand, here, "sub-write", "right"), say("SUB-DONE")))
    if hand.client == "claude-code":
        task = {"description": "part", "prompt": "SUB-PROMPT", "subagent_type": "general-purpose"}
        begin = [call(use("Agent", id="spawn", run_in_background=True, **task)), say("EARLY"), say("AFTER")]
    else:
        begin = hand.delegate("SUB-PROMPT")
    run = hand.play(here, [*begin, say("DONE")], threads=[sub], default=say("DONE"))
    assert run.exit_code == 0
    assert (here.project / "note.txt").read_text() == "right\n"
    assert here.rows("HOOK_EVENT", event="SubagentStop") != []
    for row in here.rows("SCRIPT_RUN"):
        assert (row["event"], row["agentId"]) == ("Stop", "u00")
    assert checked(here) == ["note.txt"]


def test_a_pre_commit_script_blocks_the_agents_commit(here: Site, hand: Hand) -> None:
    script(here, "commit.sh", COMMIT)
    here.trust()
    here.jackline("init", "--client", hand.client, "--scope", "project")
    before = here.git("rev-parse", "HEAD")
    commit = "git add -A . && git commit -q -m change"
    turns = [
        write(hand, here, "break", "WRONG"),
        call(hand.shell("commit-one", commit)),
        write(hand, here, "mend", "right"),
        call(hand.shell("commit-two", f"git reset -q -- . && {commit}")),
        say("DONE"),
    ]
    (here.project / ".gitignore").write_text(".ai\n.claude\n.codex\n")
    run = hand.play(here, turns)
    assert run.exit_code == 0
    assert "a commit holds no WRONG" in run.result("commit-one")
    assert "note.txt:1:WRONG" in run.result("commit-one")
    assert here.git("rev-parse", "HEAD") != before
    assert here.git("show", "HEAD:note.txt") == "right\n"
    assert here.git("rev-parse", "HEAD~1") == before, "the first commit was not made"


def test_an_event_script_refuses_a_call(here: Site, hand: Hand) -> None:
    script(here, "no-touch.py", NO_TOUCH)
    here.trust()
    run = hand.play(
        here,
        [call(hand.shell("bad", "touch forbidden")), call(hand.shell("good", "echo all-is-well")), say("DONE")],
    )
    assert run.exit_code == 0
    assert "NOTHING-FORBIDDEN" in run.result("bad")
    assert not (here.project / "forbidden").exists()
    assert "all-is-well" in run.result("good")


def test_scripts_of_a_discobot_repository_work_unchanged(here: Site, hand: Hand) -> None:
    folder = here.project / ".discobot/hooks"
    folder.mkdir(parents=True)
    for name, text in (("no-wrong.sh", NO_WRONG.replace("JACKLINE_", "DISCOBOT_")),):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    here.trust()
    turns = [write(hand, here, "break", "WRONG"), say("DONE"), write(hand, here, "mend", "right"), say("REPAIRED")]
    run = hand.play(here, turns)
    assert run.exit_code == 0
    assert run.model_saw(told(1).replace("Jackline", "Discobot"))
    assert len(run.thread()) == len(turns)


def test_a_repositorys_scripts_do_nothing_until_they_are_trusted(here: Site, hand: Hand) -> None:
    script(here, "no-wrong.sh", NO_WRONG)
    run = hand.play(here, [write(hand, here, "break", "WRONG"), say("DONE")])
    assert run.exit_code == 0
    assert checked(here) == []
    assert not run.model_saw("Hook Failed")
