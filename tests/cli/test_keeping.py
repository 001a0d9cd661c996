"""`state`, `work`, `pause`, `gc`, `status`, `doctor`, `uninstall`: what holds, and what a person changes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline.cli import gc
from jackline.policy.phases import following
from jackline.store import authority, pauses, tamper_mark
from jackline.store.pauses import Pause
from jackline.store.session_index import SessionEntry
from scene import listing
from screen import Screen

from .conftest import Desk

# --- state ---------------------------------------------------------------------------------------------------------


def test_the_state_is_shown_and_is_the_fold_of_the_log(desk: Desk) -> None:
    desk.one_session()
    told = desk.jackline("sessions", "state", "--json").data
    assert told["state"] == desk.state()
    assert (told["foldsFromLog"], told["tornLines"]) == (True, 0)
    assert "core.phase" in desk.jackline("sessions", "state").out


def test_a_state_that_the_log_does_not_mean_is_found_and_rebuilt(desk: Desk) -> None:
    desk.one_session()
    before = desk.state()
    changed = {**before, "core": {**before["core"], "phase": "COMPLETE"}}
    (desk.place / "state.json").write_text(json.dumps(changed))
    assert "jackline sessions state --rebuild" in desk.jackline("sessions", "state", code=1).out
    desk.jackline("sessions", "state", "--rebuild", "--yes")
    assert desk.state()["core"]["phase"] == before["core"]["phase"]
    desk.jackline("sessions", "state")


def test_a_lost_state_is_made_again(desk: Desk) -> None:
    desk.one_session()
    before = desk.state()
    (desk.place / "state.json").unlink()
    desk.jackline("sessions", "state", "--rebuild", "--yes")
    assert desk.state()["core"]["lastTurnId"] == before["core"]["lastTurnId"]


def test_without_a_session_there_is_no_state(desk: Desk) -> None:
    assert "no session was seen" in desk.jackline("sessions", "state", code=2).err


# --- work ----------------------------------------------------------------------------------------------------------


def test_new_work_starts_its_phases_anew(desk: Desk) -> None:
    desk.one_session()
    assert desk.jackline("sessions", "work", "--json").data["work"] == "w001"
    assert desk.jackline("sessions", "work", "--json").data["phase"] == "PLANNING"
    assert "is at w002" in desk.jackline("sessions", "work", "--new", "--yes").out
    told = desk.jackline("sessions", "work", "--json").data
    assert (told["work"], told["phase"]) == ("w002", "UNINITIALIZED")
    desk.jackline("sessions", "state")
    desk.prompt("next")
    assert desk.jackline("sessions", "work", "--json").data["phase"] == "PLANNING"
    assert desk.log()[-1]["workId"] == "w002"


@pytest.mark.parametrize(("work", "after"), [("w001", "w002"), ("w009", "w010"), ("w999", "w1000"), ("", "w001")])
def test_ids_of_work_grow_past_three_digits(work: str, after: str) -> None:
    assert following(work) == after


# --- pause ---------------------------------------------------------------------------------------------------------


def test_a_pause_lasts_and_is_told_everywhere(desk: Desk) -> None:
    desk.one_session()
    desk.jackline("pause", "graph-pretooluse", "--minutes", "5", "--yes")
    [told] = desk.jackline("pause", "--list", "--json").data
    assert (told["feature"], told["root"]) == ("graph-pretooluse", str(desk.root))
    assert 290_000 < told["until"] - time.time() * 1000 <= 300_000
    for words in (("status",), ("doctor",), ("log",), ("pause", "--list")):
        done = desk.jackline(*words, code=1 if words[0] in ("status", "doctor") else 0)
        assert "search-bounds is paused for 5 more minutes" in done.out, words


def test_what_is_paused_does_not_judge_and_the_call_is_logged(desk: Desk) -> None:
    search = "grep -r x ."
    assert "updatedInput" in desk.pre(search).body["hookSpecificOutput"]
    desk.jackline("pause", "graph-pretooluse", "--yes")
    assert "updatedInput" not in desk.pre(search).body.get("hookSpecificOutput", {})
    desk.jackline("pause", "--end")
    assert "updatedInput" in desk.pre(search).body["hookSpecificOutput"]
    assert desk.decided() == ["allow"] * 3


def test_a_pause_ends_when_told_by_anybody(desk: Desk) -> None:
    desk.jackline("pause", "--yes")
    desk.jackline("pause", "session", "--everywhere", "--yes")
    assert len(desk.jackline("pause", "--list", "--json").data) == 2
    desk.jackline("pause", "session", "--end")
    assert [one["feature"] for one in desk.jackline("pause", "--list", "--json").data] == ["*"]
    assert desk.jackline("pause", "--end").out == "Nothing is paused.\n"
    assert not (desk.store / "pause.json").exists()


def test_only_what_runs_can_be_paused(desk: Desk) -> None:
    assert "did you mean graph-pretooluse?" in desk.jackline("pause", "graph-pretoluse", "--yes", code=2).err
    desk.jackline("pause", "--minutes", "0", "--yes", code=2)
    desk.jackline("pause", "--minutes", "481", "--yes", code=2)


def test_a_pause_is_recorded(desk: Desk) -> None:
    desk.jackline("pause", "--yes")
    [row] = authority.read(str(desk.store))
    assert (row["kind"], row["data"]["feature"]) == ("PAUSE", "*")


def test_a_pause_concerns_its_project_until_its_time(tmp_path: object) -> None:
    store = str(tmp_path)
    assert pauses.paused_slugs(store, "/r", 0) == frozenset()
    pauses.save(store, [Pause("a", 100, 0, "/r"), Pause("*", 50, 0, ""), Pause("b", 200, 0, "/other")])
    assert pauses.paused_slugs(store, "/r", 49) == {"a", "*"}
    assert pauses.paused_slugs(store, "/r", 50) == {"a"}
    assert pauses.paused_slugs(store, "/r", 100) == frozenset()
    assert pauses.paused_slugs(store, "/other", 60) == {"b"}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b'{"v": 2, "pauses": [{"feature": "*", "until": 9}]}',
        b'{"v": 1, "pauses": {}}',
        b'{"v": 1, "pauses": [{"feature": "*", "until": "9"}]}',
        b'{"v": 1, "pauses": [{"feature": "", "until": 9}]}',
        b'{"v": 1, "pauses": [["*", 9]]}',
        b'{"v": 1, "pauses": [{"feature": "*", "until": true}]}',
        b"\xff",
    ],
)
def test_a_file_that_is_no_pause_pauses_nothing(tmp_path: object, raw: bytes) -> None:
    with open(f"{tmp_path}/pause.json", "wb") as file:
        file.write(raw)
    assert pauses.load(str(tmp_path), 0) == []


# --- gc ------------------------------------------------------------------------------------------------------------

DAY = 86_400_000


def session(sid: str, last: int, root: str = "/r", pid: int = 0) -> SessionEntry:
    start = os.stat("/proc/1").st_mtime_ns if pid else 0
    return SessionEntry(sid, "codex", root, f"{root}/{sid}", born=last, last=last, pid=pid, start=start)


@pytest.mark.parametrize(
    ("ages", "days", "most", "gone"),
    [
        ([1, 2, 3], 7, 20, []),
        ([1, 8, 9], 7, 20, [1, 2]),
        ([1, 2, 3], 7, 2, [2]),
        ([8, 9], 7, 1, [0, 1]),
        ([], 7, 20, []),
    ],
)
def test_what_goes_by_age_and_count(ages: list[int], days: int, most: int, gone: list[int]) -> None:
    now = 100 * DAY
    found = [session(f"{at:08d}", now - age * DAY) for at, age in enumerate(ages)]
    assert gc.expired(found, now, days, most) == [found[at] for at in gone]


def test_the_count_goes_by_project() -> None:
    found = [session("1", 5, "/a"), session("2", 4, "/b"), session("3", 3, "/a")]
    assert gc.expired(found, 6, 7, 1) == [found[2]]


def test_old_sessions_go_and_living_ones_stay(desk: Desk) -> None:
    desk.begin()
    old = desk.place
    os.utime(old / "events.jsonl", (1, 1))
    desk.session = "99999999-2222-3333-4444-555555555555"
    screen = Screen(desk.env, desk.root)
    client = desk.living()
    alive = next(one for one in desk.sessions() if one != old)
    os.utime(alive / "events.jsonl", (1, 1))
    assert desk.jackline("gc", "--dry-run", "--json").data["sessions"] == [old.name]
    assert old.exists()
    screen.done(*desk.command("gc", "--yes"))
    screen.close()
    assert desk.sessions() == [alive]
    client.communicate(b"\n")
    desk.jackline("gc", "--yes")
    assert desk.sessions() == []


def test_the_limits_are_the_configurations(desk: Desk) -> None:
    desk.begin()
    os.utime(desk.place / "events.jsonl", (time.time() - 3 * 86400,) * 2)
    assert desk.jackline("gc", "--dry-run", "--json").data["sessions"] == []
    desk.manifest({"gc": {"maxAgeDays": 2}})
    assert desk.jackline("gc", "--dry-run", "--json").data["sessions"] == [desk.place.name]


def test_what_nothing_leads_to_any_more_goes_too(desk: Desk) -> None:
    other = desk.folder / "other"
    other.mkdir()
    desk.jackline("compile", cwd=other)
    other.rmdir()
    (desk.store / "crash").mkdir()
    report = desk.store / "crash" / "x.jsonl"
    report.write_text("{}\n")
    os.utime(report, (1, 1))
    told = desk.jackline("gc", "--yes", "--json").data
    assert len(told["wirings"]) == 1
    assert not report.exists()
    assert desk.jackline("gc", "--dry-run").out == "Nothing is old enough to go.\n"


def test_what_a_killed_process_left_half_written_goes_after_a_day(desk: Desk) -> None:
    made = [desk.store / name for name in (".trust.json.7.1.tmp", "wirings/.a.bin.7.2.tmp", "wirings/.b.bin.8.1.tmp")]
    kept = [desk.store / "wirings/a.tmp", desk.store / ".tmp.keep"]
    for path in (*made, *kept):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"half")
        os.utime(path, (1, 1))
    os.utime(made[2])
    assert sorted(desk.jackline("gc", "--dry-run", "--json").data["halves"]) == sorted(map(str, made[:2]))
    desk.jackline("gc", "--yes")
    assert [path.exists() for path in (*made, *kept)] == [False, False, True, True, True]


# --- status and doctor ---------------------------------------------------------------------------------------------


def test_status_judges_by_events_seen(desk: Desk) -> None:
    desk.jackline("init", "--client", "claude-code", "--no-project")
    said = desk.jackline("status").out
    assert "!  claude-code  configured, but no event was ever seen" in said
    desk.begin()
    said = desk.jackline("status").out
    assert "✓  claude-code  last event " in said
    assert "·  trust        nothing here needs it" in said
    [client] = desk.jackline("status", "--json").data["clients"]
    assert client["differences"] == []
    assert client["last"] > 0


def test_status_finds_missing_entries_tampering_and_what_waits_for_trust(desk: Desk) -> None:
    desk.jackline("init", "--client", "claude-code", "--no-project")
    path = desk.home / ".claude/settings.json"
    settings = json.loads(path.read_text())
    del settings["hooks"]["PreToolUse"]
    path.write_text(json.dumps(settings))
    desk.feature("theirs", "return None")
    tamper_mark.mark(str(desk.store), "settings.json was changed")
    said = desk.jackline("status", code=1).out
    assert "PreToolUse missing" in said
    assert "TAMPERED" in said
    assert ".ai/hooks/features/theirs (feature) is new and not trusted: it does not run" in " ".join(said.split())


def test_status_without_an_installation(desk: Desk) -> None:
    (desk.store / "door.py").unlink()
    assert "jackline init" in desk.jackline("status", code=1).out
    assert desk.jackline("status", "--json", code=1).data["rows"][0]["grade"] == "bad"


def no_interpreter(store: Path) -> None:
    (store / "bin/python").unlink(missing_ok=True)
    (store / "bin/python").symlink_to("/nonexistent/python")


def emptied(store: Path) -> None:
    (store / "door.py").unlink()  # the file is a link to one that others use
    (store / "door.py").touch()


def no_door(store: Path) -> None:
    (store / "door.py").unlink()


@pytest.mark.parametrize(
    ("damage", "said", "by_compile"),
    [
        (no_interpreter, "the interpreter is gone", False),
        (emptied, "is damaged", True),
        (no_door, "door.py is gone: no hook answers", False),
    ],
    ids=lambda one: one.__name__ if callable(one) else "",
)
def test_a_dead_door_is_told_and_mended(
    desk: Desk, damage: Callable[[Path], None], said: str, by_compile: bool
) -> None:
    """`status` names it with what to type, that mends it, and `init` says what it made anew."""
    desk.jackline("init", "--client", "claude-code", "--no-project")
    damage(desk.store)
    shown = " ".join(desk.jackline("status", code=1).out.split())
    assert said in shown and ("jackline compile" if by_compile else "jackline init") in shown
    if by_compile:
        desk.jackline("compile")
        assert said not in desk.jackline("status").out
        damage(desk.store)
    done = desk.jackline("init", "--client", "claude-code", "--no-project", "--yes").out
    assert "renewed" in done
    assert said not in " ".join(desk.jackline("status").out.split())
    assert "renewed" not in desk.jackline("init", "--client", "claude-code", "--no-project").out


def test_status_writes_nothing(desk: Desk) -> None:
    desk.jackline("init", "--client", "claude-code")
    desk.one_session()
    before = listing(desk.folder)
    desk.jackline("status")
    assert listing(desk.folder) == before


def test_doctor_says_what_is_wrong_and_repair_mends_it(desk: Desk) -> None:
    desk.jackline("init", "--client", "claude-code", "--no-project")
    path = desk.home / ".claude/settings.json"
    whole = path.read_text()
    settings = json.loads(whole)
    del settings["hooks"]["PreToolUse"]
    path.write_text(json.dumps(settings))
    tamper_mark.mark(str(desk.store), "settings.json was changed")
    done = desk.jackline("doctor", code=1)
    assert "PreToolUse" in done.out
    assert "TAMPERED" in done.out
    assert "→ `jackline doctor --repair` puts them back" in done.out
    assert desk.jackline("doctor", "--json", code=1).data["grade"] == "bad"
    desk.jackline("doctor", "--repair", code=2)
    said = desk.jackline("doctor", "--repair", "--yes").out
    assert "repaired" in said
    assert json.loads(path.read_text())["hooks"].keys() == json.loads(whole)["hooks"].keys()
    assert tamper_mark.read(str(desk.store)) == ""
    assert "TAMPERED" not in said


# --- uninstall -----------------------------------------------------------------------------------------------------


def test_uninstall_gives_back_what_was_there(desk: Desk) -> None:
    path = desk.home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{\n   "model": "x"\n}')
    desk.jackline("init", "--client", "claude-code", "--client", "codex", "--no-project")
    desk.jackline("uninstall", code=2)
    told = desk.jackline("uninstall", "--yes", "--json").data
    assert [(one["client"], one["change"]) for one in told["done"]] == [
        ("claude-code", "removed"),
        ("codex", "deleted"),
    ]
    assert path.read_text() == '{\n   "model": "x"\n}'
    assert not (desk.home / ".codex").exists()
    assert desk.store.exists()
    assert "Nothing of ours was installed." in desk.jackline("uninstall", "--yes").out


def test_uninstall_of_one_client_alone(desk: Desk) -> None:
    desk.jackline("init", "--client", "claude-code", "--client", "codex", "--no-project")
    desk.jackline("uninstall", "--client", "codex", "--yes")
    assert (desk.home / ".claude/settings.json").exists()
    assert not (desk.home / ".codex/hooks.json").exists()


def test_purge_removes_the_store_and_needs_no_part(desk: Desk) -> None:
    desk.jackline("init", "--client", "codex", "--no-project")
    desk.jackline("uninstall", "--purge", "--client", "codex", "--yes", code=2)
    desk.jackline("uninstall", "--purge", "--yes")
    assert not desk.store.exists()
