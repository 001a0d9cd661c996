"""One evaluation of the file scripts: what changed, which scripts wait, run them until one fails. Cold.

Knows nothing of events and clients: the end of a turn, `jackline check` and the in-process loop all come here.
The order is what keeps it safe from being killed anywhere: marks of what waits, then what was seen, then the runs.
"""

from __future__ import annotations

import time
from _thread import allocate_lock

from jackline import host, system
from jackline.scripts import changes, pending, script_writes, status
from jackline.scripts.changes import GONE, Changes, ChangesError, Entry, Look, TreeState

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
"""How often scripts look at what changed while scripts ran, within one evaluation."""

QUICK_MS = 60_000
"""A formatter is quick. What changes while a longer script runs may as well be a person's work."""

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
        """Whether the model is to be told: a silent failure stops the others too, without a word.

        Nor is it where a script was too slow: there is nothing that a model could fix.
        """
        return self.failed is not None and self.failed.script.notify and not self.failed.outcome.late


def _below(inner: str, names: Iterable[str]) -> Index:
    """The files below a sub-folder, as its own scripts name them."""
    from jackline.scripts.patterns import Index

    return Index([name[len(inner) :] for name in names if name.startswith(inner)] if inner else names)


def _always() -> bool:
    return True


def _endless() -> float:
    return float("inf")


class _Job:
    """An evaluation under way."""

    def __init__(
        self, place: str, root: str, scripts: Sequence[Script], seen: TreeState, found: Changes, head: str, is_git: bool
    ) -> None:
        self.place, self.root, self.scripts, self.seen = place, root, scripts, seen
        self.files: Files = dict(found.files)
        self.committed, self.head, self.is_git = found.committed, head, is_git
        self.waits = set(pending.keys(place))  # under the lock of the tree nobody else changes it
        self.unread: dict[str, str] = {}  # scripts whose pattern nobody can read, and why
        self.runs: list[Run] = []
        self.newly: list[str] = []
        self.written = seen
        self._index: dict[str, Index] = {}  # by the sub-folder they lie in, "" for all

    # --- files ---

    def _inner(self, script: Script) -> str:
        """What the names of a script's files begin with here, and not for the script itself."""
        return script.base[len(self.root) + 1 :] + "/" if script.base else ""

    def _indexed(self, inner: str) -> Index:
        """The files a script may be given: there, and different from the last commit (else from the beginning)."""
        if inner not in self._index:
            base = self.seen.base if not self.is_git else {}
            self._index[inner] = _below(
                inner,
                [
                    name
                    for name, entry in self.files.items()
                    if entry.digest != GONE and (name not in base or base[name].digest != entry.digest)
                ],
            )
        return self._index[inner]

    def _as_it_began(self, name: str) -> bool:
        """Whether a file is as the session found it: a script may ask for what changed since then only."""
        if name not in self.seen.base:
            return False
        entry = self.files.get(name)
        return entry is not None and entry.digest == self.seen.base[name].digest

    def _began_below(self, inner: str) -> Callable[[str], bool]:
        return lambda name: self._as_it_began(inner + name)

    def given(self, script: Script) -> tuple[str, ...]:
        from jackline.scripts.patterns import PatternError

        inner = self._inner(script)
        try:
            found = [inner + name for name in self._indexed(inner).select(script.pattern, script.exclude)]
        except PatternError as fault:
            self.unread[script.key] = str(fault)
            return ()
        if script.baseline != "session":
            return tuple(found)
        return tuple([name for name in found if not self._as_it_began(name)])

    # --- what waits ---

    def mark(self, names: Iterable[str], scripts: Sequence[Script]) -> bool:
        """Let those of `scripts` wait that ask for one of `names`. Whether one did not wait before."""
        from jackline.scripts.patterns import PatternError

        names = [*names]
        if not names:
            return False
        due, indexes = [], {inner: _below(inner, names) for inner in {self._inner(script) for script in scripts}}
        for script in scripts:
            if script.key in self.waits:
                continue
            inner = self._inner(script)
            but = self._began_below(inner) if script.baseline == "session" else None
            try:
                if indexes[inner].any(script.pattern, script.exclude, but=but):
                    due.append(script.key)
            except PatternError as fault:
                self.unread[script.key] = str(fault)
        self.wait(due)
        return bool(due)

    def wait(self, keys: Sequence[str]) -> None:
        """Let scripts wait."""
        pending.add(self.place, keys)
        self.waits.update(keys)
        self.newly += [key for key in keys if key not in self.newly]

    def done(self, script: Script) -> None:
        """The script waits no longer."""
        pending.remove(self.place, script.key)
        self.waits.discard(script.key)

    def remember(self, at: int, *, waiting: bool) -> None:
        """Write what was seen. Files of commits are kept as long as a script waits."""
        committed = self.committed if waiting else ()
        gone = frozenset() if waiting else frozenset(self.committed)
        files = {name: entry for name, entry in self.files.items() if name not in gone}
        made = self.seen._replace(at=at, head=self.head, evaluated=True, files=files, committed=committed)
        if made != self.written:
            changes.write(self.place, made)
            self.written = made

    # --- what changes while scripts run ---
    #
    # Nobody can say who wrote it: a formatter, a person, another agent. So whoever asks for it looks at it once more,
    # and is done when nothing changed meanwhile: that is one run more for a formatter, and loses nobody's work.

    def _take(self, found: Mapping[str, Entry], names: Iterable[str]) -> bool:
        """Take in what changed. Whether a script waits for it that did not."""
        for name in names:
            entry = found.get(name)
            if entry is None:
                self.files.pop(name, None)
            else:
                self.files[name] = entry
        self._index = {}
        return self.mark(names, self.scripts)

    def absorb(self, ran: Run) -> None:
        """See what became of the files that a script was given, for guards too: an agent may go on from its work."""
        now = changes.entries(self.root, ran.files, self.files, _never)
        moved = changes.differing(self.files, now)
        if moved and ran.outcome.ms <= QUICK_MS:
            script_writes.note(self.place, [(name, self.files[name].digest, now[name].digest) for name in moved])
        if moved:
            self._take(now, moved)
        else:
            self.files.update(now)  # stamps may have moved

    def look_again(self, env: Mapping[str, str] | None, limit_s: float) -> bool:
        """See what else changed. Whether a script waits now that did not."""
        now = changes.look(self.root, self.files, env=env, limit_s=limit_s)
        kept = changes.entries(self.root, [one for one in self.committed if one not in now.files], self.files, _never)
        found = {**now.files, **kept}
        names = changes.differing(self.files, found) + [name for name in self.files if name not in found]
        self.head = now.head
        fresh = self._take(found, names) if names else False
        self.files = found
        self._index = {}
        return fresh


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
    if status.read(place).damaged:  # who waited cannot be read: everybody looks
        job.wait([script.key for script in scripts])
    job.mark(found.names, scripts)
    waiting = bool(_waiting(place, scripts))
    if found.names or waiting or not seen.evaluated or now.head != seen.head:
        job.remember(at, waiting=waiting)
    made = _run_all(job, runner, env, left, wanted, due, note) if waiting or job.unread else Evaluation()
    still = _waiting(place, scripts)
    if waiting:
        job.remember(at, waiting=bool(still))
    return made._replace(changed=found.names, waiting=still, newly=tuple(job.newly), runs=tuple(job.runs))


def _look(root: str, seen: TreeState, env: Mapping[str, str] | None, left: Callable[[], float]) -> Look:
    return changes.look(root, {**seen.base, **seen.files}, env=env, limit_s=min(left(), 60.0))


def _waiting(place: str, scripts: Sequence[Script]) -> tuple[str, ...]:
    there = pending.keys(place)
    return tuple([script.key for script in scripts if script.key in there])


def _run_all(
    job: _Job,
    runner: Runner,
    env: Mapping[str, str] | None,
    left: Callable[[], float],
    wanted: Callable[[], bool],
    due: Callable[[Script], bool] | None,
    note: Callable[[Run], None] | None,
) -> Evaluation:
    """Rounds, until nothing changes any more that a script asks for: what still does waits for the next turn's end."""
    for _ in range(ROUNDS):
        made = _round(job, runner, left, wanted, due, note)
        if not job.runs or made.unwanted:
            return made
        try:
            job.look_again(env, max(min(left(), 60.0), 1.0))
        except (ChangesError, OSError) as fault:
            return made._replace(why=made.why or str(fault))
        more = [script.key for script in job.scripts if script.key in job.waits and (due is None or due(script))]
        if not more or made.failed is not None or made.why:
            return made
    why = f"what {', '.join(more)} looks at changed during each of {ROUNDS} runs; it waits for the next turn's end"
    return Evaluation(why=why)


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
        if script.key not in job.waits or (due is not None and not due(script)):
            continue
        given = job.given(script)
        if not given:
            job.done(script)
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
        if outcome.ok:
            job.done(script)
        job.absorb(ran)
        if outcome.ok:
            continue
        if outcome.stopped:
            return Evaluation(unwanted=True)
        if ran.cut:
            return Evaluation(why=f"{script.key} did not end in the time there was; it waits for the next turn's end")
        if not outcome.fault:
            return Evaluation(failed=ran)
    faults = job.unread | {run.script.key: run.outcome.fault for run in job.runs if run.outcome.fault}
    return Evaluation(why="; ".join([f"{key} was not run: {fault}" for key, fault in faults.items()]))
