"""The kernel's own rules over a verdict: payloads nobody can judge, tampering, and the policy of the phase."""

from __future__ import annotations

from jackline.kernel import phases
from jackline.model import MUTATING, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.engine.run import Run

READ = (1 << 27) - (1 << 16)
"""Bytes from which on a call may go on behind what the door read of it."""
PHASE_WAYS = {
    "UNINITIALIZED": "wait for the person's first prompt",
    "PLANNING": "write the plan first; a valid plan opens the next phase",
    "COMPLETE": "the plan is done: ask the person for new work (`jackline work new`)",
    "BLOCKED": "mend the plan or ask the person; their next prompt ends this phase",
}


def kernel_rules(run: Run, verdict: Verdict) -> Verdict:
    """Apply what holds beside the features, strictest first. While a person has paused everything, nothing does."""
    if run.paused:
        verdict = _tell_paused(run, verdict)
        if "*" in run.paused:
            return verdict
    for rule in (unreadable, tampered, phase):
        if verdict.decision == "deny":
            break
        verdict = rule(run, verdict)
    return verdict


def _tell_paused(run: Run, verdict: Verdict) -> Verdict:
    """A pause is shown wherever a person looks: at the session's start and with every prompt."""
    if run.event.name not in ("SessionStart", "UserPromptSubmit"):
        return verdict
    from jackline.store import pauses

    now = run.call.now // 1_000_000
    told = tuple([pauses.words(one, now) for one in pauses.load(run.store.path, now, run.session.root)])
    return verdict._replace(notes=(*verdict.notes, *told))


def _deny(verdict: Verdict, by: str, code: str, *lines: str) -> Verdict:
    return Verdict("deny", "\n".join(lines), notes=verdict.notes, context=verdict.context, code=code, by=(by,))


def unreadable(run: Run, verdict: Verdict) -> Verdict:
    """A whole object that could not be read may hold anything: before a tool it is refused, like a guard that fails.

    Bytes that are no whole object come from a client that broke off, and lock nobody out.
    """
    raw = run.call.raw.strip()
    whole = raw[:1] == b"{" and (raw[-1:] == b"}" or len(raw) >= READ)
    if run.event.name != "PreToolUse" or run.event.payload or not whole or len(raw) < 3:
        return verdict
    return _deny(
        verdict,
        "kernel",
        "HOOK_INTERNAL_ERROR",
        f"this call could not be read: {run.event.fault}",
        "a call that nobody can judge does not pass",
        "make the tool's arguments smaller or less nested",
    )


def tampered(run: Run, verdict: Verdict) -> Verdict:
    """Our entries in a client's configuration were changed behind our back: what changes things waits for a person."""
    if not run.notice or run.event.name != "PreToolUse":
        return verdict._replace(notes=(*verdict.notes, run.notice)) if run.notice else verdict
    if run.event.kind not in MUTATING:
        return verdict
    return _deny(
        verdict,
        "self-protect",
        "TAMPERED",
        run.notice,
        "hook configuration is changed by a person, never beside them",
        "ask the person to look and to run `jackline doctor --repair`",
    )


def writes_own_places(run: Run) -> bool:
    """Whether a call writes only where an agent may write in every phase: plans and outputs of this session.

    Without this the PLANNING phase would forbid the plan that ends it.
    """
    event = run.event
    if event.kind not in ("write", "edit") or not event.targets:
        return False
    folder = run.place.path if run.place is not None else run.session.place.path
    return all(_is_own(path if path[:1] == "/" else f"{event.root}/{path}", folder) for path in event.paths)


def _is_own(path: str, folder: str) -> bool:
    parts = path[len(folder) + 1 :].split("/") if path.startswith(folder + "/") else []
    return len(parts) > 2 and (parts[1] == "output" or (parts[0] == "work" and parts[2] == "plan"))


def phase(run: Run, verdict: Verdict) -> Verdict:
    """The policy of the phase this call finds, when phases are enforced (contract section 12.3)."""
    if run.event.name != "PreToolUse" or not run.wiring.enforce_phases:
        return verdict
    if writes_own_places(run):
        return verdict
    core = run.state.get("core", {})
    now = phases.following(core, run.state.get("plan", {}), typed=False, blocked=False)
    says, reason = phases.judge(run.wiring.phase(now), now, run.event)
    if says == "deny":
        way = PHASE_WAYS.get(now, "ask the person")
        return _deny(verdict, "phasePolicy", "PHASE_DENIED", reason, "phasePolicy in dispatch.manifest.json", way)
    return verdict._replace(notes=(*verdict.notes, reason)) if says == "warn" else verdict
