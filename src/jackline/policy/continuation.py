"""The one account of continuations in a user turn (design section 6, Stop): who may keep the agent going, how often."""

from __future__ import annotations

LIMIT = 6
"""Continuations in one user turn, all askers together."""
PER_SOURCE = 3
"""By file scripts, and by validators, each."""
SOURCES = {"scripts": PER_SOURCE, "validators": PER_SOURCE}


def limit(cap: int, source: str = "") -> int:
    """How many continuations are allowed: at most the client's cap less one (`cap` < 0: it has none, 0: it cannot)."""
    most = SOURCES.get(source, LIMIT)
    if cap == 0:
        return 0
    return most if cap < 0 else min(most, max(cap - 1, 0))


def ends(number: int, cap: int, *, same_failure: bool, changed: bool, source: str = "") -> str:
    """Why the account ends the turn although a hook blocks; "" when the agent goes on.

    `number` is that of the continuation asked for, from 1. The same failure twice without a change ends it.
    """
    most = limit(cap, source)
    if number > most:
        return f"the agent was kept going {most} times in this turn; it ends now"
    if same_failure and not changed:
        return "the same failure came twice and nothing was changed in between; the turn ends"
    return ""
