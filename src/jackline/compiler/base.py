"""The built-in values below every layer: settings, the contract's phase policy, and what features declare."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jackline.builtin import BUDGETS, REWRITE_OWNER
from jackline.compiler import prepare, scripts, tools
from jackline.compiler.layers import Layer, Order, Resolved, fold
from jackline.compiler.prepare import Part
from jackline.compiler.registry import KNOWN

BASE: dict[str, Any] = {
    "mode": "enforce",
    "enforcePhases": False,
    "rewriteOwner": REWRITE_OWNER,
    "gc.maxAgeDays": 7,
    "gc.maxSessions": 20,
    "prompts": "hash",
    "preset": "default",
    "strict": False,
    **{f"budgets.{event}": ms for event, ms in BUDGETS.items()},
    **scripts.USUAL,
}
"""Built-in settings; what features declare of themselves is added to it."""

PHASES = {
    "UNINITIALIZED": (["semantic_search", "read_file", "grep_search", "list_dir", "file_search"], "deny"),
    "PLANNING": (["semantic_search", "read_file", "grep_search", "list_dir", "file_search", "runSubagent"], "deny"),
    "EXECUTING": ("*", "allow"),
    "COMPLETE": (["read_file", "grep_search"], "deny"),
    "BLOCKED": (["read_file"], "deny"),
}
"""The contract's policy (section 12.3), which holds when phases are enforced and nobody wrote another."""


def base_of(parts: Sequence[Part]) -> dict[str, Any]:
    """The built-in values: settings, the contract's phase policy, known features, and what read ones add."""
    base = dict(BASE)
    for phase, (allowed, mode) in PHASES.items():
        found = tools.resolve(allowed) if isinstance(allowed, list) else None
        base[f"phasePolicy.{phase}.allowTools"] = [*found.names] if found else "*"
        base[f"phasePolicy.{phase}.mode"] = mode
    for slug, known in KNOWN.items():
        base |= {f"modules.{slug}.enabled": known.on, f"modules.{slug}.priority": known.priority}
        base |= {f"modules.{slug}.hotPathSafe": known.hot, f"modules.{slug}.critical": known.critical}
        base[f"modules.{slug}.mayApprove"] = False
    for part in parts:
        base |= prepare.base_of(part)
        base.setdefault(f"modules.{part.declared.name}.enabled", True)
    return base


def directions_of(parts: Sequence[Part]) -> dict[str, Order | str]:
    return {key: rule for part in parts for key, rule in part.directions.items()}


def folded(parts: Sequence[Part], layers: Sequence[Layer]) -> Resolved:
    """What the layers come to over these."""
    return fold(base_of(parts), [*layers], directions_of(parts))
