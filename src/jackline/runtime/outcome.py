"""What one event's run knows and what it comes to. Stages read and fill it; `commit` writes what it says."""

from __future__ import annotations

from jackline import system
from jackline.hook_table import current
from jackline.model import NO_OBJECTION, SILENCE, Ids, Verdict
from jackline.store import state
from jackline.store.sessions import resume

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from jackline.clients.router import Codec
    from jackline.hook_table import HookSpec, HookTable
    from jackline.model import Answer, Event, HookRun, Skipped, Verdict
    from jackline.runtime.nested_repo import Around
    from jackline.runtime.request import Request, Store
    from jackline.runtime.stages.dedupe import DuplicateCall
    from jackline.staleness import Freshness
    from jackline.store.approvals import Request as Approval
    from jackline.store.sessions import Place, Session


OUTSIDE = (" /", "'/", '"/', "=/", ">/", "..", "~", "$")
"""How words of a command begin, or what they hold, that may lie outside the root."""


MARKS = "'\"`();|&<>,"
"""What may stand around a path in a command."""
OF_FILES = ("read", "write", "edit")
"""Kinds of tools whose paths are files."""


class Outcome:
    """One event under way."""

    private = ""
    """A reason for the person alone: it goes into the answer and nowhere else."""

    def __init__(
        self, request: Request, event: Event, codec: Codec, store: Store, table: HookTable | None = None
    ) -> None:
        # what is known
        self.request = request
        self.event = event
        self.codec = codec
        self.store = store
        self.begun = request.clock()
        self.fault = ""
        self.session, self.place = _session(self)
        event.root = self.session.root
        self.table: HookTable = table or _hook_table(self)
        place = self.place
        self.state: dict[str, Any] = state.read(place.fd, place.path) if place is not None else _unopened_state(self)
        core = self.state.get("core", {})
        turn = core.get("lastTurnId", 0)
        self.turn: int = turn if type(turn) is int else 0
        self.work: str = str(core.get("workId", "w001"))
        self.agent = _agent(self) if event.agent_id or self.session.agent else "u00"
        self.budget = float(self.table.budget(event.name))
        self.ids = self.identify()
        self.invocation = ""
        self._tail = int.from_bytes(request.entropy[:10], "big") & ~0xFFFF
        self._drawn = 0
        self.notice = _notice(store.path) if system.may_be(store.path + "/tampered") else ""
        self.paused: frozenset[str] = _paused(self) if system.may_be(store.path + "/pause.json") else frozenset()
        self.specs: tuple[HookSpec, ...] = ()  # features that answer the event
        self.around: Around | None = None  # other folders with hooks of their own that the event concerns
        # how far it is
        self.typed = False  # a person typed this prompt
        self.spoken = False  # and it spoke to us
        self.judging: Event | None = None  # the rewritten call, while it is judged once more
        self.left: HookSpec | None = None  # the feature that would not end
        self.duplicate: DuplicateCall | None = None  # our part, where another entry point may have the same call
        self.settled = False  # another entry point of the same call gave the verdict: nothing is left to be judged
        self.leave: Callable[[HookSpec], None] = _stay  # how the process is left when a feature does not end
        self.second: Callable[[], None] = _stay  # judge the rewritten call
        # what it comes to
        self.ran: list[HookRun] = []
        self.skipped: list[Skipped] = []
        self.unjudged: list[int] = []  # places in `ran` of scripts that were to judge and did not
        self.verdict: Verdict = NO_OBJECTION
        self.answered: Verdict = NO_OBJECTION  # what this client could be told of the verdict
        self.answer: Answer = SILENCE
        self.pending: Approval | None = None  # what waits for a person's word since this call
        self.ended = ""  # why the account of continuations ended the turn
        self.rows: list[dict[str, Any]] = []  # rows of the log beside those of hooks
        self.effects: list[Callable[[], None]] = []  # what else is written with them
        self.after: list[Callable[[], None]] = []  # what is done when the client has its answer

    def identify(self) -> Ids:
        """The ids of this event, for whoever is told of it."""
        millis = self.request.now // 1_000_000
        hook_run = f"{self.event.name or 'unknown'}-{self.turn}-{millis}"
        return Ids(self.session.sid, self.work, self.agent, self.turn, hook_run)

    def elapsed(self) -> float:
        """Milliseconds since this event came in."""
        return (self.request.clock() - self.begun) / 1e6

    def is_paused(self, spec: HookSpec) -> bool:
        """Whether a person paused this feature; what says who the session is goes on."""
        return spec.slug in self.paused or ("*" in self.paused and not spec.stamps)

    def is_silenced(self, name: str) -> bool:
        """Whether a person paused the hook of this name."""
        return name in self.paused or "*" in self.paused

    def leads_out(self) -> bool:
        """Whether the call may touch a folder with hooks of its own: outside the root, or below it."""
        event, root = self.event, self.session.root
        cwd = event.cwd
        if self.request.root:  # pinned by the host in whose process we are
            return False
        if self.table.below:
            return True
        if cwd != root and (
            ".." in cwd or cwd[: len(root) + 1] != root + "/" or _has_hooks(root, cwd[len(root) + 1 :] + "/")
        ):
            return True
        for path in event.paths:
            if path[:1] == "/" or _has_hooks(root, path if event.kind in OF_FILES else path + "/"):
                return True
        if event.command:
            for sign in OUTSIDE:
                if sign in event.command:
                    return True
            for word in event.command.split():
                if (word[0] != "-" or "=" in word) and _has_hooks(cwd, word.rpartition("=")[2].strip(MARKS) + "/"):
                    return True
        return False

    def works_with(self, what: str) -> str:
        """The feature here that works with something of ours, "" when none does."""
        for spec in self.specs:
            if what in spec.needs:
                return spec.slug
        return ""

    def failed(self) -> bool:
        """Whether a hook or we ourselves failed at this event."""
        if self.fault or self.ended:
            return True
        for one in self.ran:  # noqa: SIM110 - a generator would be one more code object to load
            if one.error:
                return True
        return False

    # --- what stages make of the verdict ---

    def note(self, *notes: str) -> None:
        """Say something to the person."""
        if notes:
            self.verdict = self.verdict._replace(notes=(*self.verdict.notes, *notes))

    def refuse(self, by: str, code: str, *lines: str) -> None:
        """Deny the call: what, rule, safer way."""
        old = self.verdict
        self.verdict = Verdict("deny", "\n".join(lines), notes=old.notes, context=old.context, code=code, by=(by,))

    # --- records ---

    def next_id(self) -> str:
        """A record id: 128 bits as 32 hex, 48 of time in milliseconds, then random bits and a count."""
        self._tail += 1
        return f"{self.request.now // 1_000_000 & 0xFFFFFFFFFFFF:012x}{self._tail & (1 << 80) - 1:020x}"

    def draw(self, size: int) -> bytes:
        """Bytes that nobody can guess who does not know the whole entropy; of record ids its first ten tell."""
        from _blake2 import blake2b

        self._drawn += 1
        return blake2b(self.request.entropy, digest_size=size, salt=b"%d" % self._drawn).digest()

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
            "ts": self.request.now // 1_000_000,
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

    def add(self, kind: str, producer: str, **fields: Any) -> None:
        """A row that a stage leaves, written with the others."""
        self.rows.append(self.record(kind, producer, **fields))

    def close(self) -> None:
        if self.duplicate is not None:
            self.duplicate.close()
        if self.place is not None:
            system.close(self.place.fd)


def _has_hooks(base: str, path: str) -> bool:
    """Whether a folder on the way from `base` to `path`, or `path` itself where it ends with `/`, has hooks."""
    at = path.find("/")
    while at > 0:
        if system.may_be(f"{base}/{path[:at]}/.ai/hooks") and path[:at] != ".":
            return True
        at = path.find("/", at + 1)
    return False


def _stay(*_: object) -> None:
    """Nobody said how."""


def _begin(outcome: Outcome) -> Session:
    from jackline.runtime.request import Store
    from jackline.store.format import newer
    from jackline.store.session_create import begin

    why = newer(outcome.store.path)
    if why:
        outcome.store = Store(outcome.store.path, dry=True)
        raise OSError(why)
    return begin(outcome.store.path, outcome.request, outcome.event)


def _session(outcome: Outcome) -> tuple[Session, Place | None]:
    """The session with its folder; without a folder in a dry run, or where nothing can be written."""
    if not outcome.store.dry:
        try:
            session = resume(outcome.store.path, outcome.request, outcome.event) or _begin(outcome)
            return session, session.place
        except (OSError, ValueError) as fault:
            outcome.fault = f"no place to write: {fault}"
    from jackline.store.session_create import peek

    return peek(outcome.store.path, outcome.request, outcome.event), None


def _hook_table(outcome: Outcome) -> HookTable:
    session, request = outcome.session, outcome.request
    found, fresh = current(outcome.store.path, session.slot)
    if found is not None and fresh:
        return found
    seen: Freshness | Literal[""] = ""
    if found is not None:
        from jackline.staleness import fresh as freshness

        seen = freshness(found, outcome.event.name, request.now, outcome.begun)
        if seen == "fresh":
            return found
    from jackline.runtime.recompile import renew

    return renew(outcome.store, session.root, session.slot, found, request.now, seen, outcome.event.name)


def _unopened_state(outcome: Outcome) -> dict[str, Any]:
    """The state of a session whose folder is not ours to write, or not there yet."""
    folder = outcome.session.place.path
    if folder and system.is_dir(folder):
        at = system.descend(folder, ())
        try:
            return state.read(at, folder)
        finally:
            system.close(at)
    from jackline.store.reducer import fold

    return fold(())


def _agent(outcome: Outcome) -> str:
    """The short name of a sub-agent."""
    if outcome.place is None:
        return "a00"
    try:
        from jackline.store.agents import agent_name

        return agent_name(outcome.place, outcome.event.agent_id or outcome.session.agent)
    except OSError:
        return "a00"


def _notice(store: str) -> str:
    """What of our entries was changed behind our back."""
    from jackline.store.tamper_mark import read

    return read(store)


def _paused(outcome: Outcome) -> frozenset[str]:
    from jackline.store.pauses import paused_slugs, settle

    now = outcome.request.now // 1_000_000
    if not outcome.store.dry:
        settle(outcome.store.path, now)
    return paused_slugs(outcome.store.path, outcome.session.root, now)
