"""The hook table of the features that a host names in its own code (`HookEngine.use`): on whatever the manifest says.

Their configuration comes from the same layers as at the entry point; what the host says in code stands above it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackline.builtin import builtin_table
from jackline.compiler import discover, schemas
from jackline.compiler.base import base_of, directions_of
from jackline.compiler.cache import Kept
from jackline.compiler.layers import flat, fold, nested
from jackline.compiler.prepare import Part, prepare
from jackline.compiler.registry import KNOWN
from jackline.compiler.rows import order, wired
from jackline.compiler.stable_marshal import dump
from jackline.compiler.write import compile_table
from jackline.hook_table import HookSpec, HookTable


def _parts() -> list[Part]:
    """The features of the package."""
    made = [prepare(found, f"<{found.label}>/{found.slug}", Kept()) for found in discover.builtin()]
    return [part for part in made if isinstance(part, Part)]


def _own(part: Part, config: Mapping[str, Any], knobs: Mapping[str, Any]) -> dict[str, Any]:
    """A feature's knobs with those of the host above. ValueError says what is wrong with them."""
    merged = nested({**dict(flat(config)), **dict(flat(knobs))})
    faults = schemas.check(part.knobs, merged, f"use({part.declared.name!r})") if part.knobs else []
    if faults:
        raise ValueError("\n".join(map(str, faults)))
    return merged


def _rows(wanted: Mapping[str, Mapping[str, Any]], parts: list[Part], layers: list[Any]) -> list[HookSpec]:
    known = {part.declared.name: part for part in parts}
    resolved = fold(base_of(parts), layers, directions_of(parts))
    rows = []
    for slug, knobs in wanted.items():
        if slug not in known:
            there = ", ".join(sorted(name for name in known if name != "session"))
            later = " in this version" if slug in KNOWN else ""
            raise ValueError(f"use({slug!r}) · there is no such feature{later} · one of {there}")
        made = wired(known[slug], resolved, None, Kept())
        if isinstance(made, list):
            raise ValueError("\n".join(map(str, made)))
        # inline: a host has threads, and forks badly
        rows.append(made._replace(config=_own(known[slug], made.config, knobs), runner="inline"))
    return rows


def chosen(root: str, store: str, wanted: Mapping[str, Mapping[str, Any]]) -> HookTable:
    """The hook table of these built-in features alone, with knobs of the host's. Without a store no layer counts.

    `session` is always among them: without it every event would read the whole log for the session's state.

    Raises ValueError for a name that is none of them, and for knobs that are not as their schema says.
    """
    made = compile_table(root, store) if store else None
    parts = _parts()
    rows = _rows({"session": {}, **wanted}, parts, made.survey.layers if made else [])
    table = made.table if made else builtin_table("")
    table.orders, table._features = order(rows), {one.slug: dump((*one,)) for one in rows}
    return table
