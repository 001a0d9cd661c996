"""Patches as text: the `*** Begin Patch` format, unified diffs, and blocks of SEARCH and REPLACE. Pure."""

from __future__ import annotations

from jackline.edits.model import FileEdit, Swap
from jackline.patches import ADD, DELETE, MOVE, UPDATE, bare, name_of

BEGIN, END = "*** Begin Patch", "*** End Patch"
END_OF_FILE = "*** End of File"
SEARCHES = ("<<<<<<< SEARCH", "------- SEARCH", "<<<<<<< ORIGINAL")
REPLACES = (">>>>>>> REPLACE", "+++++++ REPLACE", ">>>>>>> UPDATED")
MARK = 7
"""Signs that the shortest line between two halves of a block has."""


def _hunk(lines: list[str], anchor: str = "", line: int = 0) -> Swap:
    """One hunk: what its blank and minus lines say gives way to what its blank and plus lines say."""
    old = [one[1:] for one in lines if one[:1] != "+"]
    new = [one[1:] for one in lines if one[:1] != "-"]
    return Swap("\n".join(old), "\n".join(new), False, line, True, anchor)


def _updates(lines: list[str]) -> tuple[Swap, ...]:
    """The hunks of one file's section: each begins at `@@`, the first one may do without."""
    swaps: list[Swap] = []
    held: list[str] = []
    anchor = ""
    for line in [*lines, "@@"]:
        if line.startswith("@@"):
            if held:
                swaps.append(_hunk(held, anchor))
                held = []
            anchor = line[2:].strip()
        elif line.rstrip() != END_OF_FILE:
            held.append(line if line[:1] in ("+", "-", " ") else " " + line)
    return tuple(swaps)


def _section(head: str, body: list[str]) -> FileEdit:
    """What one `*** … File:` section asks."""
    if head.startswith(DELETE):
        return FileEdit(head[len(DELETE) :].strip(), gone=True)
    if head.startswith(ADD):
        text = "".join([line[1:] + "\n" for line in body if line[:1] == "+"])
        return FileEdit(head[len(ADD) :].strip(), whole=text)
    moved = ""
    if body and body[0].strip().startswith(MOVE):
        moved, body = body[0].strip()[len(MOVE) :].strip(), body[1:]
    return FileEdit(head[len(UPDATE) :].strip(), swaps=_updates(body), moved=moved)


def enveloped(patch: str) -> list[FileEdit]:
    """What a `*** Begin Patch` text asks of each file, in order."""
    _, found, inside = patch.partition(BEGIN)
    if not found:
        return []
    asked: list[FileEdit] = []
    head, body = "", list[str]()
    for line in [*inside.split("\n")[1:], END]:
        mark = line.strip() if line[:1] == "*" else ""
        if mark == END or mark.startswith((ADD, UPDATE, DELETE)):
            if head:
                asked.append(_section(head, body))
            head, body = mark, []
            if mark == END:
                break
        else:
            body.append(line.removesuffix("\r"))
    return asked


def _start(line: str) -> tuple[int, int, int]:
    """First old line, number of old lines and of new ones, of a `@@ -1,2 +3,4 @@` line; (0, -1, -1) when unread."""
    parts = line.split()
    try:
        old, _, count = parts[1][1:].partition(",")
        _, _, more = parts[2][1:].partition(",")
        return int(old), int(count or 1), int(more or 1)
    except (IndexError, ValueError):
        return 0, -1, -1


def _take(lines: list[str], at: int, line: str) -> tuple[Swap, int, bool]:
    """The hunk whose head is `line` and whose body begins at `at`; where it ends; whether it has any old line."""
    start, old, new = _start(line)
    counted = old >= 0
    held: list[str] = []
    while at < len(lines):
        one = lines[at]
        if counted and old <= 0 and new <= 0 and one[:1] != "\\":
            break
        if one.startswith(("@@", "diff --git ")) or (not counted and one.startswith(("--- ", "+++ "))):
            break
        at += 1
        if one[:1] == "\\":
            continue
        if one[:1] not in ("+", "-", " "):
            if one or not (counted and old > 0):
                break
            one = " "
        held.append(one)
        old -= one[0] != "+"
        new -= one[0] != "-"
    empty = not any(one[0] != "+" for one in held)
    return _hunk(held, "", start), at, empty


def unified(diff: str, path: str = "") -> list[FileEdit]:
    """What a unified diff asks of each file; `path` names the file of a diff without heads."""
    asked: list[FileEdit] = []
    lines = [line.removesuffix("\r") for line in diff.split("\n")]
    old = new = path
    swaps: list[Swap] = []
    fresh = False
    at = 0

    def close() -> None:
        nonlocal swaps, fresh
        if fresh and swaps and not old:
            asked.append(FileEdit(new, whole="".join([swap.new + "\n" for swap in swaps])))
        elif swaps and not new:
            asked.append(FileEdit(old, gone=True))
        elif swaps:
            asked.append(FileEdit(old or new, swaps=tuple(swaps), moved=new if old and new != old else ""))
        swaps, fresh = [], False

    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("--- ") and at < len(lines) and lines[at].startswith("+++ "):
            close()
            old, new = bare(name_of(line[4:]), name_of(lines[at][4:]))
            at += 1
        elif line.startswith("@@") and (old or new):
            swap, at, empty = _take(lines, at, line)
            fresh = empty
            swaps.append(swap)
    close()
    if path and len(asked) == 1:  # the tool says which file it means, whatever the heads say
        asked = [asked[0]._replace(path=path, moved="")]
    return asked


def blocks(text: str) -> tuple[Swap, ...]:
    """The swaps of SEARCH and REPLACE blocks, in order; an unfinished last block counts."""
    swaps: list[Swap] = []
    part = ""
    old: list[str] = []
    new: list[str] = []
    line_told = 0
    for line in text.split("\n"):
        mark = line.strip()
        if mark.rstrip(">").rstrip() in SEARCHES:
            part, old, new, line_told = "old", [], [], 0
        elif part == "old" and not old and mark.startswith(":start_line:"):
            told = mark.rpartition(":")[2].strip()
            line_told = int(told) if told.isdecimal() else 0
        elif part == "old" and not old and (mark.startswith(":end_line:") or mark == "-" * MARK):
            continue
        elif part == "old" and len(mark) >= MARK and not mark.strip("="):
            part = "new"
        elif part == "new" and mark in REPLACES:
            swaps.append(Swap("\n".join(old), "\n".join(new), False, line_told, True))
            part = ""
        elif part:
            (old if part == "old" else new).append(line.removesuffix("\r"))
    if part == "new":
        swaps.append(Swap("\n".join(old), "\n".join(new), False, line_told, True))
    return tuple(swaps)
