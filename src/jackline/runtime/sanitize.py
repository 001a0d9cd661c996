"""Rows as features give them, made what the schema of the log says (of artifacts: `store.bus`).

The kernel's own fields cannot be given, strange ones go below `data`, nothing that is no JSON reaches a writer.
"""

from __future__ import annotations

from jackline.store.bus import are_texts, name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
KEPT = frozenset(("v", "id", "ts", "event", "hookRunId", "turnId", "workId", "agentId", "repo", "host", "producer"))
"""Fields that the kernel writes; a hook's own cannot stand in for them."""
DECISIONS = frozenset(("", "allow", "approve", "ask", "deny", "block", "rewrite"))
KERNELS = (
    *("STATE_PATCH", "PATCH_DROPPED", "TOOL_DECISION", "PERMISSION_DECISION", "TOOL_OUTCOME", "HOOK_EVENT"),
    *("ERROR_MODULE", "ERROR_MODULE_CRITICAL", "BUDGET_EXCEEDED", "ARTIFACT_REGISTERED", "CONTINUATION_END"),
)
"""Kinds of rows that only the kernel writes: others are read for what they say, these for what happened."""


FITS: dict[str, Callable[[Any], bool]] = {
    "decision": lambda value: isinstance(value, str) and value in DECISIONS,
    "outcome": lambda value: value in ("", "ok", "error"),
    "reason": lambda value: isinstance(value, str),
    "code": lambda value: isinstance(value, str) and value.isidentifier() and len(value) <= 64,
    "toolName": lambda value: isinstance(value, str),
    "paths": are_texts,
}
"""Fields of a row that a hook may set, and what they look like."""


def event_fields(emitted: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The kind and the fields of a row that a hook emitted."""
    fields: dict[str, Any] = {}
    strange: dict[str, Any] = {}
    for key, value in emitted.items():
        if key == "kind" or key in KEPT:
            continue
        if key == "data" or (key in FITS and FITS[key](value)):
            fields[key] = value
        else:
            strange[key] = value
    if strange:
        data = fields.get("data")
        fields["data"] = {**strange, **data} if isinstance(data, dict) else strange | ({"data": data} if data else {})
    kind = emitted.get("kind", "")
    made = name(kind.upper() if isinstance(kind, str) else "", "NOTE", LETTERS)
    return "NOTE" if made in KERNELS else made, fields
