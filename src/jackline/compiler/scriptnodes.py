"""Find nodes: a note with `surface: hook` or `system` in its front matter, and the program of a hook beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jackline.compiler import fault, frontmatter, scriptfields
from jackline.compiler.fault import Fault
from jackline.compiler.frontmatter import Front
from jackline.compiler.scriptfields import Said
from jackline.compiler.scriptfind import NO_SCRIPTS, WINDOWS, Root, Text, Tree, take

NAMED = (b"surface", b"event")
"""Words of a note that is a node, or was meant to be one."""


class _Note(NamedTuple):
    """A note of a node root with a surface of ours."""

    name: str
    front: Front
    data: bytes
    surfaces: tuple[str, ...]


def _misspelt(front: Front, where: str) -> Fault | None:
    """What is wrong with a note that names events and misses the word which makes it a hook."""
    if not {"event", "events"} & front.fields.keys():
        return None
    if "surface" not in front.fields:
        near = next(
            (key for key in front.fields if key not in scriptfields.KNOWN and fault.nearest(key, ["surface"])), ""
        )
        line = front.fields[near].line if near else 0
        return (
            Fault(near, "surface", fault.shown(near), "surface", "surface: hook", f"{where}:{line}") if near else None
        )
    words = scriptfields.surfaces(front)
    near = "" if {"hook", "system"} & {*words} else next((word for word in words if fault.nearest(word, ["hook"])), "")
    line = front.fields["surface"].line
    return Fault("surface", "hook", fault.shown(near), "hook", "surface: hook", f"{where}:{line}") if near else None


def _notes(tree: Tree, root: Root, path: str, files: list[str]) -> Iterator[_Note]:
    for name in files:
        if not name.endswith(".md"):
            continue
        read = tree.read(f"{path}/{name}")
        if read is None or not any(word in read[0][: frontmatter.BYTES] for word in NAMED):
            continue
        shown = tree.sources.shown(f"{path}/{name}")
        front = frontmatter.read(read[0], shown)
        if isinstance(front, frontmatter.Front):
            front = _misspelt(front, shown) or front
        elif isinstance(front, Fault) and b"surface" not in read[0][: frontmatter.BYTES]:
            continue
        if isinstance(front, Fault):
            beside = {
                tree.sources.shown(f"{path}/{one}"): data for one, (data, _) in _beside(tree, path, files).items()
            }
            tree.refuse(root, f"{path}/{name}", [front], {shown: read[0], **beside})
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


def _program(note: _Note, folder: str, beside: Mapping[str, tuple[bytes, bool]], where: str) -> str | Fault:
    """Which of the programs is the note's: the one it names, the only one, the one of its name or of its folder's."""
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
    stem = note.name.removesuffix(".md")
    for bears in (stem, folder):
        same = [name for name in beside if os.path.splitext(name)[0] == bears]
        if len(same) == 1:
            return same[0]
    stem = folder or stem
    if not beside:
        return Fault("script", "a program in the same folder", "none", "", f"{stem}.sh beside it", f"{where}:{line}")
    got = f"{len(beside)}: {', '.join(beside)}"
    return Fault("script", "one program in the same folder, or its name", got, "",
                 f"script: {next(iter(beside))}", f"{where}:{line}")  # fmt: skip


def _stem(note: _Note, folder: str, *, alone: bool) -> str:
    """What a node's id is made of: its folder's name for `spec.md`, and for a note that is alone there."""
    own = note.name.removesuffix(".md")
    return folder if folder and (alone or own == "spec") else own


def nodes(tree: Tree, root: Root) -> None:
    """Look through a node root. A note with faults takes no part in the names of the others."""
    for path, rel, files in tree.walk(root):
        notes = list(_notes(tree, root, path, files))
        folder = rel.rstrip("/").rpartition("/")[2]
        beside = _beside(tree, path, files) if any("hook" in note.surfaces for note in notes) else {}
        judged = [(note, _judged(note, folder, beside, tree.sources.shown(f"{path}/{note.name}"))) for note in notes]
        alone = sum(not isinstance(found, list) for _, found in judged) == 1
        for note, found in judged:
            stem = _stem(note, folder, alone=alone)
            where = tree.sources.shown(f"{path}/{note.name}")
            if isinstance(found, list):
                shown = {tree.sources.shown(f"{path}/{name}"): data for name, (data, _) in beside.items()}
                tree.refuse(root, f"{path}/{note.name}", found, {where: note.data, **shown})
            elif found is not None:
                _node(tree, root, path, rel, stem, note, found, beside, where)
            if "system" in note.surfaces:
                _body(tree, root, path, stem, note, where)


def _body(tree: Tree, root: Root, path: str, stem: str, note: _Note, where: str) -> None:
    status = note.front.fields.get("status")
    if status is not None and status.value == "pending":
        tree.leave(f"{path}/{note.name}", "status: pending")
        return
    tree.texts.append(Text(stem, frontmatter.body(note.data, note.front), where, note.data, root))


def _judged(
    note: _Note, folder: str, beside: Mapping[str, tuple[bytes, bool]], where: str
) -> tuple[Said, str] | list[Fault] | None:
    """What a note declares, with its program's name ("" when it does not run); all that is wrong; None for a text."""
    if "hook" not in note.surfaces:
        return None
    said = scriptfields.said(note.front, where, node=True)
    if isinstance(said, list):
        return said
    program = "" if said.inert else _program(note, folder, beside, where)
    return [program] if isinstance(program, Fault) else (said, program)


def _node(
    tree: Tree,
    root: Root,
    path: str,
    rel: str,
    stem: str,
    note: _Note,
    found: tuple[Said, str],
    beside: Mapping[str, tuple[bytes, bool]],
    where: str,
) -> None:
    said, program = found
    if said.inert:
        tree.leave(f"{path}/{note.name}", said.inert, said)
        return
    full = f"{path}/{program}"
    pieces = {where: note.data, tree.sources.shown(full): beside[program][0]}
    take(tree, root, full, f"{rel}{program}", stem, said, where, pieces, beside[program])
