"""Run a feature in a forked child: what it does to its memory, signals or descriptors stays there."""

from __future__ import annotations

import marshal
import posix

from jackline import system
from jackline.hook_table import handler
from jackline.model import Action
from jackline.runners.actions import BadAction, coerce

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.hook_table import HookSpec
    from jackline.model import Event
    from jackline.sdk import Context


def run(row: HookSpec, event: Event, context: Context) -> Action:
    """Run the feature in a child of its own group. Raises BadAction or Elsewhere; the caller's timer cuts it off."""
    out, into = posix.pipe()
    child = posix.fork()
    if child == 0:
        try:
            posix.close(out)
            posix.setpgid(0, 0)
            action = coerce(handler(row)(event, context))
            system.write_all(into, marshal.dumps(("ok", [*action])))
        except BadAction as bad:
            system.write_all(into, marshal.dumps(("bad", str(bad))))
        except BaseException as fault:  # noqa: BLE001 - reported to the parent, which holds it
            from jackline.runners.feature_errors import lines
            from jackline.store.crash import stack_hash

            told = (type(fault).__name__, stack_hash(fault), lines(fault, row))
            system.write_all(into, marshal.dumps(("fault", told)))
        finally:
            system.leave(0)
    posix.close(into)
    try:
        data = system.drain(out, 1 << 24)
    finally:
        posix.close(out)
        try:
            posix.kill(child, 9)
            posix.killpg(child, 9)
        except OSError:
            pass
        posix.waitpid(child, 0)
    if not data:
        raise RuntimeError("the forked feature ended without an answer")
    kind, value = marshal.loads(data)
    if kind == "ok":
        return coerce(Action(*value))
    if kind == "bad":
        raise BadAction(value)
    from jackline.runners.feature_errors import ChildError

    raise ChildError(*value)
