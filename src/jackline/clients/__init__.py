"""Dialects and who speaks them: names only. `router` loads the adapter of a call."""

from __future__ import annotations

from jackline.model import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event

DIALECTS = ("claude-code", "codex", "github")
SPEAKS = {
    "claude-code": "claude-code",
    "codex": "codex",
    "github": "github",
    "vscode": "github",
    "copilot-cli": "github",
    "copilot": "github",
}
"""Client or dialect → dialect."""

NATIVE = {
    "claude-code": {"StopFailure": "Error"},
    "codex": {"StopFailure": "Error"},
    "github": {
        "sessionStart": "SessionStart",
        "sessionEnd": "SessionEnd",
        "userPromptSubmitted": "UserPromptSubmit",
        "preToolUse": "PreToolUse",
        "permissionRequest": "PermissionRequest",
        "postToolUse": "PostToolUse",
        "postToolUseFailure": "PostToolUseFailure",
        "preCompact": "PreCompact",
        "agentStop": "Stop",
        "subagentStart": "SubagentStart",
        "subagentStop": "SubagentStop",
        "notification": "Notification",
        "errorOccurred": "Error",
        "ErrorOccurred": "Error",
    },
}
"""Native event names that differ from ours, by dialect."""

MACHINE_SOURCES = ("system", "loop_wakeup", "schedule_wakeup", "poll_event")
"""Where Claude Code says a prompt came from when nobody typed it."""


def dialect_of(name: str) -> str:
    """The dialect of a dialect's or client's name, "" for an unknown one."""
    return SPEAKS.get(name, "")


def event_of(dialect: str, name: str) -> str:
    """The canonical event for a canonical or native name, "" when we have no word for it."""
    if name in EVENTS:
        return name
    return NATIVE.get(SPEAKS.get(dialect, ""), {}).get(name, "")


def typed(event: Event) -> bool:
    """Whether a person typed this prompt, as far as the payload tells (design section 3).

    Not typed: what a sub-agent is given, Claude's task notifications and wake-ups, Qwen's empty prompt between tool
    rounds. That a prompt may be our own last Stop reason is the kernel's to know.
    """
    return (
        event.name == "UserPromptSubmit"
        and not event.agent_id
        and event.source not in MACHINE_SOURCES
        and not event.prompt.isspace()
        and event.prompt != ""
        and not event.prompt.lstrip().startswith("<task-notification>")
    )
