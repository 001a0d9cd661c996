"""Tell what plain events run of a module from what is rare, and take the rare apart: the entry point reads it late.

Which functions those are stands in `hotset.txt`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from jackline.compiler import link
from jackline.compiler.code import code_of
from jackline.compiler.stable_marshal import dump
from jackline.compiler.units import Unit, short


def hotset() -> tuple[frozenset[str], frozenset[str]]:
    """Functions as `module:name` that plain events run, and those that any events of the fixture run.

    Made by `scripts/hotset`, one a line; `~` marks those that no plain event runs.
    """
    lines = (Path(__file__).parent / "hotset.txt").read_text(encoding="utf-8").split()
    return frozenset(line for line in lines if line[0] != "~"), frozenset(line.lstrip("~") for line in lines)


def _is_called(unit: Unit, name: str, hot: frozenset[str]) -> bool:
    """Whether plain events call this function, method or class, or anything in it."""
    return f"{unit.name}:{name}" in hot


def with_owners(hot: Iterable[str]) -> frozenset[str]:
    """`module:name` of functions, and of all that they stand in."""
    found: set[str] = set()
    for one in hot:
        while one not in found:
            found.add(one)
            module, _, name = one.partition(":")
            if "." in name:
                one = f"{module}:{name.rpartition('.')[0]}"
    return frozenset(found)


def _bound(node: ast.FunctionDef) -> bool:
    """Whether a method means something only inside its class: constructors, `super()`, private names."""
    return node.name in ("__new__", "__init__", "__init_subclass__") or any(
        isinstance(below, ast.Name) and (below.id in ("super", "__class__") or below.id.startswith("__"))
        for below in ast.walk(node)
    )


def _is_apart(unit: Unit, owner: ast.ClassDef, node: ast.FunctionDef, hot: frozenset[str]) -> bool:
    """Whether a method can be taken out of its class: plain events do not run it."""
    return not (node.decorator_list or _is_called(unit, f"{owner.name}.{node.name}", hot) or _bound(node))


def rare_names(unit: Unit, hot: frozenset[str], boot: str) -> list[str]:
    """Linked names of functions and classes that plain events do not need."""
    return [
        f"{short(unit.name)}.{node.name}"
        for node in unit.tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and not node.decorator_list
        and unit.name != boot
        and not _is_called(unit, node.name, hot)
    ]


def thinned(
    unit: Unit, tree: ast.Module, rare: set[str], hot: frozenset[str]
) -> tuple[list[ast.stmt], dict[str, bytes]]:
    """The linked statements of a unit without what is rare, and that apart, by linked name.

    Unmarshalling code is the largest thing an entry point does after starting Python, and most of it is for rare roads.
    """
    kept: list[ast.stmt] = []
    prefix = short(unit.name)
    apart: dict[str, list[ast.stmt]] = {}

    def place(node: ast.stmt, name: str) -> None:
        """A statement that makes `name`, or helps to: with the rare ones, or stays."""
        owner = name
        while owner and owner not in rare:
            owner = owner.rpartition(".")[0]
        (apart.setdefault(owner, []) if owner else kept).append(node)

    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            method = node.name.removeprefix(prefix + ".")
            decorated = bool(node.decorator_list)  # a property that stood for itself would be no property
            apart_too = "." in method and not decorated and node.name.rpartition(".")[0] not in rare
            if apart_too and not _is_called(unit, method, hot):
                kept.append(_standing(node, node.name, node.name))
                apart[node.name] = [node]
            else:
                place(node, node.name)
        elif isinstance(node, ast.ClassDef):
            key = f"{prefix}.{node.name}"
            for at, one in enumerate(node.body):
                if isinstance(one, ast.FunctionDef) and key not in rare and _is_apart(unit, node, one, hot):
                    node.body[at] = _standing(one, one.name, f"{key}.{one.name}")
                    apart[f"{key}.{one.name}"] = [one]
            place(node, f"{prefix}.{node.name}")
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            place(node, node.targets[0].id)
        else:
            kept.append(node)
    return kept, {key: dump(code_of([(unit, nodes)])) for key, nodes in apart.items()}


def _standing(node: ast.stmt, name: str, key: str) -> ast.stmt:
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], link.call("boot.stand", key)), node)


def once(body: list[ast.stmt], seen: set[str]) -> list[ast.stmt]:
    """Statements without imports of foreign names that `seen` says are there already."""
    kept: list[ast.stmt] = []
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            node.names = [one for one in node.names if one.asname not in seen]
            seen.update(one.asname for one in node.names if one.asname)
            if not node.names:
                continue
        kept.append(node)
    return kept
