"""Modules whose values come from the specs of clients: in the bundle they stand as literals, and no spec does.

Such a module holds values and no functions. What it sets in capitals and what is made of plain literals is kept; a spec
itself is a record, and stays behind.
"""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

from jackline.clients import specs
from jackline.clients.facts import OWN_FILES
from jackline.compiler.units import bound

TABLES = tuple([f"jackline.clients.{name}" for name in ("facts", "hints", "rows", "secrets", "signs")])
DERIVED = frozenset((*TABLES, *specs.MODULES.values()))
SHARED = frozenset(module for client, module in specs.MODULES.items() if client not in OWN_FILES)
"""Specs of clients whose files others read too: any entry may lead to them."""
FORM = "jackline.clients.schema"
"""What specs are made of: it is not in the bundle either."""


def is_literal(value: object) -> bool:
    """Whether a value is written as it is read."""
    if isinstance(value, dict):
        return all(is_literal(one) for pair in value.items() for one in pair)
    if isinstance(value, tuple) and type(value) is tuple:
        return all(is_literal(one) for one in value)
    return value is None or type(value) in (str, int, float, bool)


def tree(name: str) -> ast.Module:
    """What the bundle holds of such a module."""
    module = importlib.import_module(name)
    source = ast.parse(Path(str(module.__file__)).read_bytes())
    targets = [name for one in source.body if isinstance(one, (ast.Assign, ast.AnnAssign)) for name in bound([one])]
    kept = {key: value for key in sorted(targets) if key[0] != "_" and is_literal(value := getattr(module, key))}
    return ast.parse("\n".join([f"{key} = {value!r}" for key, value in kept.items()]), name)
