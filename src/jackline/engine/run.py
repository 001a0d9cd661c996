"""What one event's run knows: session, wiring, state, ids; and the contexts that features are given."""

from __future__ import annotations

from jackline import system
from jackline.model import Ran
from jackline.runners import python
from jackline.sdk import Context, Folder, Ids, Paths, Timers
from jackline.store import claims, identity, state
from jackline.store.ids import Ids as RecordIds
from jackline.store.ids import digest
from jackline.store.place import Place
from jackline.wiring import Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.engine.gate import Gate
    from jackline.model import Call, Event
    from jackline.store.identity import Session
    from jackline.wiring import Row


class Store:
    """The user's store as a run sees it. `dry`: nothing is written, neither there nor in the tree."""

    __slots__ = ("dry", "path")

    def __init__(self, path: str, *, dry: bool = False) -> None:
        self.path = path
        self.dry = dry


class Run:
    """One event under way."""

    __slots__ = ("agent", "begun", "budget", "call", "event", "fault", "gate", "ids", "place", "records", "session", "state",
                 "store", "timers", "turn", "typed", "wiring", "work")  # fmt: skip

    def __init__(self, call: Call, event: Event, gate: Gate, store: Store) -> None:
        self.call = call
        self.event = event
        self.gate = gate
        self.store = store
        self.begun = call.clock()
        self.records = RecordIds(call.now, call.entropy)
        self.fault = ""
        self.session, self.place = self._session()
        root = self.session.root
        event.root = root
        self.wiring: Wiring = gate.wiring(root, self.session.slot)
        self.state: dict[str, Any] = self._state()
        core = self.state.get("core", {})
        turn = core.get("lastTurnId", 0)
        self.turn: int = turn if isinstance(turn, int) else 0
        self.work: str = str(core.get("workId", "w001"))
        self.typed = False
        self.agent = self._agent()
        self.budget = float(self.wiring.budget(event.name))
        self.timers = Timers(call.clock, call.now // 1_000_000, int(self.budget))
        self.ids = self._ids()

    # --- beginnings ---

    def _session(self) -> tuple[Session, Place | None]:
        """The session with its folder; without a folder in a dry run, or where nothing can be written."""
        if not self.store.dry:
            try:
                session = identity.open_session(self.store.path, self.call, self.event)
                return session, session.place
            except (OSError, ValueError) as fault:
                self.fault = f"no place to write: {fault}"
        return identity.peek(self.store.path, self.call, self.event), None

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
        return state.fold(())

    def _agent(self) -> str:
        foreign = self.event.agent_id or self.session.agent
        if not foreign or self.place is None:
            return "a00" if foreign else "u00"
        try:
            return identity.agent_name(self.place, foreign)
        except OSError:
            return "a00"

    def _ids(self) -> Ids:
        millis = self.call.now // 1_000_000
        hook_run = f"{self.event.name}-{self.turn}-{millis}"
        return Ids(self.session.sid, self.work, self.agent, self.turn, hook_run)

    def begin_turn(self) -> None:
        """A person typed a prompt: the next turn is ours alone, whoever else asks at the same time."""
        self.typed = True
        if self.place is not None:
            try:
                self.turn = claims.next_number(self.place, "turns", "t", self.turn + 1)
            except OSError:
                self.turn += 1
        else:
            self.turn += 1
        self.ids = self._ids()

    # --- features ---

    def elapsed(self) -> float:
        """Milliseconds since dispatch could start."""
        return (self.call.clock() - self.begun) / 1e6

    def context(self, row: Row) -> Context:
        folder = self.place.path if self.place is not None else self.session.place.path
        root = self.session.root
        paths = Paths(root, folder.rpartition("/")[0], folder)
        return Context(
            ids=self.ids,
            paths=paths,
            state=self.state,
            config=row.config,
            feature=Folder(paths.feature_root(row.slug)),
            cap=self.state.get("cap", {}),
            timers=self.timers,
            log=self._log(row.slug),
            protected={
                "store": self.store.path,
                "package": PACKAGE,
                "home": system.home(),
                "paranoid": self.wiring.paranoid,
            },
            observe=row.mode == "observe",
        )

    def _log(self, slug: str) -> Callable[..., None]:
        """A feature's debug log: `<session>/<feature>/logs/debug.log`, best effort, masked."""

        def log(level: str, message: str, data: object = None) -> None:
            if self.place is None:
                return
            from jackline.store import journal

            record = {"ts": self.call.now // 1_000_000, "level": level, "message": message, "data": data}
            try:
                at = system.descend(self.place.path, (slug, "logs"), create=True)
                try:
                    journal.append(at, "debug.log", [record])
                finally:
                    system.close(at)
            except (OSError, ValueError, TypeError):
                return

        return log

    def one(self, stuck: Callable[[Row], None], timers: bool) -> Callable[[Row, Event, float], Ran]:
        """The function `dispatch` calls for each row."""

        def run(row: Row, event: Event, limit_ms: float) -> Ran:
            return python.run(row, event, self.context(row), limit_ms, stuck=stuck, timers=timers)

        return run

    # --- records ---

    def record(self, kind: str, producer: str, **fields: Any) -> dict[str, Any]:
        """One row of the log, with all that identifies it."""
        event = self.event
        made: dict[str, Any] = {
            "v": 1,
            "id": self.records.next(),
            "ts": self.call.now // 1_000_000,
            "event": event.name,
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


PACKAGE = __file__.rpartition("/engine/")[0]


def stop_reason_mark(reason: str) -> bytes:
    return digest(reason.strip()).encode("ascii")
