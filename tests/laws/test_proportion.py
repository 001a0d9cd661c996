"""Small modules, small functions: past 400 lines there are usually two nouns in one file."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

import jackline

PACKAGE = Path(jackline.__file__).parent
LINES, MEDIAN = 400, 10


def test_no_module_is_longer_than_four_hundred_lines() -> None:
    counted = {path.relative_to(PACKAGE): len(path.read_text().splitlines()) for path in PACKAGE.rglob("*.py")}
    assert len(counted) > 600
    assert {str(path): lines for path, lines in counted.items() if lines > LINES} == {}


def test_the_usual_function_is_ten_lines_at_most() -> None:
    made = [
        node.end_lineno - node.lineno + 1
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno
    ]
    assert statistics.median(made) <= MEDIAN
