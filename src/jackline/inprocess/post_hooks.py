"""What follows a call, whatever came of it: features hear of the outcome, then every post hook runs."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from jackline.inprocess.hook_set import describe_fault, is_cancelled, timed
from jackline.inprocess.invocation import called

if TYPE_CHECKING:
    from jackline.inprocess.tool_call import Passage


async def _outcome(passage: Passage) -> None:
    guards, invocation = passage.company.guards, passage.invocation
    event = invocation.ended()
    try:
        verdict = await passage.company.worker.run(lambda: guards.hear(event))
    except Exception as fault:  # noqa: BLE001 - the call is over
        passage.say("features", 0, error=describe_fault(fault)[1])
        return
    passage.notes += (*verdict.notes, *([verdict.reason] if verdict.reason else []))
    passage.context += verdict.context


async def finish(passage: Passage) -> None:
    """Features hear of the outcome, then every post hook runs; nothing of it changes the outcome."""
    ending = False
    if passage.executing and passage.company.guards.any:
        try:
            await _outcome(passage)
        except asyncio.CancelledError:
            ending = True
    for hook in passage.company.post:
        begun = time.monotonic()
        error = ""
        try:
            await timed(hook.timeout, called(hook.call, passage.invocation))
        except asyncio.CancelledError:  # of this very task when the loop ends, else the hook's own affair
            ending = ending or is_cancelled()
            error = "cancelled"
        except Exception as fault:  # noqa: BLE001 - nothing it does changes the result
            error = describe_fault(fault)[1]
        passage.say("post", begun, hook=hook.name, **({"error": error} if error else {}))
    refusal = passage.invocation.refusal
    code = {"code": refusal["code"]} if refusal else {}
    passage.company.say(passage.invocation, "end", status=passage.invocation.status or "", **code)
    if ending:
        raise asyncio.CancelledError
