"""Let a module ask for names of ours where they stand now (`old_names`). Apart: a parser of Python is slow to load."""

from __future__ import annotations

import ast

from jackline.compiler.old_names import MOVED, RENAMED


class _Asked(ast.NodeVisitor):
    """Names that modules with moved parts are called by, and what is taken from them: `system.now`."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self.taken: set[tuple[str, str]] = set()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for one in node.names:
            module = f"{node.module}.{one.name}"
            today = RENAMED.get(module, module)
            if not node.level and today in MOVED:
                self.modules[one.asname or one.name] = today

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name):
            self.taken.add((node.value.id, node.attr))
        self.generic_visit(node)


class _Follow(ast.NodeTransformer):
    """Ask the places of today."""

    def __init__(self, asked: _Asked) -> None:
        self.asked = asked
        self.names = {
            (local, name): f"{local}__{name}"
            for local, name in sorted(asked.taken)
            if name in MOVED.get(asked.modules.get(local, ""), {})
        }

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        if node.level:
            return [node]
        module = RENAMED.get(node.module or "", node.module or "")
        gone = MOVED.get(module, {})
        found: list[ast.stmt] = []
        for one in node.names:
            whole = RENAMED.get(f"{module}.{one.name}", "").rpartition(".")
            if whole[2]:
                found.append(ast.ImportFrom(whole[0], [ast.alias(whole[2], one.asname or one.name)], 0))
            elif one.name not in gone:
                found.append(ast.ImportFrom(module, [one], 0))
        for one in node.names:
            if one.name in gone:
                place, _, today = gone[one.name].partition(":")
                found.append(ast.ImportFrom(place, [ast.alias(today or one.name, one.asname or one.name)], 0))
            for (local, name), made in self.names.items():
                if local == (one.asname or one.name):
                    place, _, today = MOVED[self.asked.modules[local]][name].partition(":")
                    found.append(ast.ImportFrom(place, [ast.alias(today or name, made)], 0))
        return [ast.copy_location(one, node) for one in found]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and (node.value.id, node.attr) in self.names:
            return ast.copy_location(ast.Name(self.names[node.value.id, node.attr], node.ctx), node)
        self.generic_visit(node)
        return node


def followed(data: bytes) -> ast.Module:
    """A feature's module that asks the places of today, ready to be compiled."""
    tree = ast.parse(data)
    asked = _Asked()
    asked.visit(tree)
    _Follow(asked).visit(tree)
    return ast.fix_missing_locations(tree)
