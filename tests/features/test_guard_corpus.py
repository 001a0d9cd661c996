"""Our own commands, in the manner of agents: each is stopped or passes, as `commands.txt` says."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.features.command_guard import guard
from jackline.shell.effects import effects
from jackline.shell.screen import screen

CWD, HOME = "/srv/shop", "/home/ada"


def rows() -> list[tuple[str, str, str]]:
    """Section, what must be said, command."""
    section, found = "", []
    for line in Path(__file__).with_name("commands.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            section = line[3:]
        elif line[:5] in ("stop ", "pass "):
            found.append((section, line[:4], line[5:].replace("⏎", "\n")))
        else:
            assert not line or line[0] == "#", line
    return found


def said(command: str) -> str:
    if screen(command):
        return "pass"
    found = effects(command, CWD, {"HOME": HOME, "TMPDIR": "/tmp"}, CWD)
    ground = guard.ground_of(CWD, CWD, HOME, {}, "/tmp")
    made = guard.rule_on(command, found, ground, {}, "standard", "2031-05-05")
    return "pass" if made.decision == "allow" else "stop"


ROWS = rows()


@pytest.mark.parametrize("section", sorted({row[0] for row in ROWS}))
def test_each_command_meets_what_it_should(section: str) -> None:
    wrong = [(want, command) for name, want, command in ROWS if name == section and said(command) != want]
    assert wrong == []


def test_there_are_enough_of_both_kinds() -> None:
    assert sum(want == "stop" for _, want, _ in ROWS) >= 300
    assert sum(want == "pass" for _, want, _ in ROWS) >= 300


def test_what_is_harmless_is_so_in_a_script_too() -> None:
    """Two harmless commands of any section, one behind the other, are harmless."""
    plain = [command for _, want, command in ROWS if want == "pass" and "\n" not in command and command[-1] not in "&;"]
    wrong = [
        (one, other)
        for one, other in zip(plain, plain[7:], strict=False)
        if not one.startswith(("exec ", "tmp=", "cd ", "mkdir ")) and said(f"{one}; {other}") != "pass"
    ]
    assert wrong == []
