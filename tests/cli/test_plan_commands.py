"""A check that a plan writes out runs where the agent's own shell call would, without a question, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.compiler import schemas
from jackline.services.plans.document import COMMANDS, parse

from .conftest import Desk
from .test_validators import LENIENT, STRICT, phase, planned, stop, task, wait, written

OK = ["grep", "-q", "good", "a.py"]
SCRIPTED = ["sh", "check.sh"]
REFUSED = {
    "refused": ["jackline", "trust", "--yes"],
    "asked about": ["git", "push", "--force"],
    "behind another program": ["timeout", "9", "git", "push", "--force"],
    "behind a lock": ["jackline", "lock", "run", "k", "--", "git", "push", "--force"],
}
EVIL = "touch pwned\ngit push --force\n"


def fix(*commands: list[str], **more: Any) -> dict[str, Any]:
    return {"id": "fix", "scope": "*.py", "validators": [{"command": one} for one in commands], **more}


def begun(desk: Desk, modules: dict[str, Any] = STRICT) -> Desk:
    written(desk, modules, rows="validators: []\n", script="grep -q good a.py\n").prompt("make it better")
    return desk


def finish(desk: Desk, code: int = 0) -> str:
    return str(desk.jackline("plan", "node", "done", "fix", code=code).out)


def start(desk: Desk, text: str = "good, better\n") -> None:
    desk.jackline("plan", "node", "start", "fix")
    (desk.root / "a.py").write_text(text)


def refused(desk: Desk, *commands: list[str]) -> str:
    """What is said to a plan that is not accepted."""
    path = desk.folder / "plan.json"
    path.write_text(json.dumps({"nodes": [{"description": "a step", **fix(*commands)}]}))
    return str(desk.jackline("plan", "submit", str(path), code=1).out)


# --- where it runs -------------------------------------------------------------------------------------------------


def test_it_holds_the_node_and_then_the_task(desk: Desk) -> None:
    begun(desk)
    planned(desk, fix(OK))
    start(desk, "bad\n")
    assert "fix · $ grep -q good a.py is red (exit 1) · mend it, then: jackline plan node done fix" in finish(desk, 1)
    (desk.root / "a.py").write_text("good, better\n")
    finish(desk)
    assert "$ grep -q good a.py ✓" in desk.jackline("plan", "show").out
    desk.say(desk.tool("ls", event="PostToolUse"))
    assert phase(desk) == "COMPLETE"


def test_what_changed_behind_it_is_checked_at_the_end_of_the_turn(desk: Desk) -> None:
    begun(desk)
    planned(desk, fix(OK), {"id": "look", "kind": "validate", "dependsOn": ["fix"]})
    assert "decision" not in stop(desk), "nobody is held for a step that did not begin"
    start(desk)
    finish(desk)
    (desk.root / "a.py").write_text("bad\n")
    desk.jackline("plan", "node", "done", "look")
    desk.say(desk.tool("ls", event="PostToolUse"))
    assert phase(desk) == "EXECUTING", "its result is outdated"
    said = stop(desk)
    assert said["decision"] == "block" and "$ grep -q good a.py: exit 1" in said["reason"]
    assert "jackline validators run" not in said["reason"], "no row is called so"
    (desk.root / "a.py").write_text("good\n")
    assert "decision" not in stop(desk)
    assert phase(desk) == "COMPLETE"


def test_the_entry_runs_it_where_a_sandbox_keeps_the_command_out(desk: Desk) -> None:
    begun(desk)
    planned(desk, fix(OK))
    start(desk)
    done = desk.tool("jackline plan node done fix", event="PostToolUse")
    assert "$ grep -q good a.py has not run on what is there now" in json.dumps(desk.say(done).body)
    wait(lambda: "a.py ✓" in desk.jackline("plan", "show").out)
    desk.say(done)
    assert task(desk)["nodes"]["fix"]["status"] == "done"


# --- where it does not ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [*REFUSED.values()], ids=[*REFUSED])
def test_at_submission_it_is_judged_as_the_agents_own_call(desk: Desk, words: list[str]) -> None:
    begun(desk)
    said = refused(desk, words)
    own = {"deny": "it is refused", "ask": "a person would be asked"}[desk.pre(" ".join(words)).decision]
    assert f"fix · validators · `{' '.join(words)}` is not run, {own}" in said
    assert "a.py" not in said


@pytest.mark.parametrize("words", [*REFUSED.values()], ids=[*REFUSED])
def test_lenient_accepts_the_plan_and_runs_it_no_more_for_that(desk: Desk, words: list[str]) -> None:
    begun(desk, LENIENT)
    planned(desk, fix(words, ["touch", "ran.log"]))
    start(desk)
    said = finish(desk)
    assert f"fix · $ {' '.join(words[:2])}" in said and "is not run: " in said
    assert (desk.root / "ran.log").exists(), "the other one passes the guards"


def test_at_every_run_it_is_judged_anew(desk: Desk) -> None:
    """What a script holds now is what would run, whatever it held when the plan was accepted."""
    begun(desk)
    planned(desk, fix(SCRIPTED))
    start(desk)
    (desk.root / "check.sh").write_text(EVIL)
    said = finish(desk, 1)
    assert "fix · $ sh check.sh is not run: " in said and "name another check: jackline plan submit FILE" in said
    assert not (desk.root / "pwned").exists()
    (desk.root / "check.sh").write_text("grep -q good a.py\n")
    finish(desk)
    (desk.root / "check.sh").write_text(EVIL)
    assert "cannot be run" in json.dumps(stop(desk))
    assert not (desk.root / "pwned").exists()


def test_a_guard_of_the_project_counts(desk: Desk) -> None:
    body = 'return deny("no migrations", rule="no-migrate", safer="ask") if "migrate" in event.command else None'
    desk.feature("no-migrate", body)
    begun(desk)
    assert "it is refused: no migrations" in refused(desk, ["echo", "migrate"])


def test_a_person_who_finishes_the_step_runs_no_more_than_the_agent(desk: Desk) -> None:
    begun(desk, LENIENT)
    planned(desk, fix(["jackline", "trust", "--yes"]))
    start(desk)
    assert "trust is for a person" in desk.jackline("plan", "node", "done", "fix", "--session", desk.place.name).out


def test_where_validators_are_off_none_runs(desk: Desk) -> None:
    begun(desk, {name: one for name, one in STRICT.items() if name != "validators"})
    planned(desk, fix(["touch", "ran.log"]))
    start(desk)
    finish(desk)
    assert not (desk.root / "ran.log").exists()


def test_it_is_no_validator_that_a_rule_of_the_project_demands(desk: Desk) -> None:
    begun(desk)
    (desk.hooks / "plan-rules.yaml").write_text("rules:\n  - id: tests\n    require: validator\n")
    desk.trust()
    desk.pre("ls")
    assert "fix · plan rule tests" in refused(desk, OK)


# --- the document --------------------------------------------------------------------------------------------------

FAULTS: dict[str, Any] = {
    "a text": "x", "none": [], "no text": [1], "an empty word": [""], "a zero": ["a\0b"], "long": ["x" * 501],
}  # fmt: skip


@pytest.mark.parametrize("command", [*FAULTS.values()], ids=[*FAULTS])
def test_what_is_no_command(command: Any) -> None:
    plan = {"nodes": [{"id": "a", "description": "x", "validators": [{"command": command}]}]}
    assert parse(json.dumps(plan).encode()).fault.startswith("nodes[0].validators[0]")


def test_keys_that_nobody_reads_are_told() -> None:
    plan = {"nodes": [{"id": "a", "description": "x", "validators": {"command": ["a"], "paths": ["b"]}}]}
    assert parse(json.dumps(plan).encode()).fault.startswith("nodes[0].validators[0]: expected a name, or")


def test_a_plan_has_so_many_commands_at_most() -> None:
    def nodes(count: int) -> bytes:
        made = [{"id": f"n{at}", "description": "x", "validators": {"command": ["a", str(at)]}} for at in range(count)]
        return json.dumps({"nodes": made}).encode()

    assert parse(nodes(COMMANDS)).fault == ""
    assert "at most 50 commands" in parse(nodes(COMMANDS + 1)).fault


def test_the_schema_and_the_reader_agree(tmp_path: Path) -> None:
    for given in ("check", ["check"], {"command": ["a"]}, ["check", {"command": ["a", "b"]}]):
        plan = {"nodes": [{"id": "a", "description": "x", "validators": given}]}
        assert (schemas.validate("plan-graph", plan), parse(json.dumps(plan).encode()).fault) == ([], "")
    bad = {"nodes": [{"id": "a", "description": "x", "validators": [{"command": "a"}]}]}
    assert schemas.validate("plan-graph", bad)


FRIDAY = """\
#!/bin/sh
#---
# name: No checks on a Friday
# event: PreToolUse
# block: true
#---
grep -q check.sh || exit 0
[ -e FRIDAY ] || exit 0
echo "not on a Friday" >&2
exit 2
"""


def test_a_script_that_would_refuse_the_agents_call_refuses_the_check(desk: Desk) -> None:
    """At submission, and at each run: it may have found another answer meanwhile."""
    path = desk.root / ".ai/hooks/scripts/friday.sh"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FRIDAY)
    path.chmod(0o755)
    begun(desk)
    (desk.root / "FRIDAY").touch()
    assert "not on a Friday" in refused(desk, SCRIPTED)
    (desk.root / "FRIDAY").unlink()
    planned(desk, fix(SCRIPTED))
    start(desk)
    (desk.root / "FRIDAY").touch()
    assert "not on a Friday" in finish(desk, 1)
    (desk.root / "FRIDAY").unlink()
    finish(desk)
