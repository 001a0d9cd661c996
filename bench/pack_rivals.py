"""What the pack is measured against: BM25 over whole files, and a map of the repository by who names whose names.

Both see the same files as the index does, at the same commit, and are packed alike. They are written here, plainly, so
that the comparison needs nothing but this repository.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from math import log, sqrt

from jackline.services.retrieval.content import text_of
from jackline.services.retrieval.fields import kind_of, names_of
from jackline.services.retrieval.tree import blobs

WORD = re.compile(r"\w+")
K1, B = 1.2, 0.75
OWNERS = 10
"""Files that define a name, above which the map takes nothing from it."""
ROUNDS, DAMPING = 20, 0.85


class Contents:
    """What both rivals need of contents, each read once for a repository."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.lengths: dict[str, int] = {}
        self.posted: dict[str, dict[str, int]] = defaultdict(dict)
        self.said: dict[str, Counter[str]] = {}
        self.defined: dict[str, frozenset[str]] = {}

    def learn(self, files: Mapping[str, str]) -> None:
        """Read the contents of a tree that are new: path → content id."""
        new = {content: path for path, content in files.items() if content not in self.lengths}
        for content, data in blobs(self.root, [*new]):
            text = None if data is None else text_of(data)
            if text is not None:
                self._learn(content, kind_of(new[content]), text)
        for content in new:
            self.lengths.setdefault(content, -1)

    def _learn(self, content: str, kind: str, text: str) -> None:
        words = WORD.findall(text)
        self.lengths[content] = len(words)
        self.said[content] = Counter(words)
        self.defined[content] = frozenset(names_of(kind, text)) if kind not in ("md", "rst", "txt") else frozenset()
        for word, times in Counter(word.lower() for word in words).items():
            self.posted[word][content] = times


def bm25(known: Contents, files: Mapping[str, str], prompt: str) -> list[str]:
    """Files by BM25 of the prompt's words over whole contents, best first, ties by path."""
    lengths = {content: known.lengths[content] for content in files.values() if known.lengths[content] >= 0}
    counted = Counter(content for content in files.values() if content in lengths)
    total = sum(counted.values())
    mean = sum(lengths[content] * times for content, times in counted.items()) / max(total, 1)
    scores: dict[str, float] = defaultdict(float)
    for word in dict.fromkeys(WORD.findall(prompt.lower())):
        posted = {content: times for content, times in known.posted.get(word, {}).items() if content in lengths}
        having = sum(counted[content] for content in posted)
        weight = log(1 + (total - having + 0.5) / (having + 0.5))
        for content, times in posted.items():
            scores[content] += weight * times * (K1 + 1) / (times + K1 * (1 - B + B * lengths[content] / mean))
    found = {path: scores[content] for path, content in files.items() if scores.get(content)}
    return sorted(found, key=lambda path: (-found[path], path))


def _edges(known: Contents, files: Mapping[str, str], asked: frozenset[str]) -> dict[str, dict[str, float]]:
    """Who names names that another file defines: from → to → weight."""
    owners: dict[str, list[str]] = defaultdict(list)
    for path, content in files.items():
        for name in known.defined.get(content, ()):
            owners[name].append(path)
    worth = {name: _worth(name, asked) for name, paths in owners.items() if len(paths) <= OWNERS}
    edges: dict[str, dict[str, float]] = {}
    for path, content in files.items():
        said = known.said.get(content, Counter())
        to: dict[str, float] = defaultdict(float)
        for name in worth.keys() & said.keys():
            for owner in owners[name]:
                if owner != path:
                    to[owner] += worth[name] * sqrt(said[name])
        edges[path] = to
    return edges


def _worth(name: str, asked: frozenset[str]) -> float:
    long = len(name) >= 8 and ("_" in name or (not name.islower() and not name.isupper()))
    return (10.0 if name in asked else 1.0) * (10.0 if long else 1.0) * (0.1 if name[0] == "_" else 1.0)


def _ranked(edges: Mapping[str, Mapping[str, float]], start: Mapping[str, float]) -> dict[str, float]:
    """PageRank that goes back to `start`."""
    whole = {path: sum(to.values()) for path, to in edges.items()}
    rank = dict(start)
    for _ in range(ROUNDS):
        lost = sum(rank.get(path, 0.0) for path in edges if not whole[path])
        new = {path: (1 - DAMPING + DAMPING * lost) * start.get(path, 0.0) for path in edges}
        for path, to in edges.items():
            share = DAMPING * rank.get(path, 0.0) / whole[path] if whole[path] else 0.0
            if share:
                for other, weight in to.items():
                    new[other] += share * weight
        rank = new
    return rank


def repository_map(known: Contents, files: Mapping[str, str], prompt: str) -> list[str]:
    """Files by PageRank over shared names, drawn towards what the prompt says, as aider's map has it."""
    asked = frozenset(WORD.findall(prompt))
    low = {word.lower() for word in asked}
    edges = _edges(known, dict(sorted(files.items())), asked)
    hit = {path: 1.0 for path in edges if low & {part.partition(".")[0].lower() for part in path.split("/")}}
    even = 1.0 / max(len(edges), 1)
    total = 1.0 + sum(hit.values()) * 100 * even
    rank = _ranked(edges, {path: even * (1 + 100 * hit.get(path, 0.0)) / total for path in edges})
    return sorted(rank, key=lambda path: (-round(rank[path], 12), path))


def candidates(paths: Iterable[str]) -> list[str]:
    """As many as a pack is cut from."""
    return [*paths][:400]
