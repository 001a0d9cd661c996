"""Count what the task uses, and block it at a cap (knob `caps`)."""

from __future__ import annotations

from jackline.jsonio import dumps
from jackline.sdk import allow
from jackline.services import budget, work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.store.tasks import Task

TRIGGER = {"kind": "PHASE_TRIGGER", "data": {"trigger": "cap_reached"}}


def _characters(event: Event) -> int:
    """How long is what a call was given and gave back, or a prompt."""
    if event.prompt:
        return len(event.prompt)
    return sum(len(one) if isinstance(one, str) else len(dumps(one)) for one in (event.input, event.response) if one)


def _answer(task: Task, ctx: Context) -> Action:
    """What is said when a cap is reached: to the agent what is left to do, to the person how it goes on."""
    said, capped = budget.sentence(task), task["capped"]
    row = {"kind": "CAP_REACHED", "data": {**{key: capped[key] for key in ("cap", "most")}, **budget.used(task)}}
    if capped["told"]:
        return allow()._replace(emit_events=(row,), warnings=(f"{ctx.ids.work_id}: {said}; strict would block it",))
    agent = f"BLOCKED: {said}. Reading is open. Tell the person where it stands; their next prompt goes on."
    person = f"{ctx.ids.work_id} is BLOCKED: {said} · your next prompt goes on, with as much again"
    return allow()._replace(additional_context=(("task", agent),), emit_events=(row, TRIGGER), warnings=(person,))


def counted(event: Event, ctx: Context) -> Action | None:
    """Count an event, and block the task that has reached a cap by it; a prompt is counted and blocks nothing."""
    caps, turn = ctx.config["caps"], ctx.ids.turn_id
    calls = 0 if event.name == "UserPromptSubmit" else 1
    characters = _characters(event) if caps.get("tokens") else 0
    new: list[bool] = []

    def spent(old: Task) -> Task:
        made = budget.spend(old, turn, ctx.start_ms, calls, characters)
        after = budget.held(made, caps, turn, told=ctx.mode != "enforce") if calls else made
        new[:] = [bool(after.get("capped")) and not made.get("capped")]
        return after

    task = work.change(ctx, spent)
    if new[0]:
        return _answer(task, ctx)
    left = budget.is_capped(task, turn) and ctx.state.get("core", {}).get("phase") != "BLOCKED"
    return allow()._replace(emit_events=(TRIGGER,)) if left else None  # a plan led on: it stays blocked
