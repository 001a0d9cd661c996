"""The end of a turn: the kernel's account of continuations, claimed file by file (design section 6, Stop)."""

from __future__ import annotations

from jackline import system
from jackline.kernel import continuation
from jackline.model import MUTATING, Verdict
from jackline.store import claims, journal
from jackline.store.ids import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.engine.run import Run

FOLDER = "turns"
LAST = "last-block"


def account(run: Run, verdict: Verdict, cap: int) -> tuple[Verdict, str]:
    """Let a block at a turn's end count, or end the turn. Returns the verdict that holds and why it was ended ("")."""
    event = run.event
    if event.name == "Stop" and (event.agent_id or event.background):
        why = "a sub-agent's stop" if event.agent_id else "background tasks still run"
        return Verdict(context=verdict.context, notes=(*verdict.notes, f"not kept going: {why}")), ""
    place = run.place
    if place is None:
        return _uncounted(run, verdict)
    who = run.agent if event.name == "SubagentStop" else ""
    prefix = f"b{run.turn}.{who}"
    mark = _mark(run, verdict)
    try:
        number = claims.next_number(place, FOLDER, prefix, data=mark)
    except OSError:
        return _uncounted(run, verdict)
    before = claims.read(place, FOLDER, f"{prefix}{number - 1}") if number > 1 else b""
    same = before.split(b" ")[0] == mark.split(b" ")[0]
    changed = _file_scripts_saw_changes(run) or _changed_since(run, before)
    why = continuation.ends(number, cap, same_failure=same, changed=changed)
    if why:
        return Verdict(notes=(*verdict.notes, why)), why
    try:
        claims.write(place, FOLDER, LAST, reason_mark(verdict.reason))
    except OSError:
        pass
    return verdict, ""


def _uncounted(run: Run, verdict: Verdict) -> tuple[Verdict, str]:
    """Where nothing can be claimed (a full disk) the agent is kept going once: the client says that it was."""
    if not run.event.stop_active:
        return verdict, ""
    why = "continuations cannot be counted here; the turn ends"
    return Verdict(notes=(*verdict.notes, why)), why


def reason_mark(reason: str) -> bytes:
    """What two equal reasons share; a reason is not kept in clear."""
    return digest(reason.strip()).encode("ascii")


def _failure(run: Run, verdict: Verdict) -> str:
    """What two equal failures share. A hook that counts its attempts says in its metrics what stays the same."""
    parts = [
        str((one.action.metrics or {}).get("failure") or one.action.reason)
        for one in run.ran
        if one.action.decision == "block" and not one.observed
    ]
    return "\n".join(parts) or verdict.reason


def _mark(run: Run, verdict: Verdict) -> bytes:
    end = system.size_at(run.place.fd, journal.EVENTS) if run.place is not None else 0
    return reason_mark(_failure(run, verdict)) + b" %d" % end


def _file_scripts_saw_changes(run: Run) -> bool:
    """Whether file scripts found files with other content than at the last stop, however they came to it."""
    return any((one.action.metrics or {}).get("changed") for one in run.ran if one.hook == "scripts")


def _changed_since(run: Run, before: bytes) -> bool:
    """Whether a tool that can change something ran since the last continuation (read from the log's tail only)."""
    _, _, offset = before.partition(b" ")
    if run.place is None or not offset.isdigit():
        return True
    end = system.size_at(run.place.fd, journal.EVENTS)
    records, _ = journal.parse(system.read_range(run.place.fd, journal.EVENTS, int(offset), end))
    return any(record.get("kind") == "TOOL_OUTCOME" and record.get("toolKind") in MUTATING for record in records)


def is_own_reason(run: Run) -> bool:
    """Whether a prompt is our own last Stop reason coming back (some clients send it as one)."""
    if run.place is None or not run.event.prompt:
        return False
    last = claims.read(run.place, FOLDER, LAST)
    if not last:
        return False
    return last.split(b" ")[0] == reason_mark(run.event.prompt)
