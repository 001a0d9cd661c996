"""Where a key of configuration stands: file and line, for faults that are found when the layers are folded already."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jackline.compiler.places import places

if TYPE_CHECKING:
    from jackline.compiler.collect import Survey
    from jackline.compiler.fault import Fault
    from jackline.compiler.layers import Layer

KNOBS = "config of "
"""Begins the place of a fault of a feature's knobs, which stand in whatever layer set them."""


def at(found: Survey, file: str, *paths: str) -> str:
    """File and line of the deepest of these keys that stands in it."""
    try:
        known = places(found.sources.named[file].decode("utf-8-sig"))
    except (KeyError, ValueError):
        return file
    lines = []
    for path in paths:
        while path and path not in known:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        lines.append(known[path] if path else 0)
    return f"{file}:{max(lines)}" if max(lines) else file


def key(found: Survey, layer: Layer, key: str) -> str:
    """Where a layer's key stands; knobs stand in a file of their own too, without the word before them."""
    return at(found, layer.files.get(key, layer.name), key, key.removeprefix("config."))


def _knob(found: Survey, fault: Fault) -> Fault:
    """A fault of a knob with the file that set it: the last layer's that says anything of it."""
    slug = fault.where.removeprefix(KNOBS)
    path = f"config.{slug}.{fault.path}" if fault.path else f"config.{slug}"
    while path.startswith(f"config.{slug}"):
        for layer in reversed(found.layers):
            said = next((one for one in layer.values if one == path or one.startswith((f"{path}.", f"{path}["))), "")
            if said:
                where = at(found, layer.files[said], f"{path}", path.removeprefix("config."))
                return fault._replace(where=where, path=f"{slug}.{fault.path}" if fault.path else slug)
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return fault


def located(found: Survey, faults: Iterable[Fault]) -> list[Fault]:
    """These faults, each with the file and the line it has."""
    made = []
    for one in faults:
        if one.where.startswith(KNOBS):
            one = _knob(found, one)
        elif one.path and one.where in found.sources.named:
            one = one._replace(where=at(found, one.where, one.path))
        made.append(one)
    return made
