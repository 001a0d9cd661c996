"""Find nodes: a note with `surface: hook` or `system` in its front matter, and the program of a hook beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jackline.compiler import frontmatter, scriptfields
from jackline.compiler.fault import Fault
from jackline.compiler.frontmatter import Front
from jackline.compiler.scriptfind import NO_SCRIPTS, WINDOWS, Root, Text, Tree, take


class _Note(NamedTuple):
    """A note of a node root with a surface of ours."""

    name: str
    front: Front
    data: bytes
    surfaces: tuple[str, ...]


def _notes(tree: Tree, path: str, files: list[str]) -> Iterator[_Note]:
    for name in files:
        if not name.endswith(".md"):
            continue
        read = tree.read(f"{path}/{name}")
        if read is None or b"surface" not in read[0][: frontmatter.BYTES]:
            continue
        front = frontmatter.read(read[0], tree.sources.shown(f"{path}/{name}"))
        if isinstance(front, Fault):
            tree.refuse(f"{path}/{name}", [front])
        elif front is not None:
            shows = scriptfields.surfaces(front)
            if "hook" in shows or "system" in shows:
                yield _Note(name, front, read[0], shows)


def _beside(tree: Tree, path: str, files: list[str]) -> dict[str, tuple[bytes, bool]]:
    """The programs in a node's own folder: never those of the folders below."""
    found = {}
    for name in files:
        extension = os.path.splitext(name)[1].lower()
        if extension in NO_SCRIPTS or extension in WINDOWS:
            continue
        read = tree.read(f"{path}/{name}")
        if read is not None and (read[1] or read[0][:2] == b"#!" or extension == ".sh"):
            found[name] = read
    return found


def _program(note: _Note, stem: str, beside: Mapping[str, tuple[bytes, bool]], where: str) -> str | Fault:
    """Which of the programs is the note's: the one it names, the only one, or the one of its name."""
    line = note.front.line - 1
    named = note.front.fields.get("script")
    if named is not None and isinstance(named.value, str):
        name = named.value.removeprefix("./")
        if name in beside:
            return name
        known = ", ".join(beside) or "none"
        write = f"script: {next(iter(beside), 'check.sh')}"
        return Fault("script", "a program in the same folder", f"{name} (there: {known})", "", write,
                     f"{where}:{named.line}")  # fmt: skip
    if len(beside) == 1:
        return next(iter(beside))
    stems = (note.name.removesuffix(".md"), stem)
    same = [name for name in beside if os.path.splitext(name)[0] in stems]
    if len(same) == 1:
        return same[0]
    if not beside:
        return Fault("script", "a program in the same folder", "none", "", f"{stem}.sh beside it", f"{where}:{line}")
    got = f"{len(beside)}: {', '.join(beside)}"
    return Fault("script", "one program in the same folder, or its name", got, "",
                 f"script: {next(iter(beside))}", f"{where}:{line}")  # fmt: skip


def nodes(tree: Tree, root: Root) -> None:
    """Look through a node root."""
    for path, rel, files in tree.walk(root):
        notes = list(_notes(tree, path, files))
        folder = rel.rstrip("/").rpartition("/")[2]
        hooks = [note for note in notes if "hook" in note.surfaces]
        beside = _beside(tree, path, files) if hooks else {}
        for note in notes:
            stem = folder if folder and len(notes) == 1 else note.name.removesuffix(".md")
            where = tree.sources.shown(f"{path}/{note.name}")
            if note in hooks:
                _node(tree, root, path, rel, stem, note, beside, where)
            if "system" in note.surfaces:
                _body(tree, root, path, stem, note, where)


def _body(tree: Tree, root: Root, path: str, stem: str, note: _Note, where: str) -> None:
    status = note.front.fields.get("status")
    if status is not None and status.value == "pending":
        tree.leave(f"{path}/{note.name}", "status: pending")
        return
    tree.texts.append(Text(stem, frontmatter.body(note.data, note.front), where, note.data, root))


def _node(
    tree: Tree,
    root: Root,
    path: str,
    rel: str,
    stem: str,
    note: _Note,
    beside: Mapping[str, tuple[bytes, bool]],
    where: str,
) -> None:
    said = scriptfields.said(note.front, where, node=True)
    file = f"{path}/{note.name}"
    if isinstance(said, list):
        tree.refuse(file, said)
        return
    if said.inert:
        tree.leave(file, said.inert, said)
        return
    program = _program(note, stem, beside, where)
    if isinstance(program, Fault):
        tree.refuse(file, [program])
        return
    full = f"{path}/{program}"
    pieces = {where: note.data, tree.sources.shown(full): beside[program][0]}
    take(tree, root, full, f"{rel}{program}", stem, said, where, pieces, beside[program])
