"""A teammate's branch is merged in the middle of a session: what a person trusted stays in force until they say more.

The branch changes one script, adds one and deletes one. The person merges it, or the agent does. That a script is in
force is seen from what the client refuses and from the trace of its runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .hands import CLAUDE, Hand
from .rig.run import Run
from .rig.script import Turn, call, say
from .site import Site

pytestmark = pytest.mark.e2e

PLACE = ".ai/hooks/scripts"
SCRIPT = """#!/bin/sh
#---
# type: event
# events: [PreToolUse]
# tools: [kind:shell]
# block: true
#---
echo {name} {version} >> ../ran.log
if grep -q {name}-word; then
    echo "{name} {version} refuses"
    exit 2
fi
"""
MERGE = "git merge -q --no-edit team/work"
BEFORE = ["changed one", "deleted one", "kept one"]


def told(name: str, said: str) -> str:
    """What the person reads of a script: one sentence, and the command to type."""
    return f"{PLACE}/{name}.sh (script) {said} · jackline trust {PLACE}/{name}.sh"


NEW = told("added", "is new and not trusted: it does not run")
CHANGED = told("changed", "changed since you trusted it: the version you trusted runs")
GONE = told("deleted", "is gone, though you trusted it: the version you trusted runs")
LEFT = f"{PLACE}/deleted.sh (script) is gone with the branch: it does not run here"


def script(project: Path, name: str, version: str) -> None:
    """A script that leaves a trace of every run, and refuses a command that says its word."""
    path = project / PLACE / f"{name}.sh"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SCRIPT.format(name=name, version=version))
    path.chmod(0o755)


@pytest.fixture
def team(here: Site) -> Site:
    """Three trusted scripts in a commit; a teammate's `work`, made in a clone, is fetched as `team/work`."""
    for name in ("changed", "deleted", "kept"):
        script(here.project, name, "one")
    here.git("add", PLACE)
    here.git("commit", "-q", "-m", "scripts")
    here.trust()
    mate = here.project.parent / "mate"
    here.git("clone", "-q", str(here.project), str(mate))
    here.git("-C", str(mate), "checkout", "-q", "-b", "work")
    script(mate, "changed", "two")
    script(mate, "added", "two")
    (mate / PLACE / "deleted.sh").unlink()
    here.git("-C", str(mate), "add", "-A")
    here.git("-C", str(mate), "commit", "-q", "-m", "a teammate's work")
    here.git("remote", "add", "team", str(mate))
    here.git("fetch", "-q", "team")
    here.sit()
    return here


def ran(site: Site) -> list[str]:
    """What ran since this was asked last."""
    log = site.project.parent / "ran.log"
    found = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return sorted(found)


def play(site: Site, hand: Hand, *turns: Turn, prompts: tuple[str | Callable[[], str], ...] = ("BEGIN",)) -> Run:
    """One session, with nobody to ask in the client itself."""
    if hand.client == "claude-code":
        run = site.claude(*turns, say("DONE"), prompts=prompts)
    else:
        run = site.codex_server(*turns, say("DONE"), prompts=prompts, approval="never", sandbox="danger-full-access")
    assert run.exit_code == 0
    return run


def shown(run: Run) -> list[str]:
    """What the client got to show to its person."""
    notes: list[str] = []
    for message in run.hook_events:
        if message.get("subtype") == "hook_response":
            notes.append(json.loads(message["stdout"] or "{}").get("systemMessage", ""))
        else:
            notes += [one["text"] for one in message["params"]["run"]["entries"] if one["kind"] == "warning"]
    return [line for note in notes for line in note.splitlines()]


def states(site: Site) -> list[tuple[str, str]]:
    """The units that the log tells of, each once."""
    return [(Path(row["data"]["place"]).stem, row["data"]["state"]) for row in site.rows("UNIT_STATE")]


def status(site: Site) -> list[str]:
    """What `jackline status` says of trust."""
    rows = json.loads(site.jackline("status", "--json").out)["rows"]
    return [row["what"] for row in rows if row["about"] == "trust"]


def say_yes(site: Site, line: str) -> None:
    """The person looks by the command that a line ends with, and types the one that it names."""
    words = line.rpartition(" · ")[2].split()
    asked = site.jackline(*words[1:], code=1).out
    site.typed(*asked.rpartition("to trust it: ")[2].split()[1:])


def test_the_person_merges_between_two_calls(team: Site, hand: Hand) -> None:
    seen: list[list[str]] = []

    def looked(act: Callable[[], object] = lambda: None) -> Callable[[], None]:
        def look() -> None:
            seen.append(ran(team))
            act()

        return look

    def merge() -> None:
        team.git("pull", "-q", "--no-rebase", "team", "work")
        assert status(team) == [NEW, CHANGED, LEFT]

    def trust_changed() -> None:
        assert status(team) == [NEW, CHANGED, LEFT]
        say_yes(team, CHANGED)
        assert status(team) == [NEW, LEFT]

    def trust_added() -> None:
        say_yes(team, NEW)
        assert status(team) == ["3 units of this project trusted", LEFT]

    run = play(
        team,
        hand,
        call(hand.shell("begin", "echo deleted-word")),
        call(hand.shell("changed", "echo changed-word"), meanwhile=looked(merge)),
        call(hand.shell("deleted", "echo deleted-word")),
        call(hand.shell("added", "echo added-word")),
        call(hand.shell("kept", "echo kept-word"), meanwhile=looked()),
        call(hand.shell("changed-again", "echo changed-word"), meanwhile=looked(trust_changed)),
        call(hand.shell("added-again", "echo added-word"), meanwhile=looked(trust_added)),
    )
    seen.append(ran(team))
    assert "deleted one refuses" in run.result("begin")
    assert "changed one refuses" in run.result("changed")
    assert "deleted-word" in run.result("deleted"), "gone with the branch"
    assert "added-word" in run.result("added"), "new ones do not run"
    assert "kept one refuses" in run.result("kept")
    assert "changed two refuses" in run.result("changed-again")
    assert "added two refuses" in run.result("added-again")
    after = ["changed one", "kept one"]
    assert seen == [
        BEFORE,
        sorted(after * 3),
        after,
        ["changed two", "kept one"],
        ["added two", "changed two", "kept one"],
    ]
    assert shown(run) == [NEW, CHANGED], "at once, and each once"
    assert not run.model_saw("you trusted"), "this is the person's"
    assert states(team) == [("added", "new"), ("changed", "changed")]


def asked_about(result: str) -> str:
    """The lines of a refusal: which hook, the rule, the ways on."""
    lines, found, _ = result.partition('\n{"type":"tool_error"')
    assert found and '"code":"HITL_PENDING"' in result, result
    return lines


def test_the_agent_merges_with_the_persons_yes(team: Site, hand: Hand) -> None:
    """It is asked about; let through, the deleted one goes on, until the person gives it up."""
    head = team.git("rev-parse", "HEAD")

    def approve() -> str:
        assert team.git("rev-parse", "HEAD") == head
        told = team.typed("approvals", "--json")
        (waits,) = json.loads(told[told.index("[") :])
        assert waits["subject"] == MERGE
        team.typed("approve", waits["approve"])
        return "GO-ON"

    def give_up() -> None:
        assert status(team) == [NEW, CHANGED, GONE]
        say_yes(team, GONE)
        assert status(team) == [NEW, CHANGED]

    run = play(
        team,
        hand,
        call(hand.shell("asked", MERGE)),
        say("IT-WAITS"),
        call(hand.shell("merged", MERGE)),
        call(hand.shell("deleted", "echo deleted-word")),
        call(hand.shell("changed", "echo changed-word")),
        call(hand.shell("added", "echo added-word")),
        call(hand.shell("given-up", "echo deleted-word"), meanwhile=give_up),
        prompts=("BEGIN", approve),
    )
    what, rule, way = asked_about(run.result("asked")).splitlines()
    assert f"this would take away {PLACE}/deleted.sh, which a person trusted" in what
    assert rule == "self-protect: trusted hooks"
    assert way.startswith("ask the person to run it in a terminal of their own; or stop and ask")
    assert team.git("rev-parse", "HEAD") == team.git("rev-parse", "team/work")
    assert "tool_error" not in run.result("merged")
    assert "deleted one refuses" in run.result("deleted"), "an agent made the move"
    assert "changed one refuses" in run.result("changed")
    assert "added-word" in run.result("added")
    assert "tool_error" not in run.result("given-up")
    assert [one for one in shown(run) if PLACE in one] == [NEW, CHANGED, GONE]
    assert states(team) == [("added", "new"), ("changed", "changed"), ("deleted", "gone")]
    assert set(ran(team)) == {*BEFORE}


def test_the_agent_merges_where_no_guard_sees_it(team: Site, hand: Hand) -> None:
    """A program of its own merges in the middle of a call. `codex exec` shows its person nothing: `status` does."""
    (team.project / "tidy.py").write_text(f"import subprocess\nsubprocess.run({MERGE.split()!r}, check=True)\n")
    run = hand.play(
        team,
        [
            call(hand.shell("merged", "python3 tidy.py")),
            call(hand.shell("deleted", "echo deleted-word")),
            call(hand.shell("changed", "echo changed-word")),
            say("DONE"),
        ],
    )
    assert run.exit_code == 0
    assert team.git("rev-parse", "HEAD") == team.git("rev-parse", "team/work")
    assert "deleted one refuses" in run.result("deleted")
    assert "changed one refuses" in run.result("changed")
    assert shown(run) == ([NEW, CHANGED, GONE] if hand is CLAUDE else [])
    assert "jackline trust" not in json.dumps(run.messages) or hand is CLAUDE
    assert status(team) == [NEW, CHANGED, GONE]
    assert states(team) == [("added", "new"), ("changed", "changed"), ("deleted", "gone")]
    assert set(ran(team)) == {*BEFORE}


@pytest.mark.parametrize("hand", [CLAUDE], ids=["claude-code"])
def test_the_clients_own_dialog_asks_the_person(team: Site, hand: Hand) -> None:
    """Where it has one and somebody is there; a no leaves all as it was."""
    run = team.claude(
        call(hand.shell("refused", MERGE)),
        call(hand.shell("before", "echo changed-word")),
        call(hand.shell("merged", MERGE)),
        call(hand.shell("deleted", "echo deleted-word")),
        say("DONE"),
        person=[{"behavior": "deny", "message": "NOT-NOW"}, {"behavior": "allow"}],
    )
    questions = [one["request"] for one in run.messages if one.get("type") == "control_request"]
    assert [one["input"]["command"] for one in questions] == [MERGE, MERGE]
    assert questions[0]["decision_reason"].splitlines()[:3] == [
        f"this would take away {PLACE}/deleted.sh, which a person trusted",
        "self-protect: trusted hooks",
        "ask the person to run it in a terminal of their own",
    ]
    assert "NOT-NOW" in run.result("refused")
    assert "changed one refuses" in run.result("before")
    assert "deleted one refuses" in run.result("deleted")
    assert shown(run) == [NEW, CHANGED, GONE]
