"""How often hooks may keep an agent going at the end of a turn (design section 6, Stop)."""

from __future__ import annotations

from jackline import system
from jackline.adapters.capabilities import row as capability
from jackline.model import MUTATING, Verdict
from jackline.policy import continuation
from jackline.runtime.stages.turns import FOLDER, LAST, reason_mark
from jackline.store import claims, journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request


def run(request: Request, outcome: Outcome) -> None:
    """Let a block at a turn's end count, or end the turn: `ended` says why then."""
    event, verdict, place = outcome.event, outcome.verdict, outcome.place
    if event.name == "Stop" and (event.agent_id or event.background):
        why = "a sub-agent's stop" if event.agent_id else "background tasks still run"
        outcome.verdict = Verdict(context=verdict.context, notes=(*verdict.notes, f"not kept going: {why}"))
        return
    who = outcome.agent if event.name == "SubagentStop" else ""
    prefix = f"b{outcome.turn}.{who}"
    mark = _mark(outcome)
    try:
        number = claims.next_number(place, FOLDER, prefix, data=mark) if place is not None else 0
    except OSError:
        number = 0
    if place is None or not number:  # a full disk: the agent is kept going once, the client says that it was
        _end(outcome, "continuations cannot be counted here; the turn ends" if event.stop_active else "")
        return
    before = claims.read(place, FOLDER, f"{prefix}{number - 1}") if number > 1 else b""
    same = before.split(b" ")[0] == mark.split(b" ")[0]
    changed = _file_scripts_saw_changes(outcome) or _changed_since(outcome, before)
    cap = capability(event.client, event.name).cont
    why = continuation.ends(number, cap, same_failure=same, changed=changed)
    _end(outcome, why)
    if not why:
        outcome.effects.append(lambda: claims.write(place, FOLDER, LAST, reason_mark(verdict.reason)))


def _end(outcome: Outcome, why: str) -> None:
    """End the turn although a hook blocks, where there is a reason to."""
    if why:
        outcome.verdict, outcome.ended = Verdict(notes=(*outcome.verdict.notes, why)), why


def _failure(outcome: Outcome) -> str:
    """What two equal failures share. A hook that counts its attempts says in its metrics what stays the same."""
    parts = [
        str((one.action.metrics or {}).get("failure") or one.action.reason)
        for one in outcome.ran
        if one.action.decision == "block" and not one.observed
    ]
    return "\n".join(parts) or outcome.verdict.reason


def _mark(outcome: Outcome) -> bytes:
    end = system.size_at(outcome.place.fd, journal.EVENTS) if outcome.place is not None else 0
    return reason_mark(_failure(outcome)) + b" %d" % end


def _file_scripts_saw_changes(outcome: Outcome) -> bool:
    """Whether file scripts found files with other content than at the last stop, however they came to it."""
    return any((one.action.metrics or {}).get("changed") for one in outcome.ran if one.hook == "scripts")


def _changed_since(outcome: Outcome, before: bytes) -> bool:
    """Whether a tool that can change something ran since the last continuation (read from the log's tail only)."""
    _, _, offset = before.partition(b" ")
    if outcome.place is None or not offset.isdigit():
        return True
    end = system.size_at(outcome.place.fd, journal.EVENTS)
    records, _ = journal.parse(system.read_range(outcome.place.fd, journal.EVENTS, int(offset), end))
    return any(record.get("kind") == "TOOL_OUTCOME" and record.get("toolKind") in MUTATING for record in records)
