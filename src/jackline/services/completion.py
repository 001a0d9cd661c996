"""Announce what came of a task that is complete, once for each plan that led there.

For features whose event completes a task: whoever is last to know says it.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps
from jackline.model import Action
from jackline.services import artifacts, history, retrospective, work
from jackline.services.plans import nodes, submission
from jackline.services.plans.document import parse
from jackline.session_paths import task_parts, task_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.sdk import Context
    from jackline.store.tasks import Task

FILE = "retrospective.json"


def _is_over(ctx: Context) -> bool:
    """Whether the task is complete, or is with this event."""
    plan, phase = ctx.state.get("plan", {}), ctx.state.get("core", {}).get("phase")
    return bool(phase == "COMPLETE" or (phase == "EXECUTING" and plan.get("status") == "accepted"))


def _made(ctx: Context, known: Task) -> dict[str, Any]:
    ids = ctx.ids
    plan = parse(nodes.accepted_bytes(str(ctx.protected.get("store", "")), ids.session_id, ids.work_id), ctx.root)
    told = retrospective.made(known, plan, history.rows(ctx.session_root, ids.work_id))
    return {**told, "session": ids.session_id, "work": ids.work_id}


def _kept(ctx: Context, data: bytes) -> None:
    at = system.descend(ctx.session_root, task_parts(ctx.ids.work_id), create=True)
    try:
        system.replace(FILE, data, at=at)
    finally:
        system.close(at)


def ended(ctx: Context, said: Action | None) -> Action | None:
    """What is said besides, with the announcement of what came of the task: where it is over, once for its plan.

    What cannot be written is announced by a later event.
    """
    try:
        return _ended(ctx, said)
    except OSError:
        return said


def _ended(ctx: Context, said: Action | None) -> Action | None:
    known = work.task(ctx) if _is_over(ctx) else {}
    mark = (known.get("plan") or {}).get("fingerprint")
    if not mark or known.get("retrospective") == mark:
        return said
    told = _made(ctx, known)
    data = dumps(told).encode("ascii") + b"\n"
    _kept(ctx, data)
    work.change(ctx, lambda old: {**old, "retrospective": mark})
    done = sum(one["status"] == "done" for one in told["nodes"])
    summary = f"{done} of {len(told['nodes'])} nodes done, {told['refused']} refusals, {told['minutes']} minutes"
    ref = task_ref(ctx.ids.work_id, FILE)
    before = artifacts.newest(ctx.state, retrospective.KIND, ctx.ids.work_id)
    entry = artifacts.described(
        retrospective.KIND,
        ref,
        data,
        summary=summary,
        depends=[submission.place(ctx.ids.work_id)],
        supersedes=before.id if before is not None else "",
    )
    row = {"kind": "RETROSPECTIVE", "data": {key: told[key] for key in ("plan", "attempts", "refused", "minutes")}}
    made = said or Action()
    return made._replace(register_artifacts=(*made.register_artifacts, entry), emit_events=(*made.emit_events, row))
