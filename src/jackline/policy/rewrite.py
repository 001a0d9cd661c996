"""Judge and fold rewrites of a tool input (design section 2): flags added, arguments narrowed, nothing else."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


def lawful(kind: str, command_key: str, old: Mapping[str, Any], changes: Mapping[str, Any]) -> str:
    """Why a rewrite may not be made; "" when it may. Only shell text is judged, other keys are the owner's word."""
    if kind == "shell":
        from jackline.policy.rewrite_rules import narrows_command

        for key, value in changes.items():
            if key == command_key or (isinstance(old.get(key), str) and key in ("command", "cmd")):
                if not isinstance(value, str) or not narrows_command(str(old.get(key, "")), value):
                    return f"{key}: a rewrite may only add flags or narrow arguments of the same command"
            else:
                return f"{key}: not part of the command"
    return ""


def fold(rewrites: Sequence[tuple[str, Mapping[str, Any]]], owner: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Fold rewrites in order over disjoint keys; for a key that two change, `owner` wins, else the first.

    Returns the changes and the losers as (hook, key).
    """
    changes: dict[str, Any] = {}
    by: dict[str, str] = {}
    lost: list[tuple[str, str]] = []
    for hook, part in rewrites:
        for key, value in part.items():
            if key not in changes or changes[key] == value:
                changes[key], by[key] = value, by.get(key, hook)
            elif hook == owner and by[key] != owner:
                lost.append((by[key], key))
                changes[key], by[key] = value, hook
            else:
                lost.append((hook, key))
    return changes, lost
