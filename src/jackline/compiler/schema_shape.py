"""Whether a schema that a feature brings is one: every keyword one that we read, with a value of its kind.

A schema of ours is held to the standard by tests; one from outside must not break the compile that reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jackline.compiler import schemas
from jackline.compiler.fault import Fault, nearest, shown
from jackline.compiler.schemas import TYPES

DIRECTIONS = ("less", "more", "true", "false", "subset", "superset", "add")
"""Values of `x-tighten` in a schema of knobs; a list of values, loosest first, is one too."""
COMPILED = ("capabilities", "marking-clients", "reading")
"""Values of `x-compiled`: the facts that compiling puts into a knob (`filled_knobs`)."""


def _is_schema(value: Any) -> bool:
    return isinstance(value, (dict, bool))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_pattern(value: Any) -> bool:
    try:
        schemas.pattern(value)
    except (TypeError, AttributeError, re.error, RecursionError, OverflowError):
        return False
    return True


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_types(value: Any) -> bool:
    return bool(value) and all(isinstance(one, str) and one in TYPES for one in value)


Kind = tuple[Callable[[Any], bool], str, str]

SCHEMA: Kind = (_is_schema, "a schema", "{}")
SCHEMAS: Kind = (lambda value: isinstance(value, list) and bool(value) and all(map(_is_schema, value)),
                 "a list of schemas", "[{}]")  # fmt: skip
NAMED: Kind = (lambda value: isinstance(value, dict) and all(map(_is_schema, value.values())),
               "an object of schemas", "{}")  # fmt: skip
COUNT: Kind = (_is_count, "a whole number", "1")
NUMBER: Kind = (_is_number, "a number", "1")
TEXTS: Kind = (_are_texts, "a list of texts", "[]")
VALUES: Kind = (lambda value: isinstance(value, list) and bool(value), "a list of values", '["text"]')

KINDS: dict[str, Kind] = {
    "type": (lambda value: _are_types([value] if isinstance(value, str) else value if _are_texts(value) else ()),
             f"one of {', '.join(TYPES)}", '"string"'),
    "properties": NAMED,
    "$defs": NAMED,
    **dict.fromkeys(("additionalProperties", "propertyNames", "items", "not", "if", "then", "else"), SCHEMA),
    **dict.fromkeys(("anyOf", "allOf"), SCHEMAS),
    **dict.fromkeys(("minItems", "maxItems", "minLength", "maxLength", "maxProperties"), COUNT),
    **dict.fromkeys(("minimum", "maximum"), NUMBER),
    "required": TEXTS,
    "dependentRequired": (lambda value: isinstance(value, dict) and all(map(_are_texts, value.values())),
                          "an object of lists of texts", "{}"),
    "enum": VALUES,
    "examples": VALUES,
    "pattern": (_is_pattern, "a regular expression", '"^[a-z]+$"'),
    "uniqueItems": (lambda value: isinstance(value, bool), "true or false", "true"),
    "$ref": (lambda value: isinstance(value, str), "the place of a schema", '"#/$defs/name"'),
    "description": (lambda value: isinstance(value, str), "a text", '"text"'),
    "x-tighten": (lambda value: bool(value) if isinstance(value, list) else value in DIRECTIONS,
                  f"one of {', '.join(DIRECTIONS)}, or a list of values", '"less"'),
    "x-compiled": (lambda value: value in COMPILED, f"one of {', '.join(COMPILED)}", '"capabilities"'),
}  # fmt: skip
"""What the value of a keyword is: the test, in words, and what to write."""

KEYWORDS = frozenset((*KINDS, "const", "default", "$schema", "$id", "$comment", "title", "x-write"))
"""Every keyword that is read. A schema with another one would promise what nobody holds."""

IN_PLACE = ("anyOf", "allOf", "not", "if", "then", "else")
"""Keywords whose schemas judge the same value."""


def _here(path: str, key: str | int) -> str:
    return f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}" if path else key


def _inner(schema: Mapping[str, Any], path: str) -> Iterator[tuple[Any, str]]:
    """The schemas in a schema, each with its place."""
    for key, value in schema.items():
        kind, here = KINDS.get(key), _here(path, key)
        if kind is SCHEMA:
            yield value, here
        elif kind is NAMED and isinstance(value, dict):
            yield from [(one, _here(here, name)) for name, one in value.items()]
        elif kind is SCHEMAS and isinstance(value, list):
            yield from [(one, _here(here, at)) for at, one in enumerate(value)]


def _faults(schema: Any, path: str) -> Iterator[Fault]:
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        here = _here(path, key)
        if key not in KEYWORDS:
            near = nearest(key, sorted(KEYWORDS))
            write = near or f"one of {', '.join(sorted(KEYWORDS))}"
            yield Fault(here, "a keyword of JSON Schema that Jackline reads", shown(key), near, write)
        elif key in KINDS and not KINDS[key][0](value):
            _, words, write = KINDS[key]
            near = nearest(value, list(TYPES)) if key == "type" and isinstance(value, str) else ""
            yield Fault(here, words, shown(value), near, f'"{key}": {shown(near) if near else write}')
    for inner, here in _inner(schema, path):
        yield from _faults(inner, here)


def _leads(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """The schemas that judge what this one judges, and their files. LookupError, TypeError: `$ref` names nothing."""
    if "$ref" in schema:
        found, file = schemas.follow(schema["$ref"], root)
        if not _is_schema(found):
            raise TypeError("no schema")
        yield found, file
    for key in IN_PLACE:
        value = schema.get(key, ())
        yield from [(one, root) for one in (value if isinstance(value, list) else [value])]


def _ends(schema: Any, root: Mapping[str, Any], under: tuple[int, ...] = ()) -> bool:
    """Whether a value is judged in the end: no `$ref` leads round to where it began."""
    if not isinstance(schema, dict):
        return True
    if id(schema) in under:
        return False
    return all(_ends(one, file, (*under, id(schema))) for one, file in _leads(schema, root))


def _references(schema: Any, root: Mapping[str, Any], path: str) -> Iterator[Fault]:
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        here, got = _here(path, "$ref"), shown(schema["$ref"])
        try:
            if not _ends(schema, root):
                yield Fault(here, "a schema that does not lead back to itself", got, "", "take it out")
        except (LookupError, TypeError, ValueError):
            yield Fault(here, "the place of a schema in this file", got, "", '"$ref": "#/$defs/name"')
    for inner, here in _inner(schema, path):
        yield from _references(inner, root, here)


def faults(schema: Mapping[str, Any]) -> list[Fault]:
    """Everything that makes a schema none that we read."""
    found = list(_faults(schema, ""))
    return found or list(_references(schema, schema, ""))
