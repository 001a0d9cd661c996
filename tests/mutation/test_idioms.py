"""One thing said in two ways is a refactoring, what looks like it is none (`idioms.toml`); how patterns are read."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from jackline.mutation.judge import judge
from jackline.mutation.languages import language_of
from jackline.mutation.lexer import tokens
from jackline.mutation.model import EVOLUTION, REFACTOR
from jackline.mutation.rewrite import rewritten, rules

TABLE = tomllib.loads(Path(__file__).with_name("idioms.toml").read_text())
FRAMES = TABLE["frames"]


class Pair(NamedTuple):
    """Two pieces in the frame of their language; `back`: the way back is of the same class."""

    path: str
    before: str
    after: str
    back: bool


def pair(row: dict[str, str]) -> Pair:
    frame = FRAMES[row["in"]]
    before, after = (frame["before"] + row[side] + frame["after"] for side in ("before", "after"))
    return Pair(f"src/a.{row['in']}", before, after, bool(row.get("back", True)))


SAME = {row["name"]: pair(row) for row in TABLE["same"]}
OTHER = {row["name"]: pair(row) for row in TABLE["other"]}


@pytest.mark.parametrize("name", SAME)
def test_the_same_in_another_idiom_is_a_refactoring(name: str) -> None:
    path, before, after, back = SAME[name]
    assert judge(path, before, after).kind == REFACTOR, judge(path, before, after)
    if back:
        assert judge(path, after, before).kind == REFACTOR, judge(path, after, before)


@pytest.mark.parametrize("name", OTHER)
def test_what_only_looks_like_an_idiom_is_an_evolution(name: str) -> None:
    path, before, after, _ = OTHER[name]
    assert judge(path, before, after).kind == EVOLUTION, judge(path, before, after)
    assert judge(path, after, before).kind == EVOLUTION, judge(path, after, before)


def said(table: str, text: str, path: str = "a.js") -> str:
    language = language_of(path)
    return " ".join(one.text for one in rewritten(tokens(text, language), rules(table), language.family))


def test_a_variable_holds_the_same_wherever_it_stands() -> None:
    table = "same ( $a~ , $a~ ) =>> one ( $a )"
    assert said(table, "same(x.y, x.y)") == "one ( x . y )"
    assert said(table, "same(x.y, x.z)") == "same ( x . y , x . z )"


def test_an_expression_ends_with_its_brackets() -> None:
    assert said("f ( $a.. ) =>> g ( $a )", "f(a(1), [b, c]) + f(2)") == "g ( a ( 1 ) , [ b , c ] ) + g ( 2 )"


def test_words_in_texts_match_nothing() -> None:
    assert said("old =>> new", "'old' + old") == "old + new"


def test_what_is_deeply_nested_ends_in_time() -> None:
    text = "f(" * 3000 + "x && x.y" + ")" * 3000 + ";\n"
    start = time.process_time()
    judge("a.js", text + "a;\n", text.replace("x.y", "x.z") + "b.c();\n")
    assert time.process_time() - start < 20
