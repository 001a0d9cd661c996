"""Verbs that loosen something are a person's: an agent's shell is refused, whichever way it goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from .hands import Hand
from .rig.script import call, say
from .site import Site

pytestmark = pytest.mark.e2e


def test_an_agent_cannot_speak_for_the_person(site: Site, command: Path, hand: Hand) -> None:
    site.init(hand.client)
    settings = site.settings(hand.client).read_bytes()
    door = f"{site.store}/bin/python -I -S {site.store}/door.py {hand.client} PreToolUse"
    ways = {
        "straight": f"{command} pause --minutes 5 --yes",
        "module": f"{command.parent}/python -m jackline.cli uninstall --yes",
        "door": f"echo '{{}}' | {door}",
    }
    sneaky = {"pause": ["pause", "--minutes", "5", "--yes"], "uninstall": ["uninstall", "--yes"]}
    for name, words in sneaky.items():
        (site.project / f"{name}.py").write_text(f"import os\nos.execv({str(command)!r}, {[str(command), *words]!r})\n")
    run = hand.play(
        site,
        [
            *(call(hand.shell(name, text)) for name, text in ways.items()),
            *(call(hand.shell(name, f"python3 {name}.py; echo left-with $?")) for name in sneaky),
            say("DONE"),
        ],
    )
    assert run.exit_code == 0
    for name in ways:
        assert "self-protect" in run.result(name), name
    for name in sneaky:  # no guard sees what a program does: the command itself refuses
        assert "is a human-only command" in run.result(name), name
        assert "left-with 2" in run.result(name)
    assert site.settings(hand.client).read_bytes() == settings
    assert "paused" not in site.jackline("status").out
    site.jackline("doctor")
