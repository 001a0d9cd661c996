"""The rows of a hook table: each feature as the layers left it, their order at each event, and the policy of phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jackline.compiler import cache, prepare, schemas, tools
from jackline.compiler.cache import Kept
from jackline.compiler.declare import STRICT
from jackline.compiler.fault import Fault
from jackline.compiler.layers import Resolved, nested
from jackline.compiler.prepare import Part
from jackline.compiler.stable_marshal import dump
from jackline.hook_table import HookSpec
from jackline.model import EVENTS


def faulty(part: Part, config: Mapping[str, Any]) -> list[Fault]:
    """What is wrong with a feature's knobs as the layers left them."""
    return schemas.check(part.knobs, config, f"config of {part.declared.name}") if part.knobs else []


def _mode(own: Mapping[str, Any], resolved: Resolved) -> str:
    """How a feature judges: its own mode, else that of all."""
    return str(own.get("mode", resolved.values["mode"]))


def _is_critical(part: Part, own: Mapping[str, Any], resolved: Resolved) -> bool:
    """Whether a feature's faults refuse. One that is critical when it is strict goes by its mode, where the layer that
    sets its mode says nothing else.
    """
    said, mode = (resolved.layers.get(f"modules.{part.declared.name}.{key}") for key in ("critical", "mode"))
    if part.declared.critical == STRICT and (said in (None, "builtin") or said != mode):
        return _mode(own, resolved) == "enforce"
    return bool(own["critical"])


def wired(part: Part, resolved: Resolved, sites: Sequence[str] | None, pieces: Kept) -> HookSpec | list[Fault]:
    """A feature's row, its knobs not checked yet."""
    slug = part.declared.name
    own = resolved.under(f"modules.{slug}")
    config = nested(resolved.under(f"config.{slug}"))
    code, roots = prepare.codes(part, pieces), prepare.import_roots(part, sites)
    if isinstance(code, list) or isinstance(roots, list):
        wrong = [fault for one in (code, roots) if isinstance(one, list) for fault in one]
        return faulty(part, config) + wrong
    filtered = tools.resolve(part.declared.tools)
    return HookSpec(
        slug,
        own["priority"],
        own["hotPathSafe"],
        _is_critical(part, own, resolved),
        _mode(own, resolved),
        own["runner"],
        filtered.names,
        filtered.kinds,
        own["mayApprove"],
        part.declared.supports,
        part.found.label,
        code[0],
        part.declared.entry,
        code[1],
        roots,
        config,
        *prepare.rights(part),
    )


def packed(part: Part, row: HookSpec, pieces: Kept) -> bytes | list[Fault]:
    """A row as the hook table keeps it, when its knobs are as their schema says."""
    values = (*row,)
    key = cache.key(b"row", part.knobs, values)
    piece: bytes | None = pieces.take(key)
    if piece is not None:
        return piece
    faults = faulty(part, row.config)
    if faults:
        return faults
    made = dump(values)
    pieces.keep(key, made)
    return made


def order(rows: Sequence[HookSpec]) -> dict[str, tuple[str, ...]]:
    """The features of every event in their order: by priority, then name. What is not hot is not on PreToolUse."""
    ordered = sorted(rows, key=lambda row: (row.priority, row.slug))
    found = {}
    for event in EVENTS:
        here = tuple([row.slug for row in ordered if event in row.supports and (row.hot or event != "PreToolUse")])
        if here:
            found[event] = here
    return found


def phases(
    resolved: Resolved, rows: Sequence[HookSpec]
) -> dict[str, tuple[str, tuple[str, ...] | None, tuple[str, ...]]]:
    """The policy of each phase. Where a strict feature judges phases, its table takes the contract's place, and only
    what somebody wrote is left: no call is judged twice for one phase.
    """
    made = {}
    judged = any("phases" in row.needs and row.mode == "enforce" for row in rows)
    for phase, rule in nested(resolved.under("phasePolicy")).items():
        keys = [f"phasePolicy.{phase}.{name}" for name in ("mode", "allowTools")]
        if judged and all(resolved.layers.get(key, "builtin") == "builtin" for key in keys):
            continue
        allowed = rule["allowTools"]
        found = tools.resolve(allowed) if isinstance(allowed, list) else None
        made[phase] = (rule["mode"], found.names if found else None, found.kinds if found else ())
    return made


def all_of(
    parts: Sequence[Part], resolved: Resolved, sites: Sequence[str] | None, pieces: Kept
) -> tuple[list[HookSpec], dict[str, bytes], list[Fault]]:
    """The rows of the features that are on, as the hook table keeps them by their name, and what does not compile."""
    rows: list[HookSpec] = []
    features: dict[str, bytes] = {}
    faults: list[Fault] = []
    for part in parts:
        if not resolved.values[f"modules.{part.declared.name}.enabled"]:
            continue
        row = wired(part, resolved, sites, pieces)
        made = row if isinstance(row, list) else packed(part, row, pieces)
        if isinstance(made, list):
            faults += made
        elif not isinstance(row, list):
            rows.append(row)
            features[row.slug] = made
    return rows, features, faults
