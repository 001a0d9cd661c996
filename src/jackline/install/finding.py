"""What `doctor` finds, as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

Grade = Literal["ok", "warn", "bad"]


class Finding(NamedTuple):
    """One thing looked at: what it is like, and what to do about it ("" where nothing is to be done)."""

    code: str
    grade: Grade
    what: str
    cure: str = ""
    where: str = ""  # client, or client and file, that it concerns; "" = the installation itself


def worst(findings: list[Finding]) -> Grade:
    grades = {finding.grade for finding in findings}
    return "bad" if "bad" in grades else "warn" if "warn" in grades else "ok"


Step = Callable[[str], None]
"""Whoever waits is told what begins now."""


def silent(what: str) -> None:
    """Nobody waits."""
