"""Session scripts: once per session at its start, one after the other, by a supervisor that outlives the entry point.

A batch is a file `<session>/scripts/session/<occasion>`, claimed with the keys to run: whoever claims it starts them.
Its supervisor appends to `<occasion>.log` what it does, and holds `<occasion>.lock` while it lives. So every later
event can tell what is done, what runs, and what was cut off; a batch that was killed is reported and not repeated.
`<session>/scripts/session/.open` stands as long as somebody has to be told the end of a batch.
"""

from __future__ import annotations

import time

from jackline import host, jsonio, paths, system
from jackline.model import Action, HookRun
from jackline.script import TIMEOUTS, Outcome
from jackline.scripts import due, running, status
from jackline.store import journal
from jackline.store.ids import record_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from jackline.runtime.outcome import Outcome as Run
    from jackline.script import Script
else:
    from jackline._record import NamedTuple

FOLDER = (status.FOLDER, "session")
OPEN = ".open"
SLUG = "scripts:session"
START = "startup"
"""The occasion that every session has once; others (`resume`, `clear`, `compact`) are numbered."""

MARGIN_NS = 1_500_000_000
"""How long before its deadline the entry point answers with what it has."""
YOUNG_NS = 10_000_000_000
"""A batch this young may have no supervisor yet."""


class Batch(NamedTuple):
    """The session scripts of one occasion, and how far they are. `ran`: by key, {exit, ms, fault, log}."""

    occasion: str
    keys: tuple[str, ...]
    names: dict[str, str]
    born: int
    ran: dict[str, dict[str, Any]]
    running: str = ""
    done: bool = False

    @property
    def failed(self) -> list[str]:
        return [key for key in self.keys if key in self.ran and (self.ran[key]["exit"] or self.ran[key]["fault"])]

    @property
    def left(self) -> list[str]:
        """What has not ended."""
        return [key for key in self.keys if key not in self.ran]


# --- batches -------------------------------------------------------------------------------------------------------


def _open(place: str, *, create: bool = False) -> int:
    return system.descend(place, FOLDER, create=create)


def _line(at: int, occasion: str, **said: Any) -> None:
    system.append(f"{occasion}.log", jsonio.dumps(said).encode() + b"\n", at=at)


def _read(at: int, occasion: str) -> Batch | None:
    """A batch as its files tell it."""
    try:
        claimed = jsonio.loads(system.read(occasion, at=at, follow=False).decode())
        keys = tuple([str(key) for key in claimed["names"]])
        names, born = {key: str(name) for key, name in claimed["names"].items()}, int(claimed["born"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    try:
        said, _ = journal.parse(system.read(f"{occasion}.log", at=at, follow=False))
    except OSError:
        said = []
    ran: dict[str, dict[str, Any]] = {}
    began, done = "", False
    for one in said:
        key = str(one.get("key", ""))
        if "exit" in one:
            ran[key] = {"exit": one["exit"], "ms": one.get("ms", 0), "fault": str(one.get("fault", ""))}
            began = ""
        else:
            began = key or began
        done = done or one.get("done") is True
    return Batch(occasion, keys, names, born, ran, began, done)


def _alive(at: int, batch: Batch) -> bool:
    """Whether a batch still has its supervisor: it holds the lock as long as it lives."""
    held = system.lock(f"{batch.occasion}.lock", 0, at=at)
    system.close(held)
    return held < 0 or host.now() - batch.born < YOUNG_NS


def _claim(run: Run, at: int) -> tuple[str, tuple[Script, ...]]:
    """The scripts that are ours to start now, and the name of their batch."""
    source = run.event.source or START
    sources = [source]
    if source == "resume" and not system.exists_at(at, START):
        sources.append(START)  # the first start that we see of this session
    every = due.scripts(run, "session")
    scripts = tuple([one for one in every if not run.is_silenced(one.key) and not set(sources).isdisjoint(one.sources)])
    if not scripts:
        return "", ()
    data = jsonio.dumps({"names": {one.key: one.name or one.key for one in scripts}, "born": host.now()}).encode()
    occasion, number = START, 1
    if START in sources and not system.claim(START, data, at=at):
        return "", ()
    while START not in sources and not system.claim(occasion := f"{source}-{number}", data, at=at):
        number += 1
    system.claim(OPEN, at=at)
    return occasion, scripts


# --- the supervisor ------------------------------------------------------------------------------------------------


def _run_one(run: Run, script: Script, folder: str) -> Outcome:
    from jackline.runners.script import run as start
    from jackline.scripts.environment import environment
    from jackline.scripts.run_as import Impossible, user_for

    try:
        user = user_for(script, run.session.root)
    except (Impossible, OSError) as why:
        return Outcome(126, fault=str(why))
    pids: list[int] = []
    at = script.base or run.session.root

    def started(pid: int) -> None:
        pids.append(pid)
        running.note(folder, pid)

    outcome = start(
        script,
        root=at,
        env=environment(
            run.request.env, script, root=at, session=run.session.sid, event=run.event.name,
            client=run.event.client, turn=run.turn,
        ),
        limit_s=script.timeout or TIMEOUTS[script.type],
        user=user,
        writable=(folder,),
        started=started,
    )  # fmt: skip
    for pid in pids:
        running.forget(folder, pid)
    return outcome


def _row(run: Run, kind: str, producer: str, data: dict[str, Any]) -> None:
    """A row of the log. Its id is made here: the entry point counts its own on."""
    now = host.now()
    row = run.record(kind, producer, record_id(now, host.entropy()), ts=now // 1_000_000, data=data)
    if run.place is not None:
        journal.append(run.place.fd, journal.EVENTS, [row], run.session.chain)


def _facts(script: Script, outcome: Outcome) -> dict[str, Any]:
    made = {
        "script": script.key,
        "type": script.type,
        "exit": outcome.exit,
        "ms": round(outcome.ms),
        "result": "success" if outcome.ok else "failure",
    }
    return made | {name: value for name, value in (("late", outcome.late), ("fault", outcome.fault)) if value}


def _note(run: Run, script: Script, outcome: Outcome) -> None:
    """Status, output and row of one run: what cannot be written does not keep the next script waiting."""
    if run.place is None:
        return
    try:
        status.record(run.place.path, script, outcome, host.now())
    except OSError:
        pass
    try:
        _row(run, "SCRIPT_RUN", f"script:{script.key}", _facts(script, outcome))
    except OSError:
        pass


def supervise(run: Run, occasion: str, scripts: tuple[Script, ...]) -> None:
    """Run a batch to its end, in a process of its own: a failure is noted and the next one runs."""
    place = run.place
    if place is None:
        return
    at = _open(place.path)
    held = system.lock(f"{occasion}.lock", 1000, at=at)
    try:
        failed = []
        for script in scripts:
            _line(at, occasion, key=script.key)
            outcome = _run_one(run, script, place.path)
            fault = outcome.fault or ("its time was over" if outcome.late else "")
            _note(run, script, outcome)
            _line(at, occasion, key=script.key, exit=outcome.exit, ms=round(outcome.ms), fault=fault)
            if not outcome.ok:
                failed.append(script.key)
        _done(run, at, occasion, len(scripts), failed)
    finally:
        system.close(held)
        system.close(at)


def _done(run: Run, at: int, occasion: str, total: int, failed: list[str]) -> None:
    _line(at, occasion, done=True)
    try:
        _row(run, "SCRIPTS_DONE", "scripts", {"occasion": occasion, "total": total, "failed": failed})
    except OSError:
        pass


# --- what the event does -------------------------------------------------------------------------------------------


def start(run: Run) -> HookRun | None:
    """At SessionStart: start what is due, wait for it until the entry point has to answer, and tell what became of it.

    None when there is nothing to tell: nothing was due, or all of it succeeded. Raises OSError where nothing can be
    claimed: then nothing runs, since nobody could say whether it had run before.
    """
    place = run.place
    if place is None:
        return None
    from jackline.scripts.detached import detach

    at = _open(place.path, create=True)
    try:
        told = left(run)
        occasion, scripts = _claim(run, at)
        if not scripts:
            return told
        detach(lambda: supervise(run, occasion, scripts), store=run.store.path)
        return _wait(run, at, occasion)
    finally:
        _close(at)
        system.close(at)


def _wait(run: Run, at: int, occasion: str) -> HookRun | None:
    """Look until the batch is done, its supervisor is gone, or the entry point has to answer."""
    until = run.request.deadline - MARGIN_NS if run.request.deadline else 0
    pause, size = 0.002, -1
    while True:
        seen = system.size_at(at, f"{occasion}.log")
        over = until and run.request.clock() >= until
        if seen != size or over:
            size = seen
            batch = _read(at, occasion)
            if batch is None or batch.done or over:
                return _tell(run, at, occasion)
        elif pause >= 0.1:
            batch = _read(at, occasion)
            if batch is None or not _alive(at, batch):
                return _tell(run, at, occasion)
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)


def left(run: Run) -> HookRun | None:
    """At a later event: what became of a batch that nobody was told the end of."""
    place = run.place
    if place is None:
        return None
    try:
        at = _open(place.path)
    except OSError:
        return None
    try:
        for occasion in _untold(at):
            told = _tell(run, at, occasion, again=True)
            if told is not None:
                return told
        return None
    finally:
        _close(at)
        system.close(at)


def _untold(at: int) -> list[str]:
    found = system.names(at)
    return [name for name in found if "." not in name and f"{name}.told" not in found]


def _close(at: int) -> None:
    """Let later events ask no more, when everything was told: the mark first, so that none made meanwhile is lost."""
    if not _untold(at):
        system.unlink(OPEN, at=at)
        if _untold(at):
            system.claim(OPEN, at=at)


def _tell(run: Run, at: int, occasion: str, *, again: bool = False) -> HookRun | None:
    """A batch in one line, once; what still runs is told by the entry point that started it, its end by a later one."""
    batch = _read(at, occasion)
    if batch is None:
        return None
    if not batch.done and _alive(at, batch):
        return None if again else _said(run, batch)
    if not system.claim(f"{occasion}.told", at=at):
        return None
    if not batch.done:
        batch = _cut_off(run, at, batch)
    return _said(run, batch, late=again)


def _cut_off(run: Run, at: int, batch: Batch) -> Batch:
    """A batch whose supervisor was killed: what it left running is ended, what had not ended counts as failed."""
    if run.place is not None:
        running.reap(run.place.path)
    key = batch.running
    known = {one.key: one for one in due.scripts(run, "session")}
    for one in batch.left:
        why = "cut off: its supervisor was killed" if one == key else "not run: its supervisor was killed"
        if one in known:
            _note(run, known[one], Outcome(-9 if one == key else 126, fault=why))
        _line(at, batch.occasion, key=one, exit=-9 if one == key else 126, fault=why)
    failed = [*batch.failed, *batch.left]
    _done(run, at, batch.occasion, len(batch.keys), failed)
    return _read(at, batch.occasion) or batch


def _one(run: Run, batch: Batch, key: str) -> str:
    """One failed script in words."""
    ran = batch.ran[key]
    why = ran["fault"] or f"exit {ran['exit']}"
    log = status.log_path(run.place.path if run.place is not None else "", key)
    return f'"{batch.names[key]}" ({why}; output in {paths.within(run.session.root, log)})'


def _said(run: Run, batch: Batch, *, late: bool = False) -> HookRun | None:
    """The closing line, for the model and the person; None when all went well and nothing is left."""
    failed, waits = batch.failed, batch.left
    if not failed and not waits:
        return _line_for_both(f"all {len(batch.keys)} are done") if late else None
    parts = []
    if failed:
        parts.append(
            f"{len(failed)} of {len(batch.keys)} failed: {', '.join([_one(run, batch, key) for key in failed])}"
        )
    if waits:
        names = ", ".join([f'"{batch.names[key]}"' for key in waits])
        parts.append(f"{len(waits)} not done yet: {names}; the result is told at a later event")
    return _line_for_both(" · ".join(parts))


def _line_for_both(words: str) -> HookRun:
    said = f"Session scripts: {words}"
    return HookRun(SLUG, Action(additional_context=((SLUG, said),), warnings=(said,)))
