"""Scripts as the hook table takes them: which there are, under which keys, in which order; what is left out and why.

`look` reads (with `scriptfind` and `scriptnodes`), `stock` names what runs and what waits, `wired` makes the rows.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jackline import system
from jackline.compiler.fault import Fault
from jackline.compiler.layers import Layer
from jackline.compiler.scriptfind import Found, Left, Root, Text, Tree, ignored, scripts
from jackline.compiler.scriptnodes import nodes
from jackline.compiler.sources import Sources
from jackline.compiler.stable_marshal import plain
from jackline.script import Script

ROOTS = (".ai/hooks/scripts", ".discobot/hooks")
NODES = (".config", ".plugins")
"""Where a project's scripts and nodes are looked for when no manifest says otherwise."""

USUAL: dict[str, Any] = {
    "scripts.roots": list(ROOTS),
    "scripts.nodes": list(NODES),
    "scripts.enabled": True,
    "scripts.disabled": [],
}
"""The settings about scripts, as they are when nobody says otherwise."""

SPEAKS = {"managed": ("managed",), "user": ("managed", "user"), "project": ("managed", "user", "project", "local")}
"""Which layers may switch off the scripts of an origin: those above it, and its own."""

LONGEST = 48
"""Characters of a slug."""


class Keyed(NamedTuple):
    """A script with the name it goes by."""

    key: str
    id: str
    found: Found


class Look(NamedTuple):
    """What there is below the roots, before anybody's word counts. `order`: the roots, by their authority."""

    order: tuple[Root, ...]
    tree: Tree
    warnings: list[str]


class Stock(NamedTuple):
    """The scripts that run, and those that wait: `waits` tells by key why one does, `off` why one is switched off.

    `doubts`: what is written in one that runs, and means nothing.
    """

    scripts: tuple[Keyed, ...]
    texts: tuple[Text, ...]
    left: tuple[Left, ...]
    off: Mapping[str, str]
    exclude: Mapping[str, tuple[str, ...]]
    waits: Mapping[str, str]
    unread: tuple[tuple[Text, str], ...]
    warnings: tuple[str, ...]
    doubts: tuple[Fault, ...] = ()


NONE = Stock((), (), (), {}, {}, {}, (), ())


class Wired(NamedTuple):
    """What scripts give to the hook table: rows by event or type, texts of system nodes, what does not run and why."""

    rows: dict[str, bytes]
    guidance: bytes
    idle: tuple[tuple[str, str, str, tuple[str, ...], str], ...]  # file, key, type, events, why
    declared: dict[str, str]  # by key, where front matter stands in another file than the program


# --- where ---------------------------------------------------------------------------------------------------------


def slug(name: str) -> str:
    """A name as a file or a column can carry it: letters, digits, `-`."""
    made = "".join([char if char.isalnum() else "-" for char in name.lower()])
    made = "-".join([part for part in made.split("-") if part])
    if made and len(made.encode("utf-8", "replace")) <= LONGEST:
        return made
    mark = hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    return f"{made[: LONGEST // 4]}-{mark}" if made else f"script-{mark}"


def _places(layers: Sequence[Layer], key: str, warnings: list[str]) -> list[str]:
    """The folders a manifest names, the last layer's word: relative to the project and inside it.

    A layer that nobody trusts adds folders, so that a person sees what they would say yes to; it takes none away.
    """
    added: list[str] = []
    for layer in [one for one in layers if not one.trusted]:
        more = layer.values.get(key)
        added += [os.path.normpath(one) for one in more if _inside(one)] if isinstance(more, list) else []
    places: list[str] = USUAL[key]
    for layer in [one for one in layers if one.trusted]:
        if isinstance(layer.values.get(key), list):
            places = layer.values[key]
            where = f"{layer.files.get(key, layer.name)} · {key}"
            for one in [one for one in places if not _inside(one)]:
                warnings.append(f'{where}: "{one}" does not count: it leads out of the project')
            places = [os.path.normpath(one) for one in places if _inside(one)]
    return list(dict.fromkeys([*places, *added]))


def _inside(place: str) -> bool:
    made = os.path.normpath(place)
    return "\0" not in place and not made.startswith(("/", "~")) and made.split("/")[0] not in ("..", ".")


def places(layers: Sequence[Layer]) -> list[str]:
    """Where these layers have a project's scripts and nodes looked for."""
    return [*_places(layers, "scripts.roots", []), *_places(layers, "scripts.nodes", [])]


def roots(root: str, folders: Mapping[str, str], layers: Sequence[Layer], home: str, warnings: list[str]) -> list[Root]:
    """Where scripts are looked for, in the order of their authority. `folders`: of the managed and the user's layer."""
    found = [
        Root(f"{folder}/scripts", f"{folder}/scripts", origin, origin) for origin, folder in folders.items() if folder
    ]
    if root:
        for place in _places(layers, "scripts.roots", warnings):
            found.append(Root(f"{root}/{place}", place, slug(place), "project"))
        for place in _places(layers, "scripts.nodes", warnings):
            if root != home or place not in NODES:  # a home folder's .config is full of other programs' files
                found.append(Root(f"{root}/{place}", place, slug(place), "project", nodes=True))
    return found


# --- names ---------------------------------------------------------------------------------------------------------


def _ids(found: Sequence[Found]) -> list[str]:
    """Ids of the scripts of one root: the stem; where two have it, both take the whole name, then the whole path."""
    ids = [slug(one.stem) for one in found]
    for longer in (_whole_name, _whole_path, _hashed):
        double = {one for one, times in Counter(ids).items() if times > 1}
        if not double:
            break
        ids = [longer(one) if here in double else here for one, here in zip(found, ids, strict=True)]
    return ids


def _whole_name(one: Found) -> str:
    return slug(one.path.rpartition("/")[2])


def _whole_path(one: Found) -> str:
    return slug(one.rel)


def _hashed(one: Found) -> str:
    mark = hashlib.blake2b(f"{one.rel}\0{one.declared}".encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    return f"{slug(one.stem)[:LONGEST]}-{mark}"


def keyed(order: Sequence[Root], found: Sequence[Found], taken: set[str] | None = None) -> list[Keyed]:
    """The scripts with keys: the id, or with the root before it where an earlier root has that id already.

    `taken`: keys that are not to be had any more; those that are given are added.
    """
    taken = set() if taken is None else taken
    made = []
    for root in order:
        here = [one for one in found if one.root is root]
        for name, one in zip(_ids(here), here, strict=True):
            key = name if name not in taken else f"{root.slug}.{name}"
            if key in taken:
                key = f"{root.slug}.{_hashed(one)}"
            made.append(Keyed(key, name, one))
        taken.update([one.key for one in made[len(made) - len(here) :]])
    return made


# --- switched off --------------------------------------------------------------------------------------------------


def _off(layers: Sequence[Layer], scripts: Sequence[Keyed], warnings: list[str]) -> dict[str, str]:
    """Which scripts a manifest switches off, and whose. A layer speaks of its own scripts and of those below it."""
    off: dict[str, str] = {}
    by_name: dict[str, list[Keyed]] = {}
    for one in scripts:
        for name in {one.key, one.id, one.found.path.rpartition("/")[2]}:
            by_name.setdefault(name, []).append(one)
    for layer in layers:
        for name in layer.values.get("scripts.disabled", ()):
            named = by_name.get(name, [])
            for one in named:
                if layer.name in SPEAKS[one.found.root.origin]:
                    off.setdefault(one.key, f"disabled ({layer.name})")
                else:
                    warnings.append(f"{layer.files['scripts.disabled']} · scripts.disabled: {name} is "
                                    f"{one.found.root.origin}, only {' or '.join(SPEAKS[one.found.root.origin])} "
                                    "configuration can switch it off")  # fmt: skip
            if not named:
                where = f"{layer.files['scripts.disabled']} · scripts.disabled"
                warnings.append(f"{where}: there is no script of the name {name}")
    for origin, speakers in SPEAKS.items():
        said = [layer for layer in layers if layer.name in speakers and "scripts.enabled" in layer.values]
        said = [layer for layer in said if layer.name == "managed" and not layer.values["scripts.enabled"]] or said
        if said and not said[-1].values["scripts.enabled"]:
            off |= {one.key: f"scripts.enabled: false ({said[-1].name})" for one in scripts
                    if one.found.root.origin == origin}  # fmt: skip
    return off


# --- the whole -----------------------------------------------------------------------------------------------------


def _looked(sources: Sources, order: Sequence[Root]) -> Tree:
    tree = Tree(sources)
    for root in order:
        if not system.is_dir(root.path):
            sources.absent(root.path)
        elif not tree.leads_out(root, root.path):
            (nodes if root.nodes else scripts)(tree, root)
    return tree


def look(sources: Sources, layers: Sequence[Layer], folders: Mapping[str, str], home: str) -> Look:
    """Read every script that is there."""
    warnings: list[str] = []
    order = roots(sources.root, folders, layers, home, warnings)
    return Look(tuple(order), _looked(sources, order), warnings)


def stock(
    looked: Look,
    layers: Sequence[Layer],
    runs: Sequence[Found],
    waits: Sequence[tuple[Found, str]],
    texts: Sequence[Text],
    unread: Sequence[tuple[Text, str]],
) -> Stock:
    """Give the scripts that run their keys, and those that wait theirs after them. `layers`: those that are trusted."""
    warnings = [*looked.warnings]
    tree = looked.tree
    order = [*looked.order, *[one.root for one in runs if one.root not in looked.order]]
    taken: set[str] = set()
    running = keyed(order, runs, taken)
    waiting = keyed(order, [found for found, _ in waits], taken)
    found = [*running, *waiting]
    off = _off(layers, found, warnings)
    exclude = {}
    for one in found:
        if one.found.ignore:
            exclude[one.key] = ignored(one.found.ignore)
    why = {id(found): reason for found, reason in waits}
    return Stock(
        tuple(found), tuple(texts), tuple(tree.left), off, exclude,
        {one.key: why[id(one.found)] for one in waiting}, tuple(unread), (*tree.warnings, *warnings),
        tuple(tree.doubts),
    )  # fmt: skip


_DEFAULTS = (*Script("", "event", "", b""),)
RARE = Script._fields.index("block")  # type: ignore[attr-defined,unused-ignore]
"""Where the fields of a script begin that most leave as they are."""


def _row(one: Keyed, exclude: tuple[str, ...]) -> tuple[Any, ...]:
    """A script as the hook table keeps it (`HookTable.scripts`): what is its own, then what it may share with others.

    The path is that below its root, and usual values at the end are left out.
    """
    found = one.found
    values = dict(found.said.values)
    if exclude:
        values["exclude"] = (*values["exclude"], *exclude)
    values["name"] = values["name"] or (found.stem if found.root.nodes else found.path.rpartition("/")[2])
    made = Script(one.key, found.said.type, "", found.digest, **values)  # type: ignore[arg-type]
    rest = (*made,)[RARE:]
    while rest and rest[-1] == _DEFAULTS[RARE + len(rest) - 1]:
        rest = rest[:-1]
    own = (one.key, found.rel, found.digest, made.name, made.description, made.order)
    return *own, (made.type, found.argv, found.root.origin, found.base or found.root.shown, made.events, rest)


def _pack(rows: Sequence[tuple[Any, ...]]) -> bytes:
    """The scripts of one event or type; what several have in common is said once."""
    shared: dict[tuple[Any, ...], int] = {}
    own = [(*row[:-1], shared.setdefault(row[-1], len(shared))) for row in rows]
    return plain((tuple(shared), tuple(own)))


def _order(one: Keyed, root: int) -> tuple[Any, ...]:
    """Event scripts by their number and key; the others by file name, root after root."""
    if one.found.said.type == "event":
        return one.found.said.values["order"], one.key
    return root, one.found.path.rpartition("/")[2], one.found.rel


def wired(made: Stock) -> Wired:
    """The rows of what runs, and what does not."""
    places = {name: at for at, name in enumerate(dict.fromkeys([one.found.root.path for one in made.scripts]))}
    rows: dict[str, list[tuple[tuple[Any, ...], tuple[Any, ...]]]] = {}
    idle: list[tuple[str, str, str, tuple[str, ...], str]] = [
        (one.file, "", one.type, one.events, one.why) for one in made.left
    ]
    for one in made.scripts:
        found = one.found
        events = found.said.values.get("events", ())
        reason = made.off.get(one.key, "") or made.waits.get(one.key, "")
        if reason:
            idle.append((found.declared, one.key, found.said.type, tuple(events), reason))
            continue
        row = _order(one, places[found.root.path]), _row(one, made.exclude.get(one.key, ()))
        for name in events or (found.said.type,):
            rows.setdefault(name, []).append(row)
    texts = sorted([(text.name, text.text) for text in made.texts])
    idle += [(text.file, "", "system", (), why) for text, why in made.unread]
    ordered = {name: _pack([row for _, row in sorted(rows[name])]) for name in sorted(rows)}
    apart = {one.key: one.found.declared for one in made.scripts if one.found.root.nodes}
    return Wired(ordered, plain(tuple(texts)), tuple(sorted(set(idle))), dict(sorted(apart.items())))
