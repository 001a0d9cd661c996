"""The engine around function tools of the OpenAI Agents SDK (`pip install jackline[openai-agents]`).

    agent = Agent(name="…", tools=[openai_agents.guard(engine, tool) for tool in tools])

A refused call's result is the refusal, a rewritten one is invoked as rewritten, and a question interrupts the run until
the person approves or rejects it (`RunState.approve`, `RunState.reject`), unless `ask_approval` answers at once.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from jackline.inprocess.invocation import called

if TYPE_CHECKING:
    from agents import FunctionTool, RunContextWrapper
    from agents.tool_context import ToolContext

    from jackline.inprocess.engine import HookEngine
    from jackline.inprocess.tool_call import Passage
    from jackline.inprocess.types import AskApproval

    Session = Mapping[str, Any] | Callable[[RunContextWrapper[Any]], Mapping[str, Any] | None] | None

WAITING = 256
"""Judged calls that may wait to be invoked; older ones are judged again when they are."""


def _arguments(text: str) -> dict[str, Any]:
    """The arguments of a call; what is no object stands as it is, for guards to see."""
    try:
        given = json.loads(text) if text else {}
    except ValueError:
        return {"arguments": text}
    return given if isinstance(given, dict) else {"arguments": given}


class Guarded:
    """One tool behind the engine."""

    def __init__(
        self, engine: HookEngine, tool: FunctionTool, name: str, session: Session, ask: AskApproval | None
    ) -> None:
        self._engine = engine
        self._tool = tool
        self._name = name
        self._session = session
        self._ask = ask
        self._judged: dict[str, tuple[str, Passage]] = {}

    def _told(self, context: RunContextWrapper[Any]) -> Mapping[str, Any] | None:
        return self._session(context) if callable(self._session) else self._session

    async def needs_approval(self, context: RunContextWrapper[Any], given: dict[str, Any], call_id: str) -> bool:
        """Whether the run is interrupted for a person's word."""
        own = self._tool.needs_approval
        if own is True or (callable(own) and await called(own, context, given, call_id)):
            return True
        if self._ask is not None:
            return False
        passage = await self._engine.before(self._name, given, session=self._told(context), defer=True)
        if passage.decision == "ask":
            await self._engine.after(passage, "asked")
            return True
        while len(self._judged) >= WAITING:
            _, left = self._judged.pop(next(iter(self._judged)))
            await self._engine.after(left, "cancelled")
        self._judged[call_id] = (json.dumps(given, sort_keys=True), passage)
        return False

    async def _passage(self, context: ToolContext[Any], given: dict[str, Any]) -> Passage:
        """The passage of a call: as it was judged a moment ago, or anew when a person's word came between."""
        text, passage = self._judged.pop(context.tool_call_id, ("", None))
        if passage is not None and text == json.dumps(given, sort_keys=True):
            return passage
        if passage is not None:
            await self._engine.after(passage, "cancelled")

        def approved(kind: str, message: str) -> bool:
            return context.is_tool_approved(self._tool.name, context.tool_call_id) is True

        return await self._engine.before(
            self._name, given, session=self._told(context), ask_approval=self._ask or approved
        )

    async def invoke(self, context: ToolContext[Any], text: str) -> Any:
        """Run the tool, or say why not."""
        passage = await self._passage(context, _arguments(text))
        if passage.error is not None:
            await self._engine.after(passage)
            return json.dumps(passage.error)
        if passage.rewritten:
            text = json.dumps(passage.invocation.payload)
        try:
            result = await self._tool.on_invoke_tool(context, text)
        except BaseException as fault:
            cancelled = isinstance(fault, asyncio.CancelledError)
            await self._engine.after(passage, "cancelled" if cancelled else "failed", error=fault)
            raise
        await self._engine.after(passage, result=result)
        return result


def guard(
    engine: HookEngine,
    tool: FunctionTool,
    *,
    name: str = "",
    session: Session = None,
    ask_approval: AskApproval | None = None,
) -> FunctionTool:
    """A copy of `tool` that goes through the engine. `name`: what the engine's vocabulary calls it.

    `session`: what hooks see as the session, or a function that makes it of the run's context.
    """
    one = Guarded(engine, tool, name or tool.name, session, ask_approval)
    return dataclasses.replace(tool, on_invoke_tool=one.invoke, needs_approval=one.needs_approval)
