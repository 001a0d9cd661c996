"""What hooks leave beside their verdict: rows they emit, files they announce, their patches of the state, their faults.

Loaded when there is any of it; an event at which every hook only answered pays for none.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import HookRun
    from jackline.runtime.outcome import Outcome

PLAIN = frozenset(("kind", "data"))
BEGINS = "SESSION_INIT"
"""The row that begins a session: of several first events at once, one leaves it."""


def _begins(outcome: Outcome) -> bool:
    from jackline.store.exclusive_files import first

    return outcome.place is None or first(outcome.place, "once", "begun")


def _is_ours(one: HookRun, emitted: Mapping[str, Any]) -> bool:
    """Whether a row was made by a feature of the package, which writes no kind that is not its own."""
    return one.spec is not None and one.spec.origin == "builtin" and emitted.keys() <= PLAIN


def _row(outcome: Outcome, one: HookRun, emitted: Mapping[str, Any]) -> list[dict[str, Any]]:
    if emitted.get("kind") == "PHASE_TRIGGER":
        return []  # what comes of it is a row of its own
    if _is_ours(one, emitted):
        if emitted["kind"] == BEGINS and not _begins(outcome):
            return []
        return [outcome.record(producer=one.hook, **emitted)]
    from jackline.runtime.sanitize import event_fields

    kind, fields = event_fields(emitted)
    return [outcome.record(kind, one.hook, **fields)]


def has_triggers(outcome: Outcome) -> bool:
    """Whether a hook emitted a row that may move the phase."""
    for one in outcome.ran:  # noqa: SIM110 - a generator would be one more code object to load
        if one.action.emit_events and one.spec is not None and one.spec.triggers:
            return True
    return False


def _kept(outcome: Outcome, one: HookRun) -> str:
    """Keep the traceback of a feature that failed in its own log; what it said last, and where."""
    if not one.raised:
        return ""
    from jackline.runners.feature_errors import place
    from jackline.runtime.trace import debug

    said, at = one.raised[-1], place(one.raised)
    debug(outcome, one.hook, "error", said, {"call": outcome.invoked(), "traceback": [*one.raised]})
    return f"{said} at {at}" if at else said


def _fault(outcome: Outcome, one: HookRun) -> dict[str, Any]:
    """A hook that failed, or was cut off when its time was up."""
    message = _kept(outcome, one) or (one.action.warnings[0] if one.action.warnings else one.error)
    kind = "ERROR_MODULE_CRITICAL" if one.critical else "ERROR_MODULE"
    if one.error == "BUDGET_EXCEEDED":
        kind = one.error
    error = {"module": one.hook, "message": message, "stackHash": one.error}
    return outcome.record(kind, one.hook, error=error)


def of_hooks(outcome: Outcome) -> list[dict[str, Any]]:
    """Rows that hooks emitted, their faults, what was observed only, and who was skipped for the budget."""
    rows = []
    for one in outcome.ran:
        for row in one.action.emit_events:
            rows += _row(outcome, one, row)
        if one.error:
            rows.append(_fault(outcome, one))
        elif one.observed and (one.action.decision or one.action.updated_input):
            from jackline.policy.warn_mode import KINDS

            would = one.action.decision or "rewrite"
            told = {"code": one.action.code}
            rows.append(outcome.record(KINDS[would], one.hook, decision=would, reason=one.action.reason, data=told))
    cut = [hook for hook, why in outcome.skipped if why == "BUDGET_EXCEEDED"]
    if cut:
        data = {"skipped": cut, "budgetMs": outcome.budget}
        rows.append(outcome.record("BUDGET_EXCEEDED", "kernel", data=data))
    return rows


def artifacts(outcome: Outcome) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Bus rows of what hooks registered, and an ARTIFACT_REGISTERED row for each."""
    bus = []
    rows = []
    for one in outcome.ran:
        for artifact in one.action.register_artifacts:
            from jackline.store.bus import artifact_fields

            kind, fields, fault = artifact_fields(artifact)
            if fault:
                rows.append(outcome.record("ERROR_MODULE", one.hook, error={"module": one.hook, "message": fault}))
                continue
            record = outcome.record(kind, one.hook, **fields)
            for key in ("toolName", "toolKind", "toolUseId"):
                record.pop(key, None)
            bus.append(record)
            data = {"ref": fields["ref"], "kind": kind, "id": record["id"]}
            rows.append(outcome.record("ARTIFACT_REGISTERED", one.hook, data=data))
    return bus, rows


def patches(outcome: Outcome, bus: list[dict[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The one patch of all hooks, and rows for what was dropped (a part that is another's, arrays).

    What was announced (`bus`) is the newest of its kind from here on.
    """
    whole: dict[str, Any] = {}
    rows = []
    for one in outcome.ran:
        if not one.action.state_patch or one.observed:
            continue
        from jackline.store.reducer import SHARED, split

        owned = one.spec.state if one.spec is not None and one.spec.state else (one.hook,)
        if one.spec is not None:
            owned += SHARED
        kept, dropped = split(owned, one.action.state_patch)
        for name, part in kept.items():
            whole[name] = {**whole.get(name, {}), **part}
        if dropped:
            rows.append(outcome.record("PATCH_DROPPED", one.hook, data={"keys": dropped}))
    if bus:
        from jackline.store.bus import pointers

        for name, part in pointers(bus, outcome.state).items():
            whole[name] = {**whole.get(name, {}), **part}
    return whole, rows
