"""The lock on a task's tools after a compaction: what sets it, whether it holds, what opens it (design "Around it").

It stands in the store's task, where no agent writes, and only where there is a context pack to look at again: an agent
whose context was cut asks `jackline pack check` before it changes anything.
"""

from __future__ import annotations

from jackline.services import context_pack as packs
from jackline.services.plans import nodes
from jackline.store import tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.services.context_pack import Where
    from jackline.store.tasks import Task

KEY = "locked"
CHECK, FRESH = "check", "fresh"
"""What opens it: only `jackline pack check`; or the pack itself, where no file that it cites has changed."""
COMMAND = "jackline pack check"


def close(where: Where, until: str) -> None:
    """End every lease of a task and lock its tools, where it has a pack. OSError when the store cannot be written."""

    def closed(task: Task) -> Task:
        left = nodes.without_leases(task)
        return {**left, KEY: until} if (task.get("context") or {}).get("hash") else left

    if tasks.read(where.store, where.sid, where.work):
        tasks.change(where.store, where.sid, where.work, closed)


def holds(task: Task, where: Where) -> bool:
    """Whether the tools of a task are locked now."""
    until = task.get(KEY)
    return bool(until) and not (until == FRESH and is_fresh(where))


def is_fresh(where: Where) -> bool:
    """Whether the task's pack lies where it was made, and every file that it cites is as it was."""
    from jackline.services.context_build import stale

    return bool(packs.document(where)) and not stale(where)


def still(where: Where) -> bool:
    """Whether the tools are locked; a lock that a fresh pack opens is taken off. OSError as for `open_`."""
    task = tasks.read(where.store, where.sid, where.work)
    if holds(task, where):
        return True
    open_(where)
    return False


def open_(where: Where) -> bool:
    """Open the lock; whether there was one. OSError when the store cannot be written."""
    if not tasks.read(where.store, where.sid, where.work).get(KEY):
        return False
    tasks.change(where.store, where.sid, where.work, lambda task: {key: one for key, one in task.items() if key != KEY})
    return True
