"""What a person may rely on at each client, in words: from the capability rows, for `init`, `doctor` and the docs."""

from __future__ import annotations

from jackline.clients.capabilities import row
from jackline.clients.specs import SPECS

GUARANTEES = ("deny", "ask", "rewrite", "context", "end of turn", "sub-agents", "failure")
"""The keys of `grades`, in the order they are shown."""


def _loop(cont: int) -> str:
    if cont == 0:
        return "no"
    return (
        "yes; the client sets no limit, Jackline does" if cont < 0 else f"yes; the client itself ends it after {cont}"
    )


def grades(client: str) -> dict[str, str]:
    """Guarantee → how far it holds on `client`; {} for a client nobody measured.

    The rows say whether; where a spec has words for how far, and the row does not say no, these stand.
    """
    if client not in SPECS:
        return {}
    own = SPECS[client].grades
    tool, cont = row(client, "PreToolUse"), row(client, "Stop").cont
    told = any(row(client, event).context for event in ("PreToolUse", "PostToolUse", "UserPromptSubmit"))
    return {
        "deny": own.get("deny", "holds") if tool.deny else "no",
        "ask": own.get("ask", "the client's own dialog") if tool.ask else "no: it becomes a denial",
        "rewrite": own.get("rewrite", "yes") if tool.rewrite else "no: it becomes a denial that proposes the call",
        "context": own.get("context", "yes") if told else "no",
        "end of turn": own.get("end of turn") or _loop(cont),
        "sub-agents": own["sub-agents"],
        "failure": own["failure"],
    }
