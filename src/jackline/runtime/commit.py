"""Write what an outcome says: the one place of a run that writes. Rows of the log, the bus, one patch of the state.

The row of the event itself stands here; what hooks emitted, registered and patched is made in `hook_rows`.
"""

from __future__ import annotations

from jackline.store import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.model import HookRun
    from jackline.runtime.outcome import Outcome

KINDS = {
    "PreToolUse": "TOOL_DECISION",
    "PermissionRequest": "PERMISSION_DECISION",
    "PostToolUse": "TOOL_OUTCOME",
    "PostToolUseFailure": "TOOL_OUTCOME",
}
"""What an event's own row is called; `HOOK_EVENT` otherwise."""
HOUSEKEEPING = ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStart", "SessionEnd")
"""Events with more to remember than rows."""
QUIET = ("", "allow")
WORKING = ("PLANNING", "EXECUTING")
"""Phases that a prompt leaves as they are."""


def _said(one: HookRun) -> dict[str, Any]:
    """What one hook said, as the event's row tells it."""
    action = one.action
    made: dict[str, Any] = {"feature": one.hook, "decision": action.decision or "allow", "ms": round(one.ms, 2)}
    if action.updated_input:
        made["rewrote"] = sorted(action.updated_input)
    if action.decision not in QUIET:
        made["reason"], made["rule"] = action.reason, action.rule
    if one.error:
        made["error"] = one.error
    if action.metrics:
        made["metrics"] = dict(action.metrics)
    return made


def _data(outcome: Outcome) -> dict[str, Any]:
    """What was asked, what each hook said, and what was out of the ordinary."""
    event, verdict, session = outcome.event, outcome.verdict, outcome.session
    said = [_said(one) for one in outcome.ran]
    data: dict[str, Any] = {"actions": said, "client": event.client, "dialect": event.dialect}
    if event.command:
        data["command"] = event.command
    if event.query:
        data["query"] = event.query
    if event.source:
        data["source"] = event.source
    if verdict.updated_input is not None and verdict.decision != "deny":
        data["rewrite"] = {key: value for key, value in verdict.updated_input.items() if event.input.get(key) != value}
    if verdict.input_metadata:
        data["stamps"] = dict(verdict.input_metadata)
    if verdict.context:
        data["context"] = [key for key, _ in verdict.context]
    if verdict.notes:
        data["notes"] = list(verdict.notes)
    if outcome.skipped and (verdict.decision or outcome.paused):
        data["skipped"] = [{"feature": hook, "why": why} for hook, why in outcome.skipped]
    if outcome.answered.decision != verdict.decision:
        data["answered"] = outcome.answered.decision or "silence"
    if event.fault or session.fresh or not session.identified:
        _oddities(outcome, data)
    return data


def _oddities(outcome: Outcome, data: dict[str, Any]) -> None:
    """What is to be told of a payload that was not read, of a session's first event, and of one without a session."""
    session = outcome.session
    if outcome.event.fault:
        data["fault"] = outcome.event.fault
    if outcome.place is not None and outcome.place.why and session.fresh:
        data["storeOnly"] = outcome.place.why
    if session.fresh and session.follows:
        data["follows"] = session.follows
    if not session.identified:
        data["unidentified"] = True


def event_row(outcome: Outcome) -> dict[str, Any]:
    """The row of the event: what was decided, by whom, what the client was told, how long it took."""
    event, verdict = outcome.event, outcome.verdict
    fields: dict[str, Any] = {
        "decision": verdict.decision or "allow",
        "ms": round(outcome.elapsed(), 2),
        "data": _data(outcome),
    }
    if verdict.reason:
        fields["reason"] = verdict.reason
    if verdict.code:
        fields["code"] = verdict.code
    if verdict.by:
        fields["by"] = list(verdict.by)
    if event.targets:
        fields["paths"] = list(event.paths[:50])
    if event.name in ("PostToolUse", "PostToolUseFailure"):
        fields["outcome"] = event.outcome
    fields["phase"] = str(outcome.state.get("core", {}).get("phase", "UNINITIALIZED"))
    return outcome.record(KINDS.get(event.name, "HOOK_EVENT"), "kernel", outcome.invoked(), **fields)


def _has_more(outcome: Outcome) -> bool:
    """Whether hooks left more than what they said."""
    for one in outcome.ran:
        action = one.action
        if one.error or one.observed or action.emit_events or action.register_artifacts or action.state_patch:
            return True
    return bool(outcome.skipped)


def _leads_on(outcome: Outcome, patch: dict[str, Any]) -> bool:
    """Whether anything happened by which the lifecycle may move."""
    core = outcome.state.get("core", {})
    settled = core.get("phase") in WORKING and core.get("phaseWork") == core.get("workId")
    return (
        (outcome.typed and not settled)
        or outcome.ended != ""
        or outcome.verdict.decision == "deny"
        or "plan" in patch
        or (outcome.state.get("plan", {}).get("status") == "accepted" and not (settled and _is_underway(outcome)))
    )


def _is_underway(outcome: Outcome) -> bool:
    """Whether an accepted plan is worked at, and leads to no other phase as it stands."""
    core, plan = outcome.state["core"], outcome.state["plan"]
    return core.get("phase") == "EXECUTING" and plan.get("complete") is not True


def _effects(outcome: Outcome) -> str:
    """Do what stages left to be done. Returns what could not be."""
    fault = ""
    for effect in outcome.effects:
        try:
            effect()
        except OSError as error:
            fault = fault or f"{outcome.event.name}: {error.strerror or error}"
    return fault


def _is_traced(outcome: Outcome) -> bool:
    """Whether a run is worth a line of the trace."""
    quiet = outcome.verdict.decision in QUIET and not outcome.failed()
    return not quiet or outcome.session.fresh or bool(outcome.event.fault)


def commit(outcome: Outcome) -> str:
    """Remember: effects, rows of the log, the bus, one patch. Returns what could not be written ("" = all was)."""
    if outcome.place is None or outcome.store.dry:
        return outcome.fault
    fault = _effects(outcome) if outcome.effects else ""
    rows: list[dict[str, Any]] = []
    bus: list[dict[str, Any]] = []
    more: list[dict[str, Any]] = []
    patch: dict[str, Any] = {}
    triggered = False
    if _has_more(outcome):
        from jackline.runtime import hook_rows

        rows = hook_rows.of_hooks(outcome)
        bus, announced = hook_rows.artifacts(outcome)
        patch, dropped = hook_rows.patches(outcome, bus)
        more = announced + dropped
        triggered = hook_rows.has_triggers(outcome)
    if triggered or _leads_on(outcome, patch):
        from jackline.runtime.lifecycle import enter

        enter(outcome, patch, triggered)
    rows += outcome.rows
    rows.append(event_row(outcome))
    rows += more
    fault = state.commit(outcome.place.fd, outcome.session.chain, rows, bus, patch, outcome.record) or fault
    if outcome.event.name in HOUSEKEEPING:
        from jackline.runtime.housekeeping import housekeep

        fault = housekeep(outcome) or fault
    if fault or _is_traced(outcome):
        from jackline.runtime.trace import trace

        trace(outcome, fault)
    return fault
