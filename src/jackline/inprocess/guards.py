"""The features an engine uses, over the calls of its host: the same code, configuration and order as for a client.

Everything here runs in the engine's worker thread. What an engine without a store uses keeps its memory in a folder
that goes away with the engine.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jackline import host, paths, system
from jackline.compiler.embedded import chosen
from jackline.inprocess.vocabulary import Vocabulary, plain
from jackline.intents import active, drop
from jackline.intents.choose import Unfit, select
from jackline.model import NO_OBJECTION, Event, HookRun, Verdict
from jackline.processes import Process, start_ticks
from jackline.runtime.approval_summary import note
from jackline.runtime.commit import commit
from jackline.runtime.outcome import Outcome
from jackline.runtime.pipeline import ASKED, HOSTED, RECHECKED, SECOND, advance
from jackline.runtime.request import Request, Store
from jackline.runtime.stages.approvals import is_granted
from jackline.shell.shell_state import TOLD
from jackline.staleness import fresh
from jackline.store import sessions
from jackline.store.crash import report
from jackline.version import VERSION

if TYPE_CHECKING:
    from jackline.hook_table import HookTable

CLIENT = "in-process"
UNASKED: dict[str, Any] = {"decision": "", "reason": "", "code": "", "by": (), "preview": ()}
"""What is left of a verdict that asks, once nobody has to be asked."""


def user_store(env: Mapping[str, str] = os.environ) -> str:
    """The store of this user, where `jackline` keeps trust, logs of store-only sessions, and active intents."""
    base = env.get("XDG_STATE_HOME", "")
    home = env.get("HOME", "")
    return env.get("JACKLINE_STORE") or f"{base if base.startswith('/') else home + '/.local/state'}/jackline"


def _this_process() -> tuple[Process, ...]:
    """The host, as the client whose children are an agent's."""
    pid = os.getpid()
    return (Process(pid, start_ticks(pid), os.path.basename(sys.executable), sys.executable),)


class RunningEvent:
    """One event under way: what it came to so far."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome, self.verdict = outcome, outcome.verdict
        self.asking = False
        """A person's yes stands for it, which is used once the host's own hooks let the call pass."""


class Guards:
    """`root` is the project; `store` "" keeps nothing beyond this engine; `knobs` are the features with their knobs."""

    def __init__(self, root: str, store: str, vocabulary: Vocabulary) -> None:
        self.root = paths.resolve("/", root)
        self.kept = bool(store)
        self.knobs: dict[str, dict[str, Any]] = {}
        self._vocabulary = vocabulary
        self._store = paths.resolve(os.getcwd(), store, host.home()) if store else ""
        self._table: HookTable | None = None
        self._forget: weakref.finalize[..., Any] | None = None

    def use(self, slug: str, knobs: Mapping[str, Any]) -> None:
        """Let a feature judge, by its name. Raises ValueError for one that is not there, and for wrong knobs."""
        wanted = {**self.knobs, slug: dict(knobs)}
        chosen(self.root, self._store, wanted)
        self.knobs, self._table = wanted, None

    @property
    def any(self) -> bool:
        return bool(self.knobs) or self.kept

    def close(self) -> None:
        """Remove what an engine without a store kept."""
        if self._forget is not None:
            self._forget()
            self._forget, self._store = None, ""

    # --- in the worker ---

    def store(self) -> str:
        """The store's folder; one of this engine's own, when it has no other."""
        if not self._store:
            self._store = paths.resolve("/", tempfile.mkdtemp(prefix="jackline-"))
            self._forget = weakref.finalize(self, shutil.rmtree, self._store, True)
        system.make_dirs(self._store)
        return self._store

    def table(self) -> HookTable:
        """The features' rows with today's configuration."""
        if self._table is None or (self.kept and fresh(self._table) != "fresh"):
            self._table = chosen(self.root, self._store if self.kept else "", self.knobs)
        return self._table

    def _begin(self, event: Event) -> Outcome:
        table, path = self.table(), self.store()
        told = host.environment()
        event.client = event.dialect = CLIENT
        event.home, event.env = host.home(), {name: told[name] for name in TOLD if name in told}
        request = Request(
            dialect=CLIENT,
            event=event.name,
            raw=json.dumps(event.payload).encode(),
            env=event.env,
            cwd=self.root,
            uid=os.getuid(),
            ancestors=_this_process,
            now=host.now(),
            entropy=host.entropy(32),
            clock=host.clock,
            home=event.home,
            pid=os.getpid(),
            root=self.root,
            mode="" if self.kept else "store",
        )
        outcome = Outcome(request, event, self._vocabulary, Store(path), table)
        outcome.second = lambda: advance(request, outcome, SECOND)
        return outcome

    def _intend(self, outcome: Outcome, intent: str) -> None:
        """Make the intent that the host's session names the one in force. One that cannot be is none."""
        store, sid = outcome.store.path, outcome.session.sid
        found = active(store, sid)
        if found is None or found.id != intent:
            try:
                select(store, self.root, sid, intent, CLIENT, outcome.request.now // 1_000_000)
            except Unfit:
                drop(store, sid)

    def judge(self, event: Event, invocation_id: str, *, intent: str = "", broker: bool = False) -> RunningEvent:
        """Hear the features about an event. `remember` must follow: the run holds its session's folder open.

        `intent`: what the host's session works for, where it says so. `broker`: there is nobody to ask, so what asks
        waits for a person's word in the store. Where one stands the call passes, and `settle` uses it.
        """
        outcome = self._begin(event)
        outcome.invocation = invocation_id.replace("-", "")
        try:
            if intent and "intent-scope" in self.knobs:
                self._intend(outcome, intent)
            advance(outcome.request, outcome, HOSTED)
            judged = RunningEvent(outcome)
            if outcome.verdict.decision == "ask" and broker and self.kept:
                judged.asking = True
                passes = outcome.verdict.updated_input is None and is_granted(outcome)
                judged.verdict = outcome.verdict._replace(**UNASKED) if passes else self.settle(judged)
            return judged
        except BaseException as fault:
            outcome.close()
            if self.kept and isinstance(fault, Exception):
                report(outcome.store.path, fault, {"where": CLIENT, "event": event.name}, VERSION)
            raise

    def settle(self, judged: RunningEvent) -> Verdict:
        """What a call that asks comes to: no objection by a person's yes, which is used; without one it is denied."""
        outcome, asking, judged.asking = judged.outcome, judged.asking, False
        if not asking:
            return NO_OBJECTION
        advance(outcome.request, outcome, ASKED)
        verdict = outcome.verdict
        if outcome.pending is not None:
            verdict = verdict._replace(notes=(*verdict.notes, note(outcome, outcome.pending)))
        return verdict

    def again(self, judged: RunningEvent, given: Mapping[str, Any]) -> Verdict:
        """What the critical features say of the call with another input."""
        outcome = judged.outcome
        before = len(outcome.ran)
        outcome.verdict = Verdict(updated_input=plain(dict(given)))
        advance(outcome.request, outcome, RECHECKED)
        return outcome.verdict if len(outcome.ran) > before else NO_OBJECTION

    def remember(self, judged: RunningEvent, ran: list[HookRun], verdict: Verdict) -> str:
        """Write what was decided, the host's own hooks included. Returns what could not be written."""
        outcome = judged.outcome
        try:
            outcome.ran += ran
            outcome.verdict = outcome.answered = verdict
            fault = commit(outcome)
            for work in outcome.after:
                work()
            return fault
        finally:
            outcome.close()

    def hear(self, event: Event) -> Verdict:
        """Judge and remember at once, for events that nothing comes between."""
        judged = self.judge(event, "")
        self.remember(judged, [], judged.verdict)
        return judged.verdict

    def selected(self, session: str) -> str | None:
        """The intent that was selected for a session in the store."""
        if not self._store:
            return None

        record = sessions.load(self._store, CLIENT, session)
        found = active(self._store, record["sid"]) if record is not None else None
        return found.id if found is not None else None
