"""Link the hot modules into one namespace, as a linker does: what stays is functions, tables and a few classes.

An import statement costs a door several thousand instructions even when the module is there, a module object as much
again. So every top-level name of a module gets one name in a common namespace (`read` of `jackline.store.state` becomes
`store.state.read`), and imports among hot modules disappear; those inside functions become `boot.need`. Annotations and
what stands under `TYPE_CHECKING` disappear too. Meaning stays (held by tests/compiler/test_link.py).
"""

from __future__ import annotations
import __future__

import ast
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import CodeType
from typing import NamedTuple

FUTURE = __future__.annotations.compiler_flag
PACKAGE = "jackline"
STARS = (0x04, 0x08)
"""Flags of code that takes any arguments: by place, by name."""
SPAN = 100_000
"""Lines that each module gets in code made of several: they tell afterwards which module a function came from."""

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

RECORD = ("jackline._record", "NamedTuple")
"""What the records of hot modules are declared under."""
EXTENSIONS = ("_blake2",)
"""Modules of the interpreter's that functions import: the door knows their files (`boot.extension`)."""
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


# --- reading a module ----------------------------------------------------------------------------------------------


class _Lean(ast.NodeTransformer):
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


def _is_checking(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "TYPE_CHECKING"


def _names(nodes: Iterable[ast.AST]) -> set[str]:
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
            for below in ast.iter_child_nodes(node):
                walk(below, loop=loop or isinstance(node, LOOPS))

    for node in nodes:
        walk(node, loop=False)
    return found - free


def _at_once(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are read when the module is made, not when its functions are called."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.ClassDef):
            bases = [one for one in node.bases if not (isinstance(one, ast.Name) and one.id in STATEMENT)]
            found |= _at_once([*bases, *node.decorator_list, *node.body])
            found |= _at_once([one.value for one in node.keywords if node.name not in STATEMENT])
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
            below = [*node.args.defaults, *[one for one in node.args.kw_defaults if one is not None]]
            found |= _at_once([*below, *getattr(node, "decorator_list", ())])
        else:
            found |= _at_once(ast.iter_child_nodes(node))
    return found


def _outside(module: str, name: str = "") -> str:
    """The linked name of something that is not ours: the same for all who import it."""
    return f"{module}:{name}" if name else module


def lean(path: Path) -> ast.Module:
    """The tree of a module without what only type checkers read."""
    tree: ast.Module = _Lean().visit(ast.parse(path.read_bytes(), str(path)))
    return tree


def read(name: str, path: Path, package: bool, known: Mapping[str, Path]) -> Unit:
    """A module as a unit; `known` are all modules that are linked."""
    tree = lean(path)
    own = short(name)
    binds: dict[str, Bind] = {one: f"{own}.{one}" for one in sorted(_names(tree.body))}
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
        for name in _at_once(unit.tree.body) & unit.binds.keys():
            bind = final(unit.binds[name], units)
            if isinstance(bind, str):
                found.add(bind)
    return found


# --- linking -------------------------------------------------------------------------------------------------------


def _is_class(linked: str) -> bool:
    return linked.rpartition(".")[2].lstrip("_")[:1].isupper()


def call(function: str, *words: str) -> ast.expr:
    return ast.Call(ast.Name(function, ast.Load()), [ast.Constant(word) for word in words], [])


class _Linker(ast.NodeTransformer):
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
        names = self._arguments(node.args) | _names(node.body)
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
        node.body = self._within(_names(node.body), node.body, is_class=True)  # type: ignore[assignment]
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
    return ast.fix_missing_locations(tree)


# --- making code ---------------------------------------------------------------------------------------------------


ASKED = ("raw",)
"""Variables that are looked for by name: a crash report tells the shape of this one (`store/crash.py`)."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _locals(code: CodeType) -> tuple[str, ...]:
    """Names for a function's variables that nobody hands over by name: letters, which cost nothing to read.

    Every word that comes for the first time is made, hashed and kept: some eight hundred instructions.
    """
    given = code.co_argcount + code.co_kwonlyargcount + sum(bool(code.co_flags & flag) for flag in STARS)
    shared = {*code.co_cellvars, *code.co_freevars}
    taken = {*code.co_varnames[:given], *shared}
    free = (one + more for more in ("", *LETTERS) for one in LETTERS if one + more not in taken)
    own = [name if name in shared or name in ASKED else next(free) for name in code.co_varnames[given:]]
    return (*code.co_varnames[:given], *[sys.intern(name) for name in own])


def _told(code: CodeType, units: tuple[Unit, ...], *, top: bool) -> CodeType:
    """Give functions back their own files and lines; names of their own only to those in others.

    A top-level function keeps its linked name, which is there already: the short one would be one string more to read.
    """
    at, line = divmod(code.co_firstlineno, SPAN)
    unit = units[at] if at < len(units) else units[-1]
    prefix = short(unit.name) + "."
    linked = code.co_name.startswith(prefix)
    name = sys.intern(code.co_name if linked else code.co_name.rpartition(".")[2])
    return code.replace(
        co_consts=tuple(_told(one, units, top=False) if isinstance(one, CodeType) else one for one in code.co_consts),
        co_filename=sys.intern(str(unit.path)),  # one object for all who say it is read once
        co_firstlineno=code.co_firstlineno if top else line,
        co_name=name,
        co_varnames=_locals(code),
        co_qualname=name,  # tracebacks say the other one, and a name of its own is one string more to read
    )


WORDS = 8
"""So many words in one tuple are kept as one text."""


def _texted(node: ast.stmt) -> ast.stmt:
    """A table of many words as one text that is cut when it is made: a word of its own costs eight times as much."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and len(node.value.elts) >= WORDS:
        words = [one.value for one in node.value.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if len(words) == len(node.value.elts) and all(word.split() == [word] for word in words):
            cut = ast.Call(ast.Attribute(ast.Constant(" ".join(words)), "split", ast.Load()), [], [])
            node.value = ast.copy_location(ast.Call(ast.Name("tuple", ast.Load()), [cut], []), node.value)
    return node


def code(parts: Iterable[tuple[Unit, list[ast.stmt]]]) -> CodeType:
    """Code that runs the statements of several units one after another."""
    body: list[ast.stmt] = []
    units: list[Unit] = []
    for unit, statements in parts:
        for one in statements:
            ast.increment_lineno(ast.fix_missing_locations(_texted(one)), len(units) * SPAN)
        units.append(unit)
        body += statements
    tree = ast.fix_missing_locations(ast.Module(body, type_ignores=[]))
    made: CodeType = compile(tree, PACKAGE, "exec", flags=FUTURE, dont_inherit=True, optimize=2)
    return _told(made, tuple(units), top=True)
