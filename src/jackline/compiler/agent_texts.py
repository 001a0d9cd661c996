"""The texts that a project gives its agents: our own on what is switched on for all of it, then those of its nodes."""

from __future__ import annotations

import marshal
from collections.abc import Collection, Sequence

from jackline.compiler.layers import Resolved
from jackline.compiler.prepare import Part
from jackline.compiler.registry import is_on, reader_of
from jackline.compiler.stable_marshal import plain
from jackline.services import guidance
from jackline.services.capabilities import CAPABILITIES, State, state_in

OURS = ""
"""The name of our own text: it stands before all others."""


BEGINS = reader_of("guidance")
"""The feature that tells an agent at its session's start what is on for one person alone."""


def _on(resolved: Resolved, running: Collection[str], *, shared: bool) -> dict[str, State]:
    """Features of capabilities that run: those that the project's own layer switches on for all, or the others."""
    found: dict[str, State] = {}
    for slug in [slug for one in CAPABILITIES.values() for slug in one.features if slug in running and not is_on(slug)]:
        key = f"modules.{slug}"
        if (resolved.layers.get(f"{key}.enabled") == "project") is shared:
            mode = resolved.values.get(f"{key}.mode", resolved.values["mode"])
            found[slug] = state_in(resolved.values[f"{key}.enabled"], mode)
    return found


def _takes(part: Part) -> bool:
    """Whether a feature is the one that tells, and knows the knob: a project's older copy may not."""
    return part.declared.name == BEGINS and "tell" in part.knobs.get("properties", ())


def with_telling(resolved: Resolved, parts: Sequence[Part]) -> Resolved:
    """The same, and what an agent is to be told at its session's start, since it stands in no file of the project."""
    names = [part.declared.name for part in parts if _takes(part)] and [part.declared.name for part in parts]
    tell = _on(resolved, [slug for slug in names if resolved.values[f"modules.{slug}.enabled"]], shared=False)
    return resolved._replace(values={**resolved.values, f"config.{BEGINS}.tell": tell}) if tell else resolved


def with_ours(texts: bytes, resolved: Resolved, running: Collection[str]) -> bytes:
    """Packed texts with ours before them, where there is any."""
    ours = guidance.text(_on(resolved, running, shared=True))
    return plain(((OURS, ours), *marshal.loads(texts))) if ours else texts
