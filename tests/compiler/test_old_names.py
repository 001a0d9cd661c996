"""What copies of features from an earlier version import is found where it stands now."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from jackline.compiler.old_names import MOVED, RENAMED, may_ask
from jackline.compiler.rename_imports import followed

NAMES = [(module, name, place) for module, names in MOVED.items() for name, place in names.items()]


def run(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(compile(followed(text.encode()), "copy.py", "exec", dont_inherit=True), found)
    return found


@pytest.mark.parametrize(("module", "name", "place"), NAMES)
def test_each_is_gone_from_its_old_place_and_is_at_the_new(module: str, name: str, place: str) -> None:
    assert not hasattr(importlib.import_module(module), name), "it is there again: take it out of the table"
    place, _, today = place.partition(":")
    wanted = getattr(importlib.import_module(place), today or name)
    parent, _, last = module.rpartition(".")
    assert run(f"from {module} import {name}")[name] is wanted
    assert run(f"from {module} import {name} as other")["other"] is wanted
    assert run(f"from {parent} import {last}\nfound = {last}.{name}")["found"] is wanted
    assert run(f"def f():\n from {parent} import {last} as m\n return m.{name}\nfound = f()")["found"] is wanted


@pytest.mark.parametrize(("module", "today"), sorted(RENAMED.items()))
def test_a_module_of_another_name_is_found(module: str, today: str) -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(module)
    wanted = importlib.import_module(today)
    name = next(one for one in vars(wanted) if not one.startswith("_"))
    parent, _, last = module.rpartition(".")
    assert may_ask(f"from {module} import {name}".encode()) and may_ask(f"from {parent} import {last}".encode())
    assert run(f"from {module} import {name} as other")["other"] is getattr(wanted, name)
    assert run(f"from {parent} import {last}\nfound = {last}.{name}")["found"] is getattr(wanted, name)
    assert run(f"def f():\n from {parent} import {last} as m\n return m\nfound = f()")["found"] is wanted


def test_a_name_that_changed_in_a_module_that_did_too() -> None:
    from jackline import affected_paths, file_stat

    found = run(
        "from jackline import stamps, touched\nfrom jackline.touched import meant\na = touched.meant, stamps.of"
    )
    assert found["meant"] is affected_paths.decode_field
    assert found["a"] == (affected_paths.decode_field, file_stat.of)


def test_what_stayed_is_taken_from_where_it_is() -> None:
    from jackline import host, system

    found = run("from __future__ import annotations\nfrom jackline.system import names, now, read\nx: Unknown = now")
    assert (found["names"], found["read"], found["x"]) == (system.names, system.read, host.now)
    found = run("from jackline import system, paths, wire\na, b = system.now, system.read")
    assert (found["a"], found["b"], found["system"]) == (host.now, system.read, system)


@pytest.mark.parametrize(
    "text",
    [
        "from jackline.sdk import hook\nnow = 1",
        "from jackline.system import read",
        "import jackline.paths",
        "def broken(:",
        "from .paths import variable",
        "from other.paths import variable",
    ],
)
def test_what_asks_for_nothing_of_it_is_left_as_it_is(text: str) -> None:
    assert not may_ask(text.encode())


def test_a_fault_is_told_where_it_stands() -> None:
    with pytest.raises(SyntaxError) as said:
        followed(b"from jackline.system import now\n\ndef broken(:\n")
    assert said.value.lineno == 3
    with pytest.raises(ZeroDivisionError) as raised:
        run("from jackline.system import names, now\n\n1 / 0")
    assert raised.traceback[-1].lineno == 2, "lines count from nought there"
