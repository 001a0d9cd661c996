"""What the version before left stands as it was, and nothing that is new is on until a person switches it on."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.store import approvals, authority
from upgrade import archive, further
from upgrade.archive import PHASED
from upgrade.machine import BEFORE, SID, Machine, logs, only

pytestmark = only(BEFORE)

OLDER = (
    "session", "self-protect", "graph-pretooluse", "command-guard", "planGraph-exec", "intent-scope", "stale-file",
    "ask-destructive", "notes",
)  # fmt: skip
"""Features of the version before, and of its project; whatever came after them is off until a person switches it on."""


def refuses(answer: str) -> bool:
    return '"permissionDecision": "deny"' in answer


def folders(machine: Machine) -> set[str]:
    """Every folder of the projects and the store, but for git's and those of single numbers."""
    places = [machine.root, machine.phased, machine.store]
    found = [path for place in places for path in place.rglob("*") if path.is_dir() and ".git" not in path.parts]
    return {str(path.relative_to(machine.folder)) for path in found}


def test_every_session_is_answered_as_before(old: Machine) -> None:
    """Nothing that is new is on: no refusal more, no note, no word for the agent, no folder; some refusals less."""
    old.upgrade()
    before = folders(old)
    pairs = zip(further.STEPS, archive.answers(BEFORE), further.answers(old.client, old.folder), strict=True)
    other = [(step.name, was, now) for step, was, now in pairs if was != now]
    assert [one for one in other if one[0].startswith(further.MAIN)] == []
    assert [one for one in other if not (refuses(one[1]) and one[2] == "{}")] == []
    assert other, "whoever reads by shell, or speaks with the person, is let through in every phase"
    theirs = [old.folder_of(phase).name for phase in PHASED]
    enforced = {f"phased/.ai/tmp/{one}/refused" for one in theirs}
    enforced |= {f"{archive.STORE}/tasks", *[f"{archive.STORE}/tasks/{one}" for one in theirs]}
    assert sorted(folders(old) - before - enforced) == [], "what is kept of phases is of those that are enforced"
    assert {path.name for path in old.root.iterdir()} == {".ai", ".git", ".orchestration", "src"}
    states = {one["feature"]: one["state"] for one in old.jackline("features", "--json").data}
    assert len(states) > len(OLDER)
    assert [slug for slug, state in states.items() if slug not in OLDER and state not in ("off", "absent")] == []


@pytest.mark.parametrize("phase", PHASED)
def test_phase_and_plan_stand_as_before(old: Machine, phase: str) -> None:
    folder = old.folder_of(phase)
    before = old.state(folder)
    assert before["core"]["phase"] == phase
    old.upgrade()
    in_it = {"session_id": PHASED[phase], "cwd": str(old.phased)}
    old.client.send("SessionStart", source="resume", **in_it)
    after = old.state(folder)
    for key in ("phase", "phasePrevious", "phaseSeq", "phaseWork", "workId"):
        assert after["core"].get(key) == before["core"].get(key), key
    assert after.get("plan") == before.get("plan")
    assert old.rows("PHASE_TRANSITION", "PATCH_DROPPED", "SESSION_INIT", folder=folder)[1:] == []
    shown = old.jackline("sessions", "state", "--session", folder.name, "--json", cwd=old.phased).data["state"]
    assert shown["core"]["phase"] == phase


def test_a_person_ends_what_was_blocked(machine: Machine) -> None:
    """By their prompt, as they were told; the plan's own node stays forbidden."""
    in_it = {"session_id": PHASED["BLOCKED"], "cwd": str(machine.phased)}
    assert machine.client.pre("touch src/new.py", "t8", **in_it)["permissionDecision"] == "deny"
    machine.client.prompt("go on", **in_it)
    folder = machine.folder_of("BLOCKED")
    assert machine.state(folder)["core"]["phase"] == "EXECUTING"
    assert machine.client.pre("touch src/new.py", "t9", **in_it) == {}
    assert machine.client.pre("touch secret/key", "t10", **in_it)["permissionDecision"] == "deny"
    (step,) = machine.rows("PHASE_TRANSITION", folder=folder)
    assert (step["data"]["from"], step["data"]["to"], step["data"]["trigger"]) == ("BLOCKED", "EXECUTING", "prompt")


def test_whoever_planned_executes_when_the_plan_is_there(machine: Machine) -> None:
    """A plan is found where sub-agents write it, and nobody has to submit it."""
    in_it = {"session_id": PHASED["PLANNING"], "cwd": str(machine.phased)}
    written = machine.folder_of("EXECUTING") / "plan-subagent-contract/output/sa/Plan"
    (text,) = [path.read_text() for path in written.glob("*/planGraph.json")]
    place = machine.folder_of("PLANNING") / "plan-subagent-contract/output/sa/Plan/ag9/planGraph.json"
    place.parent.mkdir(parents=True)
    place.write_text(text)
    said = [machine.client.pre("touch src/new.py", f"t{at}", **in_it) for at in (8, 9)]
    assert [one.get("permissionDecision") for one in said] == ["deny", None]
    assert machine.state(machine.folder_of("PLANNING"))["core"]["phase"] == "EXECUTING"


@pytest.mark.parametrize("command", ["touch once", "touch often", "touch src/auth/token.ts"])
def test_an_approval_holds(machine: Machine, command: str) -> None:
    machine.unpause()
    assert "permissionDecision" not in machine.client.pre(command, "t8")
    often = command == "touch often"
    assert machine.standing(command) == ("approved" if often else "used")
    assert ("permissionDecision" in machine.client.pre(command, "t9")) == (not often)
    assert machine.new("APPROVALS_ENDED") == []


def test_a_code_that_was_shown_before_still_counts(machine: Machine) -> None:
    machine.unpause()
    waiting = machine.request("touch waits")
    assert waiting.id in machine.client.pre("touch waits", "t8")["permissionDecisionReason"]
    machine.typed("approve", approvals.code(str(machine.store), waiting))
    assert "permissionDecision" not in machine.client.pre("touch waits", "t9")


def test_an_approval_binds_what_it_bound(machine: Machine) -> None:
    """The file is another one now: whoever said yes is asked anew."""
    machine.unpause()
    (machine.root / "src/auth/token.ts").write_text("export const life = 0;\n")
    asked = machine.request("touch src/auth/token.ts")
    said = machine.client.pre("touch src/auth/token.ts", "t8")
    assert said["permissionDecision"] == "deny" and asked.id not in said["permissionDecisionReason"]


def test_the_chain_of_a_log_goes_on(machine: Machine) -> None:
    """No row says that something stood there without one, and a row of the version before is bound as ever."""
    machine.client.pre("ls", "t8")
    machine.client.send("Stop", stop_hook_active=False)
    for phase in PHASED:
        in_it = {"session_id": PHASED[phase], "cwd": str(machine.phased)}
        machine.client.prompt("go on", **in_it)
        machine.client.send("Stop", stop_hook_active=False, **in_it)
        assert machine.rows("LOG_CHAIN", folder=machine.folder_of(phase)) == []
    assert machine.rows("LOG_CHAIN") == []
    lines = (machine.place / "events.jsonl").read_text().splitlines()
    assert [int(line.rpartition(archive.CHAIN)[2].partition("-")[0]) for line in lines] == [*range(1, len(lines) + 1)]
    assert len(lines) > machine.count
    anchors = authority.read(str(machine.store), "LOG_ANCHOR")
    assert len({one["data"]["session"] for one in anchors}) == 1 + len(PHASED)
    assert logs(machine) == []
    assert machine.jackline("log", "--session", SID).err == ""
    path = machine.place / "events.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"git push --force", b"git push --farce"))
    assert [SID in one and "touched" in one for one in logs(machine, 1)] == [True]
    path.write_bytes(whole)


def test_trust_stands_without_a_question(old: Machine) -> None:
    def trusted() -> list[dict[str, Any]]:
        return [one for one in authority.read(str(old.store)) if one["kind"] != "LOG_ANCHOR"]

    before, files = trusted(), {path: path.read_bytes() for path in old.files() if "/trusted/" in str(path)}
    assert "trust" not in old.upgrade()
    for root in (old.root, old.phased):
        assert old.jackline("trust", "--json", cwd=root).data["trusted"] is True
        rows = old.jackline("status", "--json", cwd=root).data["rows"]
        assert [one["grade"] for one in rows if one["about"] == "trust"] == ["good"]
    assert trusted() == before
    assert {path: path.read_bytes() for path in files} == files
    in_it = {"session_id": PHASED["PLANNING"], "cwd": str(old.phased)}
    assert old.client.pre("touch src/new.py", "t8", **in_it)["permissionDecision"] == "deny", "its phases are enforced"


def test_plans_are_enabled_where_phases_are_enforced(machine: Machine) -> None:
    """What was finished begins anew with the next prompt, and a plan that is submitted opens the phase for it."""
    in_it = {"session_id": PHASED["COMPLETE"], "cwd": str(machine.phased)}
    machine.screen.done("cd", str(machine.phased))
    machine.typed("enable", "plan", "--strict", "--yes")
    machine.client.prompt("rotate the routes", **in_it)
    write = {"file_path": f"{machine.phased}/src/a.py", "content": "x = 1\n" * 30}
    said = machine.client.send("PreToolUse", tool_name="Write", tool_input=write, tool_use_id="t8", **in_it)
    assert "jackline plan quick" in said["hookSpecificOutput"]["permissionDecisionReason"]
    quick = ("plan", "quick", "rotate", "--files", "src/**", "--session", machine.folder_of("COMPLETE").name)
    machine.jackline(*quick, cwd=machine.phased)
    machine.client.send("PreToolUse", tool_name="Write", tool_input=write, tool_use_id="t9", **in_it)
    assert machine.state(machine.folder_of("COMPLETE"))["core"]["phase"] == "EXECUTING"
    assert machine.client.send("PreToolUse", tool_name="Write", tool_input=write, tool_use_id="t10", **in_it) == {}


def test_in_the_running_session_plans_are_enabled_from_the_next_prompt_on(machine: Machine) -> None:
    machine.unpause()
    said = machine.typed("enable", "plan", "--yes").out
    assert "pack, plan, gate: lenient" in said
    before = machine.state()["core"]["lastTurnId"]
    machine.client.prompt("rotate the refresh tokens in src/auth")
    assert machine.sessions() == [machine.place]
    assert machine.state()["core"]["lastTurnId"] == before + 1
    write = {"file_path": f"{machine.root}/src/auth/a.ts", "content": "x\n" * 30}
    told = machine.client.send("PreToolUse", tool_name="Write", tool_input=write, tool_use_id="t8")
    assert told["systemMessage"].startswith("tool-gate would deny: there is no plan yet"), "it tells and never blocks"
    assert "hookSpecificOutput" not in told
    quick = ("plan", "quick", "rotate tokens", "--files", "src/auth/**", "--session", SID)
    machine.jackline(*quick)
    for at in range(2):  # the project's own copy of planGraph-exec knows of no plan that was submitted
        told = machine.client.send("PreToolUse", tool_name="Write", tool_input=write, tool_use_id=f"t9{at}")
        assert "systemMessage" not in told and "permissionDecision" not in told.get("hookSpecificOutput", {})
        assert machine.state()["core"]["phase"] == "EXECUTING"
        assert machine.state()["plan"]["status"] == "accepted"
    assert "rotate tokens" in machine.jackline("plan", "show", "--session", SID).out
