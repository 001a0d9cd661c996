"""The features Jackline knows by name: those it has, and those whose place is kept (contract section 14, design 8)."""

from __future__ import annotations

from typing import NamedTuple

from jackline.builtin import module_of


class Known(NamedTuple):
    """A slug's place in the order, what it is when nobody says otherwise, and whether it is here yet."""

    priority: int
    hot: bool
    critical: bool
    on: bool = False
    here: bool = False


KNOWN = {
    "session": Known(0, True, True, on=True, here=True),
    "self-protect": Known(1, True, True, on=True, here=True),
    "work-init": Known(2, True, False, here=True),
    "attachments": Known(3, True, False, here=True),
    "graph-pretooluse": Known(10, True, True, on=True, here=True),
    "command-guard": Known(11, True, True, on=True, here=True),
    "intent-scope": Known(12, True, True, here=True),
    "stale-file": Known(13, True, True, here=True),
    "ask-destructive": Known(14, True, True, here=True),
    "context-pack": Known(14, True, False, here=True),
    "tool-gate": Known(15, True, True, here=True),
    "plan-graph": Known(19, True, False, here=True),
    "planGraph-exec": Known(20, True, False, on=True, here=True),
    "validators": Known(25, True, False, here=True),
    "plan-subagent-contract": Known(30, False, False, here=True),
    "mailbox": Known(35, False, False, here=True),
    "rlm-work": Known(40, True, False, here=True),
    "pre-compact": Known(45, True, False, here=True),
    "memory-journal": Known(50, False, False),
    "memory-activation": Known(60, True, False),
    "stop-synth": Known(100, False, False, here=True),
}

NOT_YET = "not yet in this version"


def is_on(slug: str) -> bool:
    """Whether a feature runs when nobody says otherwise."""
    return slug in KNOWN and KNOWN[slug].on


def folder_of(slug: str) -> str:
    """The folder of a feature's package: `planGraph-exec` → `plan_graph_exec`."""
    return module_of(slug).split(".")[-2]
