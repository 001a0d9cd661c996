"""The shape of what a command gives as data: how its file declares it, and whether a value has it.

A shape is the name of a kind (`str`, several with `|`, `any`), a list with the shape of its items, an object by its
keys (`key?` may be missing, `*` stands for any other), or a tuple of shapes of which one fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Shape = str | Sequence["Shape"] | Mapping[str, "Shape"]

KINDS: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "number": (int, float),
    "bool": (bool,),
    "null": (type(None),),
    "list": (list,),
    "object": (dict,),
    "any": (object,),
}


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, KINDS[kind]) and (kind not in ("int", "number") or not isinstance(value, bool))


def _object(value: Any, shape: Mapping[str, Shape], at: str) -> str:
    if not isinstance(value, dict):
        return f"{at or 'it'} is no object"
    known = {key.rstrip("?"): one for key, one in shape.items()}
    lacking = [key for key in shape if key != "*" and not key.endswith("?") and key not in value]
    strange = [key for key in value if key not in known and "*" not in known]
    if lacking or strange:
        return f"{at or 'it'} · lacks {lacking} · has {strange} besides"
    faults = (fault(one, known[key] if key in known else known["*"], f"{at}.{key}") for key, one in value.items())
    return next(filter(None, faults), "")


def fault(value: Any, shape: Shape, at: str = "") -> str:
    """Where a value has another shape, and which; "" when it has this one."""
    if isinstance(shape, str):
        fits = any(_is(value, kind) for kind in shape.split("|"))
        return "" if fits else f"{at or 'it'} is {value!r:.60}, not {shape}"
    if isinstance(shape, Mapping):
        return _object(value, shape, at)
    if isinstance(shape, tuple):
        found = [fault(value, one, at) for one in shape]
        return "" if "" in found else " and ".join(found)
    if not isinstance(value, list):
        return f"{at or 'it'} is no list"
    return next(filter(None, (fault(one, shape[0], f"{at}[{number}]") for number, one in enumerate(value))), "")


def drawn(shape: Shape, indent: str = "") -> str:
    """A shape as the documentation shows it."""
    inner = indent + "  "
    if isinstance(shape, str):
        return shape
    if isinstance(shape, Mapping):
        rows = [f"{inner}{key}: {drawn(one, inner)}" for key, one in shape.items()]
        return "{\n" + "\n".join(rows) + f"\n{indent}}}"
    if isinstance(shape, tuple):
        return f"\n{indent}or ".join(drawn(one, indent) for one in shape)
    return f"[{drawn(shape[0], indent)}]"
