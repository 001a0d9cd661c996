"""Who a call meets on its way: hooks by name, features, the log; and how one of them is run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from jackline.inprocess.worker import Stuck
from jackline.runners.actions import BadAction
from jackline.store.crash import stack_hash

if TYPE_CHECKING:
    from jackline.inprocess.guards import Guards
    from jackline.inprocess.types import PostHook, PreHook
    from jackline.inprocess.vocabulary import Vocabulary
    from jackline.inprocess.worker import Worker


class Hook(NamedTuple):
    """A pre hook. An `observer` decides nothing, and its faults count for nothing. `timeout`: seconds, None = none."""

    name: str
    call: PreHook
    observer: bool = False
    timeout: float | None = None


class PostHookOf(NamedTuple):
    """A post hook with its name."""

    name: str
    call: PostHook
    timeout: float | None = None


class Company(NamedTuple):
    """Who a call meets on its way: the engine's hooks as they stood when it came, its features, its log."""

    pre: tuple[Hook, ...]
    post: tuple[PostHookOf, ...]
    guards: Guards
    worker: Worker
    vocabulary: Vocabulary
    say: Callable[..., None]


def describe_fault(fault: BaseException) -> tuple[str, str]:
    """A fault as (mark, sentence)."""
    if isinstance(fault, BadAction):
        return "BAD_ACTION", f"returned no decision: {fault}"
    if isinstance(fault, TimeoutError):
        return "TIMEOUT", "did not end in its time"
    if isinstance(fault, Stuck):
        return "BUDGET_EXCEEDED", str(fault)
    mark = stack_hash(fault)
    return mark, f"failed: {type(fault).__name__} [{mark}]"


async def timed(seconds: float | None, work: Awaitable[Any]) -> Any:
    async with asyncio.timeout(seconds):
        return await work


def is_cancelled() -> bool:
    """Whether somebody cancelled this very task; else a CancelledError is the affair of whoever raised it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
