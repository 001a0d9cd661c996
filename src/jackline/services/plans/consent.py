"""A person's word on a plan, where the project wants one (knob `approval: person` of plan-graph).

A plan is put to them with the call that submits it. That this very call went through is their yes; their no is what the
broker has, or that the call they were asked about never came to its end.
"""

from __future__ import annotations

from jackline.jsonio import dumps
from jackline.services import compiled
from jackline.store import approvals, tasks
from jackline.store.ids import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.model import Event
    from jackline.services.plans.acceptance import Where
    from jackline.store.tasks import Task

KIND = "plans"
"""The list beside the hook table that says whose word a plan needs."""
PERSON = "person"
RULE = "plan-graph: approval person, plan {}"
"""Names the plan, so that a yes is for no other."""
SILENT = "they did not agree when they were asked"
WAITS = "approval"
"""The rule of the finding that a person has to see a plan first."""


def is_needed(store: str, root: str) -> bool:
    """Whether a plan of an agent counts only once a person said yes; never where plans are judged leniently."""
    mode, rows = compiled.read(store, root, KIND)
    return mode == "enforce" and any(row.get("approval") == PERSON for row in rows)


def call_of(event: Event) -> str:
    """What names a call at its beginning and at its end."""
    return event.tool_use_id or digest(dumps([event.tool, event.input]), 8)


def put(where: Where, fingerprint: str, call: str, turn: int, now_ms: int) -> None:
    """Note that a plan is put to a person with a call. OSError when the store cannot be written."""
    asked = {"fingerprint": fingerprint, "call": call, "turn": turn, "at": now_ms}
    tasks.change(where.store, where.sid, where.work, lambda task: {**task, "asked": asked})


def forget(where: Where) -> None:
    """The call ended without its effect: who submits the plan again asks again."""
    tasks.change(where.store, where.sid, where.work, lambda task: {**task, "asked": None})


def _asked(task: Task) -> dict[str, Any]:
    found = task.get("asked")
    return found if isinstance(found, dict) else {}


def was_put(task: Task, fingerprint: str, call: str) -> bool:
    """Whether a plan was put to a person with this very call."""
    asked = _asked(task)
    return asked.get("fingerprint") == fingerprint and asked.get("call") == call


def refused(where: Where, task: Task, fingerprint: str, call: str, turn: int) -> str | None:
    """A person's no to a plan, in their words; None where there is none.

    What they said to the broker lasts as long as the plan is the same. A dialog tells nobody of a no: that the call was
    asked about, and another comes in its turn, is one.
    """
    named = RULE.format(fingerprint)
    put_to = [one for one in approvals.requests(where.store) if one.sid == where.sid and named in one.reason]
    said = approvals.word(where.store, put_to[-1].id) if put_to else None
    if said is not None and said.decision == "reject":
        return said.note or "no"
    asked = _asked(task)
    waits = asked.get("fingerprint") == fingerprint and asked.get("turn") == turn and asked.get("call") != call
    return SILENT if waits and not put_to else None
