"""Variables of the environment that a command reads as more than words: what is none is told, never guessed."""

from __future__ import annotations

from collections.abc import Mapping

import click

LONGEST = 3600.0
"""Seconds that a variable may ask for."""


def seconds(env: Mapping[str, str], name: str, default: float) -> float:
    """A time in seconds. UsageError for what is none: where, what, what to do next."""
    given = env.get(name, "")
    if not given:
        return default
    try:
        found = float(given)
    except ValueError:
        found = -1.0
    if not 0 <= found <= LONGEST:  # no number that is none, either
        what = f"expected seconds from 0 to {LONGEST:.0f}, got {given[:40]!r}"
        raise click.UsageError(f"{name} · {what} · write: {name}={default:g}, or leave it out")
    return found
