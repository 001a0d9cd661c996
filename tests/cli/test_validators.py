"""`jackline validators`, and a task that is held to its validators: what an agent and a person type and read."""

from __future__ import annotations

import json
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from jackline.store import tasks
from scene import Scene

from .conftest import Desk

STRICT: dict[str, Any] = {name: {"enabled": True} for name in ("work-init", "plan-graph", "validators")}
LENIENT: dict[str, Any] = {name: {"enabled": True, "mode": "warn"} for name in STRICT}
CHECK = "validators:\n  - id: check\n    command: [sh, check.sh]\n    paths: ['**/*.py']\n"
MORE = "    baseline: false\n    timeout: 5\n"
SCRIPT = 'echo run >> "$(dirname "$0")/ran.log"\ngrep -q good a.py || { echo a.py is not good; exit 3; }\n'


def written(desk: Desk, modules: dict[str, Any] = STRICT, rows: str = CHECK + MORE, script: str = SCRIPT) -> Desk:
    """A project with its validators, trusted, and a session in it."""
    desk.env["PATH"] = "/usr/bin:/bin"
    (desk.root / "a.py").write_text("good\n")
    (desk.root / "check.sh").write_text(script)
    (desk.root / ".gitignore").write_text("*.log\n")
    desk.hooks.mkdir(parents=True, exist_ok=True)
    (desk.hooks / "validators.yaml").write_text(rows)
    desk.manifest({"version": 1, "modules": modules})
    desk.trust()
    desk.begin()
    return desk


def ready(desk: Desk, modules: dict[str, Any] = STRICT, rows: str = CHECK + MORE, script: str = SCRIPT) -> Desk:
    """The same, with a task that has begun."""
    written(desk, modules, rows, script).prompt("make it better")
    wait(lambda: "began" in (task(desk).get("validators") or {}))
    return desk


def wait(until: Any) -> None:
    for _ in range(400):
        if until():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to that")


def task(desk: Desk) -> dict[str, Any]:
    return tasks.read(str(desk.store), desk.place.name, "w001")


def ran(desk: Desk) -> int:
    path = desk.root / "ran.log"
    return len(path.read_text().split()) if path.exists() else 0


def change(desk: Desk, text: str) -> Any:
    """The agent's tool changed the file."""
    (desk.root / "a.py").write_text(text)
    given = {"file_path": str(desk.root / "a.py"), "content": text}
    return desk.say(desk.tool(event="PostToolUse", tool_name="Write", tool_input=given, tool_response={}))


def stop(desk: Desk) -> dict[str, Any]:
    return desk.say(desk.payload("Stop", stop_hook_active=False)).body


def phase(desk: Desk) -> str:
    return str(desk.state()["core"]["phase"])


def planned(desk: Desk, *nodes: dict[str, Any]) -> None:
    path = Path(desk.folder) / "plan.json"
    path.write_text(json.dumps({"nodes": [{"description": "a step", **one} for one in nodes]}))
    desk.jackline("plan", "submit", str(path))
    desk.say(desk.tool("ls", event="PostToolUse"))


FIX = {"id": "fix", "scope": "*.py", "validators": ["check"]}


# --- the command ---------------------------------------------------------------------------------------------------


def test_what_there_is_and_one_run(desk: Desk) -> None:
    ready(desk)
    assert "○ check" in desk.jackline("validators").out
    assert "✓ check  passed" in desk.jackline("validators", "run").out
    shown = desk.jackline("validators", "--json").data
    (row,) = shown["validators"]
    assert (shown["mode"], row["id"], row["status"], row["trust"]) == ("enforce", "check", "passed", "trusted")
    assert ran(desk) == 1
    (desk.root / "a.py").write_text("bad\n")
    said = desk.jackline("validators", "run", "check", code=1).out
    assert "✗ check  exit 3" in said and "a.py is not good" in said
    assert desk.jackline("validators", "run", "--json", code=1).data["validators"][0]["status"] == "red"
    assert ran(desk) == 2, "a result on this content is there already"
    desk.jackline("validators", "run", "--again", code=1)
    assert ran(desk) == 3
    desk.jackline("validators", code=1)


def test_what_nobody_trusted_does_not_run(desk: Desk) -> None:
    ready(desk)
    (desk.hooks / "validators.yaml").write_text(CHECK + "  - id: new\n    command: [touch, pwned]\n")
    shown = desk.jackline("validators").out
    assert "✓" not in shown and "check" in shown and "changed: as you trusted it" in shown
    assert "new  new, not in force · jackline trust --diff" in shown
    said = desk.jackline("validators", "run", "new", code=1)
    assert "not trusted, so not run" in said.out + said.err
    desk.jackline("validators", "run")
    assert not (desk.root / "pwned").exists()
    trusted = desk.jackline("trust", "--diff", code=1).out
    assert "validator" in trusted and '+command: ["touch","pwned"]' in trusted


def test_a_row_that_changed_runs_as_it_was_trusted(desk: Desk) -> None:
    ready(desk)
    (desk.hooks / "validators.yaml").write_text(CHECK.replace("[sh, check.sh]", "[touch, pwned]"))
    (desk.root / "check.sh").write_text("touch pwned\n")
    (desk.root / "a.py").write_text("bad\n")
    assert "exit 3" in desk.jackline("validators", "run", code=1).out
    assert not (desk.root / "pwned").exists()


def test_names_that_are_none(desk: Desk) -> None:
    ready(desk)
    assert "did you mean check?" in desk.jackline("validators", "run", "chek", code=2).err


def test_where_it_is_off_none_runs(desk: Desk) -> None:
    ready_off = {**STRICT, "validators": {"enabled": False}}
    desk.hooks.mkdir(parents=True, exist_ok=True)
    (desk.hooks / "validators.yaml").write_text(CHECK)
    desk.manifest({"version": 1, "modules": ready_off})
    desk.begin()
    assert "jackline enable validators" in desk.jackline("validators").out
    desk.jackline("validators", "run", code=1)


# --- a node --------------------------------------------------------------------------------------------------------


def test_a_node_with_a_red_validator_is_not_done(desk: Desk) -> None:
    ready(desk)
    planned(desk, FIX)
    desk.jackline("plan", "node", "start", "fix")
    (desk.root / "a.py").write_text("bad\n")
    said = desk.jackline("plan", "node", "done", "fix", code=1).out
    assert "fix · check is red (exit 3) · mend it, then: jackline plan node done fix" in said
    assert "a.py is not good" in said
    assert task(desk)["nodes"]["fix"]["status"] == "started"
    (desk.root / "a.py").write_text("good, better\n")
    desk.jackline("plan", "node", "done", "fix")
    assert task(desk)["nodes"]["fix"]["status"] == "done"
    assert ran(desk) == 2
    desk.say(desk.tool("ls", event="PostToolUse"))
    assert phase(desk) == "COMPLETE"


def test_the_plan_shows_how_its_validators_stand(desk: Desk) -> None:
    ready(desk)
    planned(desk, FIX)
    desk.jackline("plan", "node", "start", "fix")
    change(desk, "bad\n")
    assert "check ○" in desk.jackline("plan", "show").out
    desk.jackline("validators", "run", code=1)
    assert "check ✗" in desk.jackline("plan", "show").out
    change(desk, "good, better\n")
    desk.jackline("plan", "node", "done", "fix")
    assert "check ✓" in desk.jackline("plan", "show").out
    facts = desk.jackline("plan", "show", "--json").data
    assert (facts["nodes"][0]["validators"], facts["complete"]) == ({"check": "passed"}, True)
    change(desk, "bad\n")
    assert desk.jackline("plan", "show", "--json").data["complete"] is False


def test_the_entry_refuses_as_the_command_does(desk: Desk) -> None:
    """Where a sandbox keeps the command out of the store, the entry takes the step over."""
    ready(desk)
    planned(desk, FIX)
    desk.jackline("plan", "node", "start", "fix")
    (desk.root / "a.py").write_text("good, better\n")
    done = desk.tool("jackline plan node done fix", event="PostToolUse")
    said = json.dumps(desk.say(done).body, ensure_ascii=False)
    assert "check has not run on what is there now · run it: jackline validators run check" in said
    assert task(desk)["nodes"]["fix"]["status"] == "started"
    wait(lambda: desk.jackline("validators", "--json").data["validators"][0]["status"] == "passed")
    desk.say(done)
    assert task(desk)["nodes"]["fix"]["status"] == "done"


COMMANDS = {**FIX, "validators": ["touch pwned", "sh -c 'touch pwned'"]}


def test_a_plan_that_names_a_command_is_told_which_validators_there_are(desk: Desk) -> None:
    ready(desk)
    path = Path(desk.folder) / "plan.json"
    path.write_text(json.dumps({"nodes": [{"description": "a step", **COMMANDS}]}))
    said = desk.jackline("plan", "submit", str(path), code=1).out
    assert "fix · validators · no trusted validator is called 'touch pwned' · write: one of check" in said


def test_a_command_of_a_plan_is_never_run(desk: Desk) -> None:
    ready(desk, LENIENT)
    planned(desk, COMMANDS)
    desk.jackline("plan", "node", "start", "fix")
    (desk.root / "a.py").write_text("better, good\n")
    said = desk.jackline("plan", "node", "done", "fix").out
    assert "touch pwned is no trusted validator: nothing is run for it" in said
    stop(desk)
    assert not (desk.root / "pwned").exists()


def test_lenient_tells_and_never_blocks(desk: Desk) -> None:
    ready(desk, LENIENT)
    planned(desk, FIX)
    desk.jackline("plan", "node", "start", "fix")
    change(desk, "bad\n")
    assert "check is red (exit 3)" in desk.jackline("plan", "node", "done", "fix").out
    assert task(desk)["nodes"]["fix"]["status"] == "done"
    for _ in range(5):
        assert "decision" not in stop(desk)
    assert phase(desk) == "EXECUTING"


# --- the end of a turn ---------------------------------------------------------------------------------------------


def test_what_is_red_keeps_the_agent_going_three_times_then_the_task_is_blocked(desk: Desk) -> None:
    ready(desk)
    planned(desk, FIX)
    change(desk, "bad\n")
    for number in (1, 2, 3):
        said = stop(desk)
        assert said["decision"] == "block"
        assert f"(attempt {number}/3)" in said["reason"] and "check: exit 3" in said["reason"]
        assert "a.py is not good" in said["reason"]
    said = stop(desk)
    assert "decision" not in said and "validators may" in json.dumps(said)
    assert phase(desk) == "BLOCKED"
    assert "decision" not in stop(desk), "where nothing re-prompts"
    assert ran(desk) == 1
    change(desk, "good, better\n")
    desk.jackline("validators", "run")
    change(desk, "good, better\n")
    assert phase(desk) == "EXECUTING"
    triggers = [row["data"]["trigger"] for row in desk.rows("PHASE_TRANSITION")]
    assert triggers[-2:] == ["attempts_spent", "validator_passed"]


def test_a_task_that_is_blocked_for_something_else_waits_for_that(desk: Desk) -> None:
    """Validators that hold nothing are no way out of three equal refusals."""
    ready(desk, {**STRICT, "tool-gate": {"enabled": True}})
    for _ in range(3):
        desk.pre("touch new.py")
    assert phase(desk) == "BLOCKED"
    desk.say(desk.tool("ls", event="PostToolUse"))
    stop(desk)
    assert phase(desk) == "BLOCKED"
    desk.prompt("go on")
    assert phase(desk) == "PLANNING"


def test_a_task_is_complete_when_what_is_due_passed_on_what_is_there(desk: Desk) -> None:
    ready(desk)
    planned(desk, {"id": "fix", "scope": "*.py"}, {"id": "look", "kind": "validate", "dependsOn": ["fix"]})
    desk.jackline("plan", "node", "start", "fix")
    change(desk, "bad\n")
    desk.jackline("plan", "node", "done", "fix")
    desk.jackline("plan", "node", "start", "look")
    desk.jackline("plan", "node", "done", "look")
    desk.say(desk.tool("ls", event="PostToolUse"))
    assert phase(desk) == "EXECUTING", "nothing ran yet"
    assert stop(desk)["decision"] == "block"
    assert phase(desk) == "EXECUTING"
    change(desk, "good, better\n")
    assert "retrospective" not in (desk.place / "registry.jsonl").read_text()
    assert "decision" not in stop(desk)
    assert phase(desk) == "COMPLETE"
    assert desk.state()["core"]["latest"]["retrospective"]["work"] == "w001", "at the very event, it may be the last"
    lines = desk.jackline("artifacts", "tree").out.splitlines()
    for kind in ("validator_manifest", "retrospective"):
        (at,) = [number for number, line in enumerate(lines) if line.startswith(kind)]
        assert lines[at + 1].startswith("  plan_accepted  work/w001/plan/planGraph.json"), "what it was made from"
    change(desk, "bad\n")
    desk.say(desk.tool("ls", event="PostToolUse"))
    assert phase(desk) == "EXECUTING", "the result is outdated"


def test_one_that_still_runs_is_no_failure(desk: Desk) -> None:
    go = desk.folder / "go"
    script = f"until test -e '{go}'; do sleep 0.05; done\nexit 1\n"
    ready(desk, rows=CHECK + MORE.replace("5", "60"), script=script)
    change(desk, "bad\n")
    said = stop(desk)
    assert "decision" not in said and "check still runs" in json.dumps(said)
    go.touch()
    wait(lambda: red(desk))
    assert "check: exit 1" in json.dumps(desk.prompt("and now?").body)
    assert "check" not in json.dumps(desk.prompt("and then?").body), "once"


def red(desk: Desk) -> bool:
    """Whether a result is there."""
    return any("-" in path.name and path.suffix != ".lock" for path in (desk.store / "validators").glob("*/*"))


def test_where_nobody_saw_the_task_begin_all_are_due(desk: Desk) -> None:
    """The first that is heard of a task is a change."""
    change(written(desk), "bad\n")
    assert stop(desk)["decision"] == "block"


def test_while_background_tasks_run_nobody_is_kept_going(desk: Desk) -> None:
    ready(desk)
    change(desk, "bad\n")
    tasks_ = [{"id": "b1", "status": "running"}]
    for _ in range(5):
        said = desk.say(desk.payload("Stop", stop_hook_active=False, background_tasks=tasks_)).body
        assert "decision" not in said
    assert stop(desk)["decision"] == "block"


def test_what_was_red_before_is_shown_and_holds_nothing(desk: Desk) -> None:
    ready(desk, rows=CHECK, script=SCRIPT.replace("good", "nowhere"))
    wait(lambda: red(desk))
    planned(desk, FIX)
    desk.jackline("plan", "node", "start", "fix")
    change(desk, "bad\n")
    assert "was red before this task" in desk.jackline("plan", "node", "done", "fix").out
    said = stop(desk)
    assert "decision" not in said and "was red before this task" in json.dumps(said)
    assert phase(desk) == "COMPLETE"


def test_a_node_that_claims_to_fix_it_is_held(desk: Desk) -> None:
    ready(desk, rows=CHECK, script=SCRIPT.replace("good", "nowhere"))
    wait(lambda: red(desk))
    planned(desk, {**FIX, "claims": {"fixes": ["check"]}})
    desk.jackline("plan", "node", "start", "fix")
    change(desk, "bad\n")
    assert "check is red (exit 3)" in desk.jackline("plan", "node", "done", "fix", code=1).out
    assert stop(desk)["decision"] == "block"


def test_after_a_change_it_runs_by_itself(desk: Desk) -> None:
    ready(desk, rows=CHECK + MORE + "    when: change\n")
    change(desk, "bad\n")
    wait(lambda: red(desk))
    assert ran(desk) == 1
    assert stop(desk)["decision"] == "block"
    assert ran(desk) == 1


def test_what_the_task_did_not_touch_runs_at_no_moment(desk: Desk) -> None:
    ready(desk, script=SCRIPT.replace("good", "nowhere"))
    assert "decision" not in stop(desk)
    assert ran(desk) == 0


def test_the_manifest_of_a_plan(desk: Desk) -> None:
    ready(desk, {**STRICT, "plan-graph": {"enabled": True, "mode": "warn"}})
    planned(desk, {**FIX, "toolGateId": "g1", "lease": {"minutes": 5}, "validators": ["check", "nobody"]})
    change(desk, "good, better\n")
    known = desk.state()["validators"]
    data = (desk.place / known["manifestRef"]).read_bytes()
    made = json.loads(data)
    assert made["nodes"] == [{
        "id": "fix", "validators": ["check"], "unknown": ["nobody"], "toolGateId": "g1",
        "lease": {"paths": ["*.py"], "tools": [], "minutes": 5},
    }]  # fmt: skip
    assert [one["id"] for one in made["rules"]] == ["check"]
    assert (desk.place / "work/w001/validators/hash").read_text().strip() == known["hash"]
    before = len(desk.rows("ARTIFACT_REGISTERED"))
    change(desk, "good, much better\n")
    assert len(desk.rows("ARTIFACT_REGISTERED")) == before


def test_what_needs_a_red_one_is_not_waited_for(desk: Desk) -> None:
    rows = CHECK + MORE + "  - {id: after, command: [touch, after.log], needs: [check], baseline: false}\n"
    ready(desk, rows=rows)
    change(desk, "bad\n")
    said = stop(desk)
    assert said["decision"] == "block" and "after" not in said["reason"]
    assert not (desk.root / "after.log").exists()
    change(desk, "good, better\n")
    assert "decision" not in stop(desk)
    assert (desk.root / "after.log").exists()


def test_an_agents_shell_names_no_other_program(desk: Desk) -> None:
    """A command that an agent runs has its client's environment, whatever its shell says."""
    ready(desk)
    (desk.root / "a.py").write_text("bad\n")
    fake = desk.folder / "fake"
    fake.mkdir()
    (fake / "sh").write_text("#!/bin/true\n")
    (fake / "sh").chmod(0o755)
    told = shlex.quote(json.dumps(desk.payload("SessionStart", source="startup")))
    door = shlex.join(Scene.argv(desk, "SessionStart"))
    mine = f"PATH='{fake}':$PATH {shlex.join(desk.command('validators', 'run'))}"
    script = f"printf %s {told} | {door} >/dev/null; {mine}; exit $?"
    done = subprocess.run(
        [str(desk.claude), "-c", script], env=desk.env, cwd=desk.root, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, start_new_session=True, timeout=60, check=False,
    )  # fmt: skip
    assert "✗ check  exit 3" in done.stdout, done


@pytest.mark.parametrize("command", ["jackline validators", "jackline validators run check"])
def test_no_guard_and_no_gate_stops_the_commands_that_refusals_name(desk: Desk, command: str) -> None:
    ready(desk, {**STRICT, "tool-gate": {"enabled": True}})
    assert desk.pre(command).decision == ""
