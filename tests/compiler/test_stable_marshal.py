"""Marshalled bytes are read to the end on this interpreter, keep their content, and are the same whoever holds it.

`canon.dump` falls back to plain marshalling where its reading fails: here it must not, for each supported version.
"""

from __future__ import annotations

import marshal
import sys
from pathlib import Path
from typing import Any

import pytest

from jackline.compiler.stable_marshal import canonical, dump, interned

PACKAGE = Path(sys.modules["jackline"].__file__ or "").parent
MODULES = ("boot", "_record", "jsonio", "hook", "shell/grammar", "compiler/link")

VALUES: dict[str, Any] = {
    "numbers": (0, -1, 1 << 31, -(1 << 200), 0.5, -0.0, 1e300, 2j),
    "texts": ("", "name", "two words", "ä", "\U0001f600", "x" * 300, "ü" * 300, b"", b"\0\xff"),
    "alone": (None, True, False, ..., StopIteration),
    "many": ([1, [2]], {"a": 1, "b": {"c": ()}}, {1}, frozenset((1,)), tuple(range(300))),
    "again": (("said", "twice", "said"), ("said", "twice", "said")),
}


def code_of(module: str, optimize: int) -> Any:
    path = PACKAGE / f"{module}.py"
    return compile(path.read_bytes(), str(path), "exec", dont_inherit=True, optimize=optimize)


@pytest.mark.parametrize("optimize", [0, 2])
@pytest.mark.parametrize("module", MODULES)
def test_code_of_this_interpreter_is_read(module: str, optimize: int) -> None:
    code = code_of(module, optimize)
    made = canonical(interned(marshal.dumps(code)))
    assert marshal.loads(made) == code
    assert made == canonical(made)


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_values_are_read(value: Any) -> None:
    made = canonical(interned(marshal.dumps(value)))
    assert repr(marshal.loads(made)) == repr(value)


@pytest.mark.parametrize("module", MODULES)
def test_equal_code_gives_equal_bytes(module: str) -> None:
    """Whether others hold its names and constants or not."""
    first, other = code_of(module, 2), code_of(module, 2)
    held = [*first.co_consts, *first.co_names]
    assert dump(first) == dump(other) == dump(marshal.loads(marshal.dumps(other)))
    assert held
