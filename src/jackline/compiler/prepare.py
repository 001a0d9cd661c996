"""Read a feature that may be read: its declaration, its knobs with their defaults, and its modules as code objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from jackline import jsonio
from jackline.compiler import cache, schemas, tools
from jackline.compiler.cache import Kept
from jackline.compiler.declared import Declared
from jackline.compiler.discover import Found, import_root
from jackline.compiler.fault import Fault
from jackline.compiler.layers import Order, flat
from jackline.compiler.old_names import may_ask
from jackline.compiler.places import lines_of, syntax
from jackline.compiler.registry import BUILT_IN, folder_of
from jackline.compiler.stable_marshal import dump

if TYPE_CHECKING:
    from ast import Module


class Part(NamedTuple):
    """A feature that can be wired. `knobs` is its schema ({} = any knob), `directions` how they tighten, by key."""

    found: Found
    declared: Declared
    defaults: Mapping[str, Any]
    knobs: Mapping[str, Any]
    directions: Mapping[str, Order | str]
    where: str


def _json(found: Found, name: str, where: str, faults: list[Fault]) -> dict[str, Any]:
    data = found.files.get(name)
    if data is None:
        return {}
    try:
        value = jsonio.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        faults.append(syntax(fault, f"{where}/{name}"))
        return {}
    if isinstance(value, dict):
        return value
    faults.append(Fault("", "an object", "something else", "", "{}", f"{where}/{name}"))
    return {}


def _directions(schema: Mapping[str, Any], prefix: str) -> dict[str, Order | str]:
    found: dict[str, Order | str] = {}
    for key, inner in schema.get("properties", {}).items():
        here = f"{prefix}.{key}"
        said = inner.get("x-tighten") if isinstance(inner, dict) else None
        if isinstance(said, list):
            found[here] = tuple(said)
        elif said in ("true", "false"):
            found[here] = (False, True) if said == "true" else (True, False)
        elif said:
            found[here] = str(said)
        if isinstance(inner, dict):
            found |= _directions(inner, here)
            each = inner.get("additionalProperties")
            if isinstance(each, dict) and each.get("x-tighten") == "add":
                found[f"{here}.*"] = "add"
    return found


def _slug(found: Found, declared: Declared, where: str) -> list[Fault]:
    if found.slug in (declared.name, folder_of(declared.name)):
        return []
    place = f"{where}/hook.py:{declared.line}"
    expected = f'"{found.slug}", as its folder is called'
    return [Fault("name", expected, f'"{declared.name}"', "", f'name="{found.slug}"', place)]


def _declared(found: Found, where: str, pieces: Kept) -> Declared | list[Fault]:
    source = found.files["hook.py"]
    key = cache.key(b"declared", source)
    piece = pieces.take(key)
    if piece is not None:
        return Declared(*piece)
    from jackline.compiler import declare  # the parser of Python is slow to load

    said = declare.declared(source, f"{where}/hook.py")
    if isinstance(said, Declared):
        pieces.keep(key, (*said,))
    return said


class _Knobs(NamedTuple):
    """A feature's knobs: their defaults, their schema, and how they tighten."""

    defaults: dict[str, Any]
    schema: dict[str, Any]
    directions: dict[str, Order | str]


def _read_knobs(found: Found, slug: str, where: str) -> _Knobs | list[Fault]:
    faults: list[Fault] = []
    schema = _json(found, "knobs.schema.json", where, faults)
    if schema:
        from jackline.compiler import schema_shape

        misshapen = [one._replace(where=f"{where}/knobs.schema.json") for one in schema_shape.faults(schema)]
        faults += lines_of(found.files["knobs.schema.json"].decode("utf-8-sig"), misshapen)
    defaults = _json(found, "defaults.json", where, faults)
    if not faults and schema:
        told = schemas.check(schema, defaults, f"{where}/defaults.json")
        faults += lines_of(found.files.get("defaults.json", b"").decode("utf-8-sig"), told)
    return faults or _Knobs(defaults, schema, _directions(schema, f"config.{slug}"))


def _knobs(found: Found, slug: str, where: str, pieces: Kept) -> _Knobs | list[Fault]:
    key = cache.key(b"knobs", slug, found.files.get("knobs.schema.json"), found.files.get("defaults.json"))
    piece = pieces.take(key)
    if piece is not None:
        return _Knobs(*piece)
    made = _read_knobs(found, slug, where)
    if isinstance(made, _Knobs):
        pieces.keep(key, (*made,))
    return made


def prepare(found: Found, where: str, pieces: Kept) -> Part | list[Fault]:
    """Read what a feature says of itself; everything that is wrong with it, when something is."""
    said = _declared(found, where, pieces)
    if isinstance(said, list):
        return said
    faults = _slug(found, said, where)
    for word in tools.resolve(said.tools).strange:
        if word.startswith("kind:"):
            faults.append(tools.kind_fault("tools", word, f"{where}/hook.py:{said.line}"))
    knobs = _knobs(found, said.name, where, pieces)
    if isinstance(knobs, list):
        return faults + knobs
    return faults or Part(found, said, knobs.defaults, knobs.schema, knobs.directions, where)


def base_of(part: Part) -> dict[str, Any]:
    """What a feature adds to the built-in values: its own words, and the defaults of its knobs."""
    slug = part.declared.name
    return {
        f"modules.{slug}.priority": part.declared.priority,
        f"modules.{slug}.hotPathSafe": part.declared.hot_path_safe,
        f"modules.{slug}.critical": bool(part.declared.critical),
        f"modules.{slug}.runner": part.declared.runner,
        f"modules.{slug}.mayApprove": False,
        **dict(flat({f"config.{slug}": dict(part.defaults)} if part.defaults else {})),
    }


def _source(data: bytes) -> bytes | Module:
    """A module as it is compiled: a copy of an earlier version's asks for names where they stand now."""
    if not may_ask(data):
        return data
    from jackline.compiler.rename_imports import followed

    return followed(data)


def _code(data: bytes, place: str, pieces: Kept) -> bytes | Fault:
    """A module as a code object."""
    key = cache.key(b"code", place, data)
    piece: bytes | None = pieces.take(key)
    if piece is not None:
        return piece
    try:
        made = dump(compile(_source(data), place, "exec", dont_inherit=True, optimize=2))
    except (SyntaxError, ValueError, MemoryError, RecursionError) as fault:
        line = getattr(fault, "lineno", None) or 1
        return Fault("", "Python", getattr(fault, "msg", str(fault)), "", "", f"{place}:{line}")
    pieces.keep(key, made)
    return made


def codes(part: Part, pieces: Kept) -> tuple[str, tuple[tuple[str, bytes], ...]] | list[Fault]:
    """The module to import and the code of a feature's modules; no code for what is imported from its package."""
    found = part.found
    if found.origin == "builtin":
        return f"jackline.features.{folder_of(found.slug)}.hook", ()
    if found.origin == "package":
        return found.module, ()
    from jackline.compiler.sources import digest

    mark = digest(b"\0".join([name.encode() + b"\0" + data for name, data in sorted(found.files.items())])).hex()[:8]
    package = f"jackline_feature_{folder_of(part.declared.name)}_{mark}"
    made: list[tuple[str, bytes]] = []
    faults: list[Fault] = []
    files = {"__init__.py": b"", **found.files}
    for name, data in sorted(files.items()):
        if not name.endswith(".py"):
            continue
        module = package if name == "__init__.py" else f"{package}.{name[:-3]}"
        code = _code(data, f"{part.where}/{name}", pieces)
        if isinstance(code, Fault):
            faults.append(code)
        else:
            made.append((module, code))
    return faults or (f"{package}.hook", tuple(made))


NOTHING = ("",)
"""No part of the state: none has this name."""


class Rights(NamedTuple):
    """What a feature may beyond answering: write parts of the state, stamp, work with ours, name triggers."""

    state: tuple[str, ...] = ()
    stamps: bool = False
    needs: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()


def rights(part: Part) -> Rights:
    """What a feature may.

    What a built-in feature has is its own, and a copy's under its name, of whatever version that is.
    """
    slug, declared = part.declared.name, part.declared
    taken = {one.name: Rights(one.state, one.stamps, one.needs, one.triggers) for one in BUILT_IN}
    if part.found.origin == "builtin":
        return Rights(declared.state, declared.stamps, declared.needs, declared.triggers)
    if slug in taken:
        theirs = taken[slug]
        return theirs._replace(
            state=theirs.state or declared.state,
            needs=theirs.needs or declared.needs,
            triggers=theirs.triggers or declared.triggers,
        )
    others = {one for theirs in taken.values() for one in theirs.state}
    own = tuple([one for one in declared.state if one not in others])
    return Rights(own or (NOTHING if slug in others else ()), False, declared.needs, declared.triggers)


def import_roots(part: Part, sites: Sequence[str] | None) -> tuple[str, ...] | list[Fault]:
    """The folders of the third-party packages a feature declares."""
    found = {name: import_root(name, sites) for name in part.declared.imports}
    missing = [name for name, root in found.items() if not root]
    if missing:
        place = f"{part.where}/hook.py:{part.declared.line}"
        return [Fault("imports", "installed packages", name, "", f"pip install {name}", place) for name in missing]
    if part.found.package:
        found[""] = part.found.folder[: part.found.folder.rindex("-packages") + len("-packages")]
    return tuple(sorted(set(found.values())))
