"""The file scripts at the end of a turn: evaluate, and let the agent repair what failed, three times at most.

Called by the engine at a main agent's Stop. A failure blocks it with the document's message where the client goes on
after that; elsewhere, and for scripts that run `when: after` it, the message waits for the next prompt.
"""

from __future__ import annotations

from jackline import host, paths, system
from jackline.model import Action, HookRun
from jackline.policy import continuation
from jackline.runners import script as runner
from jackline.script import TIMEOUTS, Outcome
from jackline.scripts import answers, changes, due, messages, pending, running, status
from jackline.scripts.environment import as_list, batches, environment
from jackline.scripts.evaluation import Evaluation, evaluate
from jackline.store import exclusive_files, journal
from jackline.store.ids import record_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from jackline.clients.capabilities import Capability as Capability
    from jackline.runtime.outcome import Outcome as Event
    from jackline.script import Script
    from jackline.scripts.evaluation import Run, Runner

__all__ = ["Evaluation", "begin", "child", "evaluate", "late_failure", "stop"]

SLUG = "scripts"
TURNS = "turns"
NEXT = "next-prompt"
RESERVE_S = 2.0
"""Seconds before the entry point's own deadline that are ours: to write down what came of it, and to answer."""
SNAPSHOT_S = 4.0
"""How long a session's beginning, or a prompt, may wait for the tree to be looked at."""
LIST = "files"


# --- one child -----------------------------------------------------------------------------------------------------


def child(
    place: str,
    root: str,
    env: Mapping[str, str],
    *,
    wanted: Callable[[], bool] | None = None,
    **facts: Any,
) -> Runner:
    """A runner whose scripts are processes. `facts` are `environment`'s: session, event, client, agent, turn, attempt.

    More files than a variable holds are given in batches; the first batch that fails is the script's result. A
    sub-folder's script runs there, and names its files from there.
    """

    def run(script: Script, files: Sequence[str], limit_s: float) -> Outcome:
        at = script.base or root
        if script.base:  # a sub-folder's script names its files from there
            files = [paths.within(script.base, f"{root}/{name}") for name in files]
        until = host.clock() + int(limit_s * 1e9)
        whole = Outcome()
        for batch in batches(list(files)):
            left = (until - host.clock()) / 1e9 if limit_s else 0.0
            if limit_s and left <= 0:
                return whole._replace(late=True, exit=whole.exit or -15)
            one = _child(script, batch, place, at, env, left, wanted, facts)
            whole = one.after(whole)
            if not one.ok:
                break
        return whole

    return run


def _child(
    script: Script,
    files: tuple[str, ...],
    place: str,
    root: str,
    env: Mapping[str, str],
    limit_s: float,
    wanted: Callable[[], bool] | None,
    facts: Mapping[str, Any],
) -> Outcome:
    """One process, on one batch of files, with the list of them in a file of its own."""
    name = f"{status.file_name(script.key)}.{host.pid()}.list"
    folder = system.descend(place, (status.FOLDER, LIST), create=True)
    pids: list[int] = []

    def started(pid: int) -> None:
        pids.append(pid)
        running.note(place, pid)

    try:
        system.replace(name, as_list(files), at=folder)
        path = f"{place}/{status.FOLDER}/{LIST}/{name}"
        return runner.run(
            script,
            root=root,
            env=environment(env, script, root=root, files=files, files_list=path, **facts),
            limit_s=limit_s,
            wanted=wanted,
            writable=(place,),
            started=started,
        )
    finally:
        for pid in pids:
            running.forget(place, pid)
        system.unlink(name, at=folder)
        system.close(folder)


# --- the event -------------------------------------------------------------------------------------------------------


def _row(run: Event, kind: str, data: dict[str, Any]) -> None:
    """A row of the log, written at once: an entry point that is killed while scripts run has told of those before."""
    now = host.now()
    row = run.record(kind, SLUG, record_id(now, host.entropy()), ts=now // 1_000_000, data=data)
    if run.place is not None:
        try:
            journal.append(run.place.fd, journal.EVENTS, [row], run.session.chain)
        except OSError:
            return


def _wanted(run: Event) -> bool:
    """Whether the turn is still the one that ended: a prompt typed meanwhile has claimed the next."""
    return run.place is not None and not system.exists_at(run.place.fd, f"{TURNS}/t{run.turn + 1}")


def _attempt(run: Event) -> int:
    """Which re-prompt of this turn a failure now would be."""
    number = 1
    while run.place is not None and number < 100 and system.exists_at(run.place.fd, f"{TURNS}/s{run.turn}.{number}"):
        number += 1
    return number


def _evaluate(run: Event, scripts: Sequence[Script], left: Callable[[], float], when: str) -> Evaluation:
    """Run those that are due, and write down what each came to."""
    place = run.place.path if run.place is not None else ""
    attempt = _attempt(run)

    def wanted() -> bool:
        return _wanted(run)

    def note(one: Run) -> None:
        outcome = one.outcome
        try:
            status.record(place, one.script, outcome, host.now())
            if outcome.late and run.place is not None:
                exclusive_files.first(run.place, TURNS, _late_mark(run, one.script))
        except OSError:
            pass
        data = {
            "script": one.script.key,
            "type": "file",
            "exit": outcome.exit,
            "ms": round(outcome.ms),
            "result": "success" if outcome.ok else "failure",
            "late": outcome.late,
            "files": len(one.files),
            "attempt": attempt,
        }
        named = "" if outcome.ok else one.script.name
        for name, value in (("stopped", outcome.stopped), ("fault", outcome.fault), ("name", named)):
            if value:
                data[name] = value
        _row(run, "SCRIPT_RUN", data)

    start = child(
        place,
        run.session.root,
        run.request.env,
        wanted=wanted,
        session=run.session.sid,
        event="Stop",
        client=run.event.client,
        agent=run.agent,
        turn=run.turn,
        attempt=attempt,
    )
    limited = [one if one.timeout else one._replace(timeout=TIMEOUTS["file"]) for one in scripts]
    made = evaluate(
        place,
        run.session.root,
        limited,
        start,
        env=run.request.env,
        left=left,
        wanted=wanted,
        due=lambda script: script.when == when and not run.is_silenced(script.key) and not _was_late(run, script),
        note=note,
    )
    if made.newly:
        _row(run, "SCRIPT_PENDING", {"scripts": list(made.newly), "changed": len(made.changed)})
    if made.runs or made.newly:
        try:
            status.note_evaluation(place, host.now())
        except OSError:
            pass
    return made


def _left(run: Event) -> Callable[[], float]:
    deadline = run.request.deadline
    if not deadline:
        return lambda: float("inf")
    return lambda: (deadline - run.request.clock()) / 1e9 - RESERVE_S


def _path(run: Event, script: Script) -> str:
    place = run.place.path if run.place is not None else ""
    return paths.within(run.session.root, status.log_path(place, script.key))


def _message(run: Event, one: Run, attempt: int = 0, attempts: int = 0) -> str:
    path = _path(run, one.script)
    return messages.failure(one.script, one.outcome, one.files, path=path, attempt=attempt, attempts=attempts)


def stop(run: Event, capability: Capability, seen: Callable[[Evaluation], None]) -> HookRun | None:
    """At a Stop: what the file scripts say. None when nothing was to be done, or all passed, or one failed silently.
    `seen` is told of an evaluation in which scripts ran.

    A sub-agent's Stop, and one with background tasks under way, ends no turn: nothing runs.
    """
    event = run.event
    if event.name != "Stop" or event.agent_id or event.background or run.place is None or run.store.dry:
        return None
    scripts = due.scripts(run, "file")
    begun_at = run.request.clock()
    made = _evaluate(run, scripts, _left(run), "stop")
    if made.runs:
        seen(made)
    late = next((one for one in made.runs if one.outcome.late), None)
    action = _verdict_of(run, capability, made) if late is None else _too_late(run, late)
    if made.failed is None and not made.unwanted and not made.why and any(one.when == "after" for one in scripts):
        _leave(run, scripts)
    if action is None:
        return None
    return HookRun(SLUG, action, ms=(run.request.clock() - begun_at) / 1e6)


def _verdict_of(run: Event, capability: Capability, made: Evaluation) -> Action | None:
    """An evaluation in the words of an event."""
    if made.unwanted or (made.failed is None and not made.why):
        if not made.waiting:
            _forget(run)
        return None
    if made.failed is None:
        return Action(warnings=(f"File scripts: {made.why}.",))
    if not made.failed.script.notify:
        return None
    if capability.cont == 0:
        _keep(run, _message(run, made.failed))
        return Action(warnings=(f"{made.failed.script.key} failed; the agent is told with the next prompt.",))
    return _asked_again(run, capability.cont, made)


def _late_mark(run: Event, script: Script) -> str:
    return f"l{run.turn}.{status.file_name(script.key)}"


def _was_late(run: Event, script: Script) -> bool:
    """Whether the script was too slow in this turn already: it is not run again in it."""
    return run.place is not None and system.exists_at(run.place.fd, f"{TURNS}/{_late_mark(run, script)}")


def _too_late(run: Event, one: Run) -> Action:
    """A script that a deadline ended, its own or the run's: the person is told, nobody is asked to fix anything."""
    run.unjudged.append(len(run.ran))  # where `stop`'s answer will stand
    said = f"{answers.too_late(one.script, one.outcome)}; it is not run again before your next prompt"
    return Action(warnings=(said,))


def _asked_again(run: Event, cap: int, made: Evaluation) -> Action:
    """The block that lets the agent go on, or why it does not."""
    one = made.failed
    assert one is not None and run.place is not None
    try:
        number = exclusive_files.next_number(run.place, TURNS, f"s{run.turn}.")
    except OSError:  # nothing can be counted: once, as the client itself tells
        number = continuation.limit(cap, SLUG) + 1 if run.event.stop_active else 1
    why = continuation.ends(number, cap, SLUG)
    if why:
        run.ended = why
        data = {"by": continuation.lets_go(cap, SLUG), "held": [f"script:{one.script.key}"]}
        run.add("CONTINUATION_END", SLUG, reason=why, data=data)
        waits = ", ".join(made.waiting)
        return Action(warnings=(f"{one.script.key} still fails: {why}. Pending until your next prompt: {waits}.",))
    _forget(run)
    return Action("block", _message(run, one, number, continuation.limit(cap, SLUG)))


# --- what waits for the next prompt ----------------------------------------------------------------------------------


def _keep(run: Event, text: str) -> None:
    if run.place is None:
        return
    try:
        at = system.descend(run.place.path, (status.FOLDER,), create=True)
        try:
            system.replace(NEXT, text.encode("utf-8", "replace"), at=at)
        finally:
            system.close(at)
    except OSError:
        return


def _forget(run: Event) -> None:
    """What was kept is no longer so: everything passes, or the agent hears of it now."""
    if run.place is None or not system.exists_at(run.place.fd, f"{status.FOLDER}/{NEXT}"):
        return
    at = system.descend(run.place.path, (status.FOLDER,))
    system.unlink(NEXT, at=at)
    system.close(at)


def late_failure(run: Event) -> tuple[tuple[str, str], ...]:
    """At a prompt: the failure that could not be told at the turn's end, once; () when there is none."""
    if run.event.name not in ("UserPromptSubmit", "SessionStart") or run.place is None:
        return ()
    mine = f".{NEXT}.{host.pid()}"
    try:
        at = system.descend(run.place.path, (status.FOLDER,))
    except OSError:
        return ()
    try:
        system.rename(NEXT, mine, at=at)
        text = system.read(mine, at=at, limit=1 << 20, follow=False).decode("utf-8", "replace")
    except OSError:
        return ()
    finally:
        system.unlink(mine, at=at)
        system.close(at)
    return ((SLUG, text),)


def _leave(run: Event, scripts: Sequence[Script]) -> None:
    """The scripts that run after the turn: detached, and what fails waits for the next prompt."""
    place = run.place
    if place is None or not _waits(place.path, scripts):
        return

    def work() -> None:
        made = _evaluate(run, scripts, lambda: float("inf"), "after")
        if made.failed is not None and made.prompts:
            _keep(run, _message(run, made.failed))

    from jackline.scripts.detached import detach

    try:
        detach(work, store=run.store.path)
    except OSError:
        return


def _waits(place: str, scripts: Sequence[Script]) -> bool:
    waits = pending.keys(place)
    return any(one.when == "after" and one.key in waits for one in scripts)


def begin(run: Event) -> None:
    """At a session's beginning, or the first prompt that we see of it: how the tree was before the agent came."""
    if run.place is None or run.store.dry or run.event.agent_id:
        return
    try:
        changes.snapshot(run.place.path, run.session.root, env=run.request.env, limit_s=SNAPSHOT_S)
    except (changes.ChangesError, OSError):  # then all that is uncommitted is the session's
        return
