"""No circle of imports anywhere, and imports inside functions only where `imports.toml` says why.

An import counts wherever it stands: at the top, in a function, or as a name that is loaded (`take("jackline.x")`, a
table of names, a text that begins like a room's name). Only what is for type checkers does not.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import jackline

PACKAGE = Path(jackline.__path__[0])
LISTS: Mapping[str, Mapping[str, str]] = tomllib.loads(Path(__file__).with_name("imports.toml").read_text())
LOADERS = ("take", "__import__", "import_module")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
IDLE = (ast.Name, ast.expr_context, ast.operator, ast.cmpop, ast.arg)
"""What holds no import, and is most of every tree."""


class Import(NamedTuple):
    """One import of `target` by `module`. `inside`: in a function."""

    module: str
    target: str
    line: int
    inside: bool


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imported(node: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    """Names that an import statement asks for: the module itself, where the name is one, else what it is taken from."""
    if isinstance(node, ast.Import):
        yield from [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports name the whole path here"
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            yield whole if whole in known else node.module or ""


def loaded(node: ast.Call, module: str, known: Mapping[str, Path]) -> Iterator[str]:
    """Modules that a call loads by name; for a text with something put in, all that may be meant."""
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name not in LOADERS or not node.args:
        return
    first = node.args[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield first.value
    elif isinstance(first, ast.JoinedStr) and isinstance(first.values[0], ast.Constant):
        begun = str(first.values[0].value)
        for one in known:
            if one.startswith(begun) and "." not in one[len(begun) :] and one != module and one[-9:] != ".__main__":
                yield one


def for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports_in(module: str, text: str, known: Mapping[str, Path]) -> Iterator[Import]:
    """Every import of one module, given its text."""
    names = module not in LISTS["names"]
    rest: list[tuple[ast.AST, bool]] = [(ast.parse(text), False)]
    while rest:
        node, inside = rest.pop()
        within = inside or isinstance(node, FUNCTIONS)
        for child in node.orelse if isinstance(node, ast.If) and for_types(node) else ast.iter_child_nodes(node):
            if isinstance(child, (ast.Import, ast.ImportFrom)):
                yield from [Import(module, name, child.lineno, within) for name in imported(child, known)]
            elif isinstance(child, ast.Constant):
                if names and child.value in known and child.value != "jackline":  # a table: who reads it loads it
                    yield Import(module, str(child.value), child.lineno, False)
            elif not isinstance(child, IDLE):
                if isinstance(child, ast.Call):
                    yield from [Import(module, name, child.lineno, within) for name in loaded(child, module, known)]
                rest.append((child, within))


def imports_of(sources: Mapping[str, str]) -> list[Import]:
    """Every import of some modules, given their texts; in the order they stand, module by module."""
    known = {name: Path(name) for name in sources}
    return [one for name, text in sources.items() for one in sorted(imports_in(name, text, known))]


@cache
def imports() -> list[Import]:
    return imports_of({name: path.read_text() for name, path in modules().items()})


def circles(found: list[Import]) -> list[list[Import]]:
    """One circle of each group of modules that lead to one another, as imports from each to the next."""
    edges: dict[str, dict[str, Import]] = {one.module: {} for one in found}
    for one in found:
        if one.target in edges:
            edges[one.module].setdefault(one.target, one)
    made = []
    settled: set[str] = set()
    for start in edges:
        # The shortest way from here back to here, by breadth.
        ways: dict[str, list[Import]] = {start: []}
        queue = [start]
        while queue and start not in settled:
            here = queue.pop(0)
            for target, one in edges[here].items():
                if target == start:
                    way = [*ways[here], one]
                    settled |= {step.module for step in way}
                    made.append(way)
                    queue = []
                    break
                if target not in ways and target not in settled:
                    ways[target] = [*ways[here], one]
                    queue.append(target)
    return made


def shown(way: list[Import]) -> str:
    """A circle as a path: who imports whom, and where."""
    lines = [f"{modules()[one.module].relative_to(PACKAGE.parent)}:{one.line} imports {one.target}" for one in way]
    return "\n  ".join(["a circle:", *lines])


def entry(module: str, listed: Mapping[str, str]) -> str:
    """The entry of a list that covers a module: itself, or the nearest room above it. The package is no room."""
    name = module
    while "." in name:
        if name in listed:
            return name
        name = name.rpartition(".")[0]
    return module if module in listed else ""


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = LISTS["circles"]
    outside = [one for one in imports() if not entry(one.module, known) and not entry(one.target, known)]
    assert not [shown(way) for way in circles(outside)], "\n".join(shown(way) for way in circles(outside))


def test_rooms_with_known_circles_still_have_them() -> None:
    """Else the list gets shorter."""
    for room in LISTS["circles"]:
        assert circles([one for one in imports() if entry(one.module, {room: ""})]), f"{room}: take it off the list"


def test_imports_inside_functions_stand_where_the_list_says_why() -> None:
    strange = [one for one in imports() if one.inside and not entry(one.module, LISTS["lazy"])]
    told = [f"{modules()[one.module].relative_to(PACKAGE.parent)}:{one.line} imports {one.target}" for one in strange]
    assert not told, "in a function, and imports.toml gives no reason:\n  " + "\n  ".join(told)


def test_every_entry_of_the_list_is_needed() -> None:
    used = {entry(one.module, LISTS["lazy"]) for one in imports() if one.inside}
    assert sorted(LISTS["lazy"].keys() - used) == []
    named = {
        name
        for name in LISTS["names"]
        for node in ast.walk(ast.parse(modules()[name].read_text()))
        if isinstance(node, ast.Constant) and node.value in modules() and node.value != "jackline"
    }
    assert sorted(LISTS["names"].keys() - named) == []


def test_every_reason_is_one_line_of_words() -> None:
    for name, why in [pair for listed in LISTS.values() for pair in listed.items()]:
        assert len(why.split()) > 4, name
        assert "\n" not in why, name


TOP = "from jackline.b import x\n"
HIDDEN = "def f():\n    from jackline.a import x\n"
TAKEN = "from jackline.site_paths import take\ndef f():\n    return take('jackline.a')\n"
TABLE = "NAMES = {'a': 'jackline.a'}\n"
JOINED = "import importlib\ndef f(x):\n    return importlib.import_module(f'jackline.{x}')\n"
TYPES = "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from jackline.a import x\nelse:\n    import sys\n"


def test_each_way_to_import_closes_a_circle() -> None:
    """The finder itself: what it must see, and what it must not."""
    for text in (HIDDEN, TAKEN, TABLE, JOINED):
        found = circles(imports_of({"jackline.a": TOP, "jackline.b": text}))
        assert [[one.module for one in way] for way in found] == [["jackline.a", "jackline.b"]], text
    assert circles(imports_of({"jackline.a": TOP, "jackline.b": TYPES})) == []
    assert [one.inside for one in imports_of({"jackline.b": HIDDEN})] == [True]
    assert circles(imports_of({"jackline.a": "def f():\n    import jackline.a\n"}))
    three = {"jackline.a": TOP, "jackline.b": "import jackline.c", "jackline.c": HIDDEN}
    assert [len(way) for way in circles(imports_of(three))] == [3]
