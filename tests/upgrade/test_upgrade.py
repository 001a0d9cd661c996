"""What earlier versions left in a store, a home and a project goes on with this one.

The session that runs is one of a living client; `jackline init` is what a user types after `pip install -U`.
"""

from __future__ import annotations

import json
import marshal
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jackline import hook_table
from jackline.compiler import bundle_sums
from jackline.compiler.trust import FORMAT, Book
from jackline.install import doctor, entry, home
from jackline.install.finding import Finding
from jackline.store import approvals, authority
from jackline.store.journal import parse
from jackline.store.reducer import fold
from scene import BASE, settled
from screen import Screen
from upgrade import archive
from upgrade.client import SESSION
from upgrade.machine import OLDER, OLDEST, SID, Machine, logs, only


def test_what_was_laid_out_is_whole(old: Machine) -> None:
    """The fixture itself: nothing of what follows holds by an archive that nobody could have left."""
    records, torn = parse((old.place / "events.jsonl").read_bytes())
    assert torn == 0
    assert settled(old.state()) == settled(fold(records))
    assert 0 < old.state()["core"]["lastEventOffset"] <= (old.place / "events.jsonl").stat().st_size
    for path in old.folder.rglob("events.jsonl"):
        assert (archive.CHAIN in path.read_text()) == old.archive.chained
    assert authority.verify(str(old.store)) == (len(authority.read(str(old.store))), "")
    assert {one["kind"] for one in authority.read(str(old.store))} >= {"TRUST", "APPROVE", "GRANT_USE", "GUARD_ALLOW"}
    heard = {hook["feature"] for one in records for hook in one.get("data", {}).get("actions", ())}
    assert "broker" in heard | {one["producer"] for one in records}
    head = hook_table.path_of(str(old.store), archive.slot(str(old.root)))
    assert Path(head).read_bytes().startswith(b"jackline wiring %d " % old.archive.table)
    assert marshal.loads(Path(head).read_bytes().partition(b"\n")[2][8:])


def _is_in_units(old: Machine, before: bytes) -> None:
    """Every file that a person trusted belongs to a unit that is trusted as it is."""
    (was,) = json.loads(before)["repos"].values()
    units = Book(str(old.store)).units(str(old.root))
    files = {name: digest for held in units.values() for name, digest in held[-1].own.items()}
    assert {**files, **was["digests"][was["last"]]["files"]} == files
    assert json.loads((old.store / "trust.json").read_bytes())["v"] == FORMAT


def test_nothing_of_the_store_vanishes(old: Machine) -> None:
    said = old.upgrade()
    assert ("unchanged" in said) == (old.archive != OLDEST), "the entries are in the form of this version now"
    for path, data in old.before.items():
        if path.parent.name == "wirings" or data == archive.STAND_IN or path.name in ("door.py", "commit.py"):
            continue  # made anew by every version
        if path.name == "installs.json":
            continue  # what stands in the client's file
        if path.name == "authority.jsonl":
            assert path.read_bytes().startswith(data), "what was there stands, and that trust was written anew"
            continue
        if path.name == "trust.json" and old.archive == OLDEST:
            _is_in_units(old, data)
            continue
        assert path.read_bytes() == data, path
    assert (old.home / ".config/jackline/features/session/hook.py").exists()
    hot = old.store / f"hot-{sys.hexversion:x}.bin"
    assert hot.read_bytes() != archive.STAND_IN
    rest = old.store / f"cold-{sys.hexversion:x}.bin"
    assert rest.read_bytes() == archive.STAND_IN, "doors of the version before that still run read from it"
    found = hook_table.load(hook_table.path_of(str(old.store), archive.slot(str(old.root))))
    assert found is not None and found.trusted, "what a person trusted is trusted"
    own = {row.slug for row in found.rows("PreToolUse") if row.codes}
    assert own == {"notes", "planGraph-exec", "session"}, "copies run, not what they were copied from"


@pytest.mark.parametrize(
    "words", [("compile",), ("trust", "--follow", "", "--yes"), ("doctor", "--repair", "--yes")], ids=lambda one: one[0]
)
def test_whoever_writes_a_hook_table_renews_the_bundle(old: Machine, words: tuple[str, ...]) -> None:
    """The package was upgraded, and nobody ran `init`: a table of this version is for a door of this version."""
    (old.store / "door.py").chmod(0o644)
    assert "entry-point" in [row["about"] for row in old.jackline("status", "--json").data["rows"]]
    old.typed(*words)
    assert "entry-point" not in [row["about"] for row in old.jackline("status", "--json").data["rows"]]
    assert (old.store / f"hot-{sys.hexversion:x}.bin").read_bytes() != archive.STAND_IN
    assert (old.store / "door.py").stat().st_mode & 0o777 == 0o644, "who could start from it still can"
    assert bundle_sums.is_current(str(old.store))
    old.unpause()
    assert old.client.pre("echo checked-away", "t8")["permissionDecisionReason"].startswith("CHECKED")


@only(OLDEST)
def test_a_person_in_a_new_tab_is_not_locked_out(old: Machine) -> None:
    """The running session's door was of the version before: it shows a code all the same, or runs the command."""
    tab = Screen(old.env, old.root)
    tab.run(*old.command("init", "--client", "claude-code", "--yes"))
    assert "Type `jackline code` there as a prompt" in tab.until("code: ")
    old.client.before = "CLAUDE_CODE_SESSION_ATTENDED=1 "
    shown = old.client.prompt("jackline code")
    tab.type(re.findall(r"code ([A-Z]{3}-[A-Z]{3})", shown["reason"])[0])
    assert tab.ended()[0] == 0
    tab.close()
    assert [line for line in entries(old) if entry.is_older(line)] == []


def entries(machine: Machine) -> list[str]:
    """The lines in the client's file."""
    given = json.loads((machine.home / ".claude/settings.json").read_text())["hooks"]
    return [hook["command"] for groups in given.values() for group in groups for hook in group["hooks"]]


def answer(machine: Machine, command: str = "ls") -> tuple[int, str, str]:
    """What the client hears from the line of its own file before a tool."""
    (line,) = [one for one in entries(machine) if " claude-code PreToolUse" in one]
    payload = {"session_id": SESSION, "cwd": str(machine.root), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    call = json.dumps({**payload, "tool_input": {"command": command}, "tool_use_id": "t90"})
    done = subprocess.run(["/bin/sh", "-c", line], input=call, capture_output=True, text=True, env=machine.env)
    return done.returncode, done.stdout, done.stderr


@only(OLDEST)
def test_until_it_doctor_says_that_the_entries_are_older_and_they_run_as_they_did(old: Machine) -> None:
    lines = entries(old)
    assert len(lines) == len({*lines}) > 10
    assert all(entry.read(line) is not None for line in lines), "lines of the version before are known"
    assert any(entry.is_older(line) for line in lines)
    home.make(old.store)  # `pip install -U`, and a door renewed
    (found,) = [one for one in diagnose(old) if one.code == "entries"]
    assert (found.grade, found.cure) == ("warn", "run `jackline init --client claude-code`")
    assert answer(old, "rm -rf ~")[1].count('"permissionDecision":"deny"') == 1
    (old.store / "door.py").unlink()
    assert answer(old) == (0, "", "")


def test_after_it_the_entries_are_todays_and_a_damaged_installation_refuses(machine: Machine) -> None:
    lines = entries(machine)
    assert [line for line in lines if entry.is_older(line)] == []
    assert [one.grade for one in diagnose(machine) if one.code == "entries"] == ["ok"]
    assert answer(machine)[:2] == (0, "{}\n")
    (machine.store / "door.py").rename(machine.store / "away")
    assert answer(machine) == (0, entry.DENIALS["claude-code"] + "\n", "")
    (machine.store / "bin/python").unlink()
    assert answer(machine) == (0, "", ""), "nobody is locked out"
    (machine.store / "bin/python").symlink_to(BASE)
    (machine.store / "away").rename(machine.store / "door.py")


def diagnose(machine: Machine) -> list[Finding]:
    return doctor.diagnose(machine.root, machine.store, machine.home, machine.env)


def test_doctor_finds_no_fault_after_it(machine: Machine) -> None:
    machine.client.pre("ls", "t8")
    told = {one["code"]: one["grade"] for one in machine.jackline("doctor", "--json").data["findings"]}
    grades = {"store": "ok", "interpreter": "ok", "entry-point": "ok", "entries": "ok", "answer": "ok", "clocks": "ok"}
    assert {code: told[code] for code in grades} == grades
    assert "bad" not in told.values()


def test_the_session_goes_on(machine: Machine) -> None:
    machine.unpause()
    before = machine.state()
    assert machine.client.pre("ls", "t8") == {}
    machine.client.post("ls", "t8")
    machine.client.prompt("and on")
    assert machine.sessions() == [machine.place]
    state = machine.state()
    assert state["core"]["lastTurnId"] == before["core"]["lastTurnId"] + 1
    for key in ("phase", "phaseSeq", "workId", "sessionId", "createdTs"):
        assert state["core"][key] == before["core"][key], key
    assert (state["plan"], state["notes"]) == (before["plan"], {"last": "t8"})
    assert machine.new("SESSION_INIT", "ERROR_MODULE", "ERROR_MODULE_CRITICAL", "PATCH_DROPPED") == []
    assert [one["turnId"] for one in machine.new("TOOL_DECISION", "TURN_INCREMENT")] == [2, 3]
    assert [one["agentId"] for one in machine.rows("SESSION_INIT")] == ["u00"]
    bus, torn = parse((machine.place / "registry.jsonl").read_bytes())
    assert (len(bus), torn) == (3, 0)


def test_a_restart_of_the_client_begins_nothing_anew(machine: Machine) -> None:
    machine.client.send("SessionStart", source="resume")
    machine.client.prompt("and on")
    assert machine.sessions() == [machine.place]
    assert machine.new("SESSION_INIT") == []
    assert machine.state()["core"]["lastTurnId"] == 3


def test_copies_of_the_version_before_have_the_rights_they_had(machine: Machine) -> None:
    """They declare none: parts of the state and stamps are theirs by their names."""
    again = {"session_id": "another-one"}
    machine.client.send("SessionStart", source="startup", **again)
    machine.client.prompt("begin", **again)
    assert machine.client.pre("ls", "t8", **again) == {}
    (place,) = [folder for folder in machine.sessions() if folder.name != SID]
    state = machine.state(place)
    assert (state["plan"]["status"], state["core"]["phase"]) == ("none", "PLANNING")
    assert [one["producer"] for one in machine.rows("SESSION_INIT", "TURN_INCREMENT", folder=place)] == ["session"] * 2
    assert machine.rows("PATCH_DROPPED", "ERROR_MODULE", "ERROR_MODULE_CRITICAL", folder=place) == []


def test_sub_agents_keep_their_names(machine: Machine) -> None:
    machine.client.pre("ls", "t8", agent_id="ag1")
    machine.client.send("SubagentStart", agent_id="ag2", agent_type="Explore")
    assert [one["agentId"] for one in machine.new("TOOL_DECISION", "HOOK_EVENT")] == ["a01", "a02"]


def test_what_was_trusted_runs(machine: Machine) -> None:
    machine.unpause()
    assert machine.client.pre("echo checked-away", "t8")["permissionDecisionReason"].startswith("CHECKED")
    assert machine.client.pre("note this", "t9")["permissionDecisionReason"].startswith("NOTED")
    assert machine.jackline("trust", "--json").data["trusted"] is True
    for path in (machine.hooks / "scripts").iterdir():
        path.chmod(path.stat().st_mode ^ 0o111)
    assert machine.client.pre("note this", "t10")["permissionDecisionReason"].startswith("NOTED")
    assert machine.jackline("trust", "--json", code=1).data["trusted"] is False, "what may be executed is known now"


def test_guards_refuse_and_let_pass_what_a_person_allowed(machine: Machine) -> None:
    assert machine.client.pre("rm -rf ~", "t8")["permissionDecision"] == "deny"
    assert machine.client.pre(f"cat {machine.store}/key", "t9")["permissionDecision"] == "deny"
    assert machine.client.pre("git clean -fd build", "t10") == {}
    assert machine.client.pre("git clean -fd other", "t11")["permissionDecision"] == "deny"


@only(*OLDER)
@pytest.mark.parametrize("command", ["touch once", "touch waits", "touch often"])
def test_an_approval_that_bound_less_has_ended(machine: Machine, command: str) -> None:
    """Whoever approved it, or is asked to, is asked anew, and told so once."""
    machine.unpause()
    old = machine.request(command)
    said = machine.client.pre(command, "t8")
    assert said["permissionDecision"] == "deny" and old.id not in said["permissionDecisionReason"]
    assert machine.client.pre(command, "t9")["permissionDecision"] == "deny"
    (row,) = machine.new("APPROVALS_ENDED")
    assert old.id in row["data"]["ids"]
    assert "of the version before ended: a yes binds more now" in json.dumps(machine.new("TOOL_DECISION")[0])
    assert "of the version before" not in json.dumps(machine.new("TOOL_DECISION")[1])
    (new,) = [one for one in approvals.requests(str(machine.store)) if one.subject == command and one.id != old.id]
    machine.typed("approve", approvals.code(str(machine.store), new))
    assert "permissionDecision" not in machine.client.pre(command, "t10")


def test_the_pause_holds_and_ends(machine: Machine) -> None:
    assert "notes" in machine.jackline("pause", "--list").out
    assert machine.client.pre("note this", "t8") == {}
    machine.jackline("pause", "notes", "--end", "--yes")
    assert machine.client.pre("note this", "t9")["permissionDecision"] == "deny"


def test_authority_stays_one_chain(machine: Machine) -> None:
    before = len(authority.read(str(machine.store)))
    machine.unpause()
    machine.client.pre("touch new", "t8")
    machine.typed("approve", approvals.code(str(machine.store), machine.request("touch new")))
    machine.client.pre("touch new", "t9")
    count, fault = authority.verify(str(machine.store))
    assert (fault, count >= before + 2) == ("", True)


def test_the_intent_is_still_the_sessions(machine: Machine) -> None:
    (row,) = [one for one in machine.jackline("intents", "list", "--json").data["intents"] if one["id"] == "INT-001"]
    assert SID in json.dumps(row)
    assert machine.client.pre("rm -rf ~", "t8")["permissionDecisionReason"].count('"intent_id":"INT-001"') == 1


def test_old_rows_are_read(machine: Machine) -> None:
    machine.client.pre("ls", "t8")
    asked = machine.request("git push --force")
    assert "git push --force" in machine.jackline("why", asked.id).out
    for kind in ("TOOL_DECISION", "TOOL_OUTCOME", "HOOK_EVENT"):
        row = machine.rows(kind)[0]
        assert row["id"][:8] in machine.jackline("why", row["id"]).out
    assert "git push --force" in machine.jackline("log").out
    assert len(machine.jackline("log", "--json", "--all").out.splitlines()) == len(machine.log())
    assert SID in machine.jackline("status").out
    assert SID in machine.jackline("sessions").out
    assert machine.jackline("sessions", "state", "--json").data["state"]["core"]["lastTurnId"] == 2
    machine.jackline("report")
    machine.jackline("hooks")


@only(*OLDER)
def test_a_log_without_a_chain_is_read_and_begins_one(machine: Machine) -> None:
    """Nothing of it is told as touched; its rows are bound from then on, and who changes one of them is told."""
    assert machine.jackline("log", "--session", SID).err == ""
    assert logs(machine) == []
    machine.client.pre("ls", "t8")
    machine.client.send("Stop", stop_hook_active=False)
    (began,) = machine.new("LOG_CHAIN")
    assert (began["data"]["why"], began["data"]["rows"]) == ("began", machine.count)
    assert authority.read(str(machine.store), "LOG_ANCHOR")[-1]["data"]["session"] == SID
    assert logs(machine) == []
    path = machine.place / "events.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"git push --force", b"git push --farce"))
    assert [SID in one and "touched" in one for one in logs(machine, 1)] == [True]
    assert "LOG_BREAK" in machine.jackline("log", "--json", "--all", "--session", SID, code=1).out
    path.write_bytes(whole)


def test_rebuilt_from_the_old_log_the_state_is_the_same(machine: Machine) -> None:
    before = settled(machine.state())
    machine.typed("sessions", "state", "--rebuild", "--yes")
    assert settled(machine.state()) == before


def test_uninstall_gives_back_what_was_there(machine: Machine) -> None:
    machine.typed("uninstall", "--yes")
    left = (machine.home / ".claude/settings.json").read_text()
    assert left == '{\n  "model": "opus",\n  "hooks": {}\n}\n'


@only(OLDEST)
def test_a_hook_table_of_the_old_format_counts_as_none(machine: Machine) -> None:
    """A process of the version before may write one after the upgrade: its table is compiled again, and it is polite
    the other way round."""
    path = Path(hook_table.path_of(str(machine.store), archive.slot(str(machine.root))))
    ours = path.read_bytes()
    path.write_bytes(archive.unpacked(archive.stored(OLDEST)[f"{archive.STORE}/wirings/${{slot}}.bin"].text, 4))
    assert hook_table.load(str(path)) is None
    assert machine.client.pre("echo checked-away", "t8")["permissionDecisionReason"].startswith("CHECKED")
    assert path.read_bytes().split(b" ")[:3] == ours.split(b" ")[:3]
    line = ours.partition(b"\n")[0]
    theirs = line.replace(b" %d " % hook_table.FORMAT, b" 4 ")
    assert line != theirs
    path.write_bytes(theirs + ours[len(line) :])
    assert hook_table.load(str(path)) is None
    assert machine.client.pre("ls", "t9") == {}


@only(OLDEST)
def test_the_old_version_takes_ours_for_none(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its way of looking: the first line must be its own, whatever follows."""
    path = hook_table.path_of(str(machine.store), archive.slot(str(machine.root)))
    assert hook_table.load(path) is not None
    monkeypatch.setattr(hook_table, "FORMAT", 4)
    assert hook_table.load(path) is None
