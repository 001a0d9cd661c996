"""A person's word on each real client: a yes lets exactly one call through, once, and nobody else can say it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .hands import CLAUDE, Hand
from .rig.run import Run
from .rig.script import Turn, call, say
from .site import Site

pytestmark = pytest.mark.e2e

Prompts = tuple[str | Callable[[], str], ...]
REMOVE = "git clean -fdq data"


@pytest.fixture
def here(here: Site) -> Site:
    """Data that no commit holds, so that the guard asks before it goes; and a person at a terminal."""
    fill(here)
    here.sit()
    return here


def fill(site: Site) -> None:
    (site.project / "data").mkdir(exist_ok=True)
    (site.project / "data/only-here.txt").write_text("years of work\n")


def there(site: Site) -> bool:
    return (site.project / "data/only-here.txt").exists()


def play(site: Site, hand: Hand, prompts: Prompts, *turns: Turn) -> Run:
    """One conversation of several prompts in one process of the client; between them the person acts."""
    if hand.client == "claude-code":
        run = site.claude(*turns, prompts=prompts)
    else:
        run = site.codex_server(*turns, prompts=prompts, approval="never", sandbox="danger-full-access")
    assert run.exit_code == 0
    return run


def waiting(site: Site) -> dict[str, Any]:
    """The one call that waits, with its code, as the person sees it in a terminal."""
    told = site.typed("approvals", "--json")
    found = [one for one in json.loads(told[told.index("[") :]) if one["standing"] == "waiting"]
    assert len(found) == 1, found
    return dict(found[0])


def pending(run: Run, name: str) -> str:
    """What the model read of a call that waits: three lines and the JSON, and no code."""
    told = run.result(name)
    lines, found, _ = told.partition('{"type":"tool_error"')
    assert found, told
    assert "HITL_PENDING" in told
    assert "pending approval " in lines
    assert len(lines.strip().splitlines()) <= 3, lines
    return lines


def test_a_yes_lets_exactly_that_call_through_once(here: Site, hand: Hand) -> None:
    codes = []

    def approve() -> str:
        assert there(here)
        one = waiting(here)
        codes.append(one["approve"])
        assert one["subject"] == REMOVE
        assert one["affected"], one
        here.typed("approve", one["approve"])
        return "GO-ON"

    def look() -> str:
        assert not there(here)
        assert (here.project / "src").exists()
        fill(here)
        return "AGAIN"

    run = play(
        here,
        hand,
        ("BEGIN", approve, look),
        call(hand.shell("first", REMOVE)),
        say("IT-WAITS"),
        call(hand.shell("duplicate", f"{REMOVE} src")),
        call(hand.shell("second", REMOVE)),
        say("DONE"),
        call(hand.shell("third", REMOVE)),
        say("DONE-AGAIN"),
    )
    first = pending(run, "first")
    assert pending(run, "duplicate") != first
    assert "tool_error" not in run.result("second")
    assert pending(run, "third") != first
    assert there(here)
    assert not run.model_saw(codes[0])
    kinds = [json.loads(line)["kind"] for line in (here.store / "authority.jsonl").read_text().splitlines()]
    assert (kinds.count("APPROVE"), kinds.count("GRANT_USE")) == (1, 1)


def test_not_after_the_script_it_runs_was_changed(here: Site, hand: Hand) -> None:
    script = here.project / "tidy.sh"
    script.write_text("echo tidy\n")
    command = f"bash tidy.sh && {REMOVE}"

    def approve_and_change() -> str:
        here.typed("approve", waiting(here)["approve"])
        script.write_text("touch was-changed\n")
        return "GO-ON"

    run = play(
        here,
        hand,
        ("BEGIN", approve_and_change),
        call(hand.shell("first", command)),
        say("IT-WAITS"),
        call(hand.shell("second", command)),
        say("DONE"),
    )
    pending(run, "first")
    assert "tidy.sh was changed since they approved it" in pending(run, "second")
    assert there(here)
    assert not (here.project / "was-changed").exists()


def test_the_code_typed_as_a_prompt(here: Site, hand: Hand) -> None:
    run = play(
        here,
        hand,
        ("BEGIN", lambda: "jackline approve BBB-BBB", lambda: f"jackline approve {waiting(here)['approve']}"),
        call(hand.shell("first", REMOVE)),
        say("IT-WAITS"),
        call(hand.shell("second", REMOVE)),
        say("DONE"),
    )
    pending(run, "first")
    assert not run.model_saw("BBB-BBB")  # a wrong code stays between the person and us
    assert run.model_saw("The person approved call ")
    assert "tool_error" not in run.result("second")
    assert not there(here)


def test_a_no_is_final_for_the_turn_and_carries_the_note(here: Site, hand: Hand) -> None:
    run = play(
        here,
        hand,
        ("BEGIN", lambda: f"jackline reject {waiting(here)['approve']} use git rm instead"),
        call(hand.shell("first", REMOVE)),
        say("IT-WAITS"),
        call(hand.shell("second", REMOVE)),
        say("DONE"),
    )
    pending(run, "first")
    told = run.result("second")
    assert "HITL_REJECT" in told
    assert "use git rm instead" in told
    assert there(here)


def test_an_agent_cannot_say_it(here: Site, hand: Hand, command: Path) -> None:
    """Neither by its shell, which the guard sees, nor by a program that it runs, where the command itself refuses."""
    words = [str(command), "approve", "BCD-FGH", "--yes"]
    (here.project / "say.py").write_text(f"import os\nos.execv({str(command)!r}, {words!r})\n")
    (here.project / "see.py").write_text(
        f"import os\nos.execv({str(command)!r}, {[str(command), 'approvals', '--json', '--yes']!r})\n"
    )
    run = play(
        here,
        hand,
        ("BEGIN",),
        call(hand.shell("first", REMOVE)),
        call(hand.shell("straight", f"{command} approve BCD-FGH --yes")),
        call(hand.shell("program", "python3 say.py; echo left-with $?")),
        call(hand.shell("looking", "python3 see.py")),
        say("DONE"),
    )
    code = waiting(here)["approve"]
    assert "self-protect" in run.result("straight")
    assert "is a human-only command" in run.result("program")
    assert "left-with 2" in run.result("program")
    assert '"standing": "waiting"' in run.result("looking")
    assert not run.model_saw(code)
    assert there(here)


ASKS = '''"""Wants a person's word for whatever writes."""

from jackline.sdk import ask, hook


@hook(name="asker", supports=["PreToolUse"], priority=60, tools=["kind:write"])
def handle(event, ctx):
    return ask("MAY-IT-WRITE", rule="asker: writing", safer="leave it")
'''


def test_the_clients_own_dialog_shows_what_a_yes_would_do(site: Site) -> None:
    site.init("claude-code")
    site.feature("asker", ASKS)
    site.trust()
    write = CLAUDE.write("write", site.project / "src/new.py", "".join(f"line_{at} = {at}\n" for at in range(40)))
    run = site.claude(call(write), say("DONE"), person=[{"behavior": "allow"}])
    (question,) = [message["request"] for message in run.messages if message.get("type") == "control_request"]
    lines = question["decision_reason"].splitlines()
    assert lines[:3] == ["MAY-IT-WRITE", "asker: writing", "leave it"]
    assert "files: src/new.py" in lines
    assert not any(line.startswith("intent:") for line in lines), "intents are off here"
    assert "+line_0 = 0" in lines
    assert len(lines[lines.index("--- /dev/null") :]) == 20
    assert (site.project / "src/new.py").exists()
    assert json.loads(site.jackline("approvals", "--json").out) == []
