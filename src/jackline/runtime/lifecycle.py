"""The phases that an event leads through (contract section 12), entered into the patch that it commits.

Triggers come from the event itself, from the plan's part of the state, and from features that declare them. Each step
is a row of the log, and the store knows the phase whatever becomes of the session's folder.
"""

from __future__ import annotations

from jackline import system
from jackline.policy import phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.runtime.outcome import Outcome


def _of_plan(phase: str, plan: dict[str, Any]) -> str:
    """What the plan says of the phase, "" when nothing."""
    accepted = plan.get("status") == "accepted"
    if accepted and (phase == "PLANNING" or (phase == "UNINITIALIZED" and plan.get("source") == "store")):
        return "plan_accepted"
    if phase == "EXECUTING" and accepted and plan.get("complete") is True:
        return "all_done"
    if phase == "COMPLETE" and plan.get("complete") is not True:
        return "plan_accepted" if accepted else "plan_withdrawn"
    return ""


KEYS = ("phase", "phasePrevious", "phaseSeq", "phaseWork", "workId")
NO_PLAN = {"status": "none", "complete": False, "source": None, "nodes": None, "over": None, "forbidden": None}
"""What a new task knows of a plan."""
OF_STORE = ("status", "complete", "currentPath", "mtime", "hash")
"""What a feature says nothing of while the plan is the store's, unless it knows of that: a copy of an older version."""


def _go(core: dict[str, Any], trigger: str, steps: list[dict[str, Any]]) -> None:
    """Enter into `core` the phase that a trigger leads to, and the step into `steps`."""
    old = phases.of(core)
    to = phases.next_phase(old, str(core.get("phasePrevious", "")), trigger)
    if to == old:
        return
    core.update(phases.step(core, to))
    steps.append({"from": old, "to": to, "trigger": trigger, "seq": core["phaseSeq"], "work": core["phaseWork"]})


def _new_task(core: dict[str, Any]) -> dict[str, Any]:
    """The task after this one: it begins at the first phase, and with no plan, which is returned."""
    core["workId"] = work = phases.following(str(core.get("workId", "w001")))
    core.update(phases.step({**core, "phaseSeq": 0}, phases.FIRST), phaseWork=work)
    return NO_PLAN


def enter(outcome: Outcome, patch: dict[str, Any], triggered: bool) -> None:
    """Enter into `patch` the phase this event leads to. A refused call leads nowhere, but for the third time, or
    where a plan was found at it that `phasePolicy` waited for.

    `triggered`: hooks emitted rows that may move it.
    """
    old = {**outcome.state.get("core", {}), **patch.get("core", {})}
    core = dict(old)
    fresh: dict[str, Any] = {}
    steps: list[dict[str, Any]] = []
    kept = outcome.table.enforce_phases or system.may_be(f"{outcome.store.path}/tasks/{outcome.session.sid}")
    known = kept and _recall(outcome, core)
    if outcome.typed:
        if phases.of(core) == "COMPLETE" and (known or not outcome.table.enforce_phases):
            fresh = _new_task(core)  # an end that an older version took from the plan's own words is none
        if phases.of(core) != phases.FIRST or not outcome.works_with("first-phase"):
            _go(core, "prompt", steps)
    refused = outcome.verdict.decision == "deny"
    if triggered or outcome.ended or refused:
        from jackline.runtime.triggers import names

        for trigger in names(outcome):
            _go(core, trigger, steps)
    if "plan" in patch and outcome.state.get("plan", {}).get("source") == "store" and "source" not in patch["plan"]:
        patch["plan"] = {key: value for key, value in patch["plan"].items() if key not in OF_STORE}
    if not refused or outcome.table.enforce_phases:  # else the phase that waits for a plan would refuse for ever
        plan = {**outcome.state.get("plan", {}), **patch.get("plan", {}), **fresh}
        while trigger := _of_plan(phases.of(core), plan):  # a plan that is accepted may be complete as well
            _go(core, trigger, steps)
    if core != old and (not kept or _keep(outcome, core)):
        for step in steps:
            outcome.add("PHASE_TRANSITION", "kernel", data=step)
        new = patch["core"] = {**patch.get("core", {})}
        for key in KEYS:
            if core.get(key) != old.get(key):
                new[key] = core[key]
        if fresh:
            patch["plan"] = {**patch.get("plan", {}), **fresh}


def _recall(outcome: Outcome, core: dict[str, Any]) -> bool:
    """The phase as the store has it: what somebody wrote into the session's folder leads nowhere.

    Whether the store has one.
    """
    from jackline.store import tasks

    work = str(core.get("workId", "w001"))
    known = tasks.head(outcome.store.path, outcome.session.sid, work)
    phase, before = known.get("phase"), known.get("previous")
    if phase in phases.ORDINALS and (phases.of(core), core.get("phasePrevious")) != (phase, before or None):
        core["phase"], core["phaseSeq"], core["phaseWork"] = phase, known.get("seq", 0), work
        core["phasePrevious"] = before or phases.FIRST
    return phase in phases.ORDINALS


def _keep(outcome: Outcome, core: dict[str, Any]) -> bool:
    """The phase, in the store, which decides. A store that cannot be written leaves the step to a later event: a log
    that told of it would tell of what is not so.
    """
    from jackline.store import tasks

    known = {"phase": core["phase"], "previous": core["phasePrevious"], "seq": core["phaseSeq"]}
    try:
        tasks.change(outcome.store.path, outcome.session.sid, str(core["workId"]), lambda task: {**task, **known})
    except OSError as fault:
        outcome.fault = outcome.fault or f"tasks: {fault.strerror or fault}"
        return False
    return True
