"""`${name%word}` and its kin, and what a loop's variable holds: as bash has it, or unknown."""

from __future__ import annotations

import subprocess
from itertools import product

import pytest

from jackline.shell.effects import effects
from jackline.shell.model import UNKNOWN

VALUES = ("a.txt", "a.b.c", "/x/y/z", "x", "/", "a//b", "..", "aXbX", ".hid", "dir/", "*")
WORDS = (".txt", "*/", "/*", ".*", "*.", "X", "*X", "X*", "/", "b*", "*b", "..", "a", "?", "[a]", "**", "*.*", "'.txt'")


def _printed(command: str) -> str:
    found = [one.words for one in effects(command, "/p").commands if one.program == "printf"][-1]
    return found[2] if len(found) > 2 else ""


@pytest.mark.parametrize("op", ["%", "%%", "#", "##"])
def test_what_is_cut_is_what_bash_cuts(op: str) -> None:
    """Never another text than bash's; and one wherever no glob cuts, or a folder or a name is cut off."""
    told = 0
    scripts = [f"x='{value}'; y=${{x{op}{word}}}; printf '<%s>' \"$y\"" for value, word in product(VALUES, WORDS)]
    ran = subprocess.run(["bash", "-c", "; echo; ".join(scripts)], capture_output=True, text=True, check=True)
    for script, line in zip(scripts, ran.stdout.split("\n"), strict=True):
        made = _printed(script)
        if UNKNOWN not in made:
            told += 1
            assert made == line[1:-1], script
    assert told * 4 >= len(scripts)


def _paths(command: str, kind: str) -> set[str]:
    return {one.path for one in effects(command, "/p").effects if one.kind == kind}


def test_a_loop_variable_holds_its_values_in_each_round() -> None:
    assert _paths("for f in a b; do rm $f; done", "delete") == {"/p/a", "/p/b"}
    assert _paths("for f in a b; do rm $f; n=$f; done", "delete") == {"/p/a", "/p/b"}


def test_what_a_loop_carries_to_the_next_round_is_seen() -> None:
    """The second round may run what the first one left."""
    found = effects("x=safe; for f in a b; do rm -r $x; x=/etc; done", "/p")
    assert {one.path for one in found.effects if one.kind == "delete"} == {"/p/safe", "/etc", "**"}


def test_a_loop_over_a_glob_changes_what_the_glob_names() -> None:
    assert _paths('for f in src/*.py; do sed -i s/a/b/ "$f"; done', "write") == {"/p/src/*.py"}
