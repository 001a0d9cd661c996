"""A project's scripts and texts as units of trust, and the trusted copies of those that are not as they were."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from jackline.compiler import copies, frontmatter, scriptfields
from jackline.compiler.copies import NoCopy
from jackline.compiler.fault import Fault
from jackline.compiler.scriptfind import IGNORE, Found, Left, Root, Text, Tree, argv
from jackline.compiler.sources import Sources, digest
from jackline.compiler.trust import Key, Unit
from jackline.compiler.trust_state import Standing

HOOKS = ".ai/hooks"
OWN_UNITS = ("features", "scripts", "schema")
"""Folders below `.ai/hooks` that are no inputs of scripts: units of their own, or what Jackline writes for editors."""


class Running(NamedTuple):
    """The project's scripts and texts that are in force, those that wait and why, and the units that cannot run."""

    scripts: list[Found]
    waits: list[tuple[Found, str]]
    texts: list[Text]
    unread: list[tuple[Text, str]]
    holds: list[tuple[Key, str]]


def _place(found: Found) -> str:
    return found.declared


def _near(sources: Sources, tree: Tree, folder: str, skip: Iterable[str] = ()) -> dict[str, bytes]:
    """Every file below a folder, as shown; what was not read yet is read."""
    root = Root(folder, sources.shown(folder), "", "project")
    found: dict[str, bytes] = {}
    for path, rel, files in tree.walk(root):
        if rel.split("/")[0] in skip and rel:
            continue
        for name in files:
            full = f"{path}/{name}"
            if full not in tree.data:
                left = len(tree.left)
                tree.read(full)
                del tree.left[left:]
            if full in tree.data:
                found[sources.shown(full)] = tree.data[full]
    return found


def _beside(sources: Sources, tree: Tree, configuration: Iterable[str]) -> dict[str, bytes]:
    """What scripts of `.ai/hooks` may work with besides their own folder: what lies there and is no unit."""
    hooks = f"{sources.root}/{HOOKS}"
    inputs: dict[str, bytes] = {}
    for name in sources.folder(hooks):
        full = f"{hooks}/{name}"
        shown = sources.shown(full)
        if name in OWN_UNITS or shown in configuration or name.endswith(".json"):
            continue
        if os.path.isdir(full):
            inputs |= _near(sources, tree, full)
        else:
            data = _file(sources, tree, full)
            inputs |= {} if data is None else {shown: data}
    return inputs


def _file(sources: Sources, tree: Tree, path: str) -> bytes | None:
    """A file beside the roots, with whether it may be executed; None when it is missing or may not be read."""
    data = sources.file(path)
    if data is not None and path not in tree.data:
        tree.keep(path, data)
    return data


def _declared_inputs(sources: Sources, tree: Tree, names: Sequence[str]) -> dict[str, bytes]:
    found = {}
    for name in names:
        full = os.path.normpath(f"{sources.root}/{name}")
        if full.startswith(sources.root + "/"):
            data = _file(sources, tree, full)
            if data is not None:
                found[sources.shown(full)] = data
    return found


def units(sources: Sources, tree: Tree, book: Iterable[Key], configuration: Iterable[str]) -> list[Unit]:
    """Every script and text of the project that is there, those included that broke since they were trusted."""
    found = [one for one in tree.found if one.root.origin == "project"]
    own = {name for one in found for name in one.pieces} | {text.file for text in tree.texts}
    own |= {one.file for one in tree.left if one.unit}
    cache: dict[str, dict[str, bytes]] = {}

    def inputs(one: Found) -> dict[str, bytes]:
        if one.said.inputs is not None:
            beside = {f"{one.root.shown}/{IGNORE}": one.ignore} if one.ignore else {}
            return _declared_inputs(sources, tree, one.said.inputs) | beside
        folder = one.path.rpartition("/")[0] if one.root.nodes else one.root.path
        if folder not in cache:
            near = _near(sources, tree, folder)
            if one.root.shown.startswith(HOOKS + "/"):
                near |= _beside(sources, tree, configuration)
            cache[folder] = {name: data for name, data in near.items() if name not in own}
        return cache[folder]

    made = [_script(one, inputs(one), tree, sources) for one in found]
    made += [Unit("text", one.file, {one.file: one.data}) for one in tree.texts if one.root.origin == "project"]
    here = {one.key for one in made}
    left = {one.file: one for one in tree.left}
    for key in book:
        if key[0] in ("script", "text") and key not in here and key[1] in left:
            made.append(_broken(key, left[key[1]], tree, sources))
    return made


def _script(one: Found, inputs: Mapping[str, bytes], tree: Tree, sources: Sources) -> Unit:
    names = (*one.pieces, *inputs)
    executable = frozenset(name for name in names if f"{sources.root}/{name}" in tree.executable)
    return Unit("script", _place(one), one.pieces, inputs, "", {"stem": one.stem}, executable)


def _broken(key: Key, left: Left, tree: Tree, sources: Sources) -> Unit:
    data = tree.data.get(f"{sources.root}/{key[1]}", b"")
    return Unit(key[0], key[1], {key[1]: data}, {}, left.why, {"inert": left.inert})  # type: ignore[arg-type]


# --- copies --------------------------------------------------------------------------------------------------------


def _root_of(place: str, roots: Sequence[Root], base: str) -> Root:
    """The root a place belongs to; one of its own where nobody looks there any more."""
    nodes = place.endswith(".md")
    for root in roots:
        if root.origin == "project" and root.nodes == nodes and place.startswith(root.shown + "/"):
            return root
    shown = place.rpartition("/")[0]
    return Root(f"{base}/{shown}", shown, shown.replace("/", "-").strip(".-"), "project", nodes)


def _copy(store: str, standing: Standing, roots: Sequence[Root], base: str) -> Found:
    """The script as it was trusted, laid out where it can run. Raises NoCopy."""
    assert standing.last is not None
    unit = copies.unit_of(store, standing.key, standing.last)
    place = standing.key[1]
    root = _root_of(place, roots, base)
    front = frontmatter.read(unit.own[place], place)
    if front is None or isinstance(front, Fault):
        raise NoCopy("its trusted copy is read as no script by this version")
    said = scriptfields.said(front, place, node=root.nodes)
    program = next((name for name in sorted(unit.own) if not root.nodes or name != place), place)
    data = unit.own[program]
    words = argv(data, program, runs=program in unit.executable)
    if isinstance(said, list) or isinstance(words, str):
        raise NoCopy("its trusted copy cannot be started by this version")
    folder = copies.lay_out(store, unit, base)
    stem = str(unit.more.get("stem") or os.path.splitext(program.rpartition("/")[2])[0])
    rel = program[len(root.shown) + 1 :]
    ignore = unit.inputs.get(f"{root.shown}/{IGNORE}", b"") if said.type == "file" else b""
    base = f"{folder}/{root.shown}"
    return Found(root, f"{folder}/{program}", rel, stem, digest(data), words, said, place, unit.own, base, ignore)


def in_roots(places: Iterable[str], key: Key) -> bool:
    """Whether a script or text stands where trusted configuration has them looked for."""
    return any(key[1].startswith(place + "/") for place in places)


def running(
    store: str, sources: Sources, tree: Tree, roots: Sequence[Root], standings: Mapping[Key, Standing], why: str
) -> Running:
    """What is in force of all that is there or was trusted. `why` is said of what waits. `standings`: of those whose
    place is one that a person has scripts looked for in.
    """
    made = Running([one for one in tree.found if one.root.origin != "project"], [], [], [], [])
    standing: Standing | None
    for one in tree.found:
        if one.root.origin == "project":
            standing = standings.get(("script", _place(one)))
            if standing is not None and standing.runs == "itself":
                made.scripts.append(one)
            elif standing is None or standing.runs == "nothing":
                made.waits.append((one, why))
    for key, standing in standings.items():
        if key[0] == "script" and standing.runs == "copy":
            try:
                made.scripts.append(_copy(store, standing, roots, sources.root))
            except NoCopy as fault:
                made.holds.append((key, str(fault)))
    for text in tree.texts:
        standing = standings.get(("text", text.file))
        if text.root.origin != "project" or (standing is not None and standing.runs == "itself"):
            made.texts.append(text)
        else:
            made.unread.append((text, why))
    return made
