"""Tests and what they test: files whose names say so, as `test_token.py` and `token.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable

FOLDERS_WORDS = "test tests __tests__ spec specs testing e2e testdata fixtures"
FOLDERS = frozenset(FOLDERS_WORDS.split())
MARK = re.compile(r"^tests?[_\-.]|[_\-.](?:tests?|spec|specs|e2e)$|(?<=[a-z0-9])(?:Tests?|Spec)$")
WHOLE_WORDS = "index mod lib main init"
WHOLE = frozenset(WHOLE_WORDS.split())
PLAIN = re.compile(r"[^a-z0-9]")


def _stem(name: str) -> str:
    front = name.lstrip(".").split(".")
    keep = front[:-1] if len(front) > 1 else front
    return ".".join(keep)


def is_test(path: str) -> bool:
    """Whether a file is a test, by its name or its folders."""
    *folders, name = path.split("/")
    return bool(MARK.search(_stem(name))) or not FOLDERS.isdisjoint(folders)


def key_of(path: str) -> str:
    """What the names of a test and of its subject have in common; "" for names that say nothing."""
    *folders, name = path.split("/")
    stem = PLAIN.sub("", MARK.sub("", _stem(name)).lower())
    if stem in WHOLE or not stem:
        inner = [one for one in folders if one not in ("src", "lib") and one not in FOLDERS]
        return PLAIN.sub("", inner[-1].lower()) if inner else ""
    return stem


def closeness(path: str, other: str) -> float:
    """How much of two files' folders is the same, from 0 to 1, wherever the tests' own folders stand."""
    one = {part for part in path.split("/")[:-1] if part not in FOLDERS and part not in ("src", "lib")}
    two = {part for part in other.split("/")[:-1] if part not in FOLDERS and part not in ("src", "lib")}
    return (len(one & two) + 0.5) / (len(one | two) + 0.5)


def partners(path: str, same_key: Iterable[str], most: int = 3) -> list[tuple[str, float]]:
    """Of files with the same key those of the other role, nearest first, each with its closeness."""
    role = is_test(path)
    found = [(other, closeness(path, other)) for other in same_key if other != path and is_test(other) != role]
    return sorted(found, key=lambda one: (-one[1], one[0]))[:most]
