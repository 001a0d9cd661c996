"""The rows that an event leaves in the log, on the bus and in the prompt audit."""

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

PLAIN = frozenset(("kind", "data"))
OURS = frozenset(
    ("SESSION_INIT", "SESSION_RESUME", "SESSION_STOP", "TURN_INCREMENT", "PROMPT_AUDIT", "COMPACT_SNAPSHOT")
)
"""What the built-in `session` says in events that every session has: no foreign words to look at."""


def _actions(ran: list[Ran]) -> list[dict[str, Any]]:
    return [
        {"feature": one.hook, "decision": one.action.decision or "allow", "ms": round(one.ms, 2)}
        | ({"rewrote": sorted(one.action.updated_input)} if one.action.updated_input else {})
        | ({"reason": one.action.reason, "rule": one.action.rule} if one.action.decision not in ("", "allow") else {})
        | ({"error": one.error} if one.error else {})
        | ({"metrics": dict(one.action.metrics)} if one.action.metrics else {})
        for one in ran
    ]


def _begins(run: Run) -> bool:
    """Whether this is the one event that begins the session: of several first ones at once, one says so."""
    from jackline.store.claims import first

    return run.place is None or first(run.place, "once", "begun")


def of_features(run: Run) -> list[dict[str, Any]]:
    """Rows that features emitted, their faults, what was observed only, and who was cut by the budget."""
    rows = []
    for one in run.ran:
        for emitted in one.action.emit_events:
            if emitted.keys() <= PLAIN and emitted.get("kind") in OURS:
                if emitted["kind"] != "SESSION_INIT" or _begins(run):
                    rows.append(run.record(producer=one.hook, **emitted))
            else:
                from jackline.engine.foreign import event_fields

                kind, fields = event_fields(emitted)
                rows.append(run.record(kind, one.hook, **fields))
        if one.error:
            kind = "ERROR_MODULE_CRITICAL" if one.critical else "ERROR_MODULE"
            message = one.action.warnings[0] if one.action.warnings else one.error
            rows.append(
                run.record(kind, one.hook, error={"module": one.hook, "message": message, "stackHash": one.error})
            )
        elif one.observed and (one.action.decision or one.action.updated_input):
            would = one.action.decision or "rewrite"
            rows.append(
                run.record(
                    "OBSERVED", one.hook, decision=would, reason=one.action.reason, data={"code": one.action.code}
                )
            )
    cut = [hook for hook, why in run.skipped if why == "BUDGET_EXCEEDED"]
    if cut:
        rows.append(run.record("BUDGET_EXCEEDED", "kernel", data={"skipped": cut, "budgetMs": run.budget}))
    return rows


def of_verdict(run: Run, ran: list[Ran], verdict: Verdict, answered: Verdict) -> dict[str, Any]:
    """The kernel's row: what was asked, what was decided, by whom, what the client was told, how long it took."""
    event = run.event
    data: dict[str, Any] = {"actions": _actions(ran), "client": event.client, "dialect": event.dialect}
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


def artifacts(run: Run) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Bus rows of what features registered, and an ARTIFACT_REGISTERED row for each."""
    bus = []
    rows = []
    for one in run.ran:
        for artifact in one.action.register_artifacts:
            from jackline.engine.foreign import artifact_fields

            kind, fields, fault = artifact_fields(artifact)
            if fault:
                rows.append(run.record("ERROR_MODULE", one.hook, error={"module": one.hook, "message": fault}))
                continue
            record = run.record(kind, one.hook, **fields)
            for key in ("toolName", "toolKind", "toolUseId"):
                record.pop(key, None)
            bus.append(record)
            data = {"ref": fields["ref"], "kind": kind, "id": record["id"]}
            rows.append(run.record("ARTIFACT_REGISTERED", one.hook, data=data))
    return bus, rows


def patches(run: Run) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The one patch of all features, and rows for what was dropped (foreign namespaces, arrays)."""
    whole: dict[str, Any] = {}
    rows = []
    for one in run.ran:
        if not one.action.state_patch or one.observed:
            continue
        from jackline.store.fold import split

        kept, dropped = split(one.hook, one.action.state_patch)
        for name, part in kept.items():
            whole[name] = {**whole.get(name, {}), **part}
        if dropped:
            rows.append(run.record("PATCH_DROPPED", one.hook, data={"keys": dropped}))
    return whole, rows
