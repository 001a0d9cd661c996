"""The completion loop by itself: the order of completions and evaluations, aborts, conflicts, the end of retries.

`test_in_process.py` has the same loop over the scripts of a project.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from jackline.scripts.completions import Cancelled, Completions, Conflict

GRACE = 0.01


class Host:
    """A scripted model and scripted file scripts, and what happened in which order."""

    def __init__(self, *messages: str, **options: Any) -> None:
        self.log: list[str] = []
        self.warned: list[str] = []
        self.messages = list(messages)  # what the evaluations come to, "" when used up
        self.gate: asyncio.Event | None = None  # completions wait for it
        self.hold: threading.Event | None = None  # evaluations wait for it, or until they are not wanted
        self.begun = asyncio.Event()
        self.evaluating = asyncio.Event()
        self.here = asyncio.get_running_loop()
        self.loop = Completions(self.complete, self.evaluate, grace=GRACE, warn=self.warned.append, **options)

    async def complete(self, message: str) -> str:
        self.log.append(f"{self.loop.attempt}: {message}")
        self.begun.set()
        if self.gate is not None:
            await self.gate.wait()
        if message == "fail":
            raise OSError("the model is not there")
        return f"done {message}"

    def evaluate(self, attempt: int, wanted: Callable[[], bool]) -> str:
        self.log.append(f"evaluate {attempt}")
        self.here.call_soon_threadsafe(self.evaluating.set)
        while self.hold is not None and not self.hold.wait(0.005):
            if not wanted():
                self.log.append("stopped")
                return "nobody may read this"
        return self.messages.pop(0) if self.messages else ""


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 20))


def test_scripts_run_after_the_completion_and_their_failure_starts_the_next() -> None:
    async def test() -> None:
        host = Host("[failed] 1")
        assert await host.loop.send("do") == "done do"
        assert host.log == ["0: do"], "the result comes before any script"
        assert host.loop.evaluating and not host.loop.running
        await host.loop.settled()
        assert host.log == ["0: do", "evaluate 1", "1: [failed] 1", "evaluate 2"]
        assert host.warned == []
        await host.loop.close()

    run(test)


def test_after_three_completions_in_a_row_scripts_wait_for_the_user() -> None:
    async def test() -> None:
        async with Host(*["again"] * 5).loop as loop:
            host: Host = loop._complete.__self__  # type: ignore[attr-defined]
            await loop.send("do")
            await loop.settled()
            prompts = ["0: do", "evaluate 1", "1: again", "evaluate 2", "2: again", "evaluate 3", "3: again"]
            assert host.log == [*prompts, "evaluate 4"]
            assert host.warned == ["scripts fail after 3 re-prompts: they wait for the user's next message"]
            host.log.clear()
            await loop.send("try that")  # a user's message starts the count anew
            await loop.settled()
            assert host.log == ["0: try that", "evaluate 1", "1: again", "evaluate 2"]

    run(test)


def test_a_message_during_the_evaluation_stops_it_and_goes_first() -> None:
    async def test() -> None:
        host = Host("failed")
        host.hold = threading.Event()
        await host.loop.send("one")
        await host.evaluating.wait()
        assert await host.loop.send("two") == "done two"
        while "stopped" not in host.log:
            await asyncio.sleep(0.002)
        host.hold.set()
        await host.loop.settled()
        assert host.log in (
            ["0: one", "evaluate 1", "0: two", "stopped", "evaluate 1", "1: failed", "evaluate 2"],
            ["0: one", "evaluate 1", "stopped", "0: two", "evaluate 1", "1: failed", "evaluate 2"],
        ), "and what the stopped evaluation came to starts nothing"
        await host.loop.close()

    run(test)


def test_a_message_during_the_grace_period_leaves_nothing_to_evaluate_before_it() -> None:
    async def test() -> None:
        host = Host()
        await host.loop.send("one")
        await host.loop.send("two")
        await host.loop.settled()
        assert host.log == ["0: one", "0: two", "evaluate 1"]
        await host.loop.close()

    run(test)


def test_a_message_during_a_script_s_completion_is_a_conflict_until_it_is_cancelled() -> None:
    async def test() -> None:
        host = Host("failed")
        await host.loop.send("one")
        host.begun.clear()
        host.gate = asyncio.Event()
        await host.begun.wait()
        assert host.loop.running and host.loop.attempt == 1
        with pytest.raises(Conflict, match="that a script's failure started") as conflict:
            await host.loop.send("two")
        assert conflict.value.by_script
        await host.loop.cancel()
        assert not host.loop.running and not host.loop.evaluating
        host.gate.set()
        assert await host.loop.send("two") == "done two"
        await host.loop.settled()
        assert host.log == ["0: one", "evaluate 1", "1: failed", "0: two", "evaluate 1"]
        assert host.warned == []
        await host.loop.close()

    run(test)


def test_two_messages_of_the_user_conflict_too() -> None:
    async def test() -> None:
        host = Host()
        host.gate = asyncio.Event()
        first = asyncio.create_task(host.loop.send("one"))
        await host.begun.wait()
        with pytest.raises(Conflict) as conflict:
            await host.loop.send("two")
        assert not conflict.value.by_script
        host.gate.set()
        assert await first == "done one"
        await host.loop.close()

    run(test)


def test_a_cancelled_completion_tells_who_waits_for_it_and_runs_no_script() -> None:
    async def test() -> None:
        host = Host("failed")
        host.gate = asyncio.Event()
        first = asyncio.create_task(host.loop.send("one"))
        await host.begun.wait()
        await host.loop.cancel()
        with pytest.raises(Cancelled):
            await first
        await asyncio.sleep(2 * GRACE)
        await host.loop.settled()
        assert host.log == ["0: one"]
        await host.loop.close()

    run(test)


def test_who_is_cancelled_while_waiting_cancels_the_completion() -> None:
    async def test() -> None:
        host = Host("failed")
        host.gate = asyncio.Event()
        first = asyncio.create_task(host.loop.send("one"))
        await host.begun.wait()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert not host.loop.running
        await host.loop.settled()
        assert host.log == ["0: one"]
        await host.loop.close()

    run(test)


def test_a_cancelled_evaluation_prompts_nobody() -> None:
    async def test() -> None:
        host = Host("failed")
        host.hold = threading.Event()
        await host.loop.send("one")
        await host.evaluating.wait()
        await host.loop.cancel()
        await host.loop.settled()
        assert host.log == ["0: one", "evaluate 1", "stopped"]
        await host.loop.close()

    run(test)


def test_a_completion_that_raises_is_followed_by_no_script() -> None:
    async def test() -> None:
        host = Host("failed")
        with pytest.raises(OSError, match="not there"):
            await host.loop.send("fail")
        await host.loop.settled()
        assert host.log == ["0: fail"]
        assert await host.loop.send("one") == "done one", "and the loop goes on"
        await host.loop.close()

    run(test)


def test_what_no_caller_waits_for_is_warned_of() -> None:
    async def test() -> None:
        host = Host("fail")
        await host.loop.send("one")
        await host.loop.settled()
        assert host.warned == ["the completion that a script started failed: OSError('the model is not there')"]

        def broken(attempt: int, wanted: Callable[[], bool]) -> str:
            raise ValueError("a fault")

        host.loop._evaluate = broken
        await host.loop.send("two")
        await host.loop.settled()
        assert host.warned[1:] == ["file scripts could not be evaluated: ValueError('a fault')"]
        await host.loop.close()

    run(test)


def test_closing_twice_is_closing() -> None:
    async def test() -> None:
        host = Host()
        await host.loop.send("one")
        await host.loop.close()
        await host.loop.close()
        assert host.log == ["0: one"]

    run(test)
