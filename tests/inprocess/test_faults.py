"""Faults: a guard's blocks, an observer's does not; what the tool raises; post hooks run whatever happened."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import pytest

from inprocess.host import Host, run
from jackline.inprocess import Invocation


def crash(one: Invocation) -> None:
    raise ZeroDivisionError("a secret of the host")


async def endless(one: Invocation) -> None:
    await asyncio.sleep(3600)


async def of_its_own(one: Invocation) -> None:
    """Waits for something that is cancelled, as a hook of a broken host might."""
    gone = asyncio.create_task(asyncio.sleep(3600))
    gone.cancel()
    await gone


@pytest.mark.parametrize("hook", [crash, endless, of_its_own])
def test_a_guard_that_fails_blocks(host: Host, hook: Any) -> None:
    host.engine.register_pre_hook("guard", hook, timeout=0.05)
    outcome = run(host.call)
    assert outcome.error is not None and outcome.error["code"] == "HOOK_INTERNAL_ERROR"
    assert "guard failed" in outcome.error["message"]
    assert "a secret" not in str(outcome.error)
    assert host.executed == []


@pytest.mark.parametrize("hook", [crash, endless, of_its_own])
def test_an_observer_that_fails_does_not(host: Host, hook: Any) -> None:
    host.engine.register_pre_hook("observer", hook, observer=True, timeout=0.05)
    assert run(host.call).status == "executed"
    assert [line for line in host.log if line.get("error")]


def test_an_observer_decides_nothing(host: Host) -> None:
    host.engine.register_pre_hook("observer", lambda one: {"allow": False}, observer=True)
    host.engine.register_pre_hook("rewriter", lambda one: {"allow": True, "updated_input": {"x": 1}}, observer=True)
    assert run(host.call).status == "executed"
    assert host.executed == [{"path": "a.txt", "content": "x"}]


@pytest.mark.parametrize("hook", [crash, endless, of_its_own])
def test_no_post_hook_changes_the_result(host: Host, hook: Any) -> None:
    ran: list[str] = []
    host.engine.register_post_hook("bad", hook, timeout=0.05)
    host.engine.register_post_hook("good", lambda one: ran.append(str(one.status)))
    outcome = run(host.call)
    assert (outcome.status, outcome.result, ran) == ("executed", "done", ["executed"])
    assert [line.get("error") is not None for line in host.log if line["phase"] == "post"] == [True, False]


def test_what_the_tool_raises_is_handled(host: Host) -> None:
    handled: list[tuple[str, Exception]] = []
    seen: list[Any] = []
    host.engine.register_post_hook("after", lambda one: seen.append((one.status, type(one.error))))

    async def fails(payload: dict[str, Any]) -> str:
        raise OSError("disk full")

    outcome = run(lambda: host.call(execute=fails, handle_error=lambda doing, fault: handled.append((doing, fault))))
    assert (outcome.status, outcome.result) == ("failed", None)
    assert [(doing, str(fault)) for doing, fault in handled] == [("executing write_to_file", "disk full")]
    assert seen == [("failed", OSError)]


def test_without_a_handler_it_is_raised_after_the_post_hooks(host: Host) -> None:
    seen: list[Any] = []
    host.engine.register_post_hook("after", lambda one: seen.append(one.status))

    def fails(payload: dict[str, Any]) -> str:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        run(lambda: host.call(execute=fails))
    assert seen == ["failed"]


def test_a_tool_that_leaves_the_program_still_has_its_post_hooks(host: Host) -> None:
    seen: list[Any] = []
    host.engine.register_post_hook("after", lambda one: seen.append((one.status, type(one.error))))

    def leaves(payload: dict[str, Any]) -> str:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        run(lambda: host.call(execute=leaves))
    assert seen == [("failed", SystemExit)]


def test_post_hooks_hear_of_a_blocked_call(host: Host) -> None:
    seen: list[Any] = []
    host.engine.register_pre_hook("no", lambda one: False)
    host.engine.register_post_hook("after", lambda one: seen.append((one.status, one.refusal, one.result)))
    outcome = run(host.call)
    assert seen == [("blocked", outcome.error, outcome.result)]


def test_a_blocked_call_stays_blocked_when_nobody_takes_its_result(host: Host) -> None:
    host.engine.register_pre_hook("no", lambda one: False)
    seen: list[Any] = []
    host.engine.register_post_hook("after", lambda one: seen.append(one.status))

    def gone(text: str) -> None:
        raise ConnectionError("the model is gone")

    async def call() -> None:
        await host.engine.execute_tool("read_file", {}, execute=host.execute, push_tool_result=gone)

    with pytest.raises(ConnectionError):
        run(call)
    assert (seen, host.executed) == (["blocked"], [])


def test_nothing_of_a_call_is_kept(host: Host) -> None:
    """Neither a call that ended well, nor a blocked one, nor one whose hook failed."""
    gone: list[weakref.ref[Invocation]] = []

    def remember(one: Invocation) -> bool:
        gone.append(weakref.ref(one))
        return bool(one.payload["path"] != "no")

    host.engine.register_pre_hook("remembers", remember)
    host.engine.register_post_hook("fails", crash)
    for path in ("yes", "no"):
        run(lambda path=path: host.call(payload={"path": path}))  # type: ignore[misc]
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_a_log_that_fails_changes_nothing(root: Any, caplog: pytest.LogCaptureFixture) -> None:
    from jackline.inprocess import HookEngine, Line

    def broken(line: Line) -> None:
        raise OSError("no space")

    engine = HookEngine(root, log=broken)
    outcome = run(lambda: engine.execute_tool("read_file", {"path": "a"}, execute=lambda payload: 7))
    assert (outcome.status, outcome.result) == ("executed", 7)


def test_a_payload_that_is_no_tree_blocks(host: Host) -> None:
    """What nobody can look at to its end is not let pass."""
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"more": deep}
    host.engine.register_pre_hook("fine", lambda one: None)
    outcome = run(lambda: host.call(payload=deep))
    assert outcome.error is not None and outcome.error["code"] == "HOOK_INTERNAL_ERROR"
    assert host.executed == []
