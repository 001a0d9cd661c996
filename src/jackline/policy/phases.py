"""The lifecycle of a unit of work: which phase comes next, and what a phase lets through (contract section 12)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Event
    from jackline.wiring import Phase

ORDINALS = {"UNINITIALIZED": 0, "PLANNING": 1, "EXECUTING": 2, "COMPLETE": 3, "BLOCKED": 99}


def step(core: Mapping[str, Any], to: str) -> dict[str, Any] | None:
    """The patch of `core` that enters phase `to`; None when it is the phase already."""
    phase = str(core.get("phase", "UNINITIALIZED"))
    if to == phase:
        return None
    work = str(core.get("workId", "w001"))
    same = core.get("phaseWork") == work
    sequence = core.get("phaseSeq", 0)
    return {
        "phase": to,
        "phasePrevious": phase,
        "phaseSeq": (sequence if same and isinstance(sequence, int) else 0) + 1,
        "phaseWork": work,
    }


def following(core: Mapping[str, Any], plan: Mapping[str, Any], *, typed: bool, blocked: bool) -> str:
    """The phase that an event leads to, given what is known after its hooks ran (contract section 12.2).

    `typed`: a person's prompt. `blocked`: a policy was violated or an account is used up, while phases are enforced.
    """
    phase = str(core.get("phase", "UNINITIALIZED"))
    work = core.get("phaseWork")
    if work is not None and work != core.get("workId"):
        phase = "UNINITIALIZED"  # a new unit of work begins at the beginning
    if blocked:
        return "BLOCKED"
    if phase == "BLOCKED":
        # remediation: a person speaks, or the plan was mended
        if typed:
            previous = str(core.get("phasePrevious", "PLANNING"))
            return previous if previous in ORDINALS and previous != "BLOCKED" else "PLANNING"
        return phase
    if phase == "UNINITIALIZED" and typed:
        phase = "PLANNING"
    if phase == "PLANNING" and plan.get("status") == "accepted":
        phase = "EXECUTING"
    if phase == "EXECUTING" and plan.get("status") == "accepted" and plan.get("complete") is True:
        phase = "COMPLETE"
    if phase == "COMPLETE" and plan.get("complete") is not True:
        phase = "EXECUTING" if plan.get("status") == "accepted" else "PLANNING"
    return phase


def judge(rule: Phase | None, phase: str, event: Event) -> tuple[str, str]:
    """What the phase's rule says of a tool call: (`deny` | `warn` | "", reason)."""
    if rule is None or rule.mode not in ("deny", "warn") or rule.lists(event.tool, event.kind):
        return "", ""
    return rule.mode, f"{event.tool} is not among the tools of phase {phase}"
