"""A call that is cancelled, wherever it is: post hooks run, the error comes out, no task and no thread is left."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inprocess.host import Host, run, until
from jackline.inprocess import HookEngine, Invocation
from jackline.inprocess.guards import Guards


class Stop:
    """A place where a call waits until it is cancelled."""

    def __init__(self) -> None:
        self.reached = False

    async def __call__(self, *given: object) -> Any:
        self.reached = True
        await asyncio.sleep(3600)


def at_pre(host: Host, stop: Stop) -> dict[str, Any]:
    host.engine.register_pre_hook("waits", stop)
    return {}


def at_approval(host: Host, stop: Stop) -> dict[str, Any]:
    host.engine.register_pre_hook("asks", lambda one: {"decision": "ask", "reason": "sure?"})
    return {"ask_approval": stop}


def at_own_approval(host: Host, stop: Stop) -> dict[str, Any]:
    host.engine.register_default_hooks()
    return {"ask_approval": stop, "session": {"active_intent": "INT-001"}}


def at_feature(host: Host, stop: Stop) -> dict[str, Any]:
    host.engine.use("command-guard")
    return {"ask_approval": stop}


def at_execute(host: Host, stop: Stop) -> dict[str, Any]:
    return {"execute": stop}


def at_push(host: Host, stop: Stop) -> dict[str, Any]:
    host.engine.register_pre_hook("no", lambda one: False)
    return {"push_tool_result": stop}


def at_handler(host: Host, stop: Stop) -> dict[str, Any]:
    def fails(payload: dict[str, Any]) -> None:
        raise OSError

    return {"execute": fails, "handle_error": stop}


POINTS = [
    (at_pre, "cancelled"),
    (at_approval, "cancelled"),
    (at_own_approval, "cancelled"),
    (at_feature, "cancelled"),
    (at_execute, "cancelled"),
    (at_push, "blocked"),
    (at_handler, "failed"),
]


@pytest.mark.parametrize(("point", "status"), POINTS, ids=[point.__name__ for point, _ in POINTS])
def test_wherever_it_is_cancelled(host: Host, point: Any, status: str) -> None:
    stop = Stop()
    seen: list[Any] = []
    options: dict[str, Any] = {"execute": host.execute, "push_tool_result": None, **point(host, stop)}

    async def slow(one: Invocation) -> None:
        await asyncio.sleep(0.01)
        seen.append(one.status)

    host.engine.register_post_hook("slow", slow)

    async def cancelled() -> None:
        call = host.engine.execute_tool("execute_command", {"command": "git reset --hard"}, **options)
        task = asyncio.create_task(call)
        await until(lambda: stop.reached)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelled()

    run(cancelled)
    assert seen == [status]
    assert host.executed == []
    assert host.phases()[-1] == "end"
    host.engine.close()


def test_cancelled_again_while_post_hooks_run(host: Host) -> None:
    """An impatient host does not cut off the post hooks."""
    seen: list[str] = []
    stop = Stop()

    async def slow(one: Invocation) -> None:
        await asyncio.sleep(0.1)
        seen.append("slow")

    host.engine.register_post_hook("slow", slow)
    host.engine.register_post_hook("last", lambda one: seen.append("last"))

    async def twice() -> None:
        task = asyncio.create_task(host.call(execute=stop))
        await until(lambda: stop.reached)
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0.01)
        with pytest.raises(asyncio.CancelledError):
            await task

    run(twice)
    assert seen == ["slow", "last"]


def test_a_deadline_of_the_host_is_told_as_one(host: Host) -> None:
    """`asyncio.timeout` around a call works, the post hooks behind it too."""
    seen: list[Any] = []
    host.engine.register_post_hook("after", lambda one: seen.append(one.status))

    async def limited() -> None:
        async with asyncio.timeout(0.02):
            await host.call(execute=Stop())

    with pytest.raises(TimeoutError):
        run(limited)
    assert seen == ["cancelled"]


def test_the_end_of_the_loop_ends_every_call(host: Host) -> None:
    seen: list[Any] = []
    host.engine.register_post_hook("after", lambda one: seen.append(one.status))
    stop = Stop()

    async def leave() -> None:
        waiting.append(asyncio.create_task(host.call(execute=stop)))
        await until(lambda: stop.reached)

    waiting: list[asyncio.Task[Any]] = []
    asyncio.run(leave(), debug=True)
    assert (seen, waiting[0].cancelled()) == (["cancelled"], True)


def test_a_task_group_takes_its_calls_with_it(host: Host) -> None:
    seen: list[Any] = []
    host.engine.register_post_hook("after", lambda one: seen.append(one.status))

    async def group() -> None:
        async with asyncio.TaskGroup() as together:
            for _ in range(5):
                together.create_task(host.call(execute=Stop()))
            await asyncio.sleep(0.02)
            raise LookupError

    with pytest.raises(ExceptionGroup):
        run(group)
    assert seen == ["cancelled"] * 5


@given(steps=st.integers(0, 60), threads=st.booleans())
def test_at_any_step(tmp_path_factory: pytest.TempPathFactory, steps: int, threads: bool) -> None:
    """Cancelled after any number of steps of the loop: one end in the log, one round of post hooks, nothing left."""
    host = Host(tmp_path_factory.mktemp("steps"))
    if threads:
        host.engine.use("graph-pretooluse")
    seen: list[Any] = []

    async def pauses(*given: object) -> Any:
        for _ in range(5):
            await asyncio.sleep(0)

    host.engine.register_pre_hook("one", pauses)
    host.engine.register_pre_hook("two", lambda one: {"allow": True, "updated_input": {"content": "y"}})
    host.engine.register_post_hook("three", pauses)
    host.engine.register_post_hook("four", lambda one: seen.append(one.status))

    async def cancelled() -> None:
        task = asyncio.create_task(host.call(execute=pauses))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait((task,))

    run(cancelled)
    assert len(seen) == host.phases().count("end") == host.phases().count("begin") <= 1
    host.engine.close()


# --- guards in their thread ---


def stuck_in(monkeypatch: pytest.MonkeyPatch, wait: Any) -> list[int]:
    """Let the features' judgement hang in `wait`; the threads it hung in."""
    hung: list[int] = []

    def judge(self: Guards, *given: object, **options: object) -> Any:
        hung.append(threading.get_ident())
        wait()
        raise AssertionError("it waited to the end")

    monkeypatch.setattr(Guards, "judge", judge)
    return hung


def busy() -> None:
    until_then = time.monotonic() + 20
    while time.monotonic() < until_then:
        sum(range(1000))


def test_a_guard_that_hangs_is_ended_and_denies(root: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(root, features_seconds=0.1)
    host.engine.use("command-guard")
    stuck_in(monkeypatch, busy)
    begun = time.monotonic()
    outcome = run(lambda: host.shell("ls"))
    assert time.monotonic() - begun < 5
    assert outcome.error is not None and outcome.error["code"] == "HOOK_INTERNAL_ERROR"
    assert host.executed == []


def test_a_guard_that_cannot_be_ended_denies_and_is_left_behind(root: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One call inside the system cannot be interrupted: the calls behind it go on in another thread."""
    host = Host(root, features_seconds=1)
    host.engine.use("command-guard")
    asyncio.run(host.shell("ls"))  # what is loaded once is loaded now
    free = threading.Event()
    real = Guards.judge
    hung = stuck_in(monkeypatch, lambda: free.wait(20))

    async def both() -> list[Any]:
        first = asyncio.create_task(host.shell("ls"))
        await until(lambda: bool(hung))
        monkeypatch.setattr(Guards, "judge", real)
        second = asyncio.create_task(host.shell("ls"))
        return [await first, await second]

    try:
        denied, passed = asyncio.run(both(), debug=True)
    finally:
        free.set()
    assert (denied.status, passed.status) == ("blocked", "executed")
    host.engine.close()


def test_a_cancelled_call_ends_its_judgement(root: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(root, features_seconds=30)
    host.engine.use("command-guard")
    hung = stuck_in(monkeypatch, busy)
    begun = time.monotonic()

    async def cancelled() -> None:
        task = asyncio.create_task(host.shell("ls"))
        await until(lambda: bool(hung))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(cancelled)
    assert time.monotonic() - begun < 5


def test_a_call_that_waits_for_its_judgement_is_cancelled_without_one(root: Any) -> None:
    host = Host(root)
    host.engine.use("command-guard")

    async def cancelled() -> int:
        tasks = [asyncio.create_task(host.shell("ls")) for _ in range(20)]
        await asyncio.sleep(0)
        for task in tasks[10:]:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        return sum(not isinstance(one, BaseException) for one in done)

    assert run(cancelled) == 10
    assert len(host.executed) == 10
    host.engine.close()


def test_an_engine_serves_several_loops(root: Any) -> None:
    """Threads with loops of their own share one engine."""
    host = Host(root)
    host.engine.use("command-guard")
    found: list[str] = []

    def serve() -> None:
        async def some() -> None:
            for one in await asyncio.gather(*[host.shell(f"echo {at}") for at in range(5)]):
                found.append(one.status)

        asyncio.run(some())

    threads = [threading.Thread(target=serve) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == ["executed"] * 20
    host.engine.close()


def test_an_engine_is_made_anywhere(root: Any) -> None:
    """Without a running loop, and used in one after another."""
    engine = HookEngine(root)
    for _ in range(2):
        assert asyncio.run(engine.execute_tool("read_file", {}, execute=lambda payload: 1)).result == 1
