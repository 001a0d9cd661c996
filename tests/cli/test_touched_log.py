"""The log of a session, written by the installed entry point: an agent's calls do not cut it, and what was is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Desk
from jackline.store import chain, log_check, session_index


def log_of(desk: Desk) -> Path:
    return desk.place / "events.jsonl"


def edited(desk: Desk) -> None:
    """Somebody makes another command of the one that ran."""
    path = log_of(desk)
    path.write_bytes(path.read_bytes().replace(b"grep -r password", b"grep -r pass", 1))


def cut(desk: Desk) -> None:
    """The state goes with the rows that it is made of, or it would tell of them."""
    path = log_of(desk)
    (path.parent / "state.json").unlink()
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))


def removed(desk: Desk) -> None:
    log_of(desk).unlink()


ACTS = {
    "edited": (edited, "was changed, or Jackline did not write it"),
    "cut": (cut, "were here at the end of a turn and are gone"),
    "removed": (removed, "the log of this session is gone"),
}


def test_a_log_that_nobody_touched_says_nothing(desk: Desk) -> None:
    desk.one_session()
    assert "was touched" not in desk.jackline("log").out
    assert all(row["about"] != "log" for row in json.loads(desk.jackline("status", "--json", code=1).out)["rows"])


@pytest.mark.parametrize("act", ACTS)
def test_a_touched_log_is_told_by_every_screen(desk: Desk, act: str) -> None:
    desk.one_session()
    do, words = ACTS[act]
    do(desk)
    flat = " ".join(desk.jackline("log", code=1).out.split())
    assert "the log was touched" in flat and words in flat
    (row,) = [row for row in desk.jackline("status", "--json", code=1).data["rows"] if row["about"] == "log"]
    assert row["grade"] == "bad" and words in row["what"] and "jackline log --session" in row["what"]
    (finding,) = [one for one in desk.jackline("doctor", "--json", code=1).data["findings"] if one["code"] == "log"]
    assert finding["grade"] == "bad" and words in finding["what"] and "keep a copy" in finding["cure"]


def test_the_line_stands_at_its_place(desk: Desk) -> None:
    desk.one_session()
    edited(desk)
    rows = [json.loads(line) for line in desk.jackline("log", "--json", "--all", code=1).out.splitlines()]
    at = next(number for number, row in enumerate(rows) if row["kind"] == "LOG_BREAK")
    assert rows[at]["data"] == {"line": at, "what": "changed"}
    assert "grep -r pass " in json.dumps(rows[at - 1])


def test_a_person_who_forgets_a_session_ends_the_word(desk: Desk) -> None:
    desk.one_session()
    cut(desk)
    sid = desk.place.name
    desk.jackline("sessions", "forget", sid, "--yes")
    assert log_check.missing(str(desk.store), [one.sid for one in session_index.sessions(desk.store)]) == []
    assert [one for one in desk.jackline("doctor", "--json", code=1).data["findings"] if one["code"] == "log"] == []


CALLS = (
    "sed -i 2d {log}",
    ": > {log}",
    "truncate -s 100 {log}",
    "head -n 2 {log} > /tmp/x; mv /tmp/x {log}",
    "rm -f {log}",
    "python3 -c \"open('{log}', 'w')\"",
    "echo '{{}}' >> {log}",
    "cp /dev/null {door}",
    ": > {door}",
    "echo pass > {door}",
    "rm {store}/key",
    "cat {store}/key",
)


@pytest.mark.parametrize("call", CALLS)
def test_an_agent_s_call_neither_cuts_the_log_nor_empties_the_door(desk: Desk, call: str) -> None:
    desk.one_session()
    names = {"log": log_of(desk), "door": desk.store / "door.py", "store": desk.store}
    assert desk.pre(call.format(**names)).decision == "deny"
    assert (
        desk.say(
            desk.payload("PreToolUse", tool_name="Write", tool_input={"file_path": str(log_of(desk)), "content": ""})
        ).decision
        == "deny"
    )


def test_what_an_agent_did_all_the_same_is_seen(desk: Desk) -> None:
    """A program that we do not see into cuts the log to what stood there before the turn, and the session goes on."""
    desk.one_session()
    cut(desk)
    desk.prompt("go on")
    desk.say(desk.payload("Stop", stop_hook_active=False))
    (session,) = session_index.sessions(desk.store, desk.root)
    store = str(desk.store)
    assert [one.what for one in log_check.of_session(store, session, log_check.anchors(store))] == ["cut"]
    assert len(log_check.anchors(store)[session.sid]) == 2
    assert chain.seal(log_of(desk).read_bytes().splitlines()[-1])[0] > 2
