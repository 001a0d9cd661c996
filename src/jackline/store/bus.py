"""What stands on the bus: the fields of an announcement, and pointers to the newest of each kind (contract 4.1).

Pure. A pointer is kept in the state (`core.latest.<kind>`), so that nobody reads the bus before a tool.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

LOWER = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_.-")
SUMMARY = 200
"""Characters of a summary."""
KIND = 64
"""Characters of a kind."""
TEXTS = 200
"""Tags of an artifact, or artifacts it was made from."""
KINDS = 100
"""Kinds that have a pointer in one session; of others the bus has to be read."""


def name(value: object, other: str, letters: frozenset[str]) -> str:
    """`value` as the name of a kind, `other` when it can be none."""
    if not isinstance(value, str):
        return other
    made = "".join([char if char in letters else "_" for char in value[:KIND]]).lstrip("_0123456789")
    return made if len(made) > 1 else other


def are_texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def is_ref(ref: object) -> bool:
    """Whether a place is one below the session's folder."""
    return (
        isinstance(ref, str)
        and 0 < len(ref) <= 1024
        and ref[0] != "/"
        and ".." not in ref.split("/")
        and "\0" not in ref
    )


def is_hash(value: object) -> bool:
    return isinstance(value, str) and len(value) == 16 and not value.strip("0123456789abcdef")


def artifact_fields(artifact: Mapping[str, Any]) -> tuple[str, dict[str, Any], str]:
    """The kind and the fields of an announced file, and why it cannot be announced ("" when it can)."""
    ref = artifact.get("ref")
    if not is_ref(ref):
        return "", {}, "ref must be relative to the session folder"
    fields: dict[str, Any] = {"ref": ref}
    digest, summary = artifact.get("hash"), artifact.get("summary")
    if is_hash(digest):
        fields["hash"] = digest
    if isinstance(summary, str):
        fields["summary"] = summary[:SUMMARY]
    for key in ("tags", "dependsOn"):
        if are_texts(artifact.get(key)):
            fields[key] = list(artifact[key])[:TEXTS]
    if isinstance(artifact.get("supersedes"), str):
        fields["supersedes"] = artifact["supersedes"]
    kind = artifact.get("kind", "")
    return name(kind.lower() if isinstance(kind, str) else "", "artifact", LOWER), fields, ""


def pointers(records: Iterable[Mapping[str, Any]], state: Mapping[str, Any]) -> dict[str, Any]:
    """The patch of the state by which these records are the newest of their kinds; empty for none."""
    core = state.get("core")
    latest = core.get("latest") if isinstance(core, dict) else None
    known = latest if isinstance(latest, dict) else {}
    made: dict[str, Any] = {}
    for one in records:
        kind = one["kind"]
        if kind in known or kind in made or len(known) + len(made) < KINDS:
            made[kind] = {"id": one["id"], "ref": one["ref"], "hash": one.get("hash", ""), "work": one["workId"]}
    return {"core": {"latest": made}} if made else {}
