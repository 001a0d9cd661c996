"""How a program of Python binds its names: assignments, imports, loops, parameters."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.shell.rules.python import Program


def _assign(self: Program, node: Any) -> None:
    for one in getattr(node, "targets", None) or [node.target]:
        self.bind(one, "is", node.value)


def _import(self: Program, node: Any) -> None:
    for one in node.names:
        name = one.asname or one.name.partition(".")[0]
        full = one.name if one.asname else name
        self.named.setdefault(name, []).append(("named", full))


def _from(self: Program, node: Any) -> None:
    for one in node.names:
        self.named.setdefault(one.asname or one.name, []).append(("named", f"{node.module or ''}.{one.name}"))


def _function(self: Program, node: Any) -> None:
    self.functions[node.name] = node
    for one, value in zip(reversed(node.args.args), reversed(node.args.defaults), strict=False):
        self.named.setdefault(one.arg, []).append(("is", value))


BINDERS: dict[str, Callable[[Program, Any], None]] = {
    "Assign": _assign,
    "AnnAssign": lambda self, node: _assign(self, node) if node.value else None,
    "NamedExpr": _assign,
    "AugAssign": lambda self, node: self.bind(node.target, "unknown", node.value),
    "For": lambda self, node: self.bind(node.target, "in", node.iter),
    "AsyncFor": lambda self, node: self.bind(node.target, "in", node.iter),
    "comprehension": lambda self, node: self.bind(node.target, "in", node.iter),
    "Import": _import,
    "ImportFrom": _from,
    "withitem": lambda self, node: self.bind(node.optional_vars, "is", node.context_expr),
    "FunctionDef": _function,
}
