"""Work behind the client's back: one detached worker for each key, with a deadline; the next event finds its result.

A worker that died or overstayed its time is nobody: the next one takes its place.
"""

from __future__ import annotations

from jackline import system
from jackline.store.sessions import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = "jobs"


def _place(store: str, key: str) -> str:
    return f"{store}/{FOLDER}/{safe_name(key)}"


def is_free(store: str, key: str, now_ms: int, most_ms: int) -> bool:
    """Whether nobody does this, or whoever did is past the deadline."""
    try:
        begun = int(system.read(_place(store, key), limit=32))
    except (OSError, ValueError):
        return True
    return now_ms - begun >= most_ms


def start(store: str, key: str, work: Callable[[], None], now_ms: int, most_ms: int) -> bool:
    """Do `work` in a process of its own, unless somebody does it; whether it was begun.

    Called when the client has its answer. OSError when the store cannot be written or no process made.
    """
    if not is_free(store, key, now_ms, most_ms):
        return False
    system.make_dirs(f"{store}/{FOLDER}")
    place = _place(store, key)
    system.unlink(place)
    if not system.claim(place, str(now_ms).encode()):
        return False

    def whole() -> None:
        system.alarm(most_ms / 1000, lambda: system.leave(1))
        try:
            work()
        finally:
            system.unlink(place)

    from jackline.scripts.detached import detach

    detach(whole, store=store)
    return True
