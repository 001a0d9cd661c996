"""Run the features' judgement in a thread of its own, one at a time and in order, with a deadline that ends it.

The thread is there while there is work. One that does not end in time is interrupted, then left behind: its work is
told as `Stuck`, and what waits goes on in a new thread.
"""

from __future__ import annotations

import asyncio
import ctypes
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from jackline.runners.python import AFTER_MS, OverBudget

Result = TypeVar("Result")


GRACE = 0.5
"""Seconds that work under way may still take when nobody waits for it any more."""


async def to_the_end(work: Awaitable[Result]) -> Result:
    """Wait for `work` even when the waiting task is cancelled meanwhile; it is told of that afterwards."""
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        if not task.cancelled():
            task.exception()  # it was asked for
        raise asyncio.CancelledError
    return task.result()


class Stuck(Exception):
    """The work did not end within its deadline."""


class Job(Generic[Result]):
    """One piece of work. `begun` is when its thread took it up, 0 while it waits."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self.work = work
        self.future: Future[Result] = Future()
        self.begun = 0.0
        self.over = False

    def run(self) -> None:
        try:
            made = self.work()
        except BaseException as fault:  # noqa: BLE001 - told to who waits
            self.future.set_exception(fault if isinstance(fault, Exception) else Stuck(type(fault).__name__))
        else:
            self.future.set_result(made)


class Worker:
    """`deadline`: seconds that one piece of work may take."""

    def __init__(self, deadline: float, name: str = "jackline-engine") -> None:
        self.deadline = deadline
        self._name = name
        self._lock = threading.Lock()
        self._waiting: deque[Job[Any]] = deque()
        self._thread: threading.Thread | None = None

    # --- the thread ---

    def _next(self) -> Job[Any] | None:
        """What the calling thread does next; without anything, or when it was left behind, it ends."""
        with self._lock:
            if self._thread is not threading.current_thread():
                return None
            while self._waiting:
                job = self._waiting.popleft()
                if job.future.set_running_or_notify_cancel():
                    job.begun = time.monotonic()
                    return job
            self._thread = None
            return None

    def _work(self) -> None:
        try:
            while (job := self._next()) is not None:
                try:
                    job.run()
                finally:
                    with self._lock:
                        job.over = True
        except OverBudget:
            pass  # it came late: the work was done, and another thread has taken over

    def _start(self) -> None:
        """Begin a thread for what waits. The caller holds the lock."""
        self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
        self._thread.start()

    def _interrupt(self, job: Job[Any]) -> None:
        """Raise inside the thread that does `job`, and let others go on without it."""
        with self._lock:
            thread = self._thread
            if job.over or thread is None or thread.ident is None:
                return
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(OverBudget))
            self._thread = None
            if self._waiting:
                self._start()

    async def _let_go(self, job: Job[Any], ended: asyncio.Future[Any], seconds: float) -> None:
        """Let work end by itself for so long, then interrupt it."""
        if not ended.done() and seconds > 0:
            await asyncio.wait((ended,), timeout=seconds)
        if not ended.done():
            self._interrupt(job)
            await asyncio.wait((ended,), timeout=AFTER_MS / 1000)

    # --- who waits ---

    async def run(self, work: Callable[[], Result]) -> Result:
        """What `work` returns. Raises what it raises, and `Stuck` when it did not end in time.

        When the waiting task is cancelled, work that has not begun never begins, and other work has a moment to end.
        """
        job = Job(work)
        with self._lock:
            self._waiting.append(job)
            if self._thread is None:
                self._start()
        ended = asyncio.wrap_future(job.future)
        try:
            while not ended.done():
                left = self.deadline - (time.monotonic() - job.begun) if job.begun else self.deadline
                if left <= 0:
                    break
                await asyncio.wait((ended,), timeout=left)
            await self._let_go(job, ended, 0)
            if ended.done():
                return ended.result()
            raise Stuck(f"did not end within {self.deadline:g} s")
        except asyncio.CancelledError:
            if not job.future.cancel():
                await to_the_end(self._let_go(job, ended, GRACE))
            raise
        finally:
            if ended.done() and not ended.cancelled():
                ended.exception()  # it was asked for
            else:
                ended.cancel()
