"""Read a feature that may be read: its declaration, its knobs with their defaults, and its modules as code objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jackline import wire
from jackline.compiler import declare, schemas, tools
from jackline.compiler.canon import dump
from jackline.compiler.declare import Declared
from jackline.compiler.discover import Found, import_root
from jackline.compiler.fault import Fault
from jackline.compiler.layers import Order, flat
from jackline.compiler.places import lines_of, syntax
from jackline.compiler.registry import folder_of

DIRECTIONS = ("less", "more", "true", "false", "subset", "superset")
"""Values of `x-tighten` in a schema of knobs; a list of values, loosest first, is one too."""


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
        value = wire.loads(data.decode("utf-8-sig"))
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
    return found


def _slug(found: Found, declared: Declared, where: str) -> list[Fault]:
    if found.slug in (declared.name, folder_of(declared.name)):
        return []
    write = f'name="{found.slug}"'
    return [
        Fault("name", f'"{found.slug}", as its folder is called', f'"{declared.name}"', "", write, f"{where}/hook.py")
    ]


def prepare(found: Found, where: str) -> Part | list[Fault]:
    """Read what a feature says of itself; everything that is wrong with it, when something is."""
    said = declare.declared(found.files["hook.py"], f"{where}/hook.py")
    if isinstance(said, list):
        return said
    faults = _slug(found, said, where)
    for word in tools.resolve(said.tools).strange:
        if word.startswith("kind:"):
            faults.append(
                Fault("tools", "a kind of tool", word, "", tools.complaint(word), f"{where}/hook.py:{said.line}")
            )
    knobs = _json(found, "knobs.schema.json", where, faults)
    for path in schemas.unread(knobs):
        known = "a keyword of JSON Schema that Jackline reads"
        faults.append(
            Fault(
                path,
                known,
                "another",
                "",
                f"one of {', '.join(sorted(schemas.KEYWORDS))}",
                f"{where}/knobs.schema.json",
            )
        )
    defaults = _json(found, "defaults.json", where, faults)
    if not faults and knobs:
        told = schemas.check(knobs, defaults, f"{where}/defaults.json")
        faults += lines_of(found.files.get("defaults.json", b"").decode("utf-8-sig"), told)
    if faults:
        return faults
    return Part(found, said, defaults, knobs, _directions(knobs, f"config.{said.name}"), where)


def base_of(part: Part) -> dict[str, Any]:
    """What a feature adds to the built-in values: its own words, and the defaults of its knobs."""
    slug = part.declared.name
    return {
        f"modules.{slug}.priority": part.declared.priority,
        f"modules.{slug}.hotPathSafe": part.declared.hot_path_safe,
        f"modules.{slug}.critical": part.declared.critical,
        f"modules.{slug}.runner": part.declared.runner,
        f"modules.{slug}.mayApprove": False,
        **dict(flat({f"config.{slug}": dict(part.defaults)} if part.defaults else {})),
    }


def codes(part: Part) -> tuple[str, tuple[tuple[str, bytes], ...]] | list[Fault]:
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
        try:
            made.append((module, dump(compile(data, f"{part.where}/{name}", "exec", dont_inherit=True, optimize=2))))
        except (SyntaxError, ValueError, MemoryError, RecursionError) as fault:
            line = getattr(fault, "lineno", None) or 1
            faults.append(Fault("", "Python", getattr(fault, "msg", str(fault)), "", "", f"{part.where}/{name}:{line}"))
    return faults or (f"{package}.hook", tuple(made))


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
