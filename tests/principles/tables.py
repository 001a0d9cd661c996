"""The tables, one module a principle, in the order of `docs/routes.md`.

A table is a module with `TITLE` (the principle, one sentence), `FUNCTION` (`module:name` of the one function that is
the principle), `NEUTRAL` (what that function returns when it has no objection), `ATTACKS` and `INNOCENT`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from .case import Case

NAMES: tuple[str, ...] = (
    *("words", "tools", "processes", "environment", "loaded", "texts", "terminals", "launchers", "unknown_paths"),
    *("elsewhere", "saying", "arrivals", "later", "removals"),
)


class Table(Protocol):
    TITLE: str
    FUNCTION: str
    NEUTRAL: Any
    ATTACKS: list[Case]
    INNOCENT: list[Case]


def table(name: str) -> Table:
    found: Any = import_module(f"principles.{name}")
    return found  # type: ignore[no-any-return]
