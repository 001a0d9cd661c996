"""Notebooks: what a cell's edit does to the file's text, and the code that a notebook holds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NOTEBOOKS = frozenset(("NotebookEdit", "edit_notebook_file"))
"""Tools that change one cell."""
MODES = {"edit": "replace", "replace": "replace", "insert": "insert", "delete": "delete"}


def _read(text: str) -> dict[str, Any] | None:
    import json  # slow to import, and hardly any call is about a notebook

    try:
        book = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if type(book) is not dict or type(book.get("cells")) is not list:
        return None
    return book if all(type(cell) is dict for cell in book["cells"]) else None


def _where(book: dict[str, Any], told: Any) -> int:
    """The index of the cell that is meant, -1 when it is none."""
    for at, cell in enumerate(book["cells"]):
        if told and cell.get("id") == told:
            return at
    number = str(told).removeprefix("cell-") if type(told) in (str, int) else ""
    return int(number) if number.isdecimal() and int(number) < len(book["cells"]) else -1


def _lines(source: Any) -> str:
    return "".join(map(str, source)) if type(source) is list else str(source)


def _shaped(like: Any, text: str) -> Any:
    """A cell's source in the shape that the file keeps it in."""
    return text.splitlines(keepends=True) if type(like) is list else text


def edited(text: str, given: Mapping[str, Any]) -> str | None:
    """The notebook's text after the call, None when the call does not fit it."""
    book = _read(text)
    mode = MODES.get(str(given.get("edit_mode") or given.get("editType") or "replace"))
    told = given.get("cell_id", given.get("cellId", given.get("cell_number")))
    if book is None or mode is None:
        return None
    found = book["cells"]
    at = _where(book, told)
    source = _lines(given.get("new_source", given.get("newCode", given.get("newSource", ""))))
    if mode == "insert":
        if at < 0 and told not in (None, "", "TOP", "BOTTOM"):
            return None
        kind = given.get("cell_type") or ("markdown" if given.get("language") == "markdown" else "code")
        cell: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
        if kind == "code":
            cell.update({"execution_count": None, "outputs": []})
        found.insert(len(found) if told == "BOTTOM" else at + 1, cell)
    elif at < 0:
        return None
    elif mode == "delete":
        del found[at]
    else:
        cell = found[at]
        cell["source"] = _shaped(cell.get("source"), source)
        if cell.get("cell_type") == "code":
            cell.update({"execution_count": None, "outputs": []})
    import json

    return json.dumps(book, indent=1, ensure_ascii=False) + ("\n" if text.endswith("\n") else "")


def code(text: str) -> str | None:
    """The code cells of a notebook, one after another; None when the text is none."""
    book = _read(text)
    if book is None:
        return None
    return "\n".join([_lines(cell.get("source", "")) for cell in book["cells"] if cell.get("cell_type") == "code"])
