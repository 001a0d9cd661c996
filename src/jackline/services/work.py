"""The task a session is at: begin it, read it, change it. A feature names it by its context."""

from __future__ import annotations

from jackline.store import tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jackline.sdk import Context
    from jackline.store.tasks import Task

GOAL = 200
"""Characters of a task's goal: the first line of what the person wrote."""


def _store(ctx: Context) -> str:
    return str(ctx.protected.get("store", ""))


def task(ctx: Context, work: str = "") -> Task:
    """The task as the store has it, or another one of the session; empty before it began."""
    return tasks.read(_store(ctx), ctx.ids.session_id, work or ctx.ids.work_id)


def head(ctx: Context, work: str = "") -> Task:
    """The same without what is known of each node, for whoever asks at every event."""
    return tasks.head(_store(ctx), ctx.ids.session_id, work or ctx.ids.work_id)


def change(ctx: Context, make: Callable[[Task], Task | None]) -> Task:
    """Change the task. OSError when the store cannot be written."""
    return tasks.change(_store(ctx), ctx.ids.session_id, ctx.ids.work_id, make)


def phase(ctx: Context, known: Task) -> str:
    """The phase of the task of a feature's event."""
    return phase_of(known, ctx.state.get("core", {}), ctx.ids.turn_id)


def phase_of(known: Task, core: Mapping[str, Any], turn: int) -> str:
    """The phase of a task. A plan that was accepted since the last event opens its phase at once. `core`: of the
    session's state, for a task that an older version began.
    """
    if known.get("capped"):
        from jackline.services import budget

        if budget.is_capped(known, turn):
            return "BLOCKED"
    from jackline.policy import phases

    found = known.get("phase")
    now = str(found) if found in phases.ORDINALS else phases.of(core)
    return "EXECUTING" if now in ("UNINITIALIZED", "PLANNING") and known.get("plan") else now


def upcoming(ctx: Context) -> str:
    """The task that is at work when a person's prompt is over: after one that is complete the next begins."""
    from jackline.policy import phases

    now, core = ctx.ids.work_id, ctx.state.get("core", {})
    typed = ctx.ids.turn_id > int(core.get("lastTurnId") or 0)
    return phases.following(now) if typed and phases.of(core) == "COMPLETE" else now


def begin(ctx: Context, goal: str) -> bool:
    """Make the store know the task that a goal is for (`upcoming`), and its goal; whether that is new."""
    work = upcoming(ctx) if goal.strip() else ctx.ids.work_id
    known = head(ctx, work)
    first = goal.strip().partition("\n")[0]
    if known and (known.get("goal") or not first):
        return False
    from jackline.policy import phases
    from jackline.store.secrets import mask

    core = ctx.state.get("core", {})
    begun = {"phase": phases.of(core), "previous": core.get("phasePrevious", ""), "seq": core.get("phaseSeq", 0)}
    told = {"goal": mask(first[: 4 * GOAL])[:GOAL]} if first else {}
    old = begun if work == ctx.ids.work_id else {}  # the phase of the next one is known when this event ends
    tasks.change(_store(ctx), ctx.ids.session_id, work, lambda now: {**old, **now, **told})
    return not known
