"""A path with half a character names nothing on any disk; what is asked about it has an answer, and no fault."""

from __future__ import annotations

import pytest

from jackline import file_stat, folders, paths, system
from jackline.features.command_guard import guard
from jackline.features.command_guard.places import Ground
from jackline.shell.effects import effects
from jackline.shell.texts import content

HALF = "/srv/\ud800"
COMMANDS = [
    "git -c core.hooksPath={}/x commit",
    "rm -rf {}/*",
    "cp -r {} .",
    "for f in {}/*; do rm $f; done",
    "tar xf {}.tar -C {}",
    "python3 {}.py",
    "patch -p1 -i {}",
    "docker run -v {}:/x alpine",
]


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (paths.links, []),
        (system.names, []),
        (folders.entries, []),
        (content, ""),
        (system.exists, False),
        (system.is_dir, False),
        (system.size_of, -1),
        (file_stat.modified_ms, -1),
    ],
    ids=lambda one: getattr(one, "__name__", repr(one)),
)
def test_what_is_asked_of_such_a_path_is_answered(ask: object, says: object) -> None:
    assert callable(ask)
    assert ask(HALF) == says


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_names_one_is_judged(command: str) -> None:
    text = command.replace("{}", HALF)
    found = effects(text, "/srv", {"HOME": "/home/ada"}, since=1)
    assert "a fault of the analysis" not in found.why
    assert guard.rule_on(text, found, Ground("/srv", "/srv", "/home/ada"), {}, "standard", "2000-01-01") is not None
