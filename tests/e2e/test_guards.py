"""What the guards promise, seen from the model and from the disk, on each real client."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .hands import Hand
from .rig.run import Run
from .rig.script import call, say
from .site import Site

pytestmark = pytest.mark.e2e


def refusal(run: Run, name: str) -> dict[str, Any]:
    """The refusal that the model read for a call: three lines at most, then one line of JSON."""
    read = run.result(name)
    lines, found, rest = read.partition('{"type":"tool_error"')
    assert found, f"no refusal of ours in {read!r}"
    assert len(lines.strip().splitlines()) <= 3, lines
    told, _ = json.JSONDecoder().raw_decode(found + rest)
    assert isinstance(told, dict)
    return told


def test_a_denied_call_does_not_run_and_the_model_reads_why(here: Site, hand: Hand) -> None:
    settings = here.settings(hand.client)
    installed = settings.read_bytes()
    local = here.project / ".claude/settings.local.json"
    run = hand.play(
        here,
        [
            call(
                hand.shell("sed", f"sed -i s/jackline/nothing/ {settings.relative_to(here.project)} && touch ran-sed")
            ),
            call(hand.write("write", local, '{"hooks": {}}\n')),
            call(hand.shell("search", "bash -c 'touch ran-search; grep -rn needle /'")),
            call(hand.shell("store", f"rm -rf {here.store}")),
            call(hand.shell("fine", "echo all-is-well")),
            say("DONE"),
        ],
    )
    assert run.exit_code == 0
    for name in ("sed", "write", "search", "store"):
        told = refusal(run, name)
        assert told["message"]
        assert name in here.jackline("why", told["meta"]["invocation_id"]).out
        (row,) = here.rows("TOOL_DECISION", toolUseId=name)
        assert row["decision"] == "deny"
        assert row["reason"].splitlines()[0] == told["message"]
    assert "all-is-well" in run.result("fine")
    assert settings.read_bytes() == installed
    assert not local.exists()
    assert not list(here.project.glob("ran-*"))
    assert (here.store / "door.py").exists()


def test_an_agent_cannot_shake_the_guards_off_by_moving(here: Site, hand: Hand) -> None:
    """`cd` and `git init` in a sub-folder neither move the root nor hide the project's own settings."""
    settings = here.settings(hand.client)
    installed = settings.read_bytes()
    up = f"../{settings.relative_to(here.project)}"
    again = "cd deeper && " if hand.client == "codex" else ""  # Claude Code's shell stays where it went
    moves = {
        "init": "mkdir deeper && cd deeper && git init -q . && echo moved",
        "cd": f"{again}pwd",
        "there": f"{again}sed -i s/jackline/nothing/ {up}",
        "search": "ls -R /",
    }
    run = hand.play(here, [*(call(hand.shell(name, text)) for name, text in moves.items()), say("DONE")])
    assert run.exit_code == 0
    assert "moved" in run.result("init")
    assert f"{here.project}/deeper" in run.result("cd")
    assert refusal(run, "there")
    assert refusal(run, "search")
    assert settings.read_bytes() == installed
    assert not (here.project / "deeper/.ai").exists()
    assert len(list(here.project.glob(".ai/tmp/*/events.jsonl"))) == 1


def test_parallel_calls_lose_nothing(here: Site, hand: Hand) -> None:
    names = [f"p{number}" for number in range(8)]
    run = hand.play(here, [call(*(hand.shell(name, f"echo did-{name}") for name in names)), say("DONE")])
    assert run.exit_code == 0
    for name in names:
        assert f"did-{name}" in run.result(name)
        assert len(here.rows("TOOL_DECISION", toolUseId=name)) == 1
        assert len(here.rows("TOOL_OUTCOME", toolUseId=name)) == 1
    identities = [row["id"] for row in here.events()]
    assert len(identities) == len(set(identities))
