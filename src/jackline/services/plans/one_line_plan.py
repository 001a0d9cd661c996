"""The plan of a small task from one line: a change, and what checks it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def quick(what: str, files: Sequence[str], checks: Sequence[str] = ()) -> bytes:
    """The plan graph of `plan quick`: a node that changes these globs, and one that validates it."""
    change: dict[str, Any] = {"id": "change", "kind": "change", "description": what, "scope": list(files)}
    check: dict[str, Any] = {
        "id": "check",
        "kind": "validate",
        "description": f"run {', '.join(checks)}" if checks else "look at the result, and run what tests it",
        "dependsOn": ["change"],
    }
    if checks:
        change["validators"] = list(checks)
    return _bytes({"goal": what, "nodes": [change, check]})


TEMPLATE: dict[str, Any] = {
    "goal": "what the task is for",
    "nodes": [
        {"id": "n1", "kind": "look", "description": "Find the callers", "tools": ["kind:search"], "scope": "src/**"},
        {
            "id": "n2",
            "kind": "change",
            "description": "Change the parser",
            "scope": ["src/parse/**"],
            "dependsOn": ["n1"],
        },
        {"id": "n3", "kind": "validate", "description": "Run the tests of the parser", "dependsOn": ["n2"]},
    ],
}
"""What `plan template` prints."""


def template() -> bytes:
    return _bytes(TEMPLATE)


def _bytes(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
