"""Run one event script: its variables, its deadline, the note of what runs, and its answer as an Action."""

from __future__ import annotations

from jackline import host
from jackline.runners import script as runner
from jackline.script import TIMEOUTS, Outcome
from jackline.scripts import running, script_writes
from jackline.scripts.answers import answer
from jackline.scripts.environment import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NamedTuple

    from jackline.model import Action, Event
    from jackline.script import Script
else:
    from jackline._record import NamedTuple

RESERVE_S = 1.7
"""What an entry point keeps for itself: a second until KILL, the streams, the answer."""
CHANGING = ("write", "edit", "notebook")
MOST = 50
LEAST_S = 0.3
"""Less time is no time: nothing but a failure would come of it."""


class Moment(NamedTuple):
    """Where and when: what all scripts of one event share. `folder`: the session's, "" = nothing is kept.

    `at`: where they run, when that is another folder than the root.
    """

    root: str
    event: Event
    raw: bytes
    env: Mapping[str, str]
    folder: str = ""
    session: str = ""
    agent: str = ""
    turn: int = 0
    at: str = ""


def own_limit(script: Script) -> float:
    """Seconds the script has by itself; 0 = no deadline."""
    return script.timeout or TIMEOUTS[script.type]


def limit(script: Script, deadline: int, now: int) -> float:
    """Seconds the script has in a run that must answer at `deadline` (0: whenever it likes); 0 = no deadline."""
    own = own_limit(script)
    if not deadline:
        return own
    left = (deadline - now) / 1e9 - RESERVE_S
    return min(own, left) if own else left


def _before(moment: Moment) -> dict[str, str]:
    """The files that a tool has just changed, as they are before a script comes that may format them."""
    event = moment.event
    if not moment.folder or event.name != "PostToolUse" or event.kind not in CHANGING:
        return {}
    return script_writes.digests(moment.root, event.paths[:MOST])


def run(
    script: Script, moment: Moment, *, limit_s: float, verdict: str = "", wanted: Callable[[], bool] | None = None
) -> tuple[Outcome, Action]:
    """Run `script` over the event it is bound to: what became of it, and what that means."""
    env = environment(
        moment.env,
        script,
        root=moment.at or moment.root,
        session=moment.session,
        event=moment.event.name,
        client=moment.event.client,
        agent=moment.agent,
        turn=moment.turn,
        verdict=verdict,
    )
    pids: list[int] = []
    before = _before(moment)

    def started(pid: int) -> None:
        pids.append(pid)
        if moment.folder:
            running.note(moment.folder, pid)

    try:
        outcome = runner.run(
            script,
            root=moment.at or moment.root,
            env=env,
            stdin=moment.raw,
            limit_s=limit_s,
            wanted=wanted,
            writable=(moment.folder,) if moment.folder else (),
            started=started,
        )
    finally:
        for pid in pids:
            if moment.folder:
                running.forget(moment.folder, pid)
    if before:
        script_writes.note_changes(moment.folder, moment.root, before)
    return outcome, answer(script, outcome, moment.event.name)


def run_data(script: Script, outcome: Outcome, action: Action) -> dict[str, Any]:
    """What a row `SCRIPT_RUN` says of a run. A refusal is a failure by its exit code; `decision` tells it apart."""
    data: dict[str, Any] = {
        "script": script.key,
        "type": script.type,
        "exit": outcome.exit,
        "ms": round(outcome.ms),
        "result": "success" if outcome.ok else "failure",
    }
    if not outcome.ok and not action.decision:
        data |= {"name": script.name} if script.name else {}
        data |= {"said": action.warnings[0]} if action.warnings else {}
    more = {"late": outcome.late, "stopped": outcome.stopped, "fault": outcome.fault, "decision": action.decision}
    for name, value in more.items():
        if value:
            data[name] = value
    return data


def keep(script: Script, outcome: Outcome, folder: str) -> None:
    """Status and latest output, for those who look. What cannot be written is no fault of the event's."""
    from jackline.scripts import status

    try:
        status.record(folder, script, outcome, host.now())
    except OSError:
        return
