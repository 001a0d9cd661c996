"""Hot modules as the linker takes them: each read as a unit, without what only type checkers read, with its names.

What stands under `TYPE_CHECKING` disappears, and annotations do.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

PACKAGE = "jackline"

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

STATEMENT = ("NamedTuple", "_Statement")
"""What only class statements of records need: linked records have none."""

Bind = str | tuple[str, str]
"""What a top-level name is: a linked name, or (module, name) where it is imported from; a module of ours: (it, "")."""


class LinkError(Exception):
    """A hot module holds something that cannot be linked; the message says where."""


class Unit(NamedTuple):
    """One hot module: its tree without what only type checkers read, its top-level names, the modules it imports."""

    name: str
    path: Path
    package: bool
    tree: ast.Module
    binds: dict[str, Bind]
    needs: tuple[str, ...]


def short(module: str) -> str:
    """What linked names of `module` begin with."""
    return module.removeprefix(PACKAGE + ".")


LEAVES = frozenset(("ctx", "op", "ops", "id", "attr", "lineno", "kind", "type_comment"))
"""Fields that hold no node with anything below it."""
HOLDING = {
    kind: tuple(one for one in kind._fields if one not in LEAVES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""By kind of node, the fields in which others may stand."""


class Transformer(ast.NodeTransformer):
    """As `ast.NodeTransformer`, without looking at what nobody changes: a whole package is gone through some times."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        held = node.__dict__
        for field in HOLDING[type(node)]:
            value = held.get(field)
            if isinstance(value, list):
                made: list[object] = []
                for one in value:
                    new = self.visit(one) if isinstance(one, ast.AST) else one
                    if isinstance(new, list):
                        made += new
                    elif new is not None or one is None:
                        made.append(new)
                value[:] = made
            elif isinstance(value, ast.AST):
                new = self.visit(value)
                if new is None:
                    delattr(node, field)
                else:
                    held[field] = new
        return node


class _Lean(Transformer, ast.NodeTransformer):
    """Take away what costs at run time and means nothing there."""

    fields = False

    def _inside(self, node: ast.AST, *, fields: bool) -> ast.AST:
        before, self.fields = self.fields, fields
        self.generic_visit(node)
        self.fields = before
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        given = node.args
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if argument is not None:
                argument.annotation = None
        return self._inside(node, fields=False)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._inside(node, fields=bool(node.bases))
        node.body = node.body or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if self.fields:
            node.annotation = ast.Constant("")  # of a record's annotations only the names are read
            return node
        return None if node.value is None else ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        return None if _is_checking(node.targets[0]) else node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt] | None:
        if not _is_checking(node.test):
            return self.generic_visit(node)
        return [self.visit(one) for one in node.orelse] or None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below `node` that may hold others or a name, at a third of `ast.iter_child_nodes`' time."""
    found: list[ast.AST] = []
    held = node.__dict__
    for field in HOLDING[type(node)]:
        value = held.get(field)
        if isinstance(value, list):
            found += [one for one in value if isinstance(one, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def _is_checking(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "TYPE_CHECKING"


def bound(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that `nodes` bind in the scope they stand in."""
    found: set[str] = set()
    free: set[str] = set()

    def walk(node: ast.AST, *, loop: bool) -> None:
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            free.update(node.names)
        elif isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load) and not loop:
                found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update((one.asname or one.name).partition(".")[0] for one in node.names)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
        elif isinstance(node, ast.NamedExpr):
            found.add(node.target.id)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        if not isinstance(node, SCOPES):
            for below in children(node):
                walk(below, loop=loop or isinstance(node, LOOPS))

    for node in nodes:
        walk(node, loop=False)
    return found - free


def _read_now(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are read when the module is made, not when its functions are called."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.ClassDef):
            bases = [one for one in node.bases if not (isinstance(one, ast.Name) and one.id in STATEMENT)]
            found |= _read_now([*bases, *node.decorator_list, *node.body])
            found |= _read_now([one.value for one in node.keywords if node.name not in STATEMENT])
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
            below = [*node.args.defaults, *[one for one in node.args.kw_defaults if one is not None]]
            found |= _read_now([*below, *getattr(node, "decorator_list", ())])
        else:
            found |= _read_now(children(node))
    return found


def _outside(module: str, name: str = "") -> str:
    """The linked name of something that is not ours: the same for all who import it."""
    return f"{module}:{name}" if name else module


def lean(path: Path) -> ast.Module:
    """The tree of a module without what only type checkers read."""
    tree: ast.Module = _Lean().visit(ast.parse(path.read_bytes(), str(path)))
    return tree


def read(name: str, path: Path, package: bool, known: Collection[str], tree: ast.Module) -> Unit:
    """A module as a unit, from its `lean` tree; `known` are all modules that are linked."""
    own = short(name)
    binds: dict[str, Bind] = {one: f"{own}.{one}" for one in sorted(bound(tree.body))}
    needs: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(one.name.partition(".")[0] == PACKAGE for one in node.names):
            raise LinkError(f"{path}:{node.lineno} · write `from {PACKAGE} import …`")
    for top in tree.body:
        if isinstance(top, ast.Import):
            binds.update({one.asname or one.name: _outside(one.name) for one in top.names})
        elif isinstance(top, ast.ImportFrom) and top.module is not None:
            for one in top.names:
                given = one.asname or one.name
                if f"{top.module}.{one.name}" in known:
                    binds[given] = (f"{top.module}.{one.name}", "")
                    needs.append(f"{top.module}.{one.name}")
                elif top.module in known:
                    binds[given] = (top.module, one.name)
                    needs.append(top.module)
                else:
                    binds[given] = _outside(top.module, one.name)
    return Unit(name, path, package, tree, binds, tuple(dict.fromkeys(needs)))


def final(bind: Bind, units: Mapping[str, Unit]) -> Bind:
    """Follow a name through modules that only pass it on."""
    while isinstance(bind, tuple) and bind[1]:
        found = units[bind[0]].binds.get(bind[1])
        if found is None:
            raise LinkError(f"{bind[0]} has no {bind[1]}")
        bind = found
    return bind


def at_once(units: Mapping[str, Unit]) -> set[str]:
    """Linked names that some module reads as it is made: these cannot be rare."""
    found = set()
    for unit in units.values():
        for name in _read_now(unit.tree.body) & unit.binds.keys():
            bind = final(unit.binds[name], units)
            if isinstance(bind, str):
                found.add(bind)
    return found
