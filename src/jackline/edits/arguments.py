"""What a tool call asks of files, read from its arguments by their meaning, whichever client names them how."""

from __future__ import annotations

from jackline.edits.model import FILES, LIMIT, FileEdit, Swap
from jackline.edits.notebook import NOTEBOOKS
from jackline.edits.patches import BEGIN, SEARCHES, blocks, enveloped, unified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Event

PATH = (
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "absolute_path",
    "target_file",
    "file",
    "filename",
    "fileName",
)
OLD = ("old_string", "oldString", "old_str", "old_text", "oldText", "search", "find")
NEW = ("new_string", "newString", "new_str", "new_text", "newText", "replace", "replacement")
WHOLE = ("content", "file_text", "contents", "new_text", "file_content", "text", "fileText")
INSERTED = ("insert_text", "insertText", "new_str", "new_text", "content", "text")
EVERY = ("replace_all", "replaceAll", "allow_multiple")
LISTS = ("edits", "replacements", "changes", "operations")
DIFFS = ("diff", "patch", "input", "command", "patchText", "unified_diff")
SNIPPETS = ("code", "code_edit", "codeEdit")
LINES = ("insert_line", "insertLine")
"""The line after which a text goes."""
REMOVERS = ("delete_file", "delete", "remove_file", "delete-file", "remove-files", "deleteFile")
"""Tools that take a file away and say no more than its path."""
BEFORE = ("insert_content",)
"""Tools whose `line` is the one that a text goes before, 0 for the end."""
APPENDING = ("append", "a")
WRITING = frozenset(("write", "edit", "notebook", "mcp", "other"))
READERS = frozenset(("view", "undo_edit", "read", "list", "search"))
"""Sub-commands of an editor that give no text."""


def _first(given: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        if type(given.get(key)) is str:
            return str(given[key])
    return None


def _swap(given: Mapping[str, Any]) -> Swap | None:
    """A search and its replacement, None when there is no such pair."""
    old, new = _first(given, OLD), _first(given, NEW)
    if old is None:
        return None
    every = any(given.get(key) in (True, "true", 1) for key in EVERY)
    count = given.get("expected_replacements")
    if given.get("use_regex") in (True, "true"):
        return None
    return Swap(old, new or "", every or (type(count) is int and count > 1))


def _inserted(tool: str, given: Mapping[str, Any]) -> Swap | None:
    """A text that goes between two lines."""
    for key in LINES:
        line = given.get(key)
        text = _first(given, INSERTED)
        if text is not None and type(line) in (int, str) and str(line).isdecimal():
            return Swap("", text, line=int(str(line)) + 1)
    line = given.get("line")
    if tool in BEFORE and str(line).isdecimal() and type(given.get("content")) is str:
        return Swap("", str(given["content"]), line=int(str(line)) or -1)
    return None


def _diff(given: Mapping[str, Any], path: str) -> list[FileEdit]:
    """What any of the known forms of a patch asks."""
    for key in DIFFS:
        text = given.get(key)
        if type(text) is not str or len(text) > 4 * LIMIT:
            continue
        if BEGIN in text:
            return enveloped(text)
        if any(mark in text for mark in SEARCHES):
            return [FileEdit(path, swaps=blocks(text))] if path else []
        if "@@" in text and (path or "\n+++ " in text):
            return unified(text, path)
    return []


def _listed(given: Mapping[str, Any], path: str, key: str) -> list[FileEdit]:
    """A list of swaps, of one file or each of its own; those of one file together, in order."""
    grouped: dict[str, list[Swap]] = {}
    clear = True
    for one in given[key][: FILES * 50]:
        swap = _swap(one) if type(one) is dict else None
        own = (_first(one, PATH) or path) if type(one) is dict else path
        if swap is None:
            clear = False
            grouped.setdefault(own, [])
        else:
            grouped.setdefault(own, []).append(swap)
    why = "" if clear else "an edit in the list is not understood"
    return [FileEdit(own, swaps=tuple(swaps), opaque=why) for own, swaps in grouped.items() if own]


def _one(tool: str, kind: str, given: Mapping[str, Any]) -> list[FileEdit]:
    """What the arguments of one call ask, the plainest form first."""
    path = _first(given, PATH) or ""
    if given.get("command") in READERS:
        return []
    if tool in NOTEBOOKS:
        return [FileEdit(path, cell=dict(given))] if path else []
    for key in LISTS:
        if type(given.get(key)) is list and given[key]:
            return _listed(given, path, key)
    found = _diff(given, path)
    if found or not path:
        return found
    swap = _inserted(tool, given) or _swap(given)
    if swap is not None:
        return [FileEdit(path, swaps=(swap,))]
    if _first(given, OLD) is not None:
        return [FileEdit(path, opaque="a search by regular expression")]
    if _first(given, SNIPPETS) is not None:
        return [FileEdit(path, opaque="the client's model fits a sketch into the file")]
    whole = _first(given, WHOLE)
    if whole is None and kind == "write" and tool.lower() in ("write", "create", "create_file", "editor"):
        whole = ""  # clients that leave an empty text out
    if whole is not None:
        if str(given.get("mode", "")).lower() in APPENDING:
            return [FileEdit(path, swaps=(Swap("", whole, line=-1),))]
        return [FileEdit(path, whole=whole)]
    if tool.rpartition("/")[2] in REMOVERS:
        return [FileEdit(path, gone=True)]
    return []


def _given(event: Event) -> Mapping[str, Any]:
    """The tool's arguments; those inside a wrapper of MCP calls."""
    inner = event.input.get("arguments")
    if event.kind == "mcp" and type(inner) is str and inner[:1] == "{":
        from jackline.jsonio import loads

        try:
            inner = loads(inner)
        except (ValueError, RecursionError):
            inner = None
    if event.kind == "mcp" and type(inner) is dict:
        return inner
    return event.input


def file_edits(event: Event) -> list[FileEdit]:
    """Every file that a call would change and how, as far as its arguments say; several parts of one file in order."""
    if event.kind == "shell":
        return enveloped(event.command) if BEGIN in event.command and "apply_patch" in event.command else []
    if event.kind not in WRITING and event.kind:
        return []
    given = _given(event)
    if event.patch and BEGIN in event.patch:
        return enveloped(event.patch)[:FILES]
    tool = event.tool.rpartition("/")[2] or event.tool
    return _one(tool, event.kind, given)[:FILES]
