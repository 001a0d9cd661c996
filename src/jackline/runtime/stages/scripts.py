"""Scripts answer the event after the features; session and file scripts run where their event comes.

Loaded only when there is something to do (`pipeline.has_scripts`). A fault of ours is reported and costs the scripts,
never the turn.
"""

from __future__ import annotations

from jackline import host, system
from jackline.clients.capabilities import row as capability_of
from jackline.model import Action, HookRun
from jackline.policy.merge import merge
from jackline.policy.warn_mode import as_warning
from jackline.scripts import answers, deferred_output, running
from jackline.scripts import event as events
from jackline.site_paths import open_roots, take
from jackline.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jackline.model import Verdict
    from jackline.runtime.outcome import Outcome as Run
    from jackline.runtime.request import Request
    from jackline.script import Script
    from jackline.scripts.evaluation import Evaluation

BEGINS = ("SessionStart", "UserPromptSubmit")
"""Events at which file scripts look at the tree before the agent changes it."""
FOLDERS = (*BEGINS, "Stop")
"""Events at which session and file scripts of sub-folders may be due."""
DETACHED = ("SessionEnd", "Interrupt")
"""Events whose clients wait a second or two, and where nobody decides anything: their scripts outlive the event."""
SEEN = {"": "allow", "approve": "allow"}
"""The verdict so far in a script's words, where they differ."""


def _failed(run: Run, where: str, fault: Exception) -> None:
    from jackline.store.crash import report

    if not run.store.dry:
        report(run.store.path, fault, {"where": where, "event": run.event.name}, VERSION)


def _moment(run: Run) -> events.Moment:
    folder = run.place.path if run.place is not None else ""
    sid, event = run.session.sid, run.event
    return events.Moment(run.session.root, event, run.request.raw, run.request.env, folder, sid, run.agent, run.turn)


def _skip(run: Run, script: Script, verdict: str) -> str:
    """Why a script of this event does not run, "" when it does."""
    event = run.event
    if event.tool and not script.wants(event.tool, event.kind):
        return "tool not in its list"
    if run.paused and (run.is_silenced(script.key) or run.is_silenced(_hook(script))):
        return "paused"
    if run.store.dry:
        return "a dry run runs no script"
    if script.run == "if-allowed" and verdict in ("deny", "block"):
        return "denied before it"
    return ""


def _hook(script: Script) -> str:
    return f"script:{script.key}"


def _leave(run: Run, script: Script, moment: events.Moment, verdict: str) -> None:
    """Run `script` where it outlives the entry point; what it says is told at the next event that can."""
    from jackline.scripts.detached import detach

    row = run.record("SCRIPT_RUN", _hook(script))  # its id is taken here: the entry point counts on

    def work() -> None:
        from jackline.store import journal

        outcome, action = events.run(script, moment, limit_s=events.own_limit(script), verdict=verdict)
        row["data"] = {**events.run_data(script, outcome, action), "detached": True}
        row["ts"] = host.now() // 1_000_000
        if run.place is not None:
            journal.append(run.place.fd, journal.EVENTS, [row], run.session.chain)
            events.keep(script, outcome, moment.folder)
            deferred_output.leave(moment.folder, action)

    detach(work, store=run.store.path)


def _one(run: Run, script: Script, moment: events.Moment, verdict: str) -> None:
    """Run one script of the event."""
    if script.when == "after" or run.event.name in DETACHED:
        _leave(run, script, moment, verdict)
        return
    limit_s = events.limit(script, run.request.deadline, run.request.clock())
    if run.request.deadline and limit_s < events.LEAST_S:
        run.skipped.append((_hook(script), "no time left"))
        sentence = f'"{script.name or script.key}" was not run: no time was left'
        run.unjudged.append(len(run.ran))
        run.ran.append(HookRun(_hook(script), Action(warnings=(sentence,))))
        return
    begun = run.request.clock()
    outcome, action = events.run(script, moment, limit_s=limit_s, verdict=verdict)
    ms = (run.request.clock() - begun) / 1e6
    row = {"kind": "SCRIPT_RUN", "data": events.run_data(script, outcome, action)}
    action = action._replace(emit_events=(*action.emit_events, row))
    ran = HookRun(_hook(script), action, ms=ms, observed=script.mode == "observe")
    if answers.judged_nothing(script, outcome):
        run.unjudged.append(len(run.ran))
    run.ran.append(as_warning(ran) if script.mode == "warn" else ran)
    if moment.folder and not run.store.dry:
        run.after.append(lambda: events.keep(script, outcome, moment.folder))  # it may wait for others who write


def _scripts(run: Run) -> Iterator[tuple[str, Script]]:
    """The scripts bound to this event, each with the folder it runs in: the root's, then those of other folders."""
    for script in run.table.scripts(run.event.name):
        yield run.session.root, script
    if run.around is not None:
        from jackline.runtime.nested_repo import more_scripts

        yield from more_scripts(run.session.root, run.around, run.event.name)


def _bound(run: Run) -> None:
    """The scripts bound to this event, in their order, all of them; each sees the verdict so far."""
    here = _moment(run)
    for folder, script in _scripts(run):
        moment = here._replace(at=folder)
        decision = _merged(run).decision
        verdict = SEEN.get(decision, decision)
        why = _skip(run, script, verdict)
        if why:
            run.skipped.append((_hook(script), why))
            continue
        try:
            _one(run, script, moment, verdict)
        except Exception as fault:  # noqa: BLE001 - a fault of ours costs this script, not those after it
            _failed(run, f"script {script.key}", fault)


def _part(run: Run, where: str, part: Callable[[], None]) -> None:
    """One of the loops, kept from harming the others."""
    try:
        part()
    except Exception as fault:  # noqa: BLE001 - reported; the turn goes on without it
        _failed(run, where, fault)


def _session(run: Run) -> None:
    open_roots()
    _count(run, take("jackline.scripts.session").start(run))


def _stop(run: Run) -> None:
    capability = capability_of(run.event.client, run.event.name)
    open_roots()

    def seen(made: Evaluation) -> None:
        """What file scripts came to counts for a plan that names them."""
        keep = take("jackline.services.validators.script_results").keep
        _part(run, "results of scripts", lambda: keep(run.store.path, run.session.root, run.request.env, made))

    _count(run, take("jackline.scripts.turn").stop(run, capability, seen))


def _begun(run: Run) -> None:
    open_roots()
    take("jackline.scripts.turn").begin(run)


def _count(run: Run, ran: HookRun | None) -> None:
    if ran is not None:
        run.ran.append(ran)


def _deliver_deferred(run: Run, folder: str) -> None:
    """What was kept for the model and the person since they could last be told."""
    if system.exists(f"{folder}/scripts/{deferred_output.FILE}"):
        _count(run, HookRun("scripts", deferred_output.take(folder)))
    if system.exists(f"{folder}/scripts/session/.open"):
        open_roots()
        _count(run, take("jackline.scripts.session").left(run))
    if system.exists(f"{folder}/scripts/next-prompt"):
        open_roots()
        context = take("jackline.scripts.turn").late_failure(run)
        if context:
            run.ran.append(HookRun("scripts", Action(additional_context=tuple(context))))


def _reaped(run: Run, folder: str) -> None:
    ended = running.reap(folder)
    if ended:
        run.add("NOTE", "scripts", data={"ended": ended, "why": "the entry point that ran a script was gone"})


def _merged(run: Run) -> Verdict:
    return merge(run.event, run.ran, owner=run.table.rewrite_owner)


def run(request: Request, outcome: Run) -> None:
    """Let the scripts have their part in this event: the verdict of all together."""
    name, table, around = outcome.event.name, outcome.table, outcome.around
    added: dict[str, tuple[Script, ...]] = {}
    place = None if outcome.store.dry else outcome.place
    if place is not None and name in FOLDERS and around is not None:
        from jackline.runtime.nested_repo import add_scripts

        _part(outcome, "folders", lambda: add_scripts(outcome, around))
        added = around.added
    if place is not None:
        folder = place.path
        if system.exists(f"{folder}/scripts/{running.FOLDER}"):
            _part(outcome, "reap", lambda: _reaped(outcome, folder))
        if capability_of(outcome.event.client, name).context and not outcome.event.agent_id:
            _part(outcome, "told", lambda: _deliver_deferred(outcome, folder))
        if name == "SessionStart" and (table.scripted("session") or added.get("session")):
            _part(outcome, "session scripts", lambda: _session(outcome))
        if name in BEGINS and (table.scripted("file") or added.get("file")):
            _part(outcome, "file scripts", lambda: _begun(outcome))
    if table.scripted(name) or around is not None:
        _part(outcome, "event scripts", lambda: _bound(outcome))
    if place is not None and name == "Stop" and (table.scripted("file") or added.get("file")):
        _part(outcome, "file scripts", lambda: _stop(outcome))
    outcome.verdict = _merged(outcome)
