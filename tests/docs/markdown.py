"""Cells and tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Value = str | int | float


def table(head: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """A table in Markdown; a bar inside a cell is escaped."""

    def line(cells: Sequence[Value]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(head), "|" + " --- |" * len(head), *[line(row) for row in rows]])


def code(*words: str) -> str:
    return " ".join(f"`{word}`" for word in words)


def yes(value: object) -> str:
    return "yes" if value else ""
