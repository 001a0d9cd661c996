"""The files that a patch names in its own heads: `apply_patch` bodies and unified diffs, git's renames included."""

from __future__ import annotations

from jackline.paths import path_of_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ADD, UPDATE, DELETE, MOVE = FILES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
"""Heads of an `apply_patch` body."""
BEFORE = ("rename from ",)
AFTER = ("rename to ", "copy to ", "Index: ")
"""Heads that name one file of a diff, without prefix."""
SHORT = {"n": b"\n", "t": b"\t", "r": b"\r", "a": b"\a", "b": b"\b", "f": b"\f", "v": b"\v"}
NOTHING = "/dev/null"


def _unquoted(name: str) -> str:
    """A name as git quotes it where it holds blanks or what is no ASCII: bytes in octal."""
    made = b""
    at = 0
    while at < len(name):
        char = name[at]
        at += 1
        if char != "\\":
            made += char.encode("utf-8", "surrogatepass")
        elif name[at : at + 3].isdecimal() and len(name[at : at + 3]) == 3 and not set("89") & set(name[at : at + 3]):
            made += bytes((int(name[at : at + 3], 8) & 255,))
            at += 3
        else:
            made += SHORT.get(name[at : at + 1], name[at : at + 1].encode("utf-8", "surrogatepass"))
            at += 1
    return made.decode("utf-8", "replace")


def name_of(text: str) -> str:
    """The file of a head, without the time that some tools write behind a tab; "" for none."""
    name = text.strip("\r")
    if name[:1] == '"' and name.rfind('"') > 0:
        name = _unquoted(name[1 : name.rfind('"')])
    else:
        name = name.partition("\t")[0].strip()
    return "" if name == NOTHING else name


def bare(old: str, new: str) -> tuple[str, str]:
    """Both names; without git's `a/` and `b/`, when both have them or the other is no file."""
    if (old or new) and (not old or old[:2] == "a/") and (not new or new[:2] == "b/"):
        return old[2:], new[2:]
    return old, new


def _headed(line: str, after: str) -> tuple[str, str]:
    """The file that a line and the one behind it say was there before, and the one that is there afterwards."""
    if line[:4] == "--- " and after[:4] == "+++ ":
        return bare(name_of(line[4:]), name_of(after[4:]))
    if line[:13] == "diff --git a/":
        old, mark, new = line[11:].strip().rpartition(" b/")
        return bare(old, f"b/{new}") if mark and " b/" not in old else ("", "")
    for mark in BEFORE:
        if line.startswith(mark):
            return name_of(line[len(mark) :]), ""
    for mark in AFTER:
        if line.startswith(mark):
            return "", name_of(line[len(mark) :])
    return "", ""


def _heads(diff: str) -> Iterator[tuple[str, str]]:
    """The pairs of names in the heads of a unified diff."""
    lines = diff.split("\n")
    for at, line in enumerate(lines):
        if line[:1] in "-dricI" and line:  # the letters that heads begin with, and of hunks only what is taken out
            yield _headed(line, lines[at + 1] if at + 1 < len(lines) else "")


def _deleted(diff: str) -> Iterator[str]:
    """The files that are gone after a unified diff; git's first line says so of an empty one below it alone."""
    lines = diff.split("\n")
    last = ""
    for at, line in enumerate(lines):
        if line[:13] == "diff --git a/":
            last = _headed(line, "")[0]
        elif line[:17] == "deleted file mode" and last:
            yield last
        elif line[:1] in ("-", "r"):
            old, new = _headed(line, lines[at + 1] if at + 1 < len(lines) else "")
            if old and not new:
                yield old


def _bodies(patch: str) -> Iterator[tuple[str, str]]:
    """The heads of an `apply_patch` body: which they are, and their file."""
    for line in patch.split("\n"):
        line = line.strip()
        if line[:4] == "*** ":
            for mark in FILES:
                if line.startswith(mark):
                    yield mark, line[len(mark) :].strip()


def patched_files(patch: str) -> list[str]:
    """Every file that a patch adds, updates, deletes or moves, in order."""
    found = [name for _, name in _bodies(patch)]
    if not found:
        found = [name for pair in _heads(patch) for name in pair if name]
    return list(dict.fromkeys([path_of_address(one) for one in found]))


def removed_files(patch: str) -> list[str]:
    """Files that are gone after a patch: those it deletes, and sources of its moves."""
    found = []
    last = ""
    for mark, name in _bodies(patch):
        if mark == MOVE and last:
            found.append(last)
        elif mark == DELETE:
            found.append(name)
        last = name if mark == UPDATE else ""
    if not last and not found:
        found = list(_deleted(patch))
    return list(dict.fromkeys([path_of_address(one) for one in found]))
