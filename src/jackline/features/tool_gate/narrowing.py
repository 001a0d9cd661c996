"""A call that looks further than the leases it has: led into them, where that can be said by its own words.

An edit that goes further changes what nobody lent, and nothing less is what it means: it is refused.
"""

from __future__ import annotations

from jackline.sdk import rewrite
from jackline.services.plans import narrowing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from jackline.model import Action, Event

    Passes = Callable[[Event], bool]


def _changes(event: Event, leases: Sequence[Mapping[str, Any]], passes: Passes) -> dict[str, Any]:
    """Changes by which a call passes: into all leases where they can be named together, else into the first."""
    for some in (leases, *[(one,) for one in leases]):
        scopes = [scope for one in some for scope in one["paths"]]
        changes = narrowing.to_scopes(event, scopes) if scopes else None
        if changes and passes(narrowing.rewritten(event, changes)):
            return changes
    return {}


def narrowed(event: Event, leases: Sequence[Mapping[str, Any]], passes: Passes) -> Action | None:
    """The call within its leases, None where there is none. `passes`: whether leases open a call."""
    if event.kind not in ("search", "shell"):
        return None
    changes = _changes(event, leases, passes)
    if not changes:
        return None
    made = rewrite(changes, reason="it looks further than its lease", rule="tool-gate: lease")
    row = {"kind": "GATE_NARROWED", "data": {"changes": dict(changes)}}
    return made._replace(additional_context=(narrowing.told(changes),), emit_events=(row,))
