"""Knobs that nobody writes: their schema names a fact by `x-compiled`, and compiling sets it, whatever a layer says.

So a feature knows what only the configuration as a whole tells, and reads nothing for it at an event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jackline.clients.capabilities import row
from jackline.clients.rows import CLIENTS
from jackline.compiler.layers import Resolved
from jackline.compiler.prepare import Part
from jackline.services.capabilities import CAPABILITIES, state_in

KEYWORD = "x-compiled"


def _capabilities(resolved: Resolved, running: Sequence[str]) -> dict[str, str]:
    """The features of capabilities that run, each lenient or strict."""
    found = {}
    for slug in [slug for one in CAPABILITIES.values() for slug in one.features if slug in running]:
        mode = resolved.values.get(f"modules.{slug}.mode", resolved.values["mode"])
        found[slug] = str(state_in(True, mode))
    return found


def _marking(resolved: Resolved, running: Sequence[str]) -> list[str]:
    """The clients whose calls say which agent makes them."""
    return sorted(client for client in CLIENTS if row(client, "PreToolUse").subagent)


def _reading(resolved: Resolved, running: Sequence[str]) -> str:
    """What a strict feature says of reading, by a knob `reading`; `free` where none does."""
    strict = [
        slug for slug in running if resolved.values.get(f"modules.{slug}.mode", resolved.values["mode"]) == "enforce"
    ]
    said = [resolved.values.get(f"config.{slug}.reading", "free") for slug in strict]
    return next((str(one) for one in said if one != "free"), "free")


FACTS: dict[str, Callable[[Resolved, Sequence[str]], Any]] = {
    "capabilities": _capabilities,
    "marking-clients": _marking,
    "reading": _reading,
}
"""What a knob may name: the same names as in `schema_shape`."""


def _wanted(part: Part) -> Iterator[tuple[str, str]]:
    """The knobs of a feature that are filled, each with its fact."""
    for name, schema in part.knobs.get("properties", {}).items():
        if isinstance(schema, dict) and schema.get(KEYWORD) in FACTS:
            yield name, schema[KEYWORD]


def _without(values: dict[str, Any], key: str) -> dict[str, Any]:
    """The values without what layers say of a knob."""
    return {name: one for name, one in values.items() if name != key and not name.startswith(key + ".")}


def filled(resolved: Resolved, parts: Sequence[Part]) -> Resolved:
    """The same, with the knobs of running features that name a fact."""
    running = [part.declared.name for part in parts if resolved.values[f"modules.{part.declared.name}.enabled"]]
    for part in parts:
        if part.declared.name in running:
            for name, fact in _wanted(part):
                key = f"config.{part.declared.name}.{name}"
                values = {**_without(resolved.values, key), key: FACTS[fact](resolved, running)}
                resolved = resolved._replace(values=values)
    return resolved
