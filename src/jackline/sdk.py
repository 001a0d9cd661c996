"""What a feature may say: the decorator, the answers, and the context it is given.

A feature is a folder with a `hook.py` that has one function decorated with `hook`:

    from jackline.sdk import hook, deny

    @hook(name="no-friday", supports=["PreToolUse"], priority=50, tools=["kind:shell"])
    def handle(event, ctx):
        if "deploy" in event.command:
            return deny("no deployments from an agent", safer="ask a person to run it")

The decorator's arguments are literals: `compile` reads them without running the file.
Returning None means no objection.
"""

from __future__ import annotations

from jackline.model import Action

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from jackline.model import Event as Event

    Handler = Callable[[Event, "Context"], Action | None]


def hook(
    *,
    name: str,
    supports: Iterable[str],
    priority: int = 50,
    hot_path_safe: bool = True,
    critical: bool = False,
    tools: Iterable[str] = (),
    imports: Iterable[str] = (),
    runner: str = "inline",
) -> Callable[[Handler], Handler]:
    """Declare a feature's handler.

    `supports`: canonical events. `priority`: lower runs first. `hot_path_safe`: False skips it on PreToolUse.
    `critical`: its faults and its deadline refuse. `tools`: native names or `kind:read`; empty means all.
    `imports`: third-party packages it needs (their roots are recorded at compile time). `runner`: inline | forked.
    """

    def declare(handler: Handler) -> Handler:
        return handler

    return declare


def allow() -> Action:
    """No objection. Leaves the client's own permission rules in force."""
    return Action()


def deny(
    reason: str,
    *,
    rule: str = "",
    safer: str = "",
    code: str = "",
    risk: str = "",
    proposal: Mapping[str, Any] | None = None,
) -> Action:
    """Refuse the tool call. `proposal`: changed keys of a call that would pass; shown with the refusal."""
    return Action(decision="deny", reason=reason, rule=rule, safer=safer, code=code, risk=risk, updated_input=proposal)


def ask(reason: str, *, rule: str = "", safer: str = "", code: str = "", risk: str = "") -> Action:
    """Want a person's word for the tool call."""
    return Action(decision="ask", reason=reason, rule=rule, safer=safer, code=code, risk=risk)


def approve(reason: str = "") -> Action:
    """Answer the client's permission question with yes. Counts only where a person's configuration grants `mayApprove`."""
    return Action(decision="approve", reason=reason)


def block(reason: str, *, code: str = "") -> Action:
    """Keep the agent going (Stop, SubagentStop), drop a prompt, or object to a result; `reason` is what the model reads."""
    return Action(decision="block", reason=reason, code=code)


def rewrite(changes: Mapping[str, Any], *, reason: str = "", rule: str = "") -> Action:
    """Change keys of the tool input. May only add flags or narrow arguments of the same simple command."""
    return Action(updated_input=changes, reason=reason, rule=rule)


def note(key: str, value: str) -> Action:
    """Give the model one piece of context."""
    return Action(additional_context=((key, value),))


def warn(message: str) -> Action:
    """Tell the person, not the model."""
    return Action(warnings=(message,))


def patch(state: Mapping[str, Any]) -> Action:
    """Change the feature's own part of the session state (merge patch, idempotent: no counters, no arrays)."""
    return Action(state_patch=state)


class Ids:
    """Short ids of this event: session `sid` (8 hex), work (`w001`), agent (`u00` main, `a01`…), turn, hook run."""

    __slots__ = ("agent_id", "hook_run_id", "session_id", "turn_id", "work_id")

    def __init__(self, session_id: str, work_id: str, agent_id: str, turn_id: int, hook_run_id: str) -> None:
        self.session_id = session_id
        self.work_id = work_id
        self.agent_id = agent_id
        self.turn_id = turn_id
        self.hook_run_id = hook_run_id


class Paths:
    """Every place a feature may need, as absolute paths (contract section 6)."""

    __slots__ = ("hooks_root", "repo_root", "session_root", "work_root")

    def __init__(self, repo_root: str, work_root: str, session_root: str) -> None:
        self.repo_root = repo_root
        self.hooks_root = repo_root + "/.ai/hooks"
        self.work_root = work_root
        self.session_root = session_root

    @property
    def state_file(self) -> str:
        return self.session_root + "/state.json"

    @property
    def events_file(self) -> str:
        return self.session_root + "/events.jsonl"

    @property
    def registry_file(self) -> str:
        return self.session_root + "/registry.jsonl"

    @property
    def config_file(self) -> str:
        return self.hooks_root + "/config.json"

    @property
    def policy_file(self) -> str:
        return self.hooks_root + "/rlm-policy.json"

    @property
    def followup_rules_file(self) -> str:
        return self.hooks_root + "/followup-rules.json"

    @property
    def manifest_file(self) -> str:
        return self.hooks_root + "/dispatch.manifest.json"

    @property
    def schema_dir(self) -> str:
        return self.hooks_root + "/schema"

    def feature_root(self, slug: str) -> str:
        return f"{self.session_root}/{slug}"

    def feature_logs(self, slug: str) -> str:
        return f"{self.session_root}/{slug}/logs"

    def feature_output(self, slug: str) -> str:
        return f"{self.session_root}/{slug}/output"

    def rel_ref(self, path: str) -> str:
        """`path` relative to the session folder, as artifact records store it. ValueError when it lies outside."""
        return _below(self.session_root, path)

    def repo_relative(self, path: str) -> str:
        """`path` relative to the root. ValueError when it lies outside."""
        return _below(self.repo_root, path)


def _below(base: str, path: str) -> str:
    if path == base:
        return "."
    if not path.startswith(base + "/") or "/../" in path + "/":
        raise ValueError(f"{path} is not below {base}")
    return path[len(base) + 1 :]


class Folder:
    """The current feature's own places: `root`, `logs`, `output`."""

    __slots__ = ("logs", "output", "root")

    def __init__(self, root: str) -> None:
        self.root = root
        self.logs = root + "/logs"
        self.output = root + "/output"


class Timers:
    """Milliseconds: when the event started (epoch), its budget for features, and how long it has run."""

    __slots__ = ("_clock", "_start", "budget_ms", "start_ms")

    def __init__(self, clock: Callable[[], int], start_ms: int, budget_ms: int) -> None:
        self._clock = clock
        self._start = clock()
        self.start_ms = start_ms
        self.budget_ms = budget_ms

    def elapsed(self) -> float:
        return (self._clock() - self._start) / 1e6


class Context:
    """What the kernel gives a feature beside the event. `state` is read-only: write by `Action.state_patch`.

    `config` are the feature's own knobs, defaults applied. `cap` are cached capabilities, `log(level, message, data)`
    writes to the feature's debug log and never to stdout.
    """

    __slots__ = ("cap", "config", "feature", "ids", "log", "observe", "paths", "protected", "state", "timers")

    def __init__(
        self,
        ids: Ids,
        paths: Paths,
        state: Mapping[str, Any],
        config: Mapping[str, Any],
        feature: Folder,
        cap: Mapping[str, Any],
        timers: Timers,
        log: Callable[..., None],
        protected: Mapping[str, Any] | None = None,
        observe: bool = False,
    ) -> None:
        self.ids = ids
        self.paths = paths
        self.state = state
        self.config = config
        self.feature = feature
        self.cap = cap
        self.timers = timers
        self.log = log
        self.protected = protected or {}
        self.observe = observe
