"""Rows and artifacts as features give them, made what the schemas of the log and the bus say.

The kernel's own fields cannot be given, strange ones go below `data`, nothing that is no JSON reaches a writer.
"""

from __future__ import annotations

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
SUMMARY = 200


def _texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


FITS: dict[str, Callable[[Any], bool]] = {
    "decision": lambda value: isinstance(value, str) and value in DECISIONS,
    "outcome": lambda value: value in ("", "ok", "error"),
    "reason": lambda value: isinstance(value, str),
    "code": lambda value: isinstance(value, str) and value.isidentifier() and len(value) <= 64,
    "toolName": lambda value: isinstance(value, str),
    "paths": _texts,
}
"""Fields of a row that a hook may set, and what they look like."""


def _name(value: object, other: str, letters: frozenset[str]) -> str:
    """`value` as the name of a kind, `other` when it can be none."""
    if not isinstance(value, str):
        return other
    made = "".join([char if char in letters else "_" for char in value[:64]]).lstrip("_0123456789")
    return made if len(made) > 1 else other


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
    made = _name(kind.upper() if isinstance(kind, str) else "", "NOTE", LETTERS)
    return "NOTE" if made in KERNELS else made, fields


LOWER = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_.-")


def artifact_fields(artifact: Mapping[str, Any]) -> tuple[str, dict[str, Any], str]:
    """The kind and the fields of an announced file, and why it cannot be announced ("" when it can)."""
    ref = artifact.get("ref")
    if not isinstance(ref, str) or not ref or ref[0] == "/" or ".." in ref.split("/") or "\0" in ref:
        return "", {}, "ref must be relative to the session folder"
    fields: dict[str, Any] = {"ref": ref}
    digest, summary = artifact.get("hash"), artifact.get("summary")
    if isinstance(digest, str) and len(digest) == 16 and not digest.strip("0123456789abcdef"):
        fields["hash"] = digest
    if isinstance(summary, str):
        fields["summary"] = summary[:SUMMARY]
    for key in ("tags", "dependsOn"):
        if _texts(artifact.get(key)):
            fields[key] = list(artifact[key])
    if isinstance(artifact.get("supersedes"), str):
        fields["supersedes"] = artifact["supersedes"]
    kind = artifact.get("kind", "")
    return _name(kind.lower() if isinstance(kind, str) else "", "artifact", LOWER), fields, ""
