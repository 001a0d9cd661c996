"""The phase that an event leads to (contract section 12), entered into the patch that it commits."""

from __future__ import annotations

from jackline.policy import phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.runtime.outcome import Outcome


def _against_plan(outcome: Outcome) -> bool:
    """Whether the call was denied by a feature that keeps the plan."""
    if outcome.verdict.decision != "deny":
        return False
    return any(
        one.hook in outcome.verdict.by and one.spec is not None and "plan" in one.spec.state for one in outcome.ran
    )


def enter(outcome: Outcome, patch: dict[str, Any]) -> None:
    """Enter into `patch` the phase this event leads to. A denied call leads nowhere but to BLOCKED."""
    against_plan = _against_plan(outcome)
    if outcome.verdict.decision == "deny" and not against_plan:
        return
    core = {**outcome.state.get("core", {}), **patch.get("core", {})}
    plan = {**outcome.state.get("plan", {}), **patch.get("plan", {})}
    blocked = outcome.wiring.enforce_phases and bool(outcome.ended or against_plan)
    step = phases.step(core, phases.following(core, plan, typed=outcome.typed, blocked=blocked))
    if step is not None:
        patch["core"] = {**patch.get("core", {}), **step}
