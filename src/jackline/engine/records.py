"""The kernel's row of an event in the log; what features add stands in `features`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.engine.run import Run
    from jackline.model import Ran, Verdict

KINDS = {
    "PreToolUse": "TOOL_DECISION",
    "PermissionRequest": "PERMISSION_DECISION",
    "PostToolUse": "TOOL_OUTCOME",
    "PostToolUseFailure": "TOOL_OUTCOME",
}
"""What the kernel's own row of an event is called; `HOOK_EVENT` otherwise."""


def of_verdict(run: Run, ran: list[Ran], verdict: Verdict, answered: Verdict) -> dict[str, Any]:
    """The kernel's row: what was asked, what was decided, by whom, what the client was told, how long it took."""
    event = run.event
    actions: list[dict[str, Any]] = []
    if ran:
        from jackline.engine.features import actions_of

        actions = actions_of(ran)
    data: dict[str, Any] = {"actions": actions, "client": event.client, "dialect": event.dialect}
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
    if verdict.decision and run.skipped:
        data["skipped"] = [{"feature": hook, "why": why} for hook, why in run.skipped]
    if answered.decision != verdict.decision:
        data["answered"] = answered.decision or "silence"
    if event.fault:
        data["fault"] = event.fault
    if run.place is not None and run.place.why and run.session.fresh:
        data["storeOnly"] = run.place.why
    if run.session.fresh and run.session.follows:
        data["follows"] = run.session.follows
    if not run.session.identified:
        data["unidentified"] = True
    fields: dict[str, Any] = {"decision": verdict.decision or "allow", "ms": round(run.elapsed(), 2), "data": data}
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
    fields["phase"] = str(run.state.get("core", {}).get("phase", "UNINITIALIZED"))
    return run.record(KINDS.get(event.name, "HOOK_EVENT"), "kernel", run.invoked(), **fields)
