"""The three clocks of an event and how they fit: budget, deadline of what is bound to it, limit of the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

MARGIN = 5
"""Seconds a client's limit leaves above the largest deadline (design section 2, "Three clocks")."""

DEADLINES: Mapping[str, int] = {
    "SessionStart": 300,
    "Stop": 900,
}
"""Seconds of the longest hook an event may have by default: session scripts 5 min, file scripts 15 min."""

OTHER_DEADLINE = 10
"""Seconds of an event script."""

HARD_DEADLINE = 5
"""Seconds after which a critical feature is cut off."""


class Bound(NamedTuple):
    """A client's event: our name for it, and the most seconds the client allows (None = any)."""

    canonical: str
    most: int | None = None


def client_limit(bound: Bound, deadlines: Mapping[str, int] | None = None) -> int:
    """Seconds to write into the client's configuration."""
    largest = {**DEADLINES, **(deadlines or {})}.get(bound.canonical, OTHER_DEADLINE)
    wanted = max(largest, HARD_DEADLINE) + MARGIN
    return wanted if bound.most is None else min(wanted, bound.most)


def door_ends(limit: float) -> float:
    """Seconds after which we answer with what we have: 2 before the client's limit, half of a short one."""
    return limit - 2 if limit >= 4 else limit / 2
