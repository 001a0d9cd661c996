"""Link the hot modules into one namespace, as a linker does: what stays is functions, tables and a few classes.

An import statement costs an entry point several thousand instructions even when the module is there, a module object as
much again. So every top-level name of a module gets one name in a common namespace (`read` of `jackline.store.state`
becomes
`store.state.read`), and imports among hot modules disappear; those inside functions become `boot.need`. Meaning stays
(held by tests/compiler/test_link.py). `units` reads the modules, `code` makes code of what is linked.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping

from jackline.compiler.units import Bind, LinkError, Transformer, Unit, bound, final, short

RECORD = ("jackline._record", "NamedTuple")
"""What the records of hot modules are declared under."""
EXTENSIONS = ("_blake2",)
"""Modules of the interpreter's that functions import: the entry point knows their files (`boot.extension`)."""


def _is_class(linked: str) -> bool:
    return linked.rpartition(".")[2].lstrip("_")[:1].isupper()


def call(function: str, *words: str) -> ast.expr:
    return ast.Call(ast.Name(function, ast.Load()), [ast.Constant(word) for word in words], [])


class _Linker(Transformer, ast.NodeTransformer):
    """Give every name of one unit its linked name."""

    def __init__(self, unit: Unit, units: Mapping[str, Unit], rare: Collection[str], ready: Collection[str]) -> None:
        self.unit = unit
        self.units = units
        self.rare = rare
        self.ready = ready
        self.own = short(unit.name)
        self.scopes: list[tuple[bool, set[str], dict[str, Bind]]] = []  # is it a class, names bound, modules imported

    # --- what a name means ---

    def _meaning(self, name: str) -> Bind | None:
        """The binding of a name where we stand; None when it is no top-level one."""
        for at, (is_class, names, modules) in enumerate(reversed(self.scopes)):
            if name in modules:
                return modules[name]
            if name in names and not (is_class and at):
                return None
        return self.unit.binds.get(name)

    def _load(self, bind: Bind, *, called: bool = False) -> ast.expr:
        bind = final(bind, self.units)
        if isinstance(bind, tuple):
            return call("boot.view", bind[0])
        if bind in self.rare:
            return call("boot.rare" if called or _is_class(bind) else "boot.stand", bind)
        return ast.Name(bind, ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """What is called is loaded there and then; what is only handed on is stood for."""
        found = self._imported(node.func)
        if found is not None and final(found, self.units) in self.rare:
            node.func = ast.copy_location(self._load(found, called=True), node.func)
        return self.generic_visit(node)

    def _imported(self, node: ast.expr) -> Bind | None:
        """The binding of a name, or of a name in a module of ours."""
        if isinstance(node, ast.Name):
            return self._meaning(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self._meaning(node.value.id)
            module = module if module is None else final(module, self.units)
            if isinstance(module, tuple):
                return self.units[module[0]].binds.get(node.attr)
        return None

    # --- names ---

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == "__file__":
            return ast.copy_location(ast.Constant(str(self.unit.path)), node)
        if node.id == "__name__":
            return ast.copy_location(ast.Constant(self.unit.name), node)
        bind = self._meaning(node.id)
        if bind is None:
            return node
        if isinstance(node.ctx, ast.Load):
            return ast.copy_location(self._load(bind), node)
        if not isinstance(bind, str):
            raise LinkError(f"{self.unit.path}:{node.lineno} · {node.id} is imported and set again")
        node.id = bind
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        found = self._imported(node) if isinstance(node.ctx, ast.Load) else None
        return self.generic_visit(node) if found is None else ast.copy_location(self._load(found), node)

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [f"{self.own}.{name}" for name in node.names]
        return node

    # --- scopes ---

    def _within(self, names: set[str], nodes: Iterable[ast.AST], *, is_class: bool = False) -> list[ast.AST]:
        self.scopes.append((is_class, names, {}))
        made: list[ast.AST] = []
        for node in nodes:
            found = self.visit(node)
            made.extend(found if isinstance(found, list) else [found])
        self.scopes.pop()
        return made

    def _arguments(self, given: ast.arguments) -> set[str]:
        """Link the defaults, which belong outside; the names of the arguments."""
        given.defaults = [self.visit(one) for one in given.defaults]
        given.kw_defaults = [one if one is None else self.visit(one) for one in given.kw_defaults]
        every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        return {one.arg for one in every if one is not None}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = [self.visit(one) for one in node.decorator_list]
        names = self._arguments(node.args) | bound(node.body)
        if not self.scopes:
            node.name = f"{self.own}.{node.name}"
        node.body = self._within(names, node.body)  # type: ignore[assignment]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        names = self._arguments(node.args)
        node.body = self._within(names, [node.body])[0]  # type: ignore[assignment]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | list[ast.AST]:
        is_record = not self.scopes and any(self._imported(one) == RECORD for one in node.bases)
        if not is_record:
            node.bases = [self.visit(one) for one in node.bases]
        node.decorator_list = [self.visit(one) for one in node.decorator_list]
        for word in node.keywords:
            word.value = self.visit(word.value)
        node.body = self._within(bound(node.body), node.body, is_class=True)  # type: ignore[assignment]
        if self.scopes:
            return node
        if is_record:
            return self._record(node)
        linked = ast.Name(f"{self.own}.{node.name}", ast.Store())
        return [node, ast.copy_location(ast.Assign([linked], ast.Name(node.name, ast.Load())), node)]

    def _record(self, node: ast.ClassDef) -> list[ast.AST]:
        """A record's class statement as the call it comes to (`_record.Kind`): a tenth of the instructions."""
        fields: list[ast.expr] = []
        defaults: dict[str, ast.expr] = {}
        methods: dict[str, ast.expr] = {}
        made: list[ast.AST] = []
        for one in node.body:
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                fields.append(ast.Constant(one.target.id))
                if one.value is not None:
                    defaults[one.target.id] = one.value
            elif isinstance(one, ast.FunctionDef):
                name, one.name = one.name, f"{self.own}.{node.name}.{one.name}"
                methods[name] = ast.Name(one.name, ast.Load())
                made.append(one)
            elif not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)):
                raise LinkError(f"{self.unit.path}:{one.lineno} · a record holds fields and methods")
        told = [ast.Constant(node.name), ast.Constant(self.unit.name), ast.Tuple(fields, ast.Load())]
        tables = [ast.Dict([ast.Constant(key) for key in held], [*held.values()]) for held in (defaults, methods)]
        value = ast.Call(ast.Name("_record.Kind", ast.Load()), [*told, *tables], [])
        kind = ast.Assign([ast.Name(f"{self.own}.{node.name}", ast.Store())], value)
        return [*made, ast.copy_location(kind, node)]

    def _loop(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> ast.AST:
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        outside, first.iter = first.iter, ast.Constant(None)
        targets = {
            one.id
            for part in node.generators
            for one in ast.walk(part.target)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        self.scopes.append((False, targets, {}))
        self.generic_visit(node)
        self.scopes.pop()
        first.iter = outside
        return node

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _loop  # noqa: N815 - the names of `ast`

    # --- imports ---

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for one in [] if self.scopes else node.names:
            bind = self.unit.binds[one.asname or one.name]
            one.asname = bind if isinstance(bind, str) else None
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt] | None:
        module = node.module or ""
        inside = bool(self.scopes)
        if module not in self.units:
            if not inside:
                for one in node.names:
                    bind = self.unit.binds[one.asname or one.name]
                    one.asname = bind if isinstance(bind, str) else None
            elif module in EXTENSIONS:
                return [ast.copy_location(ast.Expr(call("boot.extension", module)), node), node]
            return node
        if not inside:
            return None
        if any(
            one.name not in self.units[module].binds and f"{module}.{one.name}" not in self.units for one in node.names
        ):
            return node  # a module that was left out: imported as it stands
        made: list[ast.stmt] = []
        for one in node.names:
            given = one.asname or one.name
            whole = f"{module}.{one.name}"
            if whole in self.units:
                made += self._needed(whole)
                self.scopes[-1][2][given] = (whole, "")
                continue
            if one is node.names[0]:
                made += self._needed(module)
            value = self._load((module, one.name))  # rare ones stand for themselves until they are called
            made.append(ast.Assign([ast.Name(given, ast.Store())], value))
        return [ast.copy_location(one, node) for one in made or [ast.Pass()]]

    def _needed(self, module: str) -> list[ast.stmt]:
        return [] if module in self.ready else [ast.Expr(call("boot.need", module))]


def link(unit: Unit, units: Mapping[str, Unit], rare: Collection[str], ready: Collection[str] = ()) -> ast.Module:
    """The tree of `unit` with linked names; `ready` are modules that run before any other. Consumes the unit's tree."""
    tree: ast.Module = _Linker(unit, units, rare, ready).visit(unit.tree)
    return tree
