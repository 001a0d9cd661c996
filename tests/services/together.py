"""Processes that begin at the same moment: forks of the test's own, each with its number."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable


def together(count: int, work: Callable[[int], object]) -> list[int]:
    """Run `work(number)` in so many processes at once; their exit codes: what it returned, 99 where it raised."""
    start, go = os.pipe()
    pids = []
    for number in range(count):
        pid = os.fork()
        if pid == 0:
            code = 99
            try:
                os.close(go)
                os.read(start, 1)  # until the last holder of the other end closes it
                found = work(number)
                code = found if isinstance(found, int) else 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        pids.append(pid)
    os.close(start)
    os.close(go)
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
