"""Run a feature that is not ours in this process: neither its exit nor a child that it forks speaks for the door."""

from __future__ import annotations

import posix
import sys

from jackline import system
from jackline.wiring import handler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event
    from jackline.sdk import Context
    from jackline.wiring import Row


def run(row: Row, event: Event, context: Context) -> object:
    """What the feature returns. `os._exit` is SystemExit in here; a forked child that comes back ends instead."""
    own = posix.getpid()
    ours = [posix, *[sys.modules[name] for name in ("os",) if name in sys.modules]]
    real = posix._exit

    def leave(status: int) -> None:
        if posix.getpid() != own:
            real(status)
        raise SystemExit(status)

    for module in ours:
        module._exit = leave  # type: ignore[attr-defined]
    try:
        return handler(row)(event, context)
    finally:
        if posix.getpid() != own:
            system.leave(0)
        for module in {*ours, sys.modules.get("os", posix)}:
            module._exit = real  # type: ignore[attr-defined]
