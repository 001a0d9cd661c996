"""`HookEngine`: the middleware between a host and its tools (design section 10).

    engine = HookEngine("/path/of/the/project")
    engine.use("command-guard")
    engine.register_default_hooks()
    outcome = await engine.execute_tool("execute_command", {"command": "ls"}, execute=run)

Pre hooks decide, in the order of their registration and after the features; then the tool runs; then every post hook,
whatever happened. Each line of the log carries the invocation's id.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar, overload

from jackline.inprocess.demo import block_if_no_intent, hitl_pre_hook, log_hook
from jackline.inprocess.guards import Guards
from jackline.inprocess.hook_set import Company, Hook, PostHookOf
from jackline.inprocess.invocation import Invocation, called, of
from jackline.inprocess.post_hooks import finish
from jackline.inprocess.tool_call import Passage
from jackline.inprocess.types import (
    AskApproval,
    HandleError,
    Line,
    Log,
    Outcome,
    Phase,
    PostHook,
    PreHook,
    PushToolResult,
    Status,
    Tool,
)
from jackline.inprocess.vocabulary import Vocabulary
from jackline.inprocess.worker import Worker, to_the_end
from jackline.policy.events import CRITICAL_DEADLINE_MS

Result = TypeVar("Result")
FEATURES_SECONDS = CRITICAL_DEADLINE_MS / 1000
"""What the features may take for one call before it is refused."""
POST_SECONDS = 10.0
"""What a post hook may take when nobody says otherwise: a cancelled call waits for it."""
SESSION = ("id", "session_id", "sessionId", "task_id", "taskId")
"""Where a host's session says which it is."""

log = logging.getLogger("jackline.runtime")


def write(line: Line) -> None:
    """The engine's log where the host brings none: one JSON object a line at level INFO."""
    log.info("%s", json.dumps(line, default=str))


class HookEngine:
    """Hooks around the tools of a host.

    `root` is the project (the working directory by default): paths are told relative to it. With a `store`
    (`user_store()` is the one that `jackline` uses) calls are logged like a client's and features are configured like
    at its entry point; without one nothing is kept beyond this engine, and features have their defaults.
    `vocabulary` says what the host's own tools are. `log` is given every line of the log.
    """

    def __init__(
        self,
        root: str | os.PathLike[str] = "",
        *,
        store: str | os.PathLike[str] | None = None,
        vocabulary: Mapping[str, Tool] | None = None,
        log: Log = write,
        features_seconds: float = FEATURES_SECONDS,
    ) -> None:
        self.root = os.path.realpath(os.fspath(root) or os.curdir)
        self._vocabulary = Vocabulary(vocabulary or {})
        self._guards = Guards(self.root, os.fspath(store) if store is not None else "", self._vocabulary)
        self._worker = Worker(features_seconds)
        self._log = log
        self._pre: list[Hook] = []
        self._post: list[PostHookOf] = []
        self._session = str(uuid.uuid4())

    # --- what stands in the way ---

    def use(self, feature: str, **knobs: Any) -> None:
        """Let a feature of Jackline judge every call, by its name; `knobs` stand above its configuration.

        Features come before all pre hooks, in their own order, whenever they are named.
        Raises ValueError for a name that is none and for knobs that are wrong.
        """
        self._guards.use(feature, knobs)

    def register_pre_hook(
        self, name: str, hook: PreHook, *, observer: bool = False, timeout: float | None = None
    ) -> None:
        """Add a hook before the tools. What it returns decides, and its fault blocks; an `observer`'s does neither.

        `timeout` (seconds) ends an async hook; without one it may wait for a person as long as it takes.
        """
        self._free(name, self._pre)
        self._pre.append(Hook(name, hook, observer, timeout))

    def register_post_hook(self, name: str, hook: PostHook, *, timeout: float | None = POST_SECONDS) -> None:
        """Add a hook behind the tools. It always runs, and nothing it does changes the result."""
        self._free(name, self._post)
        self._post.append(PostHookOf(name, hook, timeout))

    def register_default_hooks(self) -> None:
        """Add the demo hooks: `logHook`, `blockIfNoIntent`, `hitlPreHook`."""
        self.register_pre_hook("logHook", log_hook(self._write), observer=True)
        self.register_pre_hook("blockIfNoIntent", block_if_no_intent)
        self.register_pre_hook("hitlPreHook", hitl_pre_hook)

    @staticmethod
    def _free(name: str, hooks: list[Hook] | list[PostHookOf]) -> None:
        if any(one.name == name for one in hooks):
            raise ValueError(f"there is a hook {name!r} already · give this one a name of its own")

    # --- a call ---

    @overload
    async def execute_tool(
        self,
        tool_name: str,
        payload: Mapping[str, Any],
        *,
        execute: Callable[[dict[str, Any]], Awaitable[Result]],
        session: object = None,
        ask_approval: AskApproval | None = None,
        push_tool_result: PushToolResult | None = None,
        handle_error: HandleError | None = None,
    ) -> Outcome[Result]: ...

    @overload
    async def execute_tool(
        self,
        tool_name: str,
        payload: Mapping[str, Any],
        *,
        execute: Callable[[dict[str, Any]], Result],
        session: object = None,
        ask_approval: AskApproval | None = None,
        push_tool_result: PushToolResult | None = None,
        handle_error: HandleError | None = None,
    ) -> Outcome[Result]: ...

    async def execute_tool(
        self,
        tool_name: str,
        payload: Mapping[str, Any],
        *,
        execute: Callable[[dict[str, Any]], Any],
        session: object = None,
        ask_approval: AskApproval | None = None,
        push_tool_result: PushToolResult | None = None,
        handle_error: HandleError | None = None,
    ) -> Outcome[Any]:
        """Run a tool through the hooks.

        `execute` is given the payload that was judged: a copy, with what was rewritten.
        A blocked call is not executed: its refusal goes to `push_tool_result` as JSON text, and is the result.
        What `execute` raises goes to `handle_error`; without one it is raised, after the post hooks.
        Cancelling the task cancels what is under way, runs the post hooks, and raises `CancelledError`.
        """
        passage = self._passage(tool_name, payload, session, ask_approval)
        invocation = passage.invocation
        result: Any = None
        closing = False
        begun = 0.0
        try:
            await passage.judge()
            if invocation.refusal is not None:
                invocation.status = "blocked"
                result = invocation.result = json.dumps(invocation.refusal)
                if push_tool_result is not None:
                    await called(push_tool_result, result)
            else:
                begun = time.monotonic()
                passage.executing = True
                result = invocation.result = await called(execute, invocation.payload)
                invocation.status = "executed"
        except asyncio.CancelledError as fault:
            invocation.fail("cancelled", fault)
            raise
        except GeneratorExit:
            closing = True  # nothing can be awaited any more
            raise
        except Exception as fault:
            invocation.fail("failed", fault)
            if handle_error is None:
                raise
            await called(handle_error, f"executing {tool_name}", fault)
        except BaseException as fault:
            invocation.fail("failed", fault)
            raise
        finally:
            if begun:
                ms = round((time.monotonic() - begun) * 1000, 2)
                self._say(invocation, "execute", status=invocation.status or "cancelled", ms=ms)
            if not closing:
                await to_the_end(finish(passage))
        return self._outcome(passage, result)

    async def before(
        self,
        tool_name: str,
        payload: Mapping[str, Any],
        *,
        session: object = None,
        ask_approval: AskApproval | None = None,
        defer: bool = False,
    ) -> Passage:
        """For hosts whose tools run elsewhere: judge a call. `after` must follow, whatever becomes of it.

        `defer` leaves questions to the host: the passage's `decision` is `ask` then.
        """
        passage = self._passage(tool_name, payload, session, ask_approval, defer=defer)
        try:
            await passage.judge()
        except asyncio.CancelledError as fault:
            passage.invocation.fail("cancelled", fault)
            await to_the_end(finish(passage))
            raise
        return passage

    async def after(
        self,
        passage: Passage,
        status: Status = "executed",
        *,
        result: object = None,
        error: BaseException | None = None,
    ) -> None:
        """What became of a call that `before` let pass, or refused: post hooks run."""
        invocation = passage.invocation
        invocation.status = "blocked" if invocation.refusal is not None else status
        invocation.result, invocation.error = result, error
        passage.executing = invocation.status in ("executed", "failed", "cancelled")
        await to_the_end(finish(passage))

    def close(self) -> None:
        """Forget what an engine without a store kept for its features."""
        self._guards.close()

    # --- within ---

    def _passage(
        self,
        tool_name: str,
        payload: Mapping[str, Any],
        session: object,
        ask: AskApproval | None,
        *,
        defer: bool = False,
    ) -> Passage:
        company = Company(tuple(self._pre), tuple(self._post), self._guards, self._worker, self._vocabulary, self._say)
        name = str(of(session, *SESSION) or self._session)
        invocation = Invocation(tool_name, payload, session, ask, self._worker.run, lambda: self._guards.selected(name))
        invocation.describe(self._vocabulary, self.root, name)
        return Passage(invocation, company, defer=defer)

    def _outcome(self, passage: Passage, result: Any) -> Outcome[Any]:
        one = passage.invocation
        assert one.status is not None
        return Outcome(
            one.invocation_id,
            one.tool_name,
            one.status,
            result,
            one.payload,
            one.refusal,
            passage.context,
            passage.notes,
        )

    def _say(self, invocation: Invocation, phase: Phase, **fields: Any) -> None:
        named: Line = {
            "invocation_id": invocation.invocation_id,
            "phase": phase,
            "tool_name": invocation.tool_name,
        }
        self._write({**named, **fields})  # type: ignore[typeddict-item]

    def _write(self, line: Line) -> None:
        try:
            self._log(line)
        except Exception:
            log.exception("the host's log failed")
