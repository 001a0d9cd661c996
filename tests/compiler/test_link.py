"""Linked code does what its source says, whatever its variables are called, and tells where it came from."""

from __future__ import annotations

from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from jackline.compiler import link
from jackline.compiler.code import code_of
from jackline.compiler.units import lean, read
from jackline.store.crash import payload_shape, stack

SOURCE = """
TABLE = {"a": 1}
LONG = ("one", "two", "three", "four", "five", "six", "sev.en", "eight")
SPACED = ("one", "two", "three", "four", "five", "six", "seven", "and eight")
EMPTY = ("one", "two", "three", "four", "five", "six", "seven", "")

def given(first, second=2, *rest, third, **more):
    total = first + second + third
    names = sorted(more)
    return total, rest, names

def held(value):
    count = 0
    seen = [count for other in range(3)]
    def inner(step):
        nonlocal count
        count += step
        return [count + part for part in range(step) if value]
    return inner(2), inner(3), seen

def nested(value):
    def inner(step):
        return step
    return (inner(one) for one in value), lambda: value

def caught(a, b):
    try:
        first = second = a / b
    except ZeroDivisionError as fault:
        return f"{type(fault).__name__} {a}"
    return first, second

def many():
    {many}
    return [{names}]

def failing(text):
    raw = text.encode()
    place = len(raw)
    return raw[place]
"""
MANY = {
    "many": "\n    ".join(f"value_{at} = {at}" for at in range(300)),
    "names": ", ".join(f"value_{at}" for at in range(300)),
}


@pytest.fixture
def linked(tmp_path: Path) -> dict[str, Any]:
    """The names of a linked module."""
    path = tmp_path / "jackline" / "sample.py"
    path.parent.mkdir()
    source = SOURCE
    for name, text in MANY.items():
        source = source.replace(f"{{{name}}}", text)
    path.write_text(source)
    unit = read("jackline.sample", path, False, ["jackline.sample"], lean(path))
    units = {unit.name: unit}
    made: dict[str, Any] = {}
    exec(code_of([(unit, link.link(unit, units, ()).body)]), made)
    return {name.removeprefix("sample."): one for name, one in made.items() if name.startswith("sample.")}


def variables(function: FunctionType) -> tuple[str, ...]:
    return function.__code__.co_varnames


def test_arguments_keep_their_names(linked: dict[str, Any]) -> None:
    assert linked["given"](1, 2, 5, third=3, z=1, y=2) == (6, (5,), ["y", "z"])
    assert linked["given"](first=1, third=3) == (6, (), [])
    assert variables(linked["given"]) == ("first", "second", "third", "rest", "more", "a", "b")


def test_shared_variables_stay_shared(linked: dict[str, Any]) -> None:
    assert linked["held"](True) == ([2, 3], [5, 6, 7], [0, 0, 0])


def test_letters_of_arguments_are_not_taken_again(linked: dict[str, Any]) -> None:
    assert linked["caught"](1, 0) == "ZeroDivisionError 1"
    assert linked["caught"](6, 3) == (2.0, 2.0)
    assert variables(linked["caught"]) == ("a", "b", "c", "d", "e")


def test_more_variables_than_letters(linked: dict[str, Any]) -> None:
    assert linked["many"]() == [*range(300)]
    names = variables(linked["many"])
    assert len(set(names)) == 300
    assert max(map(len, names)) == 2


def test_faults_tell_their_place(linked: dict[str, Any]) -> None:
    """Function and line as the source has them; the payload's shape is found by its variable's name."""
    with pytest.raises(IndexError) as told:
        linked["failing"]("[1]")
    line = [*SOURCE.split("\n")].index("    return raw[place]")
    more = MANY["many"].count("\n")
    assert stack(told.value)[-1].partition(":")[2] == f"{line + 1 + more} failing"
    assert payload_shape(told.value) == ["int", 1]


def test_every_code_object_has_a_name(linked: dict[str, Any]) -> None:
    """A generator expression here: comprehensions have no code of their own from 3.12 on (PEP 709)."""
    code = linked["nested"].__code__
    inner = [one.co_name for one in code.co_consts if isinstance(one, CodeType)]
    assert inner == ["inner", "<genexpr>", "<lambda>"]


def test_tables_of_words_are_what_they_say(linked: dict[str, Any]) -> None:
    """Kept as one text where cutting it gives the same words again."""
    words = ("one", "two", "three", "four", "five", "six")
    assert linked["LONG"] == (*words, "sev.en", "eight")
    assert linked["SPACED"] == (*words, "seven", "and eight")
    assert linked["EMPTY"] == (*words, "seven", "")


def test_the_doors_extensions_are_loaded_from_their_files(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text("def taken():\n    from _blake2 import blake2b\n    return blake2b\n")
    unit = read("jackline.sample", path, False, ["jackline.sample"], lean(path))
    asked: list[str] = []
    made: dict[str, Any] = {"boot.extension": asked.append}
    exec(code_of([(unit, link.link(unit, {unit.name: unit}, ()).body)]), made)
    assert made["sample.taken"]()(b"x").digest_size == 64  # found by the import statement, when the file is not known
    assert asked == ["_blake2"]
