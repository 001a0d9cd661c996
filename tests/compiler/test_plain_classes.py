"""A plain class is made without a type where nobody could tell; every other class stays one."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import jackline
from jackline.compiler import bundle, link
from jackline.compiler.code import code_of
from jackline.compiler.plain_classes import handed_on, light
from jackline.compiler.units import lean, read

PLAIN = """
class Held:
    '''What is held.'''

    def __init__(self, first, *more, last=0):
        self.first = first
        self.told = [*more, last]

    def all(self):
        return [self.first, *self.told]

    def twice(self):
        return self.all() + self.all()

def made(*given, **named):
    return Held(*given, **named)
"""

OTHERS = {
    "asked for": ("", "\ndef is_held(one):\n    return isinstance(one, Held)\n"),
    "handed on": ("", "\nKINDS = [Held]\n"),
    "an attribute is read": ("", "\ndef other():\n    return Held.all\n"),
    "inherited from": ("", "\nclass More(Held):\n    pass\n"),
    "a base": ("class Held:", "class Held(list):"),
    "a keyword": ("class Held:", "class Held(metaclass=type):"),
    "a decorator": ("class Held:", "@sorted_out\nclass Held:"),
    "a property": ("    def all(self)", "    @property\n    def none(self):\n        return None\n\n    def all(self)"),
    "a protocol": ("    def all(self)", "    def __len__(self):\n        return 7\n\n    def all(self)"),
    "no beginning": ("__init__", "begin"),
    "a constant": ("    def all(self)", "    limit = 7\n\n    def all(self)"),
    "super": ("        self.first = first", "        super().__init__()\n        self.first = first"),
    "its class": ("        self.first = first", "        self.first = __class__"),
}
"""What keeps a class from being plain: words of the source, and what stands for them; "" = at its end."""


def changed(words: str, other: str) -> str:
    return PLAIN.replace(words, other) if words else PLAIN + other


def boot() -> dict[str, Any]:
    """`boot.light` with what it stands on; the module as a whole runs in a door alone."""
    tree = ast.parse((Path(jackline.__file__).parent / "boot.py").read_text())
    wanted: list[ast.stmt] = [
        node
        for node in tree.body
        if (isinstance(node, ast.FunctionDef) and node.name == "light")
        or (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) in ("SPACE", "METHOD"))
    ]
    names: dict[str, Any] = {"sys": sys, "Any": Any}
    exec(compile(ast.Module(wanted, []), "boot", "exec"), names)
    return {"boot.light": names["light"]}


def statements(tmp_path: Path, source: str, *, lightly: bool) -> tuple[Any, list[ast.stmt]]:
    path = tmp_path / "sample.py"
    path.write_text(source)
    unit = read("jackline.sample", path, False, ["jackline.sample"], lean(path))
    body = link.link(unit, {unit.name: unit}, ()).body
    return unit, light(body, handed_on(body)) if lightly else body


def ran(tmp_path: Path, source: str, *, lightly: bool) -> dict[str, Any]:
    names = boot()
    exec(code_of([statements(tmp_path, source, lightly=lightly)]), names)
    return names


@pytest.mark.parametrize("lightly", [False, True], ids=["a type", "light"])
def test_an_instance_does_what_it_did(tmp_path: Path, lightly: bool) -> None:
    names = ran(tmp_path, PLAIN, lightly=lightly)
    assert isinstance(names["sample.Held"], type) is not lightly
    one, other = names["sample.made"](1, 2, 3, last=4), names["sample.made"](9)
    assert (one.all(), other.all()) == ([1, 2, 3, 4], [9, 0])
    assert one.twice() == [1, 2, 3, 4] * 2
    one.first = "changed"
    assert (one.all()[0], other.first) == ("changed", 9)
    with pytest.raises(TypeError):
        names["sample.made"]()


def test_a_rare_method_is_bound_to_its_instance(tmp_path: Path) -> None:
    """What stands for a method that plain events do not run is a value in the class's body."""
    source = PLAIN.replace(
        "    def twice(self):\n        return self.all() + self.all()", "    twice = standing('twice')"
    )
    names = boot() | {"standing": lambda name: lambda one: [name, *one.all()]}
    exec(code_of([statements(tmp_path, source, lightly=True)]), names)
    assert isinstance(names["sample.made"](5), SimpleNamespace)
    assert names["sample.made"](5).twice() == ["twice", 5, 0]


@pytest.mark.parametrize(("words", "other"), OTHERS.values(), ids=OTHERS)
def test_what_is_more_than_plain_stays_a_class(tmp_path: Path, words: str, other: str) -> None:
    source = changed(words, other)
    assert source != PLAIN
    _, kept = statements(tmp_path, source, lightly=True)
    assert "Held" in [node.name for node in kept if isinstance(node, ast.ClassDef)]


def test_the_door_has_light_classes(made_bundle: Path) -> None:
    """Each event makes one instance of both: types for them would be a third of a percent of it."""
    made = (made_bundle / bundle.name_of_bundle()).read_bytes()
    for linked in ("hook_table.HookTable", "store.sessions.Session"):
        assert f"{linked}.__init__".encode() in made
