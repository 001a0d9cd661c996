"""Files that a prompt names: by a path, the end of one, a file's name with its ending, or one like `Makefile`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

MANY = 8
"""Files of one name above which the name alone tells nothing."""


def _candidates(prompt: str) -> list[str]:
    """Words of a prompt that may be paths, in its order, without what stands around them."""
    found: dict[str, None] = {}
    for word in re.split(r"[\s,;:'\"`<>|]+", prompt):
        for one in (word, word.strip("()[]{}.,!?*_")):
            one = one.replace("\\", "/").removeprefix("./").strip("/")
            if ("." in one or "/" in one or one[:1].isupper()) and len(one) > 2:
                found[one] = None
    return [*found]


class Paths:
    """The paths of a tree by their last name."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.by_name: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            self.by_name[path.rpartition("/")[2].lower()].append(path)

    def of(self, word: str) -> list[str]:
        """Files whose path is, or ends in, these words."""
        low = word.lower()
        same = self.by_name.get(low.rpartition("/")[2], [])
        return sorted(path for path in same if f"/{path.lower()}".endswith("/" + low))


def named(prompt: str, known: Paths) -> list[tuple[str, str]]:
    """Files that a prompt names, in its order, each with the word that names it. A name of many files names none."""
    found: dict[str, str] = {}
    for word in _candidates(prompt):
        same = known.of(word)
        if len(same) <= MANY:
            for path in same:
                found.setdefault(path, word)
    return [*found.items()]


def ambiguous(prompt: str, known: Paths) -> dict[str, list[str]]:
    """Names in a prompt that mean several files, each with these."""
    found = {word: known.of(word) for word in _candidates(prompt)}
    return {word: same for word, same in sorted(found.items()) if len(same) > 1}
