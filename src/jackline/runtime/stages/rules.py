"""The runtime's own rules over a verdict: pauses, payloads nobody can judge, tampering, the policy of the phase."""

from __future__ import annotations

from jackline.model import MUTATING, Verdict
from jackline.policy import phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

READ = (1 << 27) - (1 << 16)
"""Bytes from which on a call may go on behind what the door read of it."""
PHASE_WAYS = {
    "UNINITIALIZED": "wait for the person's first prompt",
    "PLANNING": "write the plan first; a valid plan opens the next phase",
    "COMPLETE": "the plan is done: ask the person for new work (`jackline work new`)",
    "BLOCKED": "mend the plan or ask the person; their next prompt ends this phase",
}


def tell_paused(request: Request, outcome: Outcome) -> None:
    """A pause is shown wherever a person looks: at the session's start and with every prompt."""
    if outcome.event.name not in ("SessionStart", "UserPromptSubmit"):
        return
    from jackline.store import pauses

    now = request.now // 1_000_000
    told = [pauses.words(one, now) for one in pauses.load(outcome.store.path, now, outcome.session.root)]
    _note(outcome, *told)


def _note(outcome: Outcome, *notes: str) -> None:
    verdict = outcome.verdict
    outcome.verdict = verdict._replace(notes=(*verdict.notes, *notes))


def _deny(verdict: Verdict, by: str, code: str, *lines: str) -> Verdict:
    return Verdict("deny", "\n".join(lines), notes=verdict.notes, context=verdict.context, code=code, by=(by,))


def refuse_unreadable(request: Request, outcome: Outcome) -> None:
    """A whole object that could not be read may hold anything: before a tool it is refused, like a guard that fails.

    Bytes that are no whole object come from a client that broke off, and lock nobody out.
    """
    raw, event = request.raw.strip(), outcome.event
    whole = raw[:1] == b"{" and (raw[-1:] == b"}" or len(raw) >= READ)
    if event.name != "PreToolUse" or event.payload or not whole or len(raw) < 3:
        return
    outcome.verdict = _deny(
        outcome.verdict,
        "kernel",
        "HOOK_INTERNAL_ERROR",
        f"this call could not be read: {event.fault}",
        "a call that nobody can judge does not pass",
        "make the tool's arguments smaller or less nested",
    )


def hold_tampered(request: Request, outcome: Outcome) -> None:
    """Our entries in a client's configuration were changed behind our back: what changes things waits for a person."""
    if outcome.event.name != "PreToolUse":
        _note(outcome, outcome.notice)
    elif outcome.event.kind in MUTATING:
        outcome.verdict = _deny(
            outcome.verdict,
            outcome.works_with("tampering") or "kernel",
            "TAMPERED",
            outcome.notice,
            "hook configuration is changed by a person, never beside them",
            "ask the person to look and to run `jackline doctor --repair`",
        )


def writes_own_places(outcome: Outcome) -> bool:
    """Whether a call writes only where an agent may write in every phase: plans and outputs of this session.

    Without this the PLANNING phase would forbid the plan that ends it.
    """
    event = outcome.event
    if event.kind not in ("write", "edit") or not event.targets:
        return False
    folder = outcome.place.path if outcome.place is not None else outcome.session.place.path
    return all(_is_own(path if path[:1] == "/" else f"{event.root}/{path}", folder) for path in event.paths)


def _is_own(path: str, folder: str) -> bool:
    parts = path[len(folder) + 1 :].split("/") if path.startswith(folder + "/") else []
    return len(parts) > 2 and (parts[1] == "output" or (parts[0] == "work" and parts[2] == "plan"))


def enforce_phase(request: Request, outcome: Outcome) -> None:
    """The policy of the phase this call finds (contract section 12.3)."""
    if writes_own_places(outcome):
        return
    core = outcome.state.get("core", {})
    now = phases.following(core, outcome.state.get("plan", {}), typed=False, blocked=False)
    says, reason = phases.judge(outcome.wiring.phase(now), now, outcome.event)
    if says == "deny":
        way = PHASE_WAYS.get(now, "ask the person")
        rule = "phasePolicy in dispatch.manifest.json"
        outcome.verdict = _deny(outcome.verdict, "phasePolicy", "PHASE_DENIED", reason, rule, way)
    elif says == "warn":
        _note(outcome, reason)
