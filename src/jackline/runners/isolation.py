"""Run a feature that is not ours in this process: what it changes, its exit, a child it forks stay its own.

It is given copies: a hook that changes its event or the state in place changes nothing for the guards after it.
"""

from __future__ import annotations

import posix
import sys
from marshal import dumps, loads

from jackline import system
from jackline.hook_table import handler
from jackline.model import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.hook_table import HookSpec
    from jackline.sdk import Context


def _copied(value: Any) -> Any:
    try:
        return loads(dumps(value))
    except ValueError:  # nothing that came as JSON
        return value


def isolated(event: Event) -> Event:
    """The event once more, with an input and a payload of its own."""
    made = Event(event.name)
    made.__dict__.update(event.__dict__)
    made.payload, made.input, made.response = _copied((event.payload, event.input, event.response))
    return made


def run(row: HookSpec, event: Event, context: Context) -> object:
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
        context.state = _copied(context.state)
        return handler(row)(isolated(event), context)
    finally:
        if posix.getpid() != own:
            system.leave(0)
        for module in {*ours, sys.modules.get("os", posix)}:
            module._exit = real  # type: ignore[attr-defined]
