"""What lenient features would have refused: counted by call and task, with the plans that followed at once."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.cli.parts.lenient_report import Strict, strict
from jackline.cli.parts.runs import Run

from .conftest import Desk


def call(work: str = "w001", *, by: str = "tool-gate", would: str = "", more: str = "") -> Run:
    row: dict[str, Any] = {"kind": "TOOL_DECISION", "workId": work, "data": {"actions": [{"feature": by}]}}
    others = [{"kind": f"WOULD_{would.upper()}", "producer": by, "decision": would}] if would else []
    others += [{"kind": more, "producer": "plan-graph"}] if more else []
    return Run("", row, tuple(others))


def plan(kind: str = "PLAN_ACCEPTED") -> Run:
    return Run("", {"kind": kind})


REFUSED, FREE = call(would="deny"), call()
COUNTED = {
    "nothing": ([[]], (0, 0, 0, 0)),
    "all free": ([[FREE, FREE]], (0, 2, 1, 0)),
    "another feature's": ([[call(by="other", would="deny")]], (0, 0, 0, 0)),
    "a rewrite is no refusal": ([[call(would="rewrite")]], (0, 1, 1, 0)),
    "a plan at once": ([[REFUSED, plan()]], (1, 1, 1, 1)),
    "a plan in the second call": ([[REFUSED, FREE, call(more="PLAN_DENIED")]], (1, 3, 1, 1)),
    "a plan after the second call": ([[REFUSED, FREE, FREE, plan()]], (1, 3, 1, 1)),
    "a plan after the third call": ([[REFUSED, FREE, FREE, FREE, plan()]], (1, 4, 1, 0)),
    "a plan before it": ([[plan(), REFUSED]], (1, 1, 1, 0)),
    "two tasks, two sessions": ([[REFUSED, call("w002")], [call("w001", would="ask"), plan()]], (2, 3, 3, 1)),
}


@pytest.mark.parametrize(("sessions", "counts"), COUNTED.values(), ids=COUNTED)
def test_calls_tasks_and_plans_are_counted(sessions: list[list[Run]], counts: tuple[int, ...]) -> None:
    assert strict(sessions, "tool-gate") == Strict("tool-gate", *counts)


def test_the_sentence_says_what_was_counted() -> None:
    assert Strict("x", 14, 2310, 9, 11).sentence == (
        "strict would have refused 14 of 2,310 calls in 9 tasks; 11 were followed by a plan within two calls"
    )
    assert Strict("x", 0, 1, 1, 0).sentence == "strict would have refused 0 of 1 call in 1 task"


def test_the_report_says_it_of_what_is_lenient(desk: Desk) -> None:
    desk.feature("no-push", 'return deny("not from here") if event.command == "git push" else None')
    desk.jackline("trust", "--yes", desk.jackline("trust", "--json", code=1).data["digest"])
    desk.jackline("enable", "no-push", "--yes")
    for command in ("git push", "ls", "git push"):
        desk.pre(command)
    assert desk.decided()[1] == "allow"
    told = desk.jackline("report", "--json").data["strict"]
    assert told == [{"feature": "no-push", "refused": 2, "calls": 3, "tasks": 1, "followed": 0}]
    said = desk.jackline("report").out
    assert "no-push: strict would have refused 2 of 3 calls in 1 task; 0 were followed by a plan" in said
    assert "to enforce: jackline enable no-push --strict" in said
    assert '"mode": "enforce"' not in said
    desk.jackline("enable", "no-push", "--strict", "--yes")
    assert desk.jackline("report", "--json").data["strict"] == []
