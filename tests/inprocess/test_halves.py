"""The two halves, for tools that run elsewhere: `before` judges, `after` tells what became of it."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from inprocess.host import Host, run, until
from jackline.inprocess import Passage


@pytest.fixture
def seen(host: Host) -> list[Any]:
    found: list[Any] = []
    host.engine.register_post_hook("after", lambda one: found.append((one.status, one.result)))
    return found


def test_a_call_that_passes(host: Host, seen: list[Any]) -> None:
    async def both() -> Passage:
        passage = await host.engine.before("read_file", {"path": "a"})
        assert seen == []
        await host.engine.after(passage, result="text")
        return passage

    passage = run(both)
    assert (passage.decision, passage.error, passage.rewritten, seen) == ("allow", None, False, [("executed", "text")])


def test_a_call_that_is_refused_stays_refused(host: Host, seen: list[Any]) -> None:
    """Whatever the host says became of it."""
    host.engine.register_pre_hook("no", lambda one: False)

    async def both() -> Passage:
        passage = await host.engine.before("read_file", {"path": "a"})
        await host.engine.after(passage, "executed", result="text")
        return passage

    passage = run(both)
    assert passage.decision == "deny" and passage.error is not None
    assert seen == [("blocked", "text")]


def test_a_question_that_is_left_to_the_host(host: Host, seen: list[Any]) -> None:
    host.engine.register_pre_hook("one", lambda one: {"decision": "ask", "reason": "sure?"})
    host.engine.register_pre_hook("two", lambda one: {"decision": "ask", "reason": "really?"})

    async def both(yes: bool) -> Passage:
        passage = await host.engine.before("write_to_file", {"path": "a"}, defer=True)
        assert (passage.decision, passage.verdict.reason) == ("ask", "sure?\nreally?")
        if not yes:
            await passage.reject("No, said the person.")
        await host.engine.after(passage)
        return passage

    assert run(lambda: both(True)).error is None
    refused = run(lambda: both(False))
    assert refused.error is not None and refused.error["message"] == "No, said the person."
    assert [status for status, _ in seen] == ["executed", "blocked"]


def test_a_refusal_is_stronger_than_a_question(host: Host, seen: list[Any]) -> None:
    host.engine.register_pre_hook("asks", lambda one: {"decision": "ask", "reason": "sure?"})
    host.engine.register_pre_hook("no", lambda one: False)

    async def both() -> Passage:
        passage = await host.engine.before("write_to_file", {"path": "a"}, defer=True)
        await host.engine.after(passage)
        return passage

    assert run(both).decision == "deny"


def test_a_half_that_is_cancelled_has_its_post_hooks(host: Host, seen: list[Any]) -> None:
    async def waits(one: Any) -> None:
        await asyncio.sleep(3600)

    host.engine.register_pre_hook("waits", waits)

    async def cancelled() -> None:
        task = asyncio.create_task(host.engine.before("read_file", {}))
        await until(lambda: "begin" in host.phases())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(cancelled)
    assert [status for status, _ in seen] == ["cancelled"]


def test_a_coroutine_that_is_closed_ends_quietly(root: Any) -> None:
    """As when a loop is torn down around it: nothing can be awaited, nothing is left open."""
    host = Host(root)
    host.engine.use("command-guard")
    run(lambda: host.shell("ls"))
    descriptors = len(os.listdir("/proc/self/fd"))

    async def hand_over(one: Any) -> None:
        await asyncio.sleep(0)

    host.engine.register_pre_hook("waits", hand_over)

    async def closed() -> None:
        call = host.shell("ls")
        waited: Any = call.send(None)
        for _ in range(1000):  # to the first pre hook, behind the features
            if isinstance(waited, asyncio.Future):
                waited._asyncio_future_blocking = False
                await asyncio.wait((waited,))
            if "features" in host.phases()[4:]:
                break
            waited = call.send(None)
        call.close()

    run(closed)
    assert len(os.listdir("/proc/self/fd")) == descriptors
    host.engine.close()


def test_a_fault_of_our_own_is_no_yes(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise ArithmeticError

    monkeypatch.setattr("jackline.inprocess.tool_call.lawful", broken)
    host.engine.register_pre_hook("rewrites", lambda one: {"allow": True, "updated_input": {"content": "y"}})
    outcome = run(host.call)
    assert outcome.error is not None and outcome.error["code"] == "HOOK_INTERNAL_ERROR"
    assert host.executed == []
