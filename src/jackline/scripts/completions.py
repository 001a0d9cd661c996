"""File scripts for people who own the completion loop: after each completion they run, and what fails is sent back.

The flow of 001, "Non-Blocking Hook Flow", for asyncio. A completion ends undisturbed; 200 ms later the file scripts
are evaluated in a thread; a failure starts another completion with the document's message, three in a row at most.

    loop = Completions(complete, file_scripts("/path/of/the/project"))
    answer = await loop.send("rename the module")

What the three races of the document come to stands at the methods that decide them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from jackline import host, paths, system
from jackline.scripts import messages, status, turn
from jackline.scripts.untrusted import untrusted_keys
from jackline.site_paths import take
from jackline.store.ids import digest
from jackline.store.sessions import open_place

if TYPE_CHECKING:
    from jackline.hook_table import HookTable
    from jackline.scripts.evaluation import Run

GRACE = 0.2
"""Seconds between a completion's end and the evaluation: whoever streams it may flush its last words."""

ATTEMPTS = 3
"""Completions that scripts may start in a row; a user's message starts the count anew."""

Result = TypeVar("Result")
Wanted = Callable[[], bool]

log = logging.getLogger("jackline.completions")


class Evaluate(Protocol):
    """Runs the file scripts; called in a worker thread, never twice at the same time.

    Returns the message for the model when one failed, else "". `attempt` is the number that a re-prompt would have;
    `wanted` tells whether the result is still wanted: when it turns False the script under way is to be stopped.
    """

    def __call__(self, attempt: int, wanted: Wanted, /) -> str: ...


class Conflict(RuntimeError):
    """A completion is running; `by_script` tells whether a script's failure started it. HTTP calls this 409."""

    def __init__(self, by_script: bool) -> None:
        what = "a completion that a script's failure started" if by_script else "a completion"
        super().__init__(f"{what} is running · one at a time · await it, or cancel() it")
        self.by_script = by_script


class Cancelled(RuntimeError):
    """`cancel()` ended the completion."""

    def __init__(self) -> None:
        super().__init__("the completion was cancelled")


class Completions(Generic[Result]):
    """A completion loop with file scripts at the end of every turn.

    `complete` is the host's own: it takes a message, lets the model work on it, and streams wherever it likes. It is
    called for the user's messages and for the scripts' alike, one at a time; `attempt` tells them apart.
    `evaluate` is asked after each (see `file_scripts`). `warn` is told what no caller waits for: that the retries are
    used up, and exceptions of an evaluation or of a completion that a script started.
    """

    def __init__(
        self,
        complete: Callable[[str], Awaitable[Result]],
        evaluate: Evaluate,
        *,
        grace: float = GRACE,
        attempts: int = ATTEMPTS,
        warn: Callable[[str], None] = log.warning,
    ) -> None:
        self._complete = complete
        self._evaluate = evaluate
        self._grace = grace
        self._attempts = attempts
        self._warn = warn
        self._attempt = 0
        self._completion: asyncio.Task[Result] | None = None
        self._evaluation: asyncio.Task[None] | None = None
        self._closed = False
        self._abort = threading.Event()
        self._thread = ThreadPoolExecutor(1, "jackline-scripts")  # one: an aborted evaluation ends before the next

    # --- what a host may ask ---

    @property
    def attempt(self) -> int:
        """Which re-prompt this is: 0 for the user's message, 1 to 3 for those that scripts started since."""
        return self._attempt

    @property
    def running(self) -> bool:
        """Whether a completion is running."""
        return self._completion is not None

    @property
    def evaluating(self) -> bool:
        """Whether scripts are being evaluated, or will be after the grace period."""
        return self._evaluation is not None and self._completion is None

    async def send(self, message: str) -> Result:
        """Let the model work on a message of the user; its result. Scripts are evaluated after that, unawaited.

        While scripts are evaluated: they are stopped, this runs, and they are evaluated after it (they stay pending).
        While a completion runs, a script's or the user's: raises `Conflict`; `cancel()` makes way.
        Raises `Cancelled` when `cancel()` ended it, and whatever `complete` raises; neither is followed by scripts.
        """
        if self._completion is not None:
            raise Conflict(self._attempt > 0)
        if self._closed:
            raise RuntimeError("the completion loop was closed")
        self._stop_evaluation()
        self._attempt = 0
        task = self._begin(message)
        try:
            return await task
        except asyncio.CancelledError:
            me = asyncio.current_task()
            if task.cancelled() and me is not None and not me.cancelling():
                raise Cancelled from None
            raise

    async def cancel(self) -> None:
        """End what runs, a completion or an evaluation; returns when the completion is over. Scripts stay pending."""
        self._stop_evaluation()
        task = self._completion
        if task is not None:
            task.cancel()
            await asyncio.wait((task,))

    async def settled(self) -> None:
        """Wait until nothing runs and nothing will: no completion, no evaluation, no script."""
        while True:
            tasks = [task for task in (self._completion, self._evaluation) if task is not None]
            if not tasks:
                break
            await asyncio.wait(tasks)
        await asyncio.wrap_future(self._thread.submit(lambda: None))

    async def close(self) -> None:
        """Cancel what runs, and wait for the script under way to be gone. No message is taken after that."""
        await self.cancel()
        if not self._closed:
            await self.settled()
            self._closed = True
            self._thread.shutdown()

    async def __aenter__(self) -> Completions[Result]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # --- completions ---

    def _begin(self, message: str) -> asyncio.Task[Result]:
        async def run() -> Result:
            ended = False
            try:
                result = await self._complete(message)
                ended = True
                return result
            finally:
                self._completion = None
                if ended:
                    self._schedule()

        self._completion = asyncio.create_task(run())
        return self._completion

    # --- evaluations ---

    def _schedule(self) -> None:
        self._abort = abort = threading.Event()
        self._evaluation = task = asyncio.create_task(self._after_completion(abort))
        task.add_done_callback(self._evaluated)

    def _evaluated(self, task: asyncio.Task[None]) -> None:
        if self._evaluation is task:
            self._evaluation = None
        if not task.cancelled() and task.exception() is not None:
            self._warn(f"file scripts could not be evaluated: {task.exception()!r}")

    def _stop_evaluation(self) -> None:
        self._abort.set()
        if self._evaluation is not None:
            self._evaluation.cancel()
            self._evaluation = None

    async def _after_completion(self, abort: threading.Event) -> None:
        """Grace, evaluation, and perhaps a completion: everything after an abort is as if it had not been."""
        await asyncio.sleep(self._grace)
        attempt = self._attempt + 1
        evaluation = asyncio.get_running_loop().run_in_executor(
            self._thread, self._evaluate, attempt, lambda: not abort.is_set()
        )
        message = await evaluation
        if abort.is_set() or not message:
            return
        if attempt > self._attempts:
            self._warn(f"scripts fail after {self._attempts} re-prompts: they wait for the user's next message")
            return
        self._attempt = attempt
        self._begin(message).add_done_callback(self._prompted)

    def _prompted(self, task: asyncio.Task[Result]) -> None:
        if not task.cancelled() and task.exception() is not None:
            self._warn(f"the completion that a script started failed: {task.exception()!r}")


# --- a project's scripts -------------------------------------------------------------------------------------------


def _default_store(env: Mapping[str, str]) -> str:
    base = env.get("XDG_STATE_HOME", "")
    return (
        env.get("JACKLINE_STORE")
        or f"{base if base.startswith('/') else env.get('HOME', '') + '/.local/state'}/jackline"
    )


class FileScripts:
    """The file scripts of a project as `Completions` asks for them; made by `file_scripts`."""

    def __init__(self, root: str, session: str, store: str, env: Mapping[str, str], attempts: int) -> None:
        self.root = paths.resolve(os.getcwd(), root, host.home())
        self.env, self.store, self.attempts = env, store or _default_store(env), attempts
        self.sid = digest(f"in-process {session}", 64)[:8]
        system.make_dirs(self.store)
        place = open_place(self.store, self.root, self.sid, os.getuid())
        system.close(place.fd)
        self.place = place.path
        self._told = False

    def __call__(self, attempt: int, wanted: Wanted, /) -> str:
        """Evaluate; the document's message when a script failed and may say so."""
        store = take("jackline.runtime.request").Store(self.store)
        table: HookTable = take("jackline.runtime.hook_table_cache").hook_table(store, self.root, now=host.now())
        waits = untrusted_keys(table, "file")
        if waits and not self._told:
            self._told = True
            here = "" if system.exists(f"{self.root}/.git") else " --here"
            log.warning("not trusted, so not run: %s · jackline -C %s%s trust", ", ".join(waits), self.root, here)
        scripts = table.scripts("file")
        if not scripts:  # what changes until somebody trusts some is theirs to see
            return ""
        facts = {"session": self.sid, "event": "Stop", "client": "in-process", "attempt": attempt}
        made = turn.evaluate(
            self.place,
            self.root,
            scripts,
            turn.child(self.place, self.root, self.env, wanted=wanted, **facts),
            env=self.env,
            wanted=wanted,
            note=self._note,
        )
        if made.runs or made.newly:
            status.note_evaluation(self.place, host.now())
        if made.unwanted or made.failed is None or not made.prompts:
            return ""
        one = made.failed
        path = paths.within(self.root, status.log_path(self.place, one.script.key))
        return messages.failure(one.script, one.outcome, one.files, path=path, attempt=attempt, attempts=self.attempts)

    def _note(self, one: Run) -> None:
        status.record(self.place, one.script, one.outcome, host.now())


def file_scripts(
    root: str | os.PathLike[str],
    *,
    session: str = "",
    store: str = "",
    env: Mapping[str, str] | None = None,
    attempts: int = ATTEMPTS,
) -> FileScripts:
    """The trusted file scripts of the project at `root`, to be evaluated by `Completions`.

    It may lie below its repository's root: then it is the project, its scripts are those below it, and names of files
    are relative to it.

    `session` names the conversation: what changed, which scripts wait and their status are kept for each apart, in
    `<root>/.ai/tmp/<id>/scripts/` (in the store where the project has no `.ai/`). `env`: what scripts find in their
    environment, without its tokens; this process's by default. `attempts` is what the message counts to.
    """
    return FileScripts(os.fspath(root), session, store, os.environ if env is None else env, attempts)
