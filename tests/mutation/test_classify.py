"""The class of a change by its syntax trees: small changes of each sort, in each language (`changes.toml`)."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from jackline.mutation.changes import judge, of_texts
from jackline.mutation.model import EVOLUTION, REFACTOR, UNKNOWN, Mutation


class Case(NamedTuple):
    """One change."""

    name: str
    path: str
    before: str
    after: str


TABLE = tomllib.loads(Path(__file__).with_name("changes.toml").read_text())
CLASSES = {"same": REFACTOR, "other": EVOLUTION, "unknown": UNKNOWN}
CASES = {f"{sort}: {one['name']}": (kind, Case(**one)) for sort, kind in CLASSES.items() for one in TABLE[sort]}


@pytest.mark.parametrize("name", CASES)
def test_a_change_and_its_way_back_are_of_one_class(name: str) -> None:
    kind, case = CASES[name]
    there, back = judge(case.path, case.before, case.after), judge(case.path, case.after, case.before)
    assert (there.kind, back.kind) == (kind, kind), (there, back)


def test_what_is_lost_with_the_grammars_is_said_and_not_guessed() -> None:
    """Without the extra Python, settings and blanks are told as before, and for the rest it says what is missing."""
    script = """
import sys
for name in ("tree_sitter", "tree_sitter_javascript"):
    sys.modules[name] = None
from jackline.mutation.changes import judge
print(judge("a.js", "f(a);", "f(b);"))
for path, before, after in (("a.js", "f(a);\\n\\n", "f(a);"), ("a.py", "f(a)", "f( a )"), ("a.toml", "a=1", "a=2")):
    print(judge(path, before, after).kind)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "Mutation(kind='UNKNOWN', confidence=0.0, signals=('no grammar for .js files: install jackline[syntax]',))",
        "AST_REFACTOR",
        "AST_REFACTOR",
        "INTENT_EVOLUTION",
    ]


def test_one_evolution_makes_a_call_one_and_one_unknown_file_leaves_it_open() -> None:
    same, other, unknown = ("a.py", "f( 1 )", "f(1)"), ("b.py", "f(1)", "f(2)"), ("c.md", "one", "two")
    assert [of_texts(one).kind for one in ([same, other, unknown], [same, unknown], [same], [])] == [
        EVOLUTION,
        UNKNOWN,
        REFACTOR,
        UNKNOWN,
    ]


def test_files_that_come_and_go_are_evolutions() -> None:
    assert of_texts([("a.py", None, "f()")]) == Mutation(EVOLUTION, 0.95, ("a new file",))
    assert of_texts([("a.py", "f()", None)]) == Mutation(EVOLUTION, 0.95, ("a file removed",))
