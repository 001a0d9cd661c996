"""Variables by which a model's shell is known: where one is set, it is an agent that asks."""

from __future__ import annotations

from jackline.clients.facts import SHELL_MARKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def mark_of(env: Mapping[str, str]) -> str:
    """The first mark of a model's shell in an environment, "" when there is none."""
    if env.get("AI_AGENT", "").endswith("_agent"):
        return "AI_AGENT"
    for mark in SHELL_MARKS:
        if env.get(mark):
            return mark
    return ""
