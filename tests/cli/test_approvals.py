"""A person's word at a terminal: what waits is shown, a code or an id says which, and who may say it."""

from __future__ import annotations

import json
import re
import select
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from jackline.host import now
from jackline.model import Event
from jackline.runtime.stages.approvals import format_arguments
from jackline.store import approvals, authority
from jackline.store.approvals import Request
from scene import Said

from .conftest import Desk

ASKS = """
if "touch" in event.command or event.kind in ("write", "edit"):
    return ask("MAY-IT", rule="asker: touching", safer="leave it")
"""
ALONE = {"CLAUDE_CODE_SESSION_ATTENDED": "0"}


@pytest.fixture
def asking(desk: Desk) -> Desk:
    desk.feature("asker", ASKS, critical=True)
    desk.trust()
    desk.begin()
    return desk


def ran(desk: Desk, command: str = "touch made", **fields: Any) -> Said:
    return desk.say(desk.tool(command, **fields), env=ALONE)


def one(desk: Desk) -> Request:
    (found,) = approvals.waiting(str(desk.store), now() // 1_000_000)
    return found


def code(desk: Desk) -> str:
    return approvals.code(str(desk.store), one(desk))


def test_nothing_waits(desk: Desk) -> None:
    assert desk.jackline("approvals").out == "Nothing waits for your word.\n"
    assert desk.jackline("approvals", "--json").data == []
    assert "no call waits" in desk.jackline("approve", "--yes", code=1).err


def test_why_knows_a_call_by_the_id_it_waits_under(asking: Desk) -> None:
    ran(asking)
    said = asking.jackline("why", one(asking).id).out
    assert "HITL_PENDING" in said and "touch made" in said
    assert asking.jackline("why", "0a0a0a", code=1).out.startswith("No record's id begins with 0a0a0a")


def test_a_person_sees_the_call_and_approves_it_by_its_code(asking: Desk) -> None:
    change = {"file_path": str(asking.root / "new.py"), "content": "a = 1\nb = 2\n"}
    asking.say(asking.tool(tool_name="Write", tool_input=change), env=ALONE)
    request, secret = one(asking), code(asking)
    shown = asking.typed("approvals").out
    for part in (
        request.id,
        "waiting",
        secret,
        "MAY-IT",
        "asker: touching",
        "new.py",
        "+a = 1",
        request.sid,
        "ends in",
    ):
        assert part in shown, shown
    assert "approved" in asking.jackline("approve", secret.lower().replace("-", ""), "--yes").out
    assert asking.say(asking.tool(tool_name="Write", tool_input=change), env=ALONE).decision == ""
    assert [one["kind"] for one in authority.read(str(asking.store))][-2:] == ["APPROVE", "GRANT_USE"]
    (kept,) = asking.jackline("approvals", "--all", "--json").data
    assert (kept["standing"], kept["word"]["way"]) == ("used", "command")


def test_codes_are_for_a_person_at_a_terminal(asking: Desk) -> None:
    ran(asking)
    secret = code(asking)
    assert secret in asking.typed("approvals").out
    assert secret not in asking.jackline("approvals").out
    assert secret not in asking.jackline("approvals", "--json").out
    assert asking.jackline("approvals", "--json", "--yes").data[0]["approve"] == secret
    below = asking.below_client("approvals", "--json", "--yes")
    assert below.code == 0
    assert json.loads(below.out)[0]["id"] == one(asking).id
    assert secret not in below.out


def test_an_id_is_shown_and_asked_about(asking: Desk) -> None:
    ran(asking)
    name = one(asking).id
    assert "no terminal to ask on · give the code" in asking.jackline("approve", name, "--yes", code=2).err
    said = asking.typed("approve", name, keys=b"n\n")
    assert said.code == 1
    assert f"Approve {name}? [y/N]" in said.out
    assert "touch made" in said.out
    assert asking.typed("approve", keys=b"y\n").code == 0  # the one that waits
    assert ran(asking).decision == ""


def test_a_rejection_holds_for_the_turn_with_its_note(asking: Desk) -> None:
    asking.prompt("go")
    ran(asking)
    asking.jackline("reject", code(asking), "--note", "use git restore", "--yes")
    for _ in range(2):
        said = ran(asking)
        assert said.decision == "deny"
        assert "use git restore" in said.reason.split("\n")[0]
        assert '"code":"HITL_REJECT"' in said.reason
    assert approvals.waiting(str(asking.store), now() // 1_000_000) == []
    asking.prompt("go on")
    assert '"code":"HITL_PENDING"' in ran(asking).reason
    assert authority.read(str(asking.store))[-1]["kind"] == "REJECT"


def test_a_yes_is_taken_back_before_it_is_used(asking: Desk) -> None:
    ran(asking)
    name = one(asking).id
    asking.jackline("approve", code(asking), "--for", "session", "--yes")
    assert ran(asking).decision == ""
    assert ran(asking).decision == ""
    assert asking.typed("reject", name, keys=b"y\n").code == 0
    assert ran(asking).decision == "deny"


def test_a_note_with_a_yes_is_told_with_the_call(asking: Desk) -> None:
    ran(asking)
    asking.jackline("approve", code(asking), "--note", "NOT-MORE", "--yes")
    assert "NOT-MORE" in ran(asking).body["hookSpecificOutput"]["additionalContext"]


def test_three_wrong_codes_end_what_waits(asking: Desk) -> None:
    ran(asking)
    right = code(asking)
    wrong = "BBB-BBB" if right != "BBB-BBB" else "CCC-CCC"
    assert "2 more wrong codes" in asking.jackline("approve", wrong, "--yes", code=1).err
    asking.jackline("approve", wrong, "--yes", code=1)
    assert "too many wrong codes" in asking.jackline("approve", wrong, "--yes", code=1).err
    assert "no call waits under this code" in asking.jackline("approve", right, "--yes", code=1).err
    assert ran(asking).decision == "deny"
    assert code(asking) != right


def test_of_many_that_speak_at_once_one_is_heard(asking: Desk) -> None:
    ran(asking)
    secret = code(asking)
    words = [[verb, secret, "--yes"] for verb in ("approve", "reject") * 4]
    started = [
        subprocess.Popen(
            asking.command(*one), env=asking.env, cwd=asking.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, start_new_session=True,
        )
        for one in words
    ]  # fmt: skip
    codes = [one.wait(60) for one in started]
    assert sorted(codes) == [0] + [1] * 7
    winner = words[codes.index(0)][0]
    kinds = [one["kind"] for one in authority.read(str(asking.store))]
    assert [kind for kind in kinds if kind in ("APPROVE", "REJECT")] == [winner.upper()]


@contextmanager
def watching(desk: Desk) -> Iterator[Callable[[], dict[str, Any]]]:
    """What gives the next change that is shown, by a deadline."""
    argv = desk.command("approvals", "--watch", "--json")
    with subprocess.Popen(argv, env=desk.env, cwd=desk.root, stdout=subprocess.PIPE, start_new_session=True) as watcher:
        told = watcher.stdout
        assert told is not None

        def change() -> dict[str, Any]:
            assert select.select([told], [], [], 60)[0], "nothing is shown"
            found: dict[str, Any] = json.loads(told.readline())
            return found

        try:
            yield change
        finally:
            watcher.terminate()


def test_watching_shows_what_comes_and_what_becomes_of_it(asking: Desk) -> None:
    with watching(asking) as change:
        ran(asking)
        first = change()
        asking.jackline("reject", code(asking), "--yes")
        second = change()
    assert [first["standing"], second["standing"]] == ["waiting", "rejected"]
    assert first["id"] == second["id"]
    assert "approve" not in first


def test_watching_shows_what_was_born_before_and_is_written_after(asking: Desk) -> None:
    """An event takes its time between the two; the other request tells when the watcher has begun."""
    ran(asking)
    late = one(asking)
    file, away = asking.store / f"approvals/{late.id}.ask", asking.folder / "late"
    file.rename(away)
    ran(asking, "touch other")
    with watching(asking) as change:
        assert change()["id"] == one(asking).id
        away.rename(file)
        shown = change()
    assert (shown["id"], shown["standing"]) == (late.id, "waiting")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("touch made && echo " + "x" * 5000, ["5019 characters, whole:"]),
        ("touch made\n" * 30 + "rm -rf dist", ["341 characters, 31 lines, whole:", "rm -rf dist"]),
        ("touch made; echo \x1b[2K\rgood", ["touch made; echo \\x1b[2K\\rgood"]),
        ("touch made" + " " * 400 + "; rm -rf dist", ["423 characters, whole:", "; rm -rf dist"]),
        ("touch made \u202e; rm -rf dist", ["\\u202e; rm -rf dist"]),
    ],
    ids=["long", "many lines", "control characters", "far to the right", "turned round"],
)
def test_the_whole_command_is_shown_with_its_length(asking: Desk, command: str, says: list[str]) -> None:
    ran(asking, command)
    shown = asking.typed("approvals").out
    plain = "".join(line.removeprefix("    ") for line in shown.split("\n"))
    for part in says:
        assert part in shown or part in plain, shown
    assert len(re.findall("x", shown)) >= command.count("x"), "nothing of it is left out"


def test_what_leaves_the_screen_is_said(asking: Desk) -> None:
    ran(asking, "touch made\n" * 60)
    assert f"↑ {one(asking).id} is 61 lines tall: scroll up to its first" in asking.typed("approvals").out


def test_a_tool_is_shown_with_its_arguments_in_lines() -> None:
    event = Event("PreToolUse", kind="mcp", tool="mcp__files__purge", input={"path": "a b", "options": {"deep": True}})
    assert format_arguments(event) == 'mcp__files__purge\npath: a b\noptions: {"deep":true}'


def test_a_question_that_a_person_is_asked_carries_no_line_of_json(asking: Desk) -> None:
    """What a model reads of a refusal ends with one; a person reads sentences: in the client, in the list, at a yes."""
    asked = asking.say(asking.tool("touch made"))
    assert asked.decision == "ask"
    refused = ran(asking)
    assert '"tool_error"' in refused.reason, "the model has it"
    screens = [asked.reason, asking.jackline("approvals").out, asking.typed("approve", one(asking).id, keys=b"n\n").out]
    for screen in screens:
        assert "MAY-IT" in screen
        assert "tool_error" not in screen
        assert not [line for line in screen.splitlines() if line.lstrip().startswith("{")]
