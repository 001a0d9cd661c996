"""Variables by which a model's shell is known: where one is set, it is an agent that asks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MARKS = (
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_EXECPATH",
    "CODEX_TOOL_CALL_ID",
    "CODEX_CI",
    "CODEX_THREAD_ID",
    "COPILOT_AGENT_SESSION_ID",
    "GEMINI_CLI",
    "QWEN_CODE",
)
"""Variables that the measured clients give to what their model runs, or to hooks."""


def mark_of(env: Mapping[str, str]) -> str:
    """The first mark of a model's shell in an environment, "" when there is none."""
    if env.get("AI_AGENT", "").endswith("_agent"):
        return "AI_AGENT"
    for mark in MARKS:
        if env.get(mark):
            return mark
    return ""
