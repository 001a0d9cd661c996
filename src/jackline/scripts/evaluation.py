"""One evaluation of the file scripts: what changed, which scripts wait, run them until one fails. Cold.

Knows nothing of events and clients: the end of a turn, `jackline scripts run` and the in-process loop all come here.
The order is what keeps it safe from being killed anywhere: marks of what waits, then what was seen, then the runs.
"""

from __future__ import annotations

import time
from _thread import allocate_lock

from jackline import host, system
from jackline.scripts import changes, made, pending, status
from jackline.scripts.changes import GONE, Changes, ChangesError, Entry, Look, Seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import NamedTuple, Protocol

    from jackline.script import Outcome, Script
    from jackline.scripts.changes import Files
    from jackline.scripts.patterns import Index

    class Runner(Protocol):
        """Runs one script on some files; `limit_s` is the time it has, 0 = no end. Asks itself if it is wanted."""

        def __call__(self, script: Script, files: Sequence[str], limit_s: float, /) -> Outcome: ...

else:
    from jackline._record import NamedTuple

    Runner = object

LOCK = "scripts.lock"
"""In the folder of sessions: one evaluation at a time in a tree, whichever session it is for."""
LEAST_S = 1.0
"""With less time left no script is started."""
ROUNDS = 3
"""How often scripts may make work for other scripts within one evaluation."""

QUICK_MS = 60_000
"""A formatter is quick. What changes while a longer script runs may as well be a person's work."""
NOTHING: Mapping[str, str] = {}

_ours = allocate_lock()  # a lock on a file excludes other processes, not other threads of this one


class Run(NamedTuple):
    """One script's run: the files it was given, what became of it, what it wrote itself."""

    script: Script
    files: tuple[str, ...]
    outcome: Outcome
    cut: bool = False  # ended because our own time was over, not its own


class Evaluation(NamedTuple):
    """What came of it. `failed`: the run that ended it. `changed`: names that changed since the last one.

    `waiting`: keys of scripts that are pending now. `unwanted`: somebody has something better to do than wait for it.
    `why`: why it could not be done or finished, in a sentence.
    """

    failed: Run | None = None
    runs: tuple[Run, ...] = ()
    changed: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    newly: tuple[str, ...] = ()  # of those: who did not wait before
    unwanted: bool = False
    why: str = ""

    @property
    def prompts(self) -> bool:
        """Whether the model is to be told: a silent failure stops the others too, without a word."""
        return self.failed is not None and self.failed.script.notify


def _always() -> bool:
    return True


def _endless() -> float:
    return float("inf")


class _Job:
    """An evaluation under way."""

    def __init__(
        self, place: str, root: str, scripts: Sequence[Script], seen: Seen, found: Changes, head: str, is_git: bool
    ) -> None:
        self.place, self.root, self.scripts, self.seen = place, root, scripts, seen
        self.files: Files = dict(found.files)
        self.committed, self.head, self.is_git = found.committed, head, is_git
        self.ours = {name: digest for name, digest in seen.ours.items() if name in self.files}
        self.runs: list[Run] = []
        self.newly: list[str] = []
        self.written = seen
        self._index: Index | None = None

    # --- files ---

    def _indexed(self) -> Index:
        """The files a script may be given: there, and different from the last commit (else from the beginning)."""
        if self._index is None:
            from jackline.scripts.patterns import Index

            base = self.seen.base if not self.is_git else {}
            self._index = Index(
                [
                    name
                    for name, entry in self.files.items()
                    if entry.digest != GONE and (name not in base or base[name].digest != entry.digest)
                ]
            )
        return self._index

    def _as_it_began(self, name: str) -> bool:
        """Whether a file is as the session found it: a script may ask for what changed since then only."""
        if name not in self.seen.base:
            return False
        entry = self.files.get(name)
        return entry is not None and entry.digest == self.seen.base[name].digest

    def given(self, script: Script) -> tuple[str, ...]:
        found = self._indexed().select(script.pattern, script.exclude)
        if script.baseline != "session":
            return tuple(found)
        return tuple([name for name in found if not self._as_it_began(name)])

    # --- what waits ---

    def mark(self, names: Iterable[str], scripts: Sequence[Script]) -> bool:
        """Let those of `scripts` wait that ask for one of `names`. Whether one did not wait before."""
        from jackline.scripts.patterns import Index

        index = Index(names)
        if not index.paths:
            return False
        there = pending.marks(self.place)
        due = []
        for script in scripts:
            if status.file_name(script.key) in there:
                continue
            but = self._as_it_began if script.baseline == "session" else None
            if index.any(script.pattern, script.exclude, but=but):
                due.append(script.key)
        pending.add(self.place, due)
        self.newly += due
        return bool(due)

    def remember(self, at: int, *, waiting: bool) -> None:
        """Write what was seen. Files of commits are kept as long as a script waits."""
        committed = self.committed if waiting else ()
        gone = frozenset() if waiting else frozenset(self.committed)
        files = {name: entry for name, entry in self.files.items() if name not in gone}
        made = self.seen._replace(
            at=at, head=self.head, evaluated=True, files=files, committed=committed, ours=dict(self.ours)
        )
        if made != self.written:
            changes.write(self.place, made)
            self.written = made

    # --- what scripts write themselves ---

    def _learn(self, found: Mapping[str, Entry], names: Iterable[str], were: Mapping[str, str] = NOTHING) -> None:
        """Take in what scripts wrote. A file that was clean before was as the index has it."""
        rows = []
        for name in names:
            entry = found.get(name)
            was = self.files[name].digest if name in self.files else were.get(name, "")
            rows.append((name, was, entry.digest if entry is not None else were.get(name, "")))
            if entry is None:
                self.files.pop(name, None)
            else:
                self.files[name] = entry
                self.ours[name] = entry.digest
        if all(run.outcome.ms <= QUICK_MS for run in self.runs):
            made.note(self.place, rows)
        self._index = None

    def absorb(self, script: Script, given: Sequence[str]) -> None:
        """What a script made of the files it was given is its own work: only those behind it have to look at it."""
        now = changes.entries(self.root, given, self.files, lambda: False)
        moved = changes.differing(self.files, now)
        if moved:
            self._learn(now, moved)
            self.mark(moved, self.scripts[self.scripts.index(script) + 1 :])
        else:
            self.files.update(now)  # stamps may have moved

    def look_again(self, env: Mapping[str, str] | None, limit_s: float) -> bool:
        """See what the scripts wrote besides, and who has to look at it. Whether a script waits now that did not.

        A file that a script which ran asks for is that script's work, and only those behind it look at it. Any other
        is a change like others: whoever asks for it looks at it.
        """
        now = changes.look(self.root, self.files, env=env, limit_s=limit_s)
        kept = changes.entries(self.root, [one for one in self.committed if one not in now.files], self.files, _never)
        found = {**now.files, **kept}
        names = changes.differing(self.files, found) + [name for name in self.files if name not in found]
        self.head = now.head
        if not names:
            self.files = found
            self._index = None
            return False
        behind: dict[int, list[str]] = {}
        for name in names:
            behind.setdefault(self._owner(name) + 1, []).append(name)
        self._learn(found, names, now.were)
        self.files = found
        fresh = [self.mark(some, self.scripts[at:]) for at, some in behind.items()]
        return any(fresh)

    def _owner(self, name: str) -> int:
        """Which script that ran is the last to ask for a file; -1 for none."""
        from jackline.scripts.patterns import compiled

        ran = {run.script.key for run in self.runs}
        for at in range(len(self.scripts) - 1, -1, -1):
            script = self.scripts[at]
            if script.key in ran and compiled(script.pattern, script.exclude)(name):
                return at
        return -1


def _never() -> bool:
    return False


def _locked(folder: str, left: Callable[[], float], wanted: Callable[[], bool]) -> int:
    """The lock of the tree, waited for as long as somebody wants us to; -1 when it was not to be had."""
    system.make_dirs(folder)
    while True:
        held = system.lock(f"{folder}/{LOCK}", 100)
        if held >= 0 or left() < LEAST_S or not wanted():
            return held
        time.sleep(0.05)


def _limit(script: Script, left: float) -> tuple[float, bool]:
    """Seconds a script has (0 = no end), and whether it is our time that ends it."""
    if left == float("inf") or (script.timeout and script.timeout < left):
        return script.timeout, False
    return left, True


def evaluate(
    place: str,
    root: str,
    scripts: Sequence[Script],
    runner: Runner,
    *,
    env: Mapping[str, str] | None = None,
    left: Callable[[], float] = _endless,
    wanted: Callable[[], bool] = _always,
    due: Callable[[Script], bool] | None = None,
    note: Callable[[Run], None] | None = None,
) -> Evaluation:
    """Find what changed since the last evaluation at `place`, and run the file scripts that wait, in their order.

    `left`: seconds that remain. `wanted`: whether anybody still waits for it; asked between scripts. `due`: which
    scripts may run now; others only learn that they wait. `note` is told of each run when it has ended.
    """
    while not _ours.acquire(timeout=0.1):
        if left() < LEAST_S or not wanted():
            return Evaluation(unwanted=not wanted(), why="another evaluation is under way")
    try:
        held = _locked(place.rpartition("/")[0], left, wanted)
        if held < 0:
            return Evaluation(unwanted=not wanted(), why="another evaluation of this tree is under way")
        try:
            return _evaluated(place, root, scripts, runner, env, left, wanted, due, note)
        finally:
            system.close(held)
    finally:
        _ours.release()


def _evaluated(
    place: str,
    root: str,
    scripts: Sequence[Script],
    runner: Runner,
    env: Mapping[str, str] | None,
    left: Callable[[], float],
    wanted: Callable[[], bool],
    due: Callable[[Script], bool] | None,
    note: Callable[[Run], None] | None,
) -> Evaluation:
    seen = changes.read(place)
    at = host.now() // 1_000_000
    try:
        now = _look(root, seen, env, left)
        found = changes.changes(root, seen, now, env)
    except (ChangesError, OSError) as fault:
        return Evaluation(waiting=_waiting(place, scripts), why=str(fault))
    job = _Job(place, root, scripts, seen, found, now.head, now.git)
    job.mark(found.names, scripts)
    waiting = bool(_waiting(place, scripts))
    if found.names or waiting or not seen.evaluated or now.head != seen.head:
        job.remember(at, waiting=waiting)
    made = _run_all(job, runner, env, left, wanted, due, note) if waiting else Evaluation()
    still = _waiting(place, scripts)
    if waiting:
        job.remember(at, waiting=bool(still))
    return made._replace(changed=found.names, waiting=still, newly=tuple(job.newly), runs=tuple(job.runs))


def _look(root: str, seen: Seen, env: Mapping[str, str] | None, left: Callable[[], float]) -> Look:
    return changes.look(root, {**seen.base, **seen.files}, env=env, limit_s=min(left(), 60.0))


def _waiting(place: str, scripts: Sequence[Script]) -> tuple[str, ...]:
    there = pending.marks(place)
    return tuple([script.key for script in scripts if status.file_name(script.key) in there])


def _run_all(
    job: _Job,
    runner: Runner,
    env: Mapping[str, str] | None,
    left: Callable[[], float],
    wanted: Callable[[], bool],
    due: Callable[[Script], bool] | None,
    note: Callable[[Run], None] | None,
) -> Evaluation:
    """Rounds: what scripts write may be others' work. A script runs again only for what others wrote since."""
    for _ in range(ROUNDS):
        made = _round(job, runner, left, wanted, due, note)
        if not job.runs or made.unwanted:
            return made
        try:
            more = job.look_again(env, max(min(left(), 60.0), 1.0))
        except (ChangesError, OSError) as fault:
            return made._replace(why=made.why or str(fault))
        if not more or made.failed is not None or made.why:
            return made
    return made


def _round(
    job: _Job,
    runner: Runner,
    left: Callable[[], float],
    wanted: Callable[[], bool],
    due: Callable[[Script], bool] | None,
    note: Callable[[Run], None] | None,
) -> Evaluation:
    """Every script that waits, in order, until one fails."""
    for script in job.scripts:
        if not pending.waits(job.place, script.key) or (due is not None and not due(script)):
            continue
        given = job.given(script)
        if not given:
            pending.remove(job.place, script.key)
            continue
        if not wanted():
            return Evaluation(unwanted=True)
        seconds, ours = _limit(script, left())
        if ours and seconds < LEAST_S:
            return Evaluation(why=f"no time was left for {script.key}; it waits for the end of the next turn")
        outcome = runner(script, given, seconds)
        ran = Run(script, given, outcome, cut=outcome.late and ours)
        job.runs.append(ran)
        if note is not None:
            note(ran)
        job.absorb(script, given)
        if outcome.ok:
            pending.remove(job.place, script.key)
        elif outcome.stopped:
            return Evaluation(unwanted=True)
        elif ran.cut:
            return Evaluation(why=f"{script.key} did not end in the time there was; it waits for the next turn's end")
        elif not outcome.fault:
            return Evaluation(failed=ran)
    faults = [f"{run.script.key} was not run: {run.outcome.fault}" for run in job.runs if run.outcome.fault]
    return Evaluation(why="; ".join(faults))
