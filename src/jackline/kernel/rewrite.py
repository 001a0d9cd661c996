"""Judge and fold rewrites of a tool input (design section 2): flags added, arguments narrowed, nothing else."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

META = ";&|<>`$(){}\n\\"
WHOLE = frozenset((".", "./", "**", "**/*", "*", ""))
"""Arguments that mean everything: any relative path below narrows them."""


def _narrows(old: str, new: str) -> bool:
    """Whether path or glob `new` lies inside what `old` covered."""
    if new == old:
        return True
    if ".." in new.split("/"):
        return False
    bare = old.strip("'\"")
    if bare in WHOLE:
        return bool(new) and not new.startswith(("/", "~", "-"))
    return new.strip("'\"").startswith(bare.rstrip("/*") + "/") and bare.rstrip("/*") != ""


def narrows_command(old: str, new: str) -> bool:
    """Whether shell text `new` is `old` with flags added or arguments narrowed: same command words, same structure.

    Clients judge their own rules on the new text, so a rewrite must not lead out of a forbidden command.
    """
    if new == old:
        return True
    if [c for c in old if c in META] != [c for c in new if c in META]:
        return False
    before, after = old.split(), new.split()
    if not before or not after or before[0] != after[0]:
        return False
    at = 0
    after_flag = False
    for word in after:
        if at < len(before) and word == before[at]:
            at += 1
            after_flag = False
        elif word.startswith("-"):
            after_flag = True
        elif after_flag and not (at < len(before) and _narrows(before[at], word)):
            after_flag = False  # the value of an added flag
        elif at < len(before) and _narrows(before[at], word):
            at += 1
            after_flag = False
        elif at == len(before) and not word.startswith(("/", "~")) and ".." not in word.split("/"):
            continue  # a root where there was none: narrower than everywhere
        else:
            return False
    return at == len(before)


def lawful(kind: str, command_key: str, old: Mapping[str, Any], changes: Mapping[str, Any]) -> str:
    """Why a rewrite may not be made; "" when it may. Only shell text can be judged here, other keys are the owner's word."""
    if kind == "shell":
        for key, value in changes.items():
            if key == command_key or (isinstance(old.get(key), str) and key in ("command", "cmd")):
                if not isinstance(value, str) or not narrows_command(str(old.get(key, "")), value):
                    return f"{key}: a rewrite may only add flags or narrow arguments of the same command"
            else:
                return f"{key}: not part of the command"
    return ""


def fold(rewrites: list[tuple[str, Mapping[str, Any]]], owner: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
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
