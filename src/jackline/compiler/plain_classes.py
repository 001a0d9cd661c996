"""Make plain classes of linked modules without a type: a type costs a run as much as all it does with one instance.

A class is plain when it has `__init__` and methods, no bases, properties or other protocol, and all that anybody does
with its name is call it. Its instances then are namespaces that hold their methods (`boot.light`).
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from jackline.compiler.units import children


def _is_plain(node: ast.ClassDef) -> bool:
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    rest = [one for one in node.body if not isinstance(one, ast.FunctionDef)]
    return (
        not (node.bases or node.keywords or node.decorator_list)
        and any(one.name == "__init__" for one in methods)
        and not any(one.decorator_list or (one.name[:2] == "__" and one.name != "__init__") for one in methods)
        and all((isinstance(one, ast.Assign) and isinstance(one.value, ast.Call)) or _is_text(one) for one in rest)
        and not any(isinstance(one, ast.Name) and one.id in ("super", "__class__") for one in ast.walk(node))
    )


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def handed_on(every: Iterable[ast.stmt]) -> set[str]:
    """Names that somebody does something else with than call them; `every` are the linked statements of all modules."""
    found: set[str] = set()
    left: list[ast.AST] = [one for one in every if not _names_class(one)]
    while left:
        node = left.pop()
        called = node.func if isinstance(node, ast.Call) else None
        for below in children(node):
            if isinstance(below, ast.Name) and isinstance(below.ctx, ast.Load):
                if below is not called:
                    found.add(below.id)
            else:
                left.append(below)
    return found


def light(body: list[ast.stmt], handed: Collection[str]) -> list[ast.stmt]:
    """Linked statements with plain classes as what they come to; `handed` are the names that are not only called."""
    made: list[ast.stmt] = []
    for node in body:
        linked = _names_class(made[-1], node) if made else ""
        owner = made[-1] if linked else None
        if isinstance(owner, ast.ClassDef) and linked not in handed and _is_plain(owner):
            made[-1:] = _table(owner, linked)
        else:
            made.append(node)
    return made


def _names_class(node: ast.stmt, after: ast.stmt | None = None) -> str:
    """The linked name that a statement gives to the class made before it (`after` follows `node`)."""
    told = after or node
    if not isinstance(told, ast.Assign):
        return ""
    target, value = told.targets[0], told.value
    if not (isinstance(target, ast.Name) and isinstance(value, ast.Name)):
        return ""
    linked = target.id
    if linked.rpartition(".")[2] != value.id:
        return ""
    return linked if after is None or (isinstance(node, ast.ClassDef) and node.name == value.id) else ""


def _table(owner: ast.ClassDef, linked: str) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    table: dict[str, ast.expr] = {}
    for one in owner.body:
        if isinstance(one, ast.FunctionDef):
            name, one.name = one.name, f"{linked}.{one.name}"
            table[name] = ast.Name(one.name, ast.Load())
            made.append(one)
        elif isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            table[one.targets[0].id] = one.value
    begin = table.pop("__init__")
    methods = ast.Dict([ast.Constant(name) for name in table], [*table.values()])
    value = ast.Call(ast.Name("boot.light", ast.Load()), [begin, methods], [])
    return [*made, ast.copy_location(ast.Assign([ast.Name(linked, ast.Store())], value), owner)]
