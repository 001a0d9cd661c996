"""Make one order of several: reciprocal ranks, added up (Cormack, Clarke and Büttcher, 2009)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

DIGITS = 9
"""Digits of a score that count: what differs behind them is the machine's, not the file's."""


def ordered(scores: Mapping[str, float]) -> list[str]:
    """Paths by score, best first; ties by path."""
    return sorted(scores, key=lambda path: (-round(scores[path], DIGITS), path))


def fuse(lists: Mapping[str, Sequence[str]], weights: Mapping[str, float], k: float) -> dict[str, float]:
    """Paths with their scores: Σ weight / (k + rank), ranks from 1. A list without a weight counts for nothing."""
    scores: dict[str, float] = defaultdict(float)
    for name in sorted(lists):
        weight = weights.get(name, 0.0)
        for rank, path in enumerate(lists[name] if weight else (), 1):
            scores[path] += weight / (k + rank)
    return dict(scores)
