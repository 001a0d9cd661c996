"""A task goes on in the session that follows: after `/clear`, or in a fork, the client gives the conversation a new id.

What goes over stands in the store: goal, accepted plan, status of nodes. Leases do not: what was begun begins again.
"""

from __future__ import annotations

from jackline import system
from jackline.services.capsule import Where
from jackline.services.plans import nodes
from jackline.store import tasks
from jackline.store.ids import is_sid
from jackline.store.sessions import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.store.tasks import Task

KEPT = ("goal", "plan", "nodes", "touched")
"""What a task takes along."""


def _newest(store: str, sid: str) -> str:
    """The last task of a session that the store knows, "" for none."""
    found = [name for name in system.names(f"{store}/{tasks.FOLDER}/{sid}") if name[0] == "w" and name[1:].isdigit()]
    return max(found, key=lambda name: int(name[1:]), default="")


def _previous(where: Where, client: str, key: str) -> Where | None:
    """The task that a session goes on from; `client` and `key` are the client's name and its id of the session."""
    record = load(where.store, client, key) if key else None
    sid = str(record.get("follows", "")) if record is not None else ""
    work = _newest(where.store, sid) if is_sid(sid) and sid != where.sid else ""
    if not work:
        return None
    return Where(where.store, where.root, sid, f"{where.folder.rpartition('/')[0]}/{sid}", work)


def carry(where: Where, client: str, key: str) -> Where | None:
    """Take an unfinished task over into the session that follows. Where it was; None when there is nothing to take.

    A session that has a plan of its own, or has taken one over before, keeps it. OSError when the store cannot be
    written.
    """
    past = _previous(where, client, key)
    old = tasks.read(where.store, past.sid, past.work) if past is not None else {}
    if past is None or not old.get("plan") or old.get("phase") == "COMPLETE":
        return None
    if tasks.read(where.store, where.sid, where.work).get("plan"):
        return None
    data = tasks.read_plan(where.store, past.sid, past.work)
    if not data:
        return None
    left = nodes.without_leases(old)
    known = {key: left[key] for key in KEPT if left.get(key)} | {"leases": {}, "follows": f"{past.sid}/{past.work}"}
    taken: list[bool] = []

    def over(task: Task) -> Task | None:
        if task.get("plan") or task.get("follows"):
            return None
        tasks.keep_plan(where.store, where.sid, where.work, data)
        taken.append(True)
        return {**task, **known}

    tasks.change(where.store, where.sid, where.work, over)
    return past if taken else None
