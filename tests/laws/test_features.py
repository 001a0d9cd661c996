"""A feature is its folder: it declares all that others know of it, and no room below the features names one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import jackline
from jackline.compiler.registry import BUILT_IN, RESERVED, folder_of

SOURCE = Path(jackline.__file__).parent
ABOVE = ("features", "cli", "inprocess")
"""Rooms that stand above the features: commands of one, and the engine that a host asks for one by name."""
NAMING = {
    "feature_table.py": "written from the declarations",
    "compiler/registry.py": "names that the contract keeps for features which are not here yet",
    "compiler/schemas.py": "documents that are called as the features which read them",
    "intents/trace.py": "a folder of the session, which keeps its name on disk",
}
"""The other files that hold a feature's name, each with its reason."""
NAMES = {one.name for one in BUILT_IN if not one.name.isalpha()} | {*RESERVED}
"""Of one that is called by a plain English word nobody can say whether the word or the feature is meant."""


def constants(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_room_below_the_features_names_one() -> None:
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] not in ABOVE and NAMES & {*constants(path)}
    }
    assert found == {*NAMING}


@pytest.mark.parametrize("slug", [one.name for one in BUILT_IN])
def test_kinds_of_rows_are_those_that_it_declares(slug: str) -> None:
    """Every kind that a feature's own files give a row is declared, and the contract tells what each means."""
    declared = {kind for one in BUILT_IN if one.name == slug for kind in one.records}
    written = set()
    for path in (SOURCE / "features" / folder_of(slug)).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Dict):
                written |= {
                    value.value
                    for key, value in zip(node.keys, node.values, strict=True)
                    if isinstance(key, ast.Constant) and key.value == "kind" and isinstance(value, ast.Constant)
                }
    kinds = {one for one in written if str(one).isupper()} - {"PHASE_TRIGGER"}
    page = (SOURCE.parent.parent / "docs/contract.md").read_text()
    assert kinds <= declared
    assert [kind for kind in sorted(declared) if f"`{kind}`" not in page] == []
