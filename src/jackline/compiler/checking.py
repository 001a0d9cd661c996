"""Check everything that a compile would take, trusted or not: what is broken, and what is written and means nothing.

Reads and parses; nothing of what it checks is run or imported. `compile --check` shows what it finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jackline.compiler import locate, prepare, syntax, tools
from jackline.compiler.base import base_of, directions_of
from jackline.compiler.cache import Kept
from jackline.compiler.collect import PROJECT, Survey, survey
from jackline.compiler.configuration import WORKSPACE
from jackline.compiler.fault import Fault, nearest, shown
from jackline.compiler.layers import Layer, fold
from jackline.compiler.places import repeated
from jackline.compiler.prepare import Part
from jackline.compiler.registry import KNOWN, NOT_YET, folder_of
from jackline.compiler.rows import faulty, wired
from jackline.compiler.trust import Key
from jackline.hook_table import HookSpec

LOOSE = ".mayApprove"
FROM_PACKAGES = ("builtin", "package")


# --- features --------------------------------------------------------------------------------------------------------


def _parts(found: Survey, faults: list[Fault]) -> list[Part]:
    """Every feature there is, read, the project's too when nobody trusts them."""
    parts = [one for one in found.parts if one.found.origin not in PROJECT]
    for one in found.features:
        if one.origin in PROJECT:
            part = prepare.prepare(one, found.sources.shown(one.folder), Kept())
            if isinstance(part, list):
                faults += part
            else:
                parts.append(part)
    return parts


def _compiled(found: Survey, parts: Sequence[Part], sites: Sequence[str] | None) -> Iterator[Fault]:
    """What keeps a feature from being compiled with the knobs that the layers leave it; of those off, their code."""
    layers = [one._replace(trusted=True) for one in found.layers]
    resolved = fold(base_of(parts), layers, directions_of(parts))
    for part in parts:
        if resolved.values.get(f"modules.{part.declared.name}.enabled"):
            row = wired(part, resolved, sites, Kept())
            yield from faulty(part, row.config) if isinstance(row, HookSpec) else row
        else:
            code = prepare.codes(part, Kept())
            yield from code if isinstance(code, list) else ()
    for one in resolved.refused:
        if one.key.endswith(LOOSE):
            layer = next((layer for layer in layers if layer.files.get(one.key) == one.file), layers[-1])
            yield Fault(one.key, "nothing here", shown(one.value), "", f"take it out: {one.why}",
                        locate.key(found, layer, one.key))  # fmt: skip


def _offers(part: Part) -> tuple[str, ...]:
    """What a feature may say that it works with: what ours do, and kinds of artifacts that any announces."""
    ours = part.declared.needs if part.found.origin == "builtin" else ()
    return (*ours, *part.declared.produces)


def _declared(parts: Sequence[Part]) -> Iterator[Fault]:
    """Names in a declaration that match nothing."""
    needs = sorted({one for part in parts for one in _offers(part)})
    for part in parts:
        if part.found.origin in FROM_PACKAGES:
            continue
        where = f"{part.where}/hook.py:{part.declared.line}"
        for word in tools.resolve(part.declared.tools).strange:
            if tools.meant(word):  # else it may be a tool that we do not know
                yield Fault(
                    "tools", "a tool of a client", shown(word), tools.meant(word), shown(tools.meant(word)), where
                )
        for word in part.declared.needs:
            if word not in needs:
                near = nearest(word, needs)
                yield Fault("needs", f"one of {', '.join(needs)}", shown(word), near, shown(near or needs[0]), where)


# --- configuration ---------------------------------------------------------------------------------------------------


def _names(found: Survey, parts: Sequence[Part]) -> Iterator[Fault]:
    """Features that configuration speaks of and that are not there, or not yet."""
    there = {part.declared.name for part in parts}
    known = {*KNOWN, *there, *[one.slug for one in found.features], *[folder_of(slug) for slug in there]}
    for layer in found.layers:
        told = set()
        for key, value in layer.values.items():
            kind, _, rest = key.partition(".")
            name = rest.partition(".")[0]
            if key == "rewriteOwner" and value not in known:
                yield _unknown(found, layer, key, str(value), known)
            elif kind in ("modules", "config") and name not in known and (kind, name) not in told:
                if f"modules.{name}.path" in layer.values:
                    continue  # it was to be there, and that it is not is said already
                told.add((kind, name))
                yield _unknown(found, layer, f"{kind}.{name}", name, known)
            elif (
                key.endswith(".enabled") and value is True and name in KNOWN and not KNOWN[name].here | (name in there)
            ):
                yield Fault(key, "a feature of this version", f"{name}, {NOT_YET}", "", '"enabled": false',
                            locate.key(found, layer, key))  # fmt: skip


def _unknown(found: Survey, layer: Layer, path: str, name: str, known: set[str]) -> Fault:
    meant = nearest(name, sorted(known))
    key = next((one for one in layer.values if one == path or one.startswith(f"{path}.")), path)
    where = locate.at(found, layer.files.get(key, layer.name), path, path.removeprefix("config."))
    return Fault(path, "a feature's name", shown(name), meant, shown(meant) if meant else "take it out", where)


def _workspace(found: Survey) -> Iterator[Fault]:
    for key, value in found.workspace.items():
        if not key.startswith("hooks.") and value != WORKSPACE[key]:
            file = ".ai/hooks/workspace.json"
            said = f"{shown(WORKSPACE[key])}, which this version always uses"
            yield Fault(key, said, shown(value), "", "take it out", locate.at(found, file, key))


def _twice(found: Survey) -> Iterator[Fault]:
    """Keys that an object has twice: the first one means nothing."""
    for file, data in found.sources.named.items():
        if file.endswith(".json"):
            for path, line, first in repeated(data.decode("utf-8", "replace")):
                yield Fault(path, "each key once", f"a second one (the first in line {first})", "", "one of them",
                            f"{file}:{line}")  # fmt: skip


def _disabled(found: Survey) -> Iterator[Fault]:
    """Scripts that are switched off and that nobody wrote."""
    known: set[str] = set()
    for one in found.scripts.scripts:
        known |= {one.key, one.id, one.found.path.rpartition("/")[2]}
    known |= {left.file.rpartition("/")[2] for left in found.scripts.left}
    for layer in found.layers:
        for name in layer.values.get("scripts.disabled", ()):
            if name not in known and layer.name in PROJECT:
                meant = nearest(name, sorted(known))
                write = shown(meant) if meant else "take it out"
                yield Fault("scripts.disabled", "a script of this project", shown(name), meant, write,
                            locate.key(found, layer, "scripts.disabled"))  # fmt: skip


# --- the whole -------------------------------------------------------------------------------------------------------


def _scripts(found: Survey) -> Iterator[Fault]:
    for left in found.scripts.left:
        yield from left.faults
    yield from found.scripts.doubts
    for one in found.scripts.scripts:
        program = found.sources.shown(one.found.path)
        yield from syntax.check(one.found.path, program, one.found.argv, _data(one.found.pieces, program))


def _data(pieces: Mapping[str, bytes], program: str) -> bytes:
    return pieces.get(program, b"")


def check(found: Survey, sites: Sequence[str] | None = None) -> list[Fault]:
    """Everything that is wrong with what a compile would take if all were trusted (`collect` as checked out)."""
    faults = [*found.sources.faults, *found.sources.broken, *_twice(found)]
    parts = _parts(found, faults)
    for some in (
        _compiled(found, parts, sites),
        _declared(parts),
        _names(found, parts),
        _workspace(found),
        _disabled(found),
        _scripts(found),
    ):
        faults += some
    return list(dict.fromkeys(locate.located(found, faults)))


def of_units(root: str, store: str, keys: Sequence[Key]) -> list[Fault]:
    """What is wrong with some units of a project as they are now, whoever trusts them."""
    places = tuple([place for _, place in keys])
    found = check(survey(root, store, as_checked_out=True)) if places else []
    return [one for one in found if one.where.startswith(places)]
