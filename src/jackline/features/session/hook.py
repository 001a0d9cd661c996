"""Identity and lifecycle of a conversation: stamps calls with our ids, keeps `core` of the state, writes audit rows."""

from __future__ import annotations

from jackline.model import Action
from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.sdk import Context, Event


def _begin(event: Event, ctx: Context) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The first event of a session sets what never changes after; a resume or compaction resets nothing."""
    patch = {
        "sessionId": ctx.ids.session_id,
        "workId": ctx.ids.work_id,
        "createdTs": ctx.start_ms,
        "lastActiveTs": ctx.start_ms,
    }
    data = {"client": event.client, "dialect": event.dialect, "source": event.source, "root": ctx.root}
    return patch, [{"kind": "SESSION_INIT", "data": data}]


def _turn(event: Event, ctx: Context) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    known = ctx.state.get("core", {}).get("lastTurnId", 0)
    audit = {"kind": "PROMPT_AUDIT", "data": {"length": len(event.prompt), "typed": ctx.ids.turn_id > known}}
    if ctx.ids.turn_id <= known:
        return {}, [audit]
    patch = {"lastTurnId": ctx.ids.turn_id, "lastActiveTs": ctx.start_ms}
    return patch, [{"kind": "TURN_INCREMENT", "data": {"turnId": ctx.ids.turn_id}}, audit]


def _stamps(ctx: Context) -> dict[str, str]:
    return {
        "_hookSessionId": ctx.ids.session_id,
        "_hookWorkId": ctx.ids.work_id,
        "_hookArtifactRoot": f"work/{ctx.ids.work_id}",
    }


@hook(
    name="session",
    supports=[
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "SessionEnd",
        "PermissionRequest",
        "PostToolUseFailure",
        "PostCompact",
        "Notification",
        "Error",
        "Interrupt",
    ],
    priority=0,
    hot_path_safe=True,
    critical=True,
    state=["core", "cap"],
    stamps=True,
    default_on=True,
    records=["SESSION_INIT", "SESSION_RESUME", "SESSION_STOP", "TURN_INCREMENT", "PROMPT_AUDIT", "COMPACT_SNAPSHOT"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    """Stamp, count turns, and record (contract sections 5, 9.1 and 14 row 1)."""
    patch: dict[str, Any] = {}
    rows: list[dict[str, Any]] = []
    if "sessionId" not in ctx.state.get("core", {}):
        patch, rows = _begin(event, ctx)
    elif event.name == "SessionStart":
        rows = [{"kind": "SESSION_RESUME", "data": {"source": event.source}}]
    if event.name == "UserPromptSubmit":
        turn, more = _turn(event, ctx)
        patch.update(turn)
        rows += more
    elif event.name == "PreCompact":
        core = ctx.state.get("core", {})
        rows.append(
            {
                "kind": "COMPACT_SNAPSHOT",
                "data": {"trigger": event.source, "phase": core.get("phase"), "plan": ctx.state.get("plan", {})},
            }
        )
    elif event.name == "Stop":
        rows.append({"kind": "SESSION_STOP", "data": {"background": event.background, "continued": event.stop_active}})
    return Action(
        input_metadata=_stamps(ctx) if event.name == "PreToolUse" else None,
        state_patch={"core": patch} if patch else None,
        emit_events=tuple(rows),
    )
