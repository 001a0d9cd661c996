"""The one account of continuations in a user turn (design section 6, Stop): who may keep the agent going, how often."""

from __future__ import annotations

LIMIT = 6
"""Continuations in one user turn, all askers together."""
PER_SOURCE = 3
"""By file scripts, and by validators, each."""
SOURCES = {"scripts": PER_SOURCE, "validators": PER_SOURCE}
WHOSE = {
    "account": "as often as all hooks together may",
    "client": "once less than this client allows",
    "scripts": "as often as file scripts may",
    "validators": "as often as validators may",
}
"""Who lets go, and what that is called."""


def limit(cap: int, source: str = "") -> int:
    """How many continuations are allowed: at most the client's cap less one (`cap` < 0: it has none, 0: it cannot)."""
    most = SOURCES.get(source, LIMIT)
    if cap == 0:
        return 0
    return most if cap < 0 else min(most, max(cap - 1, 0))


def lets_go(cap: int, source: str = "") -> str:
    """Whose limit ends the turn: one of `WHOSE`."""
    return "client" if limit(cap, source) < limit(-1, source) else source or "account"


def ends(number: int, cap: int, source: str = "") -> str:
    """Why the account ends the turn although a hook blocks; "" when the agent goes on.

    `number` is that of the continuation asked for, from 1. Nothing else ends it: a failure that comes twice is one that
    the agent has not mended yet.
    """
    most = limit(cap, source)
    if number <= most:
        return ""
    times = f"{most} time{'s' * (most != 1)}"
    return f"the agent was kept going {times} in this turn, {WHOSE[lets_go(cap, source)]}; it ends now"
