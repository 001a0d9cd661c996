"""A person's word through the door: what waits, what a yes lets through, what it does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jackline.store import approvals, authority
from jackline.store.approvals import Request, Word
from jackline.system import now
from scene import Said, Scene

ASKS = """
if "touch" in event.command or event.kind in ("write", "edit"):
    return ask("MAY-IT", rule="asker: touching", safer="leave it", code="HITL_REJECT")
"""
ALONE = {"CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}


@pytest.fixture
def asking(scene: Scene) -> Scene:
    """A machine with a feature that asks about whatever touches or writes."""
    scene.feature("asker", ASKS, critical=True)
    scene.trust()
    scene.begin()
    return scene


def wait(scene: Scene) -> list[Request]:
    return approvals.waiting(str(scene.store), now() // 1_000_000)


def one(scene: Scene) -> Request:
    (found,) = wait(scene)
    return found


def say(scene: Scene, decision: str, request: Request, **fields: Any) -> bool:
    word = Word(decision, "person", now() // 1_000_000, **fields)  # type: ignore[arg-type]
    return approvals.say(str(scene.store), request.id, word)


def pending(said: Said) -> dict[str, Any]:
    assert said.decision == "deny", said
    error: dict[str, Any] = json.loads(said.reason.split("\n")[3])
    assert error["code"] == "HITL_PENDING", said.reason
    return error


def ran(scene: Scene, command: str = "touch made", **fields: Any) -> Said:
    """A shell call where nobody sits at the client."""
    return scene.say(scene.tool(command, **fields), env=ALONE)


def test_headless_the_call_waits_and_a_yes_lets_it_through_once(asking: Scene) -> None:
    said = ran(asking)
    error = pending(said)
    request = one(asking)
    lines = said.reason.split("\n")
    assert lines[0] == f"MAY-IT — it waits for the person's yes as {request.id}"
    assert lines[1] == "asker: touching"
    assert lines[2].startswith("leave it; or: Stop and tell the person")
    assert error["meta"]["affected_files"] == ["made"]
    assert error["meta"]["normalized_tool_name"] == "execute_command"
    assert one(asking) == request
    pending(ran(asking))
    assert wait(asking) == [request]  # the same call waits once
    assert say(asking, "approve", request)
    assert ran(asking).decision == ""
    again = ran(asking)
    pending(again)
    assert request.id not in again.reason
    kinds = [row["kind"] for row in asking.log() if row["kind"].startswith(("APPROVAL", "GRANT"))]
    assert kinds == ["APPROVAL_ASKED", "GRANT_USED", "APPROVAL_ASKED"]
    assert [record["kind"] for record in authority.read(str(asking.store))] == ["TRUST", "GRANT_USE"]
    assert authority.verify(str(asking.store))[1] == ""


@pytest.mark.parametrize(
    "twin",
    [
        {"command": "touch made other"},
        {"command": "touch  made"},
        {"session_id": "33333333-2222-3333-4444-555555555555"},
        {"agent_id": "sub-1"},
        {"tool_name": "PowerShell"},
        {"cwd": ".."},
        {"tool_input": {"command": "touch made", "run_in_background": True}},
    ],
    ids=str,
)
def test_an_altered_twin_does_not_pass(asking: Scene, twin: dict[str, Any]) -> None:
    pending(ran(asking))
    say(asking, "approve", one(asking))
    if twin.get("cwd"):
        twin = {"cwd": str(asking.root.parent)}
    fields = {"command": "touch made", **twin}
    pending(ran(asking, **fields))
    assert ran(asking).decision == ""  # and the approved one still does


def test_words_about_a_call_are_no_part_of_it(asking: Scene) -> None:
    pending(ran(asking, tool_input={"command": "touch made", "description": "d", "timeout": 5}))
    say(asking, "approve", one(asking))
    assert ran(asking, tool_input={"command": "touch made", "description": "other", "timeout": 9}).decision == ""
