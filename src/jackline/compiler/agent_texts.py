"""The texts that a project gives its agents: our own on what is switched on for all of it, then those of its nodes."""

from __future__ import annotations

import marshal
from collections.abc import Collection

from jackline.compiler.canon import plain
from jackline.compiler.layers import Resolved
from jackline.services import guidance
from jackline.services.capabilities import CAPABILITIES, State, state_in

OURS = ""
"""The name of our own text: it stands before all others."""


def on_for_all(resolved: Resolved, running: Collection[str]) -> dict[str, State]:
    """The capabilities that the project's own layer switches on; those of one person are no text for everybody."""
    found: dict[str, State] = {}
    for name, one in CAPABILITIES.items():
        key = f"modules.{one.features[0]}"
        if one.features[0] in running and resolved.layers.get(f"{key}.enabled") == "project":
            mode = resolved.values.get(f"{key}.mode", resolved.values["mode"])
            found[name] = state_in(resolved.values[f"{key}.enabled"], mode)
    return found


def with_ours(texts: bytes, resolved: Resolved, running: Collection[str]) -> bytes:
    """Packed texts with ours before them, where there is any."""
    ours = guidance.text(on_for_all(resolved, running))
    return plain(((OURS, ours), *marshal.loads(texts))) if ours else texts
