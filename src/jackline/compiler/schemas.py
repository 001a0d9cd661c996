"""Check values against our JSON Schemas, with messages a person can act on.

A library would cost more than a whole compile and is not at hand where the entry point compiles, so this reads the
subset of JSON Schema 2020-12 that our files use; tests/schema proves its verdicts equal to those of `jsonschema`.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jackline import jsonio, system
from jackline.compiler.fault import Fault, nearest, shown

Schema = Mapping[str, Any]

NAMES = (
    "hook-input",
    "hook-output",
    "ctx",
    "hook-action",
    "state",
    "event-record",
    "artifact-record",
    "rlm-policy",
    "followup-rules",
    "dispatch.manifest",
    "config",
    "workspace",
    "hooks.local",
    "plan-graph",
    "scripts.status",
    "validators",
    "plan-rules",
    "resume-capsule",
    "mailbox-entry",
    "retrospective",
    "context-pack",
    "validator-manifest",
)
"""The contract's nine (section 16), then those of our other files."""

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "schema")

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "number": (int, float),
    "integer": (int, float),
}


@functools.cache
def load(name: str) -> dict[str, Any]:
    """The JSON Schema called `name`. KeyError when there is none."""
    if name not in NAMES:
        raise KeyError(name)
    found: dict[str, Any] = jsonio.loads(system.read(f"{FOLDER}/{name}.schema.json").decode())
    return found


def follow(ref: str, root: Schema) -> tuple[Schema, Schema]:
    """What `$ref` names, and the document it stands in."""
    file, _, pointer = ref.partition("#")
    if file:
        root = load(file.removesuffix(".schema.json"))
    found: Any = root
    for part in pointer.split("/")[1:]:
        found = found[part.replace("~1", "/").replace("~0", "~")]
    return found, root


def is_type(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, TYPES[name])


def same(one: Any, other: Any) -> bool:
    """JSON equality: `true` is not 1, and 1 is 1.0."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@functools.cache
def pattern(text: str) -> re.Pattern[str]:
    """Compile a schema's pattern; a `$` at its end does not let a newline slip by, as Python's would."""
    return re.compile(text[:-1] + r"\Z" if text.endswith("$") and not text.endswith("\\$") else text)


# --- what to say ---------------------------------------------------------------------------------------------------


def _at(path: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key


def _specimen(schema: Schema, value: Any) -> Any:
    """A value that fits: what the schema itself gives, or what the wrong one was probably meant to be."""
    options = schema.get("enum")
    if options:
        return (
            nearest(value, [one for one in options if isinstance(one, str)]) or options[0]
            if isinstance(value, str)
            else options[0]
        )
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if schema.get("examples"):
        return schema["examples"][0]
    kinds = schema.get("type", "string")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    if kind in ("integer", "number"):
        digits = re.search(r"-?\d+", value) if isinstance(value, str) else None
        low, high = schema.get("minimum", 1), schema.get("maximum")
        if isinstance(value, (int, float)) and not isinstance(value, bool) and high is not None and value > high:
            return high
        return max(int(digits.group()), low) if digits else low
    if kind == "boolean":
        return not (isinstance(value, str) and value.lower() in ("false", "no", "off", "0")) and value != 0
    return {"array": [value] if isinstance(value, str) else [], "object": {}, "null": None}.get(kind, "text")


def _write(schema: Schema, path: str, value: Any) -> str:
    if "x-write" in schema:
        return str(schema["x-write"])
    key = path.rsplit(".", 1)[-1].split("[")[0]
    fit = jsonio.dumps(_specimen(schema, value))
    fit = fit if len(fit) <= 100 else "{}"
    return f'"{key}": {fit}' if key and not path.endswith("]") else fit


def _words(schema: Schema, root: Schema) -> str:
    """What a schema expects, in words."""
    if "$ref" in schema:
        return _words(*follow(schema["$ref"], root))
    if "const" in schema:
        return shown(schema["const"])
    if "enum" in schema:
        return "one of " + ", ".join([shown(one) for one in schema["enum"]])
    for many in ("anyOf", "oneOf"):
        if many in schema:
            return " or ".join(dict.fromkeys([_words(one, root) for one in schema[many]]))
    kinds = schema.get("type")
    if kinds is None:
        return "something else"
    article = {
        "object": "an object",
        "array": "a list",
        "integer": "a whole number",
        "null": "null",
        "string": "a text",
    }
    return " or ".join([article.get(kind, f"a {kind}") for kind in ([kinds] if isinstance(kinds, str) else kinds)])


# --- checks --------------------------------------------------------------------------------------------------------


def _alternatives(schema: Schema, root: Schema, value: Any, path: str) -> Iterator[Fault]:
    """`anyOf`: nothing when one branch fits, else the faults of the branch that was probably meant."""
    meant: list[Fault] | None = None
    for branch in schema["anyOf"]:
        faults = list(_check(branch, root, value, path))
        if not faults:
            return
        if all(fault.path != path for fault in faults) and (meant is None or len(faults) < len(meant)):
            meant = faults
    if meant:
        yield from meant
    else:
        first = schema["anyOf"][0]
        first = follow(first["$ref"], root)[0] if "$ref" in first else first
        yield Fault(path, _words(schema, root), shown(value), "", _write(first, path, value))


def _unknown(schema: Schema, key: str, path: str) -> Fault:
    known = sorted(schema.get("properties", ()))
    meant = nearest(key, known)
    expected = f"a known key ({', '.join(known)})" if len(known) <= 12 else "a known key"
    write = f'"{meant}"' if meant else f'take "{key}" out'
    return Fault(_at(path, key), expected, shown(key), meant, write)


def _object(schema: Schema, root: Schema, value: dict[str, Any], path: str) -> Iterator[Fault]:
    properties = schema.get("properties", {})
    rest = schema.get("additionalProperties", True)
    for key in schema.get("required", ()):
        if key not in value:
            inner = properties.get(key, {})
            inner, inside = follow(inner["$ref"], root) if "$ref" in inner else (inner, root)
            yield Fault(_at(path, key), _words(inner, inside), "nothing", "", _write(inner, _at(path, key), None))
    for key, needs in schema.get("dependentRequired", {}).items():
        for other in needs:
            if key in value and other not in value:
                yield Fault(_at(path, other), f"a value beside {key}", "nothing", "", f'"{other}": …')
    if len(value) > schema.get("maxProperties", len(value)):
        yield Fault(path, f"at most {schema['maxProperties']} keys", f"{len(value)} keys", "", "take the others out")
    names = schema.get("propertyNames")
    for key, item in value.items():
        if names is not None and any(_check(names, root, key, "")):
            chosen, _ = follow(names["$ref"], root) if "$ref" in names else (names, root)
            options = list(chosen.get("enum", ()))
            meant = nearest(key, options) if options else ""
            expected = ("a key of " + ", ".join(options)) if options else f"a name like {chosen.get('pattern', 'this')}"
            yield Fault(_at(path, key), expected, shown(key), meant, f'"{meant}"' if meant else f'take "{key}" out')
        elif key in properties:
            yield from _check(properties[key], root, item, _at(path, key))
        elif rest is False:
            yield _unknown(schema, key, path)
        elif rest is not True:
            yield from _check(rest, root, item, _at(path, key))


def _array(schema: Schema, root: Schema, value: list[Any], path: str) -> Iterator[Fault]:
    low, high = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not low <= len(value) <= high:
        yield Fault(path, f"{low} to {high} items", f"{len(value)} items", "", f"between {low} and {high} items")
    if schema.get("uniqueItems") and any(same(one, two) for at, one in enumerate(value) for two in value[:at]):
        yield Fault(path, "items that differ", "an item twice", "", "each item once")
    if "items" in schema:
        for at, item in enumerate(value):
            yield from _check(schema["items"], root, item, _at(path, at))


def _text(schema: Schema, value: str, path: str) -> Iterator[Fault]:
    low, high = schema.get("minLength", 0), schema.get("maxLength", len(value))
    if not low <= len(value) <= high:
        expected = f"at most {high} characters" if len(value) > high else f"at least {low} characters"
        yield Fault(path, expected, f"{len(value)} characters", "", expected)
    if "pattern" in schema and not pattern(schema["pattern"]).search(value):
        expected = schema.get("description") or f"a text like {schema['pattern']}"
        yield Fault(path, expected.rstrip("."), shown(value), "", _write(schema, path, value))


def _number(schema: Schema, value: float, path: str) -> Iterator[Fault]:
    low, high = schema.get("minimum"), schema.get("maximum")
    if (low is not None and value < low) or (high is not None and value > high):
        expected = (
            f"{low} to {high}" if None not in (low, high) else f"at least {low}" if high is None else f"at most {high}"
        )
        yield Fault(path, expected, shown(value), "", _write(schema, path, value))


def _check(schema: Schema | bool, root: Schema, value: Any, path: str) -> Iterator[Fault]:
    if isinstance(schema, bool):
        if not schema:
            yield Fault(path, "nothing", shown(value), "", "take it out")
        return
    if "$ref" in schema:
        found, inside = follow(schema["$ref"], root)
        yield from _check(found, inside, value, path)
    if "not" in schema and not any(_check(schema["not"], root, value, path)):
        yield Fault(path, "nothing here", "a value", "", _write(schema, path, value))  # it may be a secret
    if "const" in schema and not same(schema["const"], value):
        yield Fault(path, shown(schema["const"]), shown(value), "", _write(schema, path, value))
        return
    if "enum" in schema and not any(same(one, value) for one in schema["enum"]):
        fit = _specimen(schema, value)
        meant = (
            nearest(value, [one for one in schema["enum"] if isinstance(one, str)]) if isinstance(value, str) else ""
        )
        yield Fault(path, _words(schema, root), shown(value), meant, _write({"const": fit}, path, value))
        return
    kinds = schema.get("type")
    if kinds is not None and not any(is_type(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield Fault(path, _words(schema, root), shown(value), "", _write(schema, path, value))
        return
    if isinstance(value, dict):
        yield from _object(schema, root, value, path)
    elif isinstance(value, list):
        yield from _array(schema, root, value, path)
    elif isinstance(value, str):
        yield from _text(schema, value, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _number(schema, value, path)
    if "anyOf" in schema:
        yield from _alternatives(schema, root, value, path)
    for part in schema.get("allOf", ()):
        yield from _check(part, root, value, path)
    if "if" in schema:
        chosen = "else" if any(_check(schema["if"], root, value, path)) else "then"
        yield from _check(schema.get(chosen, True), root, value, path)


def check(schema: Schema, value: Any, where: str = "") -> list[Fault]:
    """Faults of `value` by a schema that is at hand (a feature's knobs)."""
    found = [fault._replace(where=where) for fault in _check(schema, schema, value, "")]
    return list(dict.fromkeys(found))


def validate(name: str, value: Any, where: str = "") -> list[Fault]:
    """Faults of `value` by the schema `name`, or by one form in it: `hook-output#codex.Stop`. Empty: it is valid."""
    file, _, form = name.partition("#")
    root = load(file)
    schema = root["$defs"][form] if form else root
    found = [fault._replace(where=where) for fault in _check(schema, root, value, "")]
    return list(dict.fromkeys(found))
