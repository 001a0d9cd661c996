"""Files that a prompt names: by a path, the end of one, a file's name with its ending, or one like `Makefile`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

ADDRESS = re.compile(r"[A-Za-z][\w+.-]*://\S+")
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


def _ending(words: Iterable[str], paths: Iterable[str]) -> dict[str, list[str]]:
    """Files whose path is, or ends in, each of some words, whatever the case; sorted."""
    lows = {word: f"/{word.lower()}" for word in words}
    ends = tuple(lows.values())
    found: dict[str, list[str]] = {word: [] for word in lows}
    for path in paths if ends else ():
        low = f"/{path.lower()}"
        if low.endswith(ends):
            for word, end in lows.items():
                if low.endswith(end):
                    found[word].append(path)
    return {word: sorted(same) for word, same in found.items()}


def calls(prompt: str, paths: Iterable[str]) -> dict[str, list[str]]:
    """Words of a prompt that are names of files, in its order, each with these."""
    found = _ending(_candidates(prompt), paths)
    return {word: same for word, same in found.items() if same}


def named(called: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Files that a prompt names, in its order, each with the word that names it. A name of many files names none."""
    found: dict[str, str] = {}
    for word, same in called.items():
        if len(same) <= MANY:
            for path in same:
                found.setdefault(path, word)
    return found


def ambiguous(called: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Those of the words that mean several files."""
    return {word: same for word, same in sorted(called.items()) if len(same) > 1}


def absent(prompt: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Words of a prompt that are paths or names of no file, and end as files of the project do; in its order."""
    known = [*paths]
    endings = {name.rpartition(".")[2].lower() for name in known if "." in name.rpartition("/")[2][1:]}
    words = [one for one in _candidates(ADDRESS.sub(" ", prompt)) if one.rpartition(".")[2].lower() in endings]
    words = [one for one in words if re.fullmatch(r"[\w./@+-]+", one) and "." in one.rpartition("/")[2][1:]]
    found = _ending(words, known)
    return tuple([one for one in words if not found[one]])
