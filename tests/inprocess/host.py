"""A host for tests: an engine with its log, a tool that notes what it was given, a look for what is left behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from jackline.inprocess import HookEngine, Line, Outcome

Result = TypeVar("Result")


class Host:
    """`engine`, the `log` of it, what was `executed`, what the model was `pushed`, and what a person was `asked`."""

    def __init__(self, root: Path, **options: Any) -> None:
        self.log: list[Line] = []
        self.executed: list[dict[str, Any]] = []
        self.pushed: list[str] = []
        self.asked: list[str] = []
        self.answer: bool | None = None
        self.engine = HookEngine(root, log=self.log.append, **options)

    async def execute(self, payload: dict[str, Any]) -> str:
        self.executed.append(payload)
        return "done"

    async def ask(self, kind: str, message: str) -> bool:
        assert kind == "tool"
        self.asked.append(message)
        assert self.answer is not None, "nobody was to be asked"
        return self.answer

    async def call(self, tool: str = "write_to_file", /, **options: Any) -> Outcome[Any]:
        payload = options.pop("payload", {"path": "a.txt", "content": "x"})
        options.setdefault("execute", self.execute)
        if self.answer is not None:
            options.setdefault("ask_approval", self.ask)
        return await self.engine.execute_tool(tool, payload, push_tool_result=self.pushed.append, **options)

    async def shell(self, command: str, /, **options: Any) -> Outcome[Any]:
        return await self.call("execute_command", payload={"command": command}, **options)

    def phases(self, one: str = "") -> list[str]:
        """The phases of the log, of one invocation or of all."""
        return [line["phase"] for line in self.log if not one or line["invocation_id"] == one]


def run(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run in a loop with asyncio's own checks on; afterwards no task and no thread is left."""
    before = threading.active_count()

    async def watched() -> Result:
        try:
            return await work()
        finally:
            me = asyncio.current_task()
            assert [task for task in asyncio.all_tasks() if task is not me] == [], "a task is left behind"

    result = asyncio.run(watched(), debug=True)
    for thread in threading.enumerate():
        if thread.name.startswith("jackline"):
            thread.join(2)
    assert threading.active_count() <= before, threading.enumerate()
    return result


async def until(told: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(10):
        while not told():
            await asyncio.sleep(0.005)


async def gathered(*work: Awaitable[Any]) -> list[Any]:
    return list(await asyncio.gather(*work))
