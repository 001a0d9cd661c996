"""What one event's run knows: session, wiring, state, ids."""

from __future__ import annotations

from jackline import system
from jackline.model import NO_OBJECTION, SILENCE, Ids
from jackline.store import birth, state, tampered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.engine.gate import Store
    from jackline.model import Call, Event, Ran, Skipped, Verdict
    from jackline.store.approvals import Request
    from jackline.store.identity import Session
    from jackline.store.place import Place
    from jackline.wiring import Row, Wiring


class Run:
    """One event under way."""

    said: Verdict | None = None
    """What a prompt that speaks to us comes to (`jackline approve CODE`)."""
    pending: Request | None = None
    """What waits for a person's word since this call."""

    def __init__(self, call: Call, event: Event, store: Store) -> None:
        self.call = call
        self.event = event
        self.store = store
        self.begun = call.clock()
        self.invocation = ""
        self._tail = int.from_bytes(call.entropy[:10], "big") & ~0xFFFF
        self.fault = ""
        self.session, self.place = self._session()
        root = self.session.root
        event.root = root
        self.wiring: Wiring = store.wiring(root, self.session.slot, event.name)
        self.state: dict[str, Any] = self._state()
        core = self.state.get("core", {})
        turn = core.get("lastTurnId", 0)
        self.turn: int = turn if isinstance(turn, int) else 0
        self.work: str = str(core.get("workId", "w001"))
        self.typed = False
        self.agent = self._agent()
        self.budget = float(self.wiring.budget(event.name))
        self.ids = self._ids()
        self.notice = tampered.read(store.path)
        self.paused: frozenset[str] = frozenset()
        if system.exists(store.path + "/pause.json"):
            from jackline.store.pauses import paused

            self.paused = paused(store.path, root, call.now // 1_000_000)
        # what it comes to
        self.ran: list[Ran] = []
        self.skipped: list[Skipped] = []
        self.verdict = NO_OBJECTION
        self.answered = NO_OBJECTION  # what this client could be told of the verdict
        self.answer = SILENCE
        self.ended = ""  # why the account of continuations ended the turn
        self.after: list[Callable[[], None]] = []  # what is done when the client has its answer

    # --- beginnings ---

    def _session(self) -> tuple[Session, Place | None]:
        """The session with its folder; without a folder in a dry run, or where nothing can be written."""
        if not self.store.dry:
            try:
                session = birth.open_session(self.store.path, self.call, self.event)
                return session, session.place
            except (OSError, ValueError) as fault:
                self.fault = f"no place to write: {fault}"
        return birth.peek(self.store.path, self.call, self.event), None

    def _state(self) -> dict[str, Any]:
        if self.place is not None:
            return state.read(self.place.fd, self.place.path)
        folder = self.session.place.path
        if folder and system.is_dir(folder):
            at = system.descend(folder, ())
            try:
                return state.read(at, folder)
            finally:
                system.close(at)
        from jackline.store.fold import fold

        return fold(())

    def _agent(self) -> str:
        foreign = self.event.agent_id or self.session.agent
        if not foreign or self.place is None:
            return "a00" if foreign else "u00"
        try:
            from jackline.store.agents import agent_name

            return agent_name(self.place, foreign)
        except OSError:
            return "a00"

    def _ids(self) -> Ids:
        millis = self.call.now // 1_000_000
        hook_run = f"{self.event.name or 'unknown'}-{self.turn}-{millis}"
        return Ids(self.session.sid, self.work, self.agent, self.turn, hook_run)

    def failed(self) -> bool:
        """Whether a hook or we ourselves failed at this event."""
        if self.fault or self.ended:
            return True
        for one in self.ran:  # noqa: SIM110 - a generator would be one more code object to load
            if one.error:
                return True
        return False

    def may_come_twice(self) -> bool:
        """Whether another entry may send this call too: more than one place, or a door from an unusual one."""
        if self.store.dry or self.place is None:
            return False
        return (
            self.session.places > 1
            or self.call.place != "user"
            or OWN_DIALECT.get(self.event.client, "") != self.call.dialect
        )

    def count_turn(self) -> None:
        """A person typed a prompt: the next turn is ours alone, whoever else asks at the same time."""
        if self.event.name != "UserPromptSubmit":
            return
        from jackline.adapters import typed
        from jackline.engine.turn import is_own_reason

        if not typed(self.event) or is_own_reason(self):
            return
        self.typed = True
        self.turn += 1
        if self.place is not None:
            from jackline.store import claims

            try:
                self.turn = claims.next_number(self.place, "turns", "t", self.turn)
            except OSError:
                pass
        self.ids = self._ids()
        if self.event.prompt.lstrip()[:9] == "jackline ":
            from jackline.engine.spoken import heard

            self.said = heard(self)

    def advance(self, patch: dict[str, Any]) -> None:
        """Enter into `patch` the phase this event leads to. A denied call leads nowhere but to BLOCKED."""
        against_plan = "planGraph-exec" in self.verdict.by and self.verdict.decision == "deny"
        if self.verdict.decision == "deny" and not against_plan:
            return
        core = self.state.get("core", {})
        if (
            not (patch or self.typed or self.ended or self.verdict.decision or self.state.get("plan"))
            and core.get("phase") != "COMPLETE"
            and core.get("phaseWork") == core.get("workId")
        ):
            return  # nothing happened that leads anywhere
        from jackline.kernel import phases

        core = {**core, **patch.get("core", {})}
        plan = {**self.state.get("plan", {}), **patch.get("plan", {})}
        blocked = self.wiring.enforce_phases and bool(self.ended or against_plan)
        step = phases.step(core, phases.following(core, plan, typed=self.typed, blocked=blocked))
        if step is not None:
            patch["core"] = {**patch.get("core", {}), **step}

    # --- features ---

    def elapsed(self) -> float:
        """Milliseconds since this event came in."""
        return (self.call.clock() - self.begun) / 1e6

    def rows(self) -> tuple[Row, ...]:
        """The features that answer this event: the root's, and those of another repository that the agent is in."""
        event = self.event
        rows = self.wiring.rows(event.name)
        root = self.session.root
        if event.cwd != root and not event.cwd.startswith(root + "/"):
            from jackline.engine.elsewhere import more_rows

            rows = more_rows(self, rows)
        if self.paused:
            rows = tuple([row for row in rows if not self.is_paused(row.slug)])
        return rows

    def is_paused(self, slug: str) -> bool:
        """Whether a person switched a hook off for now; identity goes on."""
        return slug in self.paused or ("*" in self.paused and slug != "session")

    # --- records ---

    def next_id(self) -> str:
        """A record id: 128 bits as 32 hex, 48 of time in milliseconds, then random bits and a count."""
        self._tail += 1
        return f"{self.call.now // 1_000_000 & 0xFFFFFFFFFFFF:012x}{self._tail & (1 << 80) - 1:020x}"

    def invoked(self) -> str:
        """The id of this call, in its row of the log and in its refusal: `why` finds the one by the other."""
        self.invocation = self.invocation or self.next_id()
        return self.invocation

    def record(self, kind: str, producer: str, named: str = "", **fields: Any) -> dict[str, Any]:
        """One row of the log, with all that identifies it."""
        event = self.event
        made: dict[str, Any] = {
            "v": 1,
            "id": named or self.next_id(),
            "ts": self.call.now // 1_000_000,
            "event": event.name or event.native[:80] or "unknown",
            "producer": producer,
            "kind": kind,
            "hookRunId": self.ids.hook_run_id,
            "turnId": self.turn,
            "workId": self.work,
            "agentId": self.agent,
            "repo": self.session.repo,
            "host": self.session.host,
        }
        if event.tool:
            made["toolName"] = event.tool
            made["toolKind"] = event.kind
            if event.tool_use_id:
                made["toolUseId"] = event.tool_use_id
        made.update(fields)
        return made

    def close(self) -> None:
        if self.place is not None:
            self.session.close()


OWN_DIALECT = {"claude-code": "claude-code", "codex": "codex", "vscode": "github", "copilot-cli": "github"}
"""The dialect a client's own configuration names."""
