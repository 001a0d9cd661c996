"""What lenient features would have refused: how many calls of how many tasks, and whether a plan came of it anyway."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jackline.cli.parts.runs import Run, is_would

CALL = "TOOL_DECISION"
PLANS = ("PLAN_ACCEPTED", "PLAN_DENIED")
"""Rows that say that a plan was submitted."""
REFUSALS = ("deny", "ask", "block")
SOON = 2
"""Calls after a refusal within which a plan counts as its answer."""


class Strict(NamedTuple):
    """What one feature would have done, had it been strict. `calls`: those it judged, in `tasks`."""

    feature: str
    refused: int
    calls: int
    tasks: int
    followed: int

    @property
    def sentence(self) -> str:
        many = f"{self.refused:,} of {self.calls:,} call{'s' * (self.calls != 1)}"
        said = f"strict would have refused {many} in {self.tasks:,} task{'s' * (self.tasks != 1)}"
        if not self.refused:
            return said
        were = "was" if self.followed == 1 else "were"
        return f"{said}; {self.followed:,} {were} followed by a plan within two calls"


def _is_refused(run: Run, feature: str) -> bool:
    return any(
        is_would(one) and one.get("producer") == feature and one.get("decision") in REFUSALS for one in run.others
    )


def _is_followed(later: Iterable[Run]) -> bool:
    """Whether a plan was submitted before the third call of these."""
    calls = 0
    for run in later:
        if any(one.get("kind") in PLANS for one in (run.row, *run.others)):
            return True
        calls += run.row.get("kind") == CALL
        if calls > SOON:
            return False
    return False


def strict(sessions: Sequence[Sequence[Run]], feature: str) -> Strict:
    """Count the calls of these sessions that a feature judged; those of one session in the order of its log."""
    refused = calls = followed = 0
    tasks = set()
    for at, found in enumerate(sessions):
        for number, run in enumerate(found):
            if run.row.get("kind") == CALL and any(one.get("feature") == feature for one in run.actions):
                calls += 1
                tasks.add((at, run.row.get("workId")))
                if _is_refused(run, feature):
                    refused += 1
                    followed += _is_followed(found[number + 1 :])
    return Strict(feature, refused, calls, len(tasks), followed)
