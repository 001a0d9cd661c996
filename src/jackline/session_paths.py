"""The places and times a feature is given (`ctx.paths`, `ctx.feature`, `ctx.timers`); made only when asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


TASKS = "work"
"""In a session's folder: what belongs to its tasks, a folder for each."""


def task_parts(work: str, *below: str) -> tuple[str, ...]:
    """The way from a session's folder to a place in a task's, name by name."""
    return (TASKS, work, *below)


def task_ref(work: str, *below: str) -> str:
    """The same as one path, as artifacts name it: `work/w001/plan`."""
    return "/".join(task_parts(work, *below))


def task_place(session: str, work: str, *below: str) -> str:
    """The same from the root: `session` is the session's folder."""
    return "/".join((session, *task_parts(work, *below)))


class Paths:
    """Every place a feature may need, as absolute paths (contract section 6)."""

    __slots__ = ("hooks_root", "repo_root", "session_root", "work_root")

    def __init__(self, repo_root: str, session_root: str) -> None:
        self.repo_root = repo_root
        self.hooks_root = repo_root + "/.ai/hooks"
        self.work_root = session_root.rpartition("/")[0]
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

    def __init__(self, clock: Callable[[], int], begun: int, start_ms: int, budget_ms: float) -> None:
        self._clock = clock
        self._start = begun
        self.start_ms = start_ms
        self.budget_ms = budget_ms

    def elapsed(self) -> float:
        return (self._clock() - self._start) / 1e6
