"""The features an engine uses, over the calls of its host: the same code, configuration and order as at the door.

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

from jackline import paths, system
from jackline.compiler.chosen import chosen
from jackline.engine import commit
from jackline.engine.again import judged_again
from jackline.engine.broker import granted, note, settle
from jackline.engine.features import hear
from jackline.engine.rules import kernel_rules
from jackline.engine.run import Run
from jackline.inprocess.vocabulary import Vocabulary, plain
from jackline.inputs import fresh
from jackline.intents import active, drop
from jackline.intents.choose import Unfit, select
from jackline.model import NO_OBJECTION, Answer, Call, Event, Ran, Verdict
from jackline.processes import Process, started
from jackline.store import birth, identity
from jackline.store.crash import report
from jackline.version import VERSION

if TYPE_CHECKING:
    from jackline.engine.features import One
    from jackline.wiring import Row, Wiring

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
    return (Process(pid, started(pid), os.path.basename(sys.executable), sys.executable),)


class _Chosen:
    """The store as a run sees it, with the wiring of the features that the host chose."""

    dry = False

    def __init__(self, path: str, wiring: Wiring) -> None:
        self.path = path
        self._wiring = wiring

    def wiring(self, root: str, slot: str = "", event: str = "") -> Wiring:
        return self._wiring


class Judged:
    """One event under way: its run, and what features said so far."""

    def __init__(self, run: Run, rows: tuple[Row, ...], one: One | None, verdict: Verdict) -> None:
        self.run, self.rows, self.one, self.verdict = run, rows, one, verdict
        self.asking: Verdict | None = None
        """What a person's yes stands for: it is used once the host's own hooks let the call pass."""


def _nothing(answer: Answer) -> None:
    """Nobody waits for bytes here."""


class Guards:
    """`root` is the project; `store` "" keeps nothing beyond this engine; `knobs` are the features with their knobs."""

    def __init__(self, root: str, store: str, vocabulary: Vocabulary) -> None:
        self.root = paths.resolve("/", root)
        self.kept = bool(store)
        self.knobs: dict[str, dict[str, Any]] = {}
        self._vocabulary = vocabulary
        self._store = paths.resolve(os.getcwd(), store) if store else ""
        self._wiring: Wiring | None = None
        self._forget: weakref.finalize[..., Any] | None = None

    def use(self, slug: str, knobs: Mapping[str, Any]) -> None:
        """Let a feature judge, by its name. Raises ValueError for one that is not there, and for wrong knobs."""
        wanted = {**self.knobs, slug: dict(knobs)}
        chosen(self.root, self._store, wanted)
        self.knobs, self._wiring = wanted, None

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

    def wiring(self) -> Wiring:
        """The features' rows with today's configuration."""
        if self._wiring is None or (self.kept and fresh(self._wiring) != "fresh"):
            self._wiring = chosen(self.root, self._store if self.kept else "", self.knobs)
        return self._wiring

    def _run(self, event: Event) -> Run:
        wiring, path = self.wiring(), self.store()
        event.client = event.dialect = CLIENT
        call = Call(
            dialect=CLIENT,
            event=event.name,
            raw=json.dumps(event.payload).encode(),
            env={},
            cwd=self.root,
            uid=os.getuid(),
            ancestors=_this_process,
            now=system.now(),
            entropy=system.entropy(16),
            clock=system.clock,
        )
        if event.session and identity.load(path, CLIENT, event.session) is None:
            mode = "" if self.kept else "store"
            birth.begin(path, call, event, event.session, identified=True, root=self.root, mode=mode).close()
        return Run(call, event, _Chosen(path, wiring))  # type: ignore[arg-type]

    def _intend(self, run: Run, intent: str) -> None:
        """Make the intent that the host's session names the one in force. One that cannot be is none."""
        store, sid = run.store.path, run.session.sid
        found = active(store, sid)
        if found is None or found.id != intent:
            try:
                select(store, self.root, sid, intent, CLIENT, run.call.now // 1_000_000)
            except Unfit:
                drop(store, sid)

    def judge(self, event: Event, invocation_id: str, *, intent: str = "", broker: bool = False) -> Judged:
        """Hear the features about an event. `remember` must follow: the run holds its session's folder open.

        `intent`: what the host's session works for, where it says so. `broker`: there is nobody to ask, so what asks
        waits for a person's word in the store. Where one stands the call passes, and `settle` uses it.
        """
        run = self._run(event)
        run.invocation = invocation_id.replace("-", "") or run.invocation
        try:
            if intent and "intent-scope" in self.knobs:
                self._intend(run, intent)
            rows = tuple([row for row in run.wiring.rows(event.name) if not run.is_paused(row.slug)])
            verdict, one = NO_OBJECTION, None
            if rows:
                verdict, one = hear(self._vocabulary, run, _nothing, rows, timers=False)  # type: ignore[arg-type]
            if event.name == "PreToolUse" and (run.wiring.enforce_phases or run.notice or run.paused):
                verdict = kernel_rules(run, verdict)
            if one is not None and verdict.updated_input is not None and verdict.decision != "deny":
                verdict = judged_again(self._vocabulary, run, rows, run.ran, verdict, one)  # type: ignore[arg-type]
            judged = Judged(run, rows, one, verdict)
            if verdict.decision == "ask" and broker and self.kept:
                judged.asking = verdict
                passes = verdict.updated_input is None and granted(run)
                judged.verdict = verdict._replace(**UNASKED) if passes else self.settle(judged)
            return judged
        except BaseException as fault:
            run.close()
            if self.kept and isinstance(fault, Exception):
                report(run.store.path, fault, {"where": CLIENT, "event": event.name}, VERSION)
            raise

    def settle(self, judged: Judged) -> Verdict:
        """What a call that asks comes to: no objection by a person's yes, which is used; without one it is denied."""
        asking, judged.asking = judged.asking, None
        if asking is None:
            return NO_OBJECTION
        verdict = settle(judged.run, asking)
        if judged.run.pending is not None:
            verdict = verdict._replace(notes=(*verdict.notes, note(judged.run, judged.run.pending)))
        return verdict

    def again(self, judged: Judged, given: Mapping[str, Any]) -> Verdict:
        """What the critical features say of the call with another input."""
        if judged.one is None:
            return NO_OBJECTION
        ran: list[Ran] = []
        wanted = Verdict(updated_input=plain(dict(given)))
        verdict = judged_again(self._vocabulary, judged.run, judged.rows, ran, wanted, judged.one)  # type: ignore[arg-type]
        judged.run.ran += ran
        return NO_OBJECTION if verdict is wanted else verdict

    def remember(self, judged: Judged, ran: list[Ran], verdict: Verdict) -> str:
        """Write what was decided, the host's own hooks included. Returns what could not be written."""
        run = judged.run
        try:
            run.ran += ran
            run.verdict = run.answered = verdict
            fault = commit(run)
            for work in run.after:
                work()
            return fault
        finally:
            run.close()

    def hear(self, event: Event) -> Verdict:
        """Judge and remember at once, for events that nothing comes between."""
        judged = self.judge(event, "")
        self.remember(judged, [], judged.verdict)
        return judged.verdict

    def selected(self, session: str) -> str | None:
        """The intent that was selected for a session in the store."""
        if not self._store:
            return None

        record = identity.load(self._store, CLIENT, session)
        found = active(self._store, record["sid"]) if record is not None else None
        return found.id if found is not None else None
