"""Do something that outlives the entry point: forked twice, in a session of its own, holding nothing of the client's.

At its limit a client kills all descendants of its hook, and most wait until everybody has closed its output; what is
detached is nobody's child and has no output (design section 2, "Three clocks").
"""

from __future__ import annotations

import posix

from jackline import system
from jackline.runners.child import close_foreign
from jackline.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _let_go() -> None:
    """The null device for 0 to 2, and nothing open that came from outside. What is ours a fork may go on using."""
    nowhere = posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)
    for number in range(3):
        if nowhere != number:
            posix.dup2(nowhere, number)
    close_foreign()


def _report(store: str, fault: BaseException) -> None:
    if store:
        from jackline.store.crash import report

        report(store, fault, {"where": "detached"}, VERSION)


def detach(work: Callable[[], None], *, store: str = "") -> None:
    """Call `work` in a process that is nobody's child, and return at once. OSError when there can be none.

    It keeps the descriptors that we opened ourselves. A fault in it is reported in `store`.
    """
    child = posix.fork()
    if child:
        try:
            posix.waitpid(child, 0)
        except ChildProcessError:  # whoever ignores the end of children has seen it
            pass
        return
    try:
        posix.setsid()
        if posix.fork():
            system.leave(0)
        _let_go()
        work()
    except BaseException as fault:  # noqa: BLE001 - nobody else would hear of it
        _report(store, fault)
    finally:
        system.leave(0)
