"""Work behind the client's back: one detached worker for each key, with a deadline; the next event finds its result.

A worker holds a lock that dies with it: of several at once one works, and one that died is nobody.
"""

from __future__ import annotations

from jackline import system
from jackline.store.sessions import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = "jobs"
WAIT_MS = 200
"""How long a worker waits for its lock: whoever only asks whether it is free has it for a moment."""


def _place(store: str, key: str) -> str:
    return f"{store}/{FOLDER}/{safe_name(key)}"


def is_free(store: str, key: str) -> bool:
    """Whether nobody does this now."""
    place = _place(store, key)
    if not system.exists(place):
        return True
    held = system.lock(place, 0)
    system.close(held)
    return held >= 0


def start(store: str, key: str, work: Callable[[], None], most_ms: int) -> bool:
    """Do `work` in a process of its own, `most_ms` at most, unless somebody does it; whether it was begun.

    Called when the client has its answer. OSError when the store cannot be written or no process made.
    """
    if not is_free(store, key):
        return False
    system.make_dirs(f"{store}/{FOLDER}")
    place = _place(store, key)

    def whole() -> None:
        if system.lock(place, WAIT_MS) < 0:  # somebody was faster; else it is ours as long as this process lives
            return
        system.alarm(most_ms / 1000, lambda: system.leave(1))
        try:
            work()
        finally:
            system.unlink(place)

    from jackline.scripts.detached import detach

    detach(whole, store=store)
    return True
