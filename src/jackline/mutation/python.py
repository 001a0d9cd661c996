"""Python by its own parser, in the one form of trees: without comments, docstrings and annotations."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from jackline.mutation.tree import BOUND, DEFINITION, FIELD, IMPORT, MEMBER, NAME, SCOPE, Node

LEFT_OUT = frozenset(("annotation", "returns", "type_comment", "type_params", "type_ignores", "ctx", "kind"))
ENDS = ("py", "pyi", "pyw")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[Node]:
    """Each imported name by itself."""
    module = "." * node.level + (node.module or "") + ":" if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        yield Node(IMPORT, module + alias.name, (Node(BOUND, name),) if name != "*" else ())


def _does_nothing(one: ast.stmt, of_class: bool) -> bool:
    """Whether a statement only says something: a docstring, `pass`, a name's type; in a class that may be a field."""
    if isinstance(one, ast.Expr):
        return isinstance(one.value, ast.Constant) and isinstance(one.value.value, str)
    return isinstance(one, ast.Pass) or (isinstance(one, ast.AnnAssign) and one.value is None and not of_class)


def _list(values: list[ast.AST], of_class: bool) -> Node:
    kept = [one for one in values if not (isinstance(one, ast.stmt) and _does_nothing(one, of_class))]
    return Node("list", "", tuple([made for one in kept for made in _value(one, of_class)]))


def _value(value: object, of_class: bool = False) -> Iterator[Node]:
    """What one field of a node holds."""
    if isinstance(value, list):
        yield _list(value, of_class)
    elif isinstance(value, (ast.Import, ast.ImportFrom)):
        yield from _imports(value)
    elif isinstance(value, ast.AST):
        yield _node(value, of_class)
    else:
        yield Node(type(value).__name__, repr(value))


def _fields(node: ast.AST, but: tuple[str, ...] = (), of_class: bool = False) -> Iterator[Node]:
    """What a node holds; the name of an exception or in a pattern is bound there."""
    for name, value in ast.iter_fields(node):
        if name == "name" and isinstance(value, str) and name not in but:
            yield Node(BOUND, value)
        elif (name not in LEFT_OUT or (of_class and name == "annotation")) and name not in but:
            yield from _value(value, of_class)


def _function(node: ast.AST, of_class: bool) -> Iterator[Node]:
    """Name and decorators, which stand outside, and the scope."""
    if name := getattr(node, "name", ""):
        yield Node(MEMBER if of_class else BOUND, name)
    for decorator in getattr(node, "decorator_list", ()):
        yield _node(decorator)
    yield Node(SCOPE, "", tuple(_fields(node, ("name", "decorator_list"))))


def _attribute(node: ast.Attribute) -> Node:
    """What stands behind a dot; assigned to `self`, it is the class's own."""
    stored = isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return Node("attribute", "", (_node(node.value), Node(MEMBER if stored else FIELD, node.attr)))


def _node(node: ast.AST, of_class: bool = False) -> Node:
    """A node and all that it holds."""
    kind = type(node).__name__
    if isinstance(node, ast.Name):
        return Node(NAME if isinstance(node.ctx, ast.Load) else BOUND, node.id)
    if isinstance(node, ast.arg):
        return Node(BOUND, node.arg)
    if isinstance(node, ast.Attribute):
        return _attribute(node)
    if isinstance(node, ast.AnnAssign):
        made = Node("AnnAssign", "", tuple(_fields(node, (), True)))
        return made if of_class or node.value is None else _node(ast.Assign([node.target], node.value))
    what = DEFINITION if isinstance(node, DEFINITIONS) and not node.decorator_list else kind
    if isinstance(node, FUNCTIONS):
        return Node(what, kind, tuple(_function(node, of_class)))
    if isinstance(node, ast.ClassDef):
        return Node(what, kind, (Node(BOUND, node.name), *_fields(node, ("name",), True)))
    return Node(kind, "", tuple(_fields(node)))


def read(text: str) -> Node | None:
    """The tree of a text, or of a piece of one; None for what is no Python."""
    try:
        return _node(ast.parse(textwrap.dedent(text)))
    except (SyntaxError, ValueError):
        return None
