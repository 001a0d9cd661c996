"""The contract, sections 1 to 4: what is started, what goes in and out, what is written.

Each test is named after its clause. Where a departure holds (docs/contract.md), the test holds the departure.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from contract.spy import audited, spied
from jackline.clients.names import event_of
from jackline.compiler import schemas
from jackline.install import timeouts
from jackline.install.entry import FORM, Entry, is_older, write
from jackline.model import EVENTS
from jackline.store import format
from jackline.store.reducer import INITIAL, fold
from scene import BASE, RECORDED, Scene, audit, settled

CONTRACTS_EVENTS = EVENTS[:8]
CONTRACTS_LIMITS = {event: 15 if event in ("SessionStart", "Stop") else 10 for event in CONTRACTS_EVENTS}
"""SessionStart UserPromptSubmit PreToolUse PostToolUse PreCompact Stop SubagentStart SubagentStop."""
CLIENTS = ("claude-code", "codex", "vscode", "copilot-cli")
DOOR = {"claude-code": "claude-code", "codex": "codex", "vscode": "github", "copilot-cli": "github"}


def sent(client: str) -> list[Path]:
    """What a client really sent, one file per event and tool."""
    found = [path for path in (RECORDED / client).rglob("*.json") if path.name != "_env.json"]
    return sorted(found)


def entry_event(path: Path) -> str:
    return path.name.split(".")[0].split("-")[0]


# --- 1. architecture -------------------------------------------------------------------------------------------------


def test_section_1_one_process_per_event_and_none_per_feature(scene: Scene) -> None:
    """Departure: Python instead of Node. The interpreter tells of every process that is started."""
    for number in range(3):
        scene.feature(f"more-{number}", "return None")
    scene.trust()
    scene.begin()
    starts = ("os.fork", "os.exec", "os.posix_spawn", "os.system", "subprocess.Popen")
    said, started = audited(scene, scene.tool(), starts)
    assert said.decision == ""
    assert started == []
    scene.feature("runs", "import os\nos.system('true')")
    scene.trust()
    assert "os.system" in audited(scene, scene.tool(), starts)[1], "and would tell"
    assert len(scene.rows("TOOL_DECISION")[0]["data"]["actions"]) == 8


def test_section_1_one_state_read_one_buffered_write(scene: Scene) -> None:
    """All rows of an event stand together in the log, whatever the other doors write."""
    scene.begin()
    doors = [scene.start("UserPromptSubmit") for _ in range(12)]
    for number, door in enumerate(doors):
        assert door.stdin is not None
        door.stdin.write(json.dumps(scene.payload("UserPromptSubmit", prompt=f"p{number}")).encode())
        door.stdin.close()
        door.stdin = None
    for door in doors:
        door.communicate(timeout=30)
    runs = [row["id"][:28] for row in scene.log()]
    together = [run for at, run in enumerate(runs) if at == 0 or runs[at - 1] != run]
    assert len(together) == len(set(together))


# --- 2. registration -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["claude-code", "codex", "github"])
def test_section_2_one_command_line_per_event(scene: Scene, dialect: str) -> None:
    """Departure: the entry of design section 6 in each client's own file, run here as a client runs it."""
    (scene.store / "bin").mkdir(exist_ok=True)
    (scene.store / "bin" / "python").symlink_to(BASE)
    for event in CONTRACTS_EVENTS:
        line = write(Entry(str(scene.store), dialect, event))
        raw = json.dumps(scene.payload(event, prompt="x")).encode()
        done = subprocess.run(["/bin/sh", "-c", line], input=raw, capture_output=True, env=scene.env, cwd=scene.root)
        assert (done.returncode, done.stderr) == (0, b"")
        assert json.loads(done.stdout) == {}
    rows = [row for folder in scene.sessions() for row in scene.log(folder) if "decision" in row]
    assert sorted(row["event"] for row in rows if row["producer"] == "kernel") == sorted(CONTRACTS_EVENTS)


def test_section_2_1_lines_of_earlier_forms_run_as_they_did(scene: Scene) -> None:
    (scene.store / "bin").mkdir(exist_ok=True)
    (scene.store / "bin" / "python").symlink_to(BASE)
    raw = json.dumps(scene.tool("rm -rf ~")).encode()
    said = []
    for form in range(1, FORM + 1):
        line = write(Entry(str(scene.store), "claude-code", "PreToolUse", form=form))
        assert is_older(line) == (form < FORM)
        done = subprocess.run(["/bin/sh", "-c", line], input=raw, capture_output=True, env=scene.env, cwd=scene.root)
        assert (done.returncode, done.stderr) == (0, b"")
        said.append(json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"])
    assert said == ["deny"] * FORM


def test_section_2_2_a_door_keeps_no_record_in_a_newer_store_and_judges(scene: Scene) -> None:
    """The newer store is this one with its number raised. What commands do: tests/cli/test_newer_store.py."""
    scene.begin()
    before = scene.sessions()
    (scene.store / format.NAME).write_text(f"{format.FORMAT + 1}\n")
    other = {"session_id": "33333333-0000-0000-0000-000000000000"}
    said = scene.say(scene.payload("SessionStart", source="startup", **other))
    assert "written by a newer Jackline" in said.body["systemMessage"]
    assert scene.say(scene.tool("rm -rf ~", **other)).decision == "deny"
    assert scene.sessions() == before


@pytest.mark.parametrize(("event", "limit"), CONTRACTS_LIMITS.items())
def test_section_2_the_contracts_limits_would_cut_off_what_is_within_its_time(event: str, limit: int) -> None:
    """Departure: a script has a deadline of its own, and its verdict has to come before the client ends the door."""
    longest = timeouts.DEADLINES.get(event, timeouts.OTHER_DEADLINE)
    assert timeouts.door_ends(limit) < longest
    assert timeouts.door_ends(timeouts.client_limit(timeouts.Bound(event))) > longest


@pytest.mark.parametrize("gone", ["bin/python", ""])
def test_section_2_a_vanished_installation_locks_nobody_out(scene: Scene, gone: str) -> None:
    (scene.store / "bin").mkdir()
    (scene.store / "bin" / "python").symlink_to(BASE)
    line = write(Entry(str(scene.store), "claude-code", "PreToolUse"))
    if gone:
        (scene.store / gone).unlink()
    else:
        scene.store.rename(scene.folder / "moved")
    done = subprocess.run(["/bin/sh", "-c", line], input=b"{}", capture_output=True, env=scene.env, cwd=scene.root)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


# --- 3. input and output ---------------------------------------------------------------------------------------------


def test_section_3_1_the_event_comes_from_the_command_line(scene: Scene) -> None:
    scene.say(scene.payload("Stop"), event="SessionStart")
    assert [row["event"] for row in scene.rows("HOOK_EVENT")] == ["SessionStart"]
    assert "on the command line" in scene.rows("HOOK_EVENT")[0]["data"]["fault"]


def test_section_3_1_the_payload_comes_on_stdin(scene: Scene) -> None:
    assert spied(scene, "[event.command, event.tool, event.payload['extra']]", extra={"deep": [1]}) == [
        "echo hi",
        "Bash",
        {"deep": [1]},
    ]


def test_section_3_1_environment_variables_are_optional(scene: Scene) -> None:
    harmless = scene.say(scene.tool(), env={"COPILOT_AGENT_ID": "../../x", "CLAUDE_PROJECT_DIR": ""})
    assert harmless.decision == ""
    bare = subprocess.run(
        scene.argv("PreToolUse"), input=json.dumps(scene.tool()).encode(), capture_output=True, env={}, cwd=scene.root
    )
    assert (bare.returncode, bare.stderr) == (0, b"")


@pytest.mark.parametrize("client", CLIENTS)
def test_section_3_2_exactly_one_object_for_every_recorded_payload(scene: Scene, client: str) -> None:
    """Departure: one output form per client and event, held by the schema `hook-output`."""
    for path in sent(client):
        event = entry_event(path)
        said = scene.say(scene.recorded(str(path.relative_to(RECORDED))), event=event, dialect=DOOR[client])
        assert schemas.validate("hook-output", said.body) == [], path
        assert said.decision in ("", "deny"), path
    kernel = [row for folder in scene.sessions() for row in scene.log(folder) if "decision" in row]
    assert len([row for row in kernel if row["producer"] == "kernel"]) == len(sent(client))


@pytest.mark.parametrize("client", CLIENTS)
def test_section_3_2_allow_is_silence(scene: Scene, client: str) -> None:
    """Departure: `allow` means no objection, the bytes `{}` and a newline on every client and event."""
    scene.feature("yes", "return allow()", supports=list(EVENTS))
    scene.manifest({"modules": {"planGraph-exec": {"enabled": False}, "graph-pretooluse": {"enabled": False}}})
    scene.trust()
    silent = 0
    for path in sent(client):
        if event_of(DOOR[client], entry_event(path)):
            said = scene.say(
                scene.recorded(str(path.relative_to(RECORDED))), event=entry_event(path), dialect=DOOR[client]
            )
            assert said.out == b"{}\n", path
            silent += 1
    assert silent >= 12


def test_section_3_2_diagnostics_go_to_files(scene: Scene) -> None:
    """`dispatch.log` for what a person looks for over sessions, `debug.log` for a feature, rows for everything."""
    scene.feature("talks", "ctx.log('info', 'hello')\nprint('x')\nreturn deny('no')")
    scene.trust()
    scene.begin()
    scene.prompt()  # what passed stands in the session's log alone
    assert scene.pre().decision == "deny"
    trace = [json.loads(line) for line in (scene.root / ".ai" / "tmp" / "dispatch.log").read_text().splitlines()]
    assert [line["decision"] for line in trace] == ["allow", "deny"]
    assert json.loads((scene.place / "talks" / "logs" / "debug.log").read_text())["message"] == "hello"


CLOSED = ("--fail", "closed")


def test_section_3_3_when_we_fail_ourselves_the_client_hears_no_objection(scene: Scene) -> None:
    """Departure: the last resort is the client's own "no objection"; before a tool nothing, where the entry's line
    answers with its denial, and that denial itself for entries of earlier versions that say `--fail closed`."""
    fails = "def fail(*a, **k):\n    raise RuntimeError('ours')\n\n"
    script = f"from jackline import hook\n\n{fails}hook.pipeline.run = fail\n"
    for event, words, decision in (("Stop", (), ""), ("PreToolUse", (), None), ("PreToolUse", CLOSED, "deny")):
        code = (
            f"import sys; sys.path[:0] = {[str(Path(schemas.FOLDER).parent.parent)]!r}\n{script}"
            f"hook.main({str(scene.store)!r}, ['claude-code', {event!r}, *{list(words)!r}])"
        )
        done = subprocess.run(
            [BASE, "-c", code],
            input=json.dumps(scene.tool("my secret words")).encode(),
            capture_output=True,
            env=scene.env,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        if decision is None:
            assert done.stdout == b""
            continue
        body = json.loads(done.stdout)
        assert body.get("hookSpecificOutput", {}).get("permissionDecision", "") == decision
    reports = scene.crashes()
    assert [one["error"] for one in reports] == ["RuntimeError"] * 3
    assert "secret words" not in json.dumps(reports), "shapes, not payloads"
    for path in (scene.store / "crash").iterdir():
        path.unlink()


# --- 4. durability ---------------------------------------------------------------------------------------------------


def test_section_4_1_the_logs_are_append_only(scene: Scene) -> None:
    """Departure: `prompts.jsonl` (the contract names it twice); the older names are read."""
    files = ("events.jsonl", "prompts.jsonl", "registry.jsonl")
    body = "return Action(register_artifacts=({'kind': 'note', 'ref': 'odd/output/x'},))"
    scene.feature("odd", body, supports=["PreToolUse"])
    scene.trust()
    before = dict.fromkeys(files, b"")
    for step in (scene.begin, scene.prompt, scene.pre, scene.pre):
        step()
        for name in files:
            path = scene.place / name
            now = path.read_bytes() if path.exists() else b""
            assert now.startswith(before[name])
            before[name] = now
    assert all(before.values())


def test_section_4_1_older_names_are_read(scene: Scene) -> None:
    from jackline.store import journal

    scene.begin()
    records = scene.log()
    (scene.place / "events.jsonl").rename(scene.place / "e.jsonl")
    assert journal.read(str(scene.place))[0] == records
    (scene.place / "e.jsonl").rename(scene.place / "events.jsonl")


def test_section_4_2_the_state_is_a_cache_of_pointers(scene: Scene) -> None:
    scene.begin()
    scene.prompt()
    before = scene.state()
    assert settled(before) == settled(fold(scene.log()))
    (scene.place / "state.json").unlink()
    scene.prompt()
    assert scene.state()["core"]["lastTurnId"] == before["core"]["lastTurnId"] + 1
    assert scene.state()["core"]["sessionId"] == before["core"]["sessionId"]


@pytest.mark.parametrize(
    ("field", "values", "result"),
    [
        ("core.sessionId", ["aaaaaaaa", "bbbbbbbb"], "aaaaaaaa"),
        ("core.workId", ["w002", "w010", "w003"], "w010"),
        ("core.lastTurnId", [3, 9, 4], 9),
        ("core.lastEventOffset", [3, 9, 4], 9),
        ("plan.currentPath", ["a", "b"], "b"),
        ("plan.mtime", [9, 4], 4),
        ("plan.hash", ["a", "b"], "b"),
        ("cap.neo4j.enabled", [True, False], False),
        ("cap.neo4j.reachable", [True, False], False),
        ("cap.neo4j.schemaVersion", ["1", "2"], "2"),
        ("cap.neo4j.lastCheckTs", [5, 9, 2], 9),
        ("rlm.anything", ["a", "b"], "b"),
        ("memory.anything", ["a", "b"], "b"),
    ],
)
def test_section_4_2_each_field_has_its_rule(field: str, values: list[Any], result: Any) -> None:
    def nested(value: Any) -> dict[str, Any]:
        for name in reversed(field.split(".")):
            value = {name: value}
        return dict(value)

    found: Any = fold([{"kind": "STATE_PATCH", "data": {"patch": nested(value)}} for value in values])
    for name in field.split("."):
        found = found[name]
    assert found == result


def test_section_4_2_phases_go_by_work_and_sequence() -> None:
    """Departure: not the greatest ordinal, since BLOCKED and COMPLETE must be left."""
    steps = [("BLOCKED", 1), ("PLANNING", 2), ("COMPLETE", 3), ("EXECUTING", 4), ("BLOCKED", 3)]
    patches = [{"core": {"phase": phase, "phaseSeq": number, "phaseWork": "w001"}} for phase, number in steps]
    state = fold([{"kind": "STATE_PATCH", "data": {"patch": patch}} for patch in patches])
    assert (INITIAL["core"]["phase"], state["core"]["phase"]) == ("UNINITIALIZED", "EXECUTING")


def test_section_4_2_pointers_are_everybodys(scene: Scene) -> None:
    """And 11: whoever finds out whether the graph database answers caches it in `cap`."""
    wanted: dict[str, Any] = {
        "cap": {"neo4j": {"enabled": True, "reachable": False, "schemaVersion": "5", "lastCheckTs": 7}},
        "rlm": {"last": "a01"},
        "memory": {"last": "m1"},
        "plan": {"currentPath": "work/plan.json", "mtime": 1, "hash": "0" * 16},
    }
    scene.feature("odd", f"return patch({wanted!r})")
    scene.manifest({"modules": {"planGraph-exec": {"enabled": False}}})
    scene.trust()
    scene.pre()
    state = scene.state()
    assert {key: state[key] for key in wanted} == wanted
    assert scene.rows("PATCH_DROPPED") == []


def test_section_4_2_what_opens_a_phase_is_nobody_elses(scene: Scene) -> None:
    """Departure: any module could patch any field. So one would lead past the plan that a phase waits for."""
    scene.feature(
        "odd", "return patch({'plan': {'status': 'accepted'}, 'core': {'phase': 'EXECUTING', 'phaseSeq': 9}})"
    )
    scene.manifest({"enforcePhases": True})
    scene.trust()
    scene.begin()
    scene.prompt()
    read = scene.tool(tool_name="Read", tool_input={"file_path": "a.py"})
    scene.say(read)
    assert scene.state()["core"]["phase"] == "PLANNING"
    assert scene.pre("touch a").decision == "deny"
    assert scene.rows("PATCH_DROPPED")[0]["data"]["keys"] == ["plan.status", "core"]


def test_section_4_2_no_counters_and_no_arrays(scene: Scene) -> None:
    body = "return patch({'odd': {'list': [1, 2], 'deep': {'more': [3], 'kept': 1}}})"
    scene.feature("odd", body)
    scene.trust()
    scene.pre()
    assert scene.state()["odd"] == {"deep": {"kept": 1}}
    assert scene.rows("PATCH_DROPPED")[0]["data"]["keys"] == ["odd.list", "odd.deep.more"]


def test_section_4_3_the_write_protocol(scene: Scene) -> None:
    """Departure: events, bus, one patch, then the snapshot, beside and renamed, under the session's lock."""
    scene.feature(
        "odd",
        "return Action(state_patch={'odd': {'a': 1}}, emit_events=({'kind': 'SEEN'},),"
        " register_artifacts=({'kind': 'note', 'ref': 'odd/output/x'},))",
    )
    scene.trust()
    scene.begin()
    inode = (scene.place / "state.json").stat().st_ino
    scene.pre()
    kinds = [row["kind"] for row in scene.log() if row["event"] == "PreToolUse"]
    assert kinds[-1] == "STATE_PATCH"
    assert kinds.count("STATE_PATCH") == 1
    assert set(kinds) >= {"SEEN", "TOOL_DECISION", "ARTIFACT_REGISTERED"}
    assert (scene.place / "state.json").stat().st_ino != inode, "written beside and renamed"
    assert [path.name for path in scene.place.iterdir() if path.name.endswith(".tmp")] == []
    audit(scene.place)


def test_section_4_3_a_failed_write_loses_nothing_that_was_written(scene: Scene) -> None:
    """Departure: what can be written is written, and the answer is given (tests/hook/test_hostile.py: full disks)."""
    scene.begin()
    before = scene.log()
    (scene.place / "state.json").unlink()
    (scene.place / "state.json").mkdir()
    assert scene.prompt().body == {}
    assert scene.log()[: len(before)] == before
    assert scene.log()[-1]["kind"] == "STATE_PATCH"
    (scene.place / "state.json").rmdir()
