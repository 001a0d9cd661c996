"""What a person may rely on at each client, in words: from the capability rows, for `init`, `doctor` and the docs."""

from __future__ import annotations

from jackline.clients.capabilities import CLIENTS, row

GUARANTEES = ("deny", "ask", "rewrite", "context", "end of turn", "sub-agents", "failure")
"""The keys of `grades`, in the order they are shown."""

DENIES = {"cline": "holds, and ends the whole run: the agent is not told why"}
ASKS = {
    "claude-code": "the client's own dialog; without a person (`-p`) it is a denial",
    "copilot-cli": "the client's own question; without a person (`-p`) it is a denial",
    "qwen-code": "the client's own question; without a person it is a denial",
}
REWRITES = {
    "codex": "yes, of a shell command, a patch or an MCP call; the person is still asked",
    "vscode": "yes, if the new input fits the tool's schema (the client drops it silently otherwise)",
}
CONTEXTS = {
    "vscode": "yes; after a tool it may come too late for the same request",
    "gemini-cli": "yes, but not before a tool",
    "qwen-code": "yes, but not before a tool",
}
SUBAGENTS = {
    "claude-code": "seen, marked by their agent id",
    "codex": "seen, marked by their agent id",
    "vscode": "start and stop are seen; their tool calls carry no mark",
    "copilot-cli": "seen, as sessions of their own joined to the parent",
    "gemini-cli": "their tool calls are seen, without any mark",
    "qwen-code": "start and stop are seen, marked by their agent id",
    "cline": "seen, marked by their parent's id",
}
FAILURES = {
    "claude-code": "open: when the hook crashes or runs out of time the call goes ahead",
    "codex": "open: when the hook crashes, runs out of time or is not trusted the call goes ahead, silently",
    "vscode": "open: when the hook crashes or runs out of time the call goes ahead, with a warning",
    "copilot-cli": "closed when the hook crashes, open when it runs out of time",
    "gemini-cli": "open when the hook runs out of time; a command that is gone refuses everything",
    "qwen-code": "open: when the hook crashes or runs out of time the call goes ahead",
    "cline": "open: when the hook crashes or prints nonsense the call goes ahead",
}
LOOPS = {"cline": "no: the agent cannot be kept going"}


def _loop(client: str) -> str:
    cont = row(client, "Stop").cont
    if cont == 0:
        return LOOPS.get(client, "no")
    return (
        "yes; the client sets no limit, Jackline does" if cont < 0 else f"yes; the client itself ends it after {cont}"
    )


def grades(client: str) -> dict[str, str]:
    """Guarantee → how far it holds on `client`; {} for a client nobody measured."""
    if client not in CLIENTS:
        return {}
    tool = row(client, "PreToolUse")
    told = any(row(client, event).context for event in ("PreToolUse", "PostToolUse", "UserPromptSubmit"))
    return {
        "deny": DENIES.get(client, "holds") if tool.deny else "no",
        "ask": ASKS.get(client, "the client's own dialog") if tool.ask else "no: it becomes a denial",
        "rewrite": REWRITES.get(client, "yes") if tool.rewrite else "no: it becomes a denial that proposes the call",
        "context": CONTEXTS.get(client, "yes") if told else "no",
        "end of turn": _loop(client),
        "sub-agents": SUBAGENTS[client],
        "failure": FAILURES[client],
    }
