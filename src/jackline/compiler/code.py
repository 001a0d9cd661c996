"""Make code of linked statements: one code object for several modules, whose functions keep their files and lines."""

from __future__ import annotations
import __future__

import ast
import sys
from collections.abc import Iterable
from types import CodeType

from jackline.compiler.units import PACKAGE, Unit, children, short

FUTURE = __future__.annotations.compiler_flag
STARS = (0x04, 0x08)
"""Flags of code that takes any arguments: by place, by name (`inspect.CO_*`; the same in 3.11 to 3.13)."""
SPAN = 100_000
"""Lines that each module gets in code made of several: they tell afterwards which module a function came from."""
ASKED = ("raw",)
"""Variables that are looked for by name: a crash report tells the shape of this one (`store/crash.py`)."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _locals(code: CodeType) -> tuple[str, ...]:
    """Names for a function's variables that nobody hands over by name: letters, which cost nothing to read.

    Every word that comes for the first time is made, hashed and kept: some eight hundred instructions.
    From 3.12 on those of comprehensions are among them, at a module's top too (PEP 709): in 3.11 they have code apart.
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


def _place(node: ast.AST, shift: int, line: int, column: int, last: int, end: int) -> None:
    """Give nodes that have none the place of what they stand in, and move all down by `shift` lines, in one walk."""
    held = node.__dict__
    if node._attributes:
        line = held.setdefault("lineno", line)
        column = held.setdefault("col_offset", column)
        last = held["end_lineno"] = held.get("end_lineno") or last
        given = held.get("end_col_offset")
        end = held["end_col_offset"] = end if given is None else given
        held["lineno"], held["end_lineno"] = line + shift, last + shift
    for below in children(node):
        _place(below, shift, line, column, last, end)


def code_of(parts: Iterable[tuple[Unit, list[ast.stmt]]]) -> CodeType:
    """Code that runs the statements of several units one after another."""
    body: list[ast.stmt] = []
    units: list[Unit] = []
    for unit, statements in parts:
        for one in statements:
            _place(_texted(one), len(units) * SPAN, 1, 0, 1, 0)
        units.append(unit)
        body += statements
    made: CodeType = compile(
        ast.Module(body, type_ignores=[]), PACKAGE, "exec", flags=FUTURE, dont_inherit=True, optimize=2
    )
    return _told(made, tuple(units), top=True)
