"""Processes that begin at the same moment and live until all have answered: forks of the test's own."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable


def _child(number: int, work: Callable[[int], object], start: int, answers: int, end: int) -> None:
    code = 99
    try:
        os.read(start, 1)  # until the parent closes the other end
        found = work(number)
        code = found if isinstance(found, int) else 0
    except BaseException:
        traceback.print_exc()
    finally:
        os.write(answers, bytes((code,)))
        os.read(end, 1)
        os._exit(0)


def together(count: int, work: Callable[[int], object]) -> list[int]:
    """Run `work(number)` in so many processes at once. What each returned (0 for nothing), 99 where it raised."""
    start, go = os.pipe()
    answered, answers = os.pipe()
    end, stop = os.pipe()
    pids = []
    for number in range(count):
        pid = os.fork()
        if pid == 0:
            os.close(go)
            os.close(stop)
            _child(number, work, start, answers, end)
        pids.append(pid)
    os.close(go)
    found = [os.read(answered, 1)[0] for _ in pids]
    os.close(stop)
    for pid in pids:
        os.waitpid(pid, 0)
    for fd in (start, answered, answers, end):
        os.close(fd)
    return found
