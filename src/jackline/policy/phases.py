"""The lifecycle of a task: which phase a trigger leads to, and what a phase lets through (contract section 12).

A phase moves by a closed set of triggers and by nothing else; a refused call leads nowhere.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.hook_table import Phase
    from jackline.model import Event

ORDINALS = {"UNINITIALIZED": 0, "PLANNING": 1, "EXECUTING": 2, "COMPLETE": 3, "BLOCKED": 99}
FIRST = "UNINITIALIZED"

BACK = "back"
"""In the table: the phase that was before BLOCKED."""

TRIGGERS = {
    "prompt": (("UNINITIALIZED", "PLANNING"), ("BLOCKED", "back")),
    "pack_sufficient": (("UNINITIALIZED", "PLANNING"), ("BLOCKED", "back")),
    "plan_accepted": (
        ("UNINITIALIZED", "EXECUTING"),
        ("PLANNING", "EXECUTING"),
        ("COMPLETE", "EXECUTING"),
        ("BLOCKED", "back"),
    ),
    "plan_withdrawn": (("COMPLETE", "PLANNING"),),
    "all_done": (("EXECUTING", "COMPLETE"),),
    "validator_passed": (("BLOCKED", "back"),),
    "pack_insufficient": (("UNINITIALIZED", "BLOCKED"), ("PLANNING", "BLOCKED"), ("EXECUTING", "BLOCKED")),
    "refused_again": (("*", "BLOCKED"),),
    "attempts_spent": (("*", "BLOCKED"),),
    "cap_reached": (("*", "BLOCKED"),),
}
"""What each trigger leads to, by the phase it finds (`*`: any); a phase that is not named it leaves as it is."""


def of(core: Mapping[str, Any]) -> str:
    """The phase that `core` tells; the first one for a task that no phase was told of."""
    phase = core.get("phase")
    work = core.get("phaseWork")
    if phase not in ORDINALS or (work is not None and work != core.get("workId")):
        return FIRST
    return str(phase)


def next_phase(phase: str, before: str, trigger: str) -> str:
    """The phase that a trigger leads to; `before` is the phase that BLOCKED was entered from."""
    for found, to in TRIGGERS[trigger]:
        if found in (phase, "*"):
            if to == BACK:
                return before if before in ORDINALS and before != "BLOCKED" else "PLANNING"
            return to
    return phase


def step(core: Mapping[str, Any], to: str) -> dict[str, Any]:
    """The patch of `core` that enters phase `to`."""
    work = str(core.get("workId", "w001"))
    sequence = core.get("phaseSeq", 0) if core.get("phaseWork") == work else 0
    number = sequence + 1 if isinstance(sequence, int) else 1
    return {"phase": to, "phasePrevious": of(core), "phaseSeq": number, "phaseWork": work}


def following(work: str) -> str:
    """The next task's id: w001 → w002, w999 → w1000."""
    return f"w{int(work[1:]) + 1:03d}" if work[1:].isdigit() else "w001"


def judge(rule: Phase | None, phase: str, event: Event) -> tuple[str, str]:
    """What the phase's rule says of a tool call: (`deny` | `warn` | "", reason)."""
    if rule is None or rule.mode not in ("deny", "warn") or rule.lists(event.tool, event.kind):
        return "", ""
    return rule.mode, f"{event.tool} is not among the tools of phase {phase}"
