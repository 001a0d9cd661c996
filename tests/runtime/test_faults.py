"""A fault of ours behind a guard's objection: the call is denied in the guard's words, and the fault is reported."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from jackline.host import clock, now
from jackline.model import Answer
from jackline.runtime.pipeline import run
from jackline.runtime.request import Request, Store
from scene import Scene

OBJECTS = """
if "touch" in event.command:
    return {word}("NOT-SO", rule="guard: touching", safer="leave it")
"""


def _said(scene: Scene, command: str) -> tuple[str, str]:
    payload = {**scene.tool(command), "cwd": str(scene.root)}
    said: list[Answer] = []
    request = Request(
        "claude-code",
        "PreToolUse",
        json.dumps(payload).encode(),
        {},
        str(scene.root),
        uid=os.getuid(),
        now=now(),
        clock=clock,
    )
    run(request, Store(str(scene.store)), said.append)
    (one,) = said
    told = json.loads(one.out).get("hookSpecificOutput", {})
    return told.get("permissionDecision", ""), told.get("permissionDecisionReason", "")


@pytest.mark.parametrize(
    ("word", "place"), [("ask", "stages.approvals.run"), ("deny", "approval_summary.format_verdict")]
)
def test_what_a_guard_refused_stays_refused_when_we_fail(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, word: str, place: str
) -> None:
    scene.feature("guard", OBJECTS.format(word=word), critical=True)
    scene.trust()
    scene.begin()

    def fails(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(f"jackline.runtime.{place}", fails)
    decision, reason = _said(scene, "touch made")
    assert decision == "deny"
    assert reason.split("\n")[:3] == ["NOT-SO", "guard: touching", "leave it"]
    assert _said(scene, "ls") == ("", "")
    (crash,) = scene.crashes()
    assert (crash["where"], crash["event"], crash["error"]) == ("engine", "PreToolUse", "RuntimeError")
    shutil.rmtree(scene.store / "crash")


def test_without_an_objection_a_fault_is_no_objection_of_ours(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The door's last resort answers: the pipeline itself lets the fault through."""
    scene.feature("asker", OBJECTS.format(word="ask"))
    scene.trust()
    scene.begin()

    def fails(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("jackline.runtime.stages.approvals.run", fails)
    with pytest.raises(RuntimeError, match="a fault of ours"):
        _said(scene, "touch made")


def test_a_library_that_fails_is_reported_and_the_guard_has_its_word(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.feature("guard", OBJECTS.format(word="deny"), critical=True)
    scene.trust()
    scene.begin()

    def fails(*_: object) -> None:
        raise KeyError("a fault of ours")

    monkeypatch.setattr("jackline.classification.risk", fails)
    decision, reason = _said(scene, "touch made")
    assert (decision, reason.split("\n")[0]) == ("deny", "NOT-SO")
    assert json.loads(reason.split("\n")[3])["meta"]["risk"] == "DESTRUCTIVE"
    (crash,) = scene.crashes()
    assert (crash["where"], crash["error"]) == ("classification", "KeyError")
    shutil.rmtree(scene.store / "crash")
