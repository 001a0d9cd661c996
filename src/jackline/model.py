"""The words of the run: Event, Context, Action, Verdict, Answer, and the closed sets they draw from.

Data only. What is special about an event stands in `policy/events.py`; what a client can carry in
`clients/capabilities.py`.
"""

from __future__ import annotations

from jackline.paths import resolve, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, NamedTuple

    from jackline.hook_table import HookSpec
    from jackline.session_paths import Folder, Paths, Timers

    Decision = Literal["", "allow", "approve", "ask", "deny", "block"]
    Skipped = tuple[str, str]
    """A hook that did not run, and why."""
else:
    from jackline._record import NamedTuple

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PreCompact",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "SessionEnd",
    "PermissionRequest",
    "PostToolUseFailure",
    "PostCompact",
    "Notification",
    "Error",
    "Interrupt",
)
"""Canonical events: the contract's eight, then those only some clients have (design section 2)."""

KINDS = (
    "shell",
    "write",
    "edit",
    "read",
    "search",
    "list",
    "fetch",
    "notebook",
    "browser",
    "subagent",
    "mcp",
    "question",
    "todo",
    "plan",
    "other",
)
"""What a tool does. `other` is never safe."""

LOOKING = ("read", "search", "list", "fetch")
"""Kinds of tools that are known to change nothing."""

MUTATING = ("shell", "write", "edit", "notebook", "mcp", "subagent", "browser", "other")
"""Kinds that can change something."""

PHASES = ("UNINITIALIZED", "PLANNING", "EXECUTING", "COMPLETE", "BLOCKED")

CODES = (
    "HITL_REJECT",
    "HITL_PENDING",
    "POLICY_DENIED",
    "SCOPE_VIOLATION",
    "STALE_FILE",
    "NO_ACTIVE_INTENT",
    "PLAN_REQUIRED",
    "PHASE_DENIED",
    "LEASE_REQUIRED",
    "TAMPERED",
    "BUDGET_EXCEEDED",
    "HOOK_INTERNAL_ERROR",
)
"""Codes of a refusal (design section 9)."""


class Event:
    """One lifecycle moment in our words, derived once for all hooks.

    `input` is the tool's native input, untouched. `command`, `targets`, `query` come from the dialect's vocabulary;
    `paths` are `targets` made absolute with links resolved and `..` removed, relative to the root when inside it.
    """

    if TYPE_CHECKING:
        _dear: bool | None  # (`dear`)
        _texts: Any  # `effects` with the texts that the command runs (`shell.effects.read`)
        _leaves: tuple[Any, ...] | None  # what the texts of the input may mean (`leaves`)
        _acts: Any  # what the call of another tool than a shell does (`calls.acts`)
    else:
        _dear = _texts = _leaves = _acts = None

    def __init__(self, name: str, **fields: Any) -> None:
        self.name: str = name
        self.native: str = name  # the client's own name of the event
        self.client: str = ""
        self.dialect: str = ""
        self.session: str = ""  # the client's session id, "" where it sent none
        self.agent_id: str = ""  # "" = the main agent
        self.agent_type: str = ""
        self.parent_session: str = ""  # a sub-agent that has a session of its own names its parent's here
        self.child_session: str = ""  # at SubagentStart: the session that it will name, where it has its own
        self.tool: str = ""  # native name; `server/tool` for an unwrapped MCP call
        self.kind: str = ""
        self.input: dict[str, Any] = {}
        self.tool_use_id: str = ""
        self.command: str = ""  # shell text
        self.targets: tuple[str, ...] = ()  # paths as the input wrote them; every file and move target of a patch
        self.query: str = ""  # what a search looks for
        self.patch: str = ""
        self.prompt: str = ""
        self.cwd: str = ""
        self.root: str = ""  # pinned root of the session, set by the engine
        self.transcript: str = ""
        self.source: str = ""  # source, trigger or reason, as the event has it
        self.outcome: str = ""  # after a tool: "ok" | "error" | "" (client does not say)
        self.response: Any = None
        self.stop_active: bool = False
        self.home: str = ""  # the user's home folder
        self.env: Mapping[str, str] = {}  # the variables of the client, which the agent's shell has too
        self.background: int = 0  # background tasks still running at a Stop
        self.payload: dict[str, Any] = {}
        self.fault: str = ""  # what was wrong with the bytes, "" when nothing was
        self._paths: tuple[str, ...] | None = None
        self._effects: Any = None
        for key, value in fields.items():
            setattr(self, key, value)

    def underived(self) -> Event:
        """The same event without what was derived from its input, for another input."""
        new = Event(self.name)
        new.__dict__.update({name: value for name, value in self.__dict__.items() if name[:1] != "_"})
        return new

    @property
    def paths(self) -> tuple[str, ...]:
        """`targets` resolved: relative to the root when inside it, absolute otherwise."""
        if self._paths is None:
            base = self.cwd or self.root
            self._paths = tuple([within(self.root, resolve(base, target, self.home)) for target in self.targets])
        return self._paths

    @property
    def dear(self) -> bool:
        """One of `paths` may be a credential, ours, or stay at work."""
        if self._dear is None:
            from jackline.paths import plain

            look = self.kind in LOOKING
            self._dear = not all(plain(path, look=look) for path in self._paths or self.paths)
        return self._dear

    @property
    def effects(self) -> Any:
        """`shell.effects.Effects` of `command` (design section 8), None for a tool that is no shell. Lazy: grammar."""
        if self._effects is None and self.kind == "shell":
            from jackline.site_paths import take

            self._effects = take("jackline.shell.effects").of_event(self)
        return self._effects


class Ids(NamedTuple):
    """Short ids of this event: session `sid` (8 hex), work (`w001`), agent (`u00` main, `a01`…), turn, hook run."""

    session_id: str
    work_id: str
    agent_id: str
    turn_id: int
    hook_run_id: str


class Action(NamedTuple):
    """What one hook returns; every field is optional (contract section 7; camelCase on disk).

    `reason` says what is wrong, `rule` which rule says so, `safer` what to do instead: the three lines of a refusal
    (design section 9); `preview` are lines that show what it is about, 20 at most. `updated_input` holds only the keys
    it changes.
    """

    decision: Decision = ""
    reason: str = ""
    updated_input: Mapping[str, Any] | None = None
    input_metadata: Mapping[str, str] | None = None
    additional_context: tuple[tuple[str, str], ...] = ()
    state_patch: Mapping[str, Any] | None = None
    emit_events: tuple[Mapping[str, Any], ...] = ()
    register_artifacts: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()
    metrics: Mapping[str, Any] | None = None
    code: str = ""
    rule: str = ""
    safer: str = ""
    risk: str = ""
    preview: tuple[str, ...] = ()


NO_ACTION = Action()
"""No objection."""


class HookRun(NamedTuple):
    """One hook's run: its name, what it returned, how long it took, and whether it failed."""

    hook: str
    action: Action
    ms: float = 0.0
    error: str = ""  # stack hash when it raised
    critical: bool = False
    observed: bool = False  # `mode: observe`: logged, not counted
    spec: HookSpec | None = None  # what a feature declared, and may; None for a script
    raised: tuple[str, ...] = ()  # of a feature that failed: its own frames, then type and message


class Verdict(NamedTuple):
    """The merged decision. `updated_input` is the whole resulting tool input, or None.

    `context` are (key, value) pairs for the model, `notes` sentences for the person, `preview` the lines that stand
    last in a refusal.
    """

    decision: Decision = ""
    reason: str = ""
    updated_input: Mapping[str, Any] | None = None
    input_metadata: Mapping[str, str] | None = None
    context: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    code: str = ""
    by: tuple[str, ...] = ()
    preview: tuple[str, ...] = ()


class Answer(NamedTuple):
    """The bytes for the client. `err` is empty unless a contract asks for it."""

    exit: int = 0
    out: bytes = b"{}\n"
    err: bytes = b""


CAP: Mapping[str, Any] = {"neo4j": {"enabled": False, "reachable": False}}
"""Capabilities where none were ever probed (contract section 11): a graph database is off and never asked for."""


class Context:
    """What the kernel gives a feature beside the event.

    `ids`, `state` (read-only: write by `Action.state_patch`), `config` (the feature's own knobs, defaults applied),
    `cap` (cached capabilities), `mode` (`enforce`, `warn`, `observe`: what becomes of its decisions), `protected`
    (places of ours), `dry` (nothing may be written: somebody only asks what would be said), `session_root` (the
    session's folder).
    `paths`, `feature`, `timers` are made when asked for; `log(level, message, data)` writes to the feature's debug log
    and never to stdout.
    """

    def __init__(
        self,
        slug: str,
        ids: Ids,
        root: str,
        folder: str,
        state: Mapping[str, Any],
        config: Mapping[str, Any],
        clock: Callable[[], int],
        start_ms: int = 0,
        budget_ms: float = 0.0,
        write: Callable[[str, str, str, object], None] | None = None,
        protected: Mapping[str, Any] | None = None,
        mode: str = "enforce",
        later: list[Callable[[], None]] | None = None,
    ) -> None:
        self.slug = slug
        self.ids = ids
        self.root = root
        self.state = state
        self.config = config
        self.cap = state.get("cap") or CAP
        self.protected = protected or {}
        self.mode = mode
        self.dry = later is None
        self.start_ms = start_ms
        self.budget_ms = budget_ms
        self.session_root = folder
        self._clock = clock
        self._begun = clock()
        self._write = write
        self._later = later

    @property
    def observe(self) -> bool:
        """Whether its decisions are only logged."""
        return self.mode == "observe"

    @property
    def paths(self) -> Paths:
        """Every place a feature may need, as absolute paths."""
        from jackline.session_paths import Paths

        return Paths(self.root, self.session_root)

    @property
    def feature(self) -> Folder:
        """The feature's own places: `root`, `logs`, `output`."""
        from jackline.session_paths import Folder

        return Folder(f"{self.session_root}/{self.slug}")

    @property
    def timers(self) -> Timers:
        """Milliseconds: `start_ms` (epoch), `budget_ms` for the event's features, `elapsed()`."""
        from jackline.session_paths import Timers

        return Timers(self._clock, self._begun, self.start_ms, self.budget_ms)

    def log(self, level: str, message: str, data: object = None) -> None:
        """Write to `<session>/<feature>/logs/debug.log`; never fails, never prints."""
        if self._write is not None:
            self._write(self.slug, level, message, data)

    def after(self, work: Callable[[], None]) -> None:
        """Do `work` when the client has its answer: nobody waits for it, and nobody hears of it. Not in a dry run."""
        if self._later is not None:
            self._later.append(work)


NO_OBJECTION = Verdict()

UNSAID = "Refused by a hook that gave no reason."
"""Codex runs what is refused without a reason."""

SILENCE = Answer()
"""No objection, on every client and event: `{}` and a newline at exit 0 (design section 2)."""


def context_text(pairs: tuple[tuple[str, str], ...]) -> str:
    """The pieces of context as one text, `key: value` a paragraph."""
    return "\n".join([f"{key}: {value}" if key else value for key, value in pairs])
