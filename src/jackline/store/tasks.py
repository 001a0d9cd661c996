"""What is known of one task whoever writes into the work tree: its phase, its accepted plan, its nodes, its leases.

One small file a task, `<store>/tasks/<sid>/<work>`; the accepted plan lies beside it. Its first line is what events ask
for, its second one what is known of each node. What stands in a session's folder asks or shows, this decides (design
"Who decides").
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Task = dict[str, Any]

FOLDER = "tasks"
FORMAT = 1
LOCK = ".lock"
WAIT_MS = 500
LIMIT = 1 << 24
"""Bytes of a task's file: of the largest plan all nodes begun, each with its lease."""
BY_NODE = ("nodes", "touched", "reminded")
"""Keys with something for each node, of which there may be thousands."""
PLAN = ".plan.json"
"""How the accepted plan's file ends, after the task's name."""
PLAN_LIMIT = 1 << 22
"""Bytes of an accepted plan."""


def _place(store: str, sid: str, work: str) -> str:
    return f"{store}/{FOLDER}/{sid}/{work}"


def _parsed(line: bytes) -> Task:
    found = loads(line.decode()) if line else {}
    return found if type(found) is dict else {}


def head(store: str, sid: str, work: str, *, whole: bool = False) -> Task:
    """A task without what is known of each node: it costs the same however many there are.

    Empty when nothing is known of it, or it cannot be read.
    """
    try:
        first, _, rest = system.read(_place(store, sid, work), limit=LIMIT).partition(b"\n")
        found = _parsed(first)
        if found.get("v") != FORMAT:
            return {}
        return {**found, **_parsed(rest)} if whole and rest else found
    except (OSError, ValueError, RecursionError):
        return {}


def read(store: str, sid: str, work: str) -> Task:
    """A task as it stands, with its nodes; empty when nothing is known of it, or it cannot be read."""
    return head(store, sid, work, whole=True)


def _lines(task: Task) -> bytes:
    parts = [{key: value for key, value in task.items() if key not in BY_NODE} | {"v": FORMAT}]
    by_node = {key: task[key] for key in BY_NODE if task.get(key)}
    if by_node:
        parts.append(by_node)
    return b"".join([dumps(one).encode("ascii") + b"\n" for one in parts])


def change(store: str, sid: str, work: str, make: Callable[[Task], Task | None]) -> Task:
    """Change a task under its session's lock. `make` gets what stands there and returns what shall, None for the same.

    OSError when the store cannot be written, or stays locked, or a task would be too large to be read again.
    """
    folder = f"{store}/{FOLDER}/{sid}"
    system.make_dirs(folder)
    held = system.lock(f"{folder}/{LOCK}", WAIT_MS)
    if held < 0:
        raise OSError(11, "another process holds the lock", folder)
    try:
        old = read(store, sid, work)
        new = make(dict(old))
        if new is None or new == old:
            return old
        data = _lines(new)
        if len(data) >= LIMIT:
            raise OSError(27, f"a task has at most {LIMIT} bytes", folder)
        system.replace(_place(store, sid, work), data)
        return new
    finally:
        system.close(held)


def read_plan(store: str, sid: str, work: str) -> bytes:
    """The accepted plan of a task, as it was accepted; empty when there is none."""
    try:
        return system.read(_place(store, sid, work) + PLAN, limit=PLAN_LIMIT)
    except OSError:
        return b""


def keep_plan(store: str, sid: str, work: str, data: bytes) -> None:
    """Keep a plan that was accepted. OSError when it cannot be written."""
    system.make_dirs(f"{store}/{FOLDER}/{sid}")
    system.replace(_place(store, sid, work) + PLAN, data)


def forget(store: str, sid: str) -> None:
    """Forget the tasks of a session that is gone."""
    folder = f"{store}/{FOLDER}/{sid}"
    for name in system.names(folder):
        system.unlink(f"{folder}/{name}")
    system.unlink(f"{folder}/{LOCK}")
    system.remove_folder(folder)
