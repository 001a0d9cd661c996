"""Find the files a prompt is about: words in files, words in past messages, imports and tests of both, made one order.

The order depends on the repository and the prompt alone: not on when or where the index was made.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from jackline.services.retrieval import fusion, history, pairs
from jackline.services.retrieval.content import is_news
from jackline.services.retrieval.database import Row, name, plain, rows
from jackline.services.retrieval.imports import Target, asked, means, module_of, target
from jackline.services.retrieval.named_files import calls, named
from jackline.services.retrieval.words import Query, query

TERMS = 64
"""Words of a prompt that are looked for, the first."""
IMPORTERS = 300
"""Imports of one name that are looked at: what so many need is near to nothing."""


RULES = ("words", "symbols", "history", "imports", "tests")


class Recipe(NamedTuple):
    """How the lists are made and weighed; the defaults are what `docs/pack.md` measures."""

    fields: tuple[float, float, float, float] = (10.0, 6.0, 2.0, 1.0)
    """What a word counts in a path, in defined names, in comments, in the body."""
    depth: int = 150
    past: int = 200
    seeds: int = 12
    k: float = 10.0
    words: float = 1.0
    symbols: float = 0.3
    history: float = 1.0
    imports: float = 0.2
    tests: float = 0.35
    named: bool = True
    before: int | None = None
    """Only commits older than this, in seconds since the epoch, count."""


class Rule(NamedTuple):
    """One reason for a file: the rule, its place in that rule's order, what it goes back to."""

    name: str
    rank: int
    detail: str


class Candidate(NamedTuple):
    """A file with its score and the reasons for it."""

    path: str
    score: float
    rules: tuple[Rule, ...]


class Details(NamedTuple):
    """What the index knows of one file."""

    content: str
    names: tuple[str, ...]
    summary: str


def _quoted(terms: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)


def _weighed(said: Query) -> tuple[str, ...]:
    """The words that tell a subject, those of the first line twice: what is said twice counts twice."""
    return (*said.telling[:TERMS], *said.first[:TERMS])


WITHIN = 20
"""Files of one folder that lead a pack."""


def _leading(first: Sequence[str], files: Iterable[str]) -> list[str]:
    """The files that are to lead; of a folder those that lie below it."""
    every = sorted(files) if first else []
    of_each = [[one for one in every if one == name or one.startswith(f"{name}/")][:WITHIN] for name in first]
    return [*dict.fromkeys([one for some in of_each for one in some])]


class Reader:
    """An index that is open for reading: one state of a repository, asked many times."""

    def __init__(self, index: sqlite3.Connection, files: Mapping[str, Row] | None = None) -> None:
        self.index = index
        self.files = rows(index) if files is None else files
        """Every file of the tree that is text."""
        self.targets: dict[str, Target] = {}
        self.known: dict[str, list[Target]] = {}

    @cached_property
    def names(self) -> history.Names:
        return history.Names(self.index, self.files)

    def details(self, path: str) -> Details:
        """Content id, defined names and summary of a file of the tree."""
        asked = "SELECT content, names, summary FROM blob WHERE id = ?"
        content, names, summary = self.index.execute(asked, (self.files[path].blob,)).fetchone()
        return Details(content, tuple(json.loads(names)), summary)

    def _best(self, match: str, recipe: Recipe) -> list[str]:
        """Files that match, by BM25 over their fields."""
        found = self.index.execute(
            "SELECT file.path, bm25(fulltext, ?, ?, ?, ?) AS score FROM fulltext JOIN file ON file.id = fulltext.rowid "
            "WHERE fulltext MATCH ? ORDER BY score, file.path LIMIT ?",
            (*recipe.fields, match, recipe.depth),
        )
        return [name(row[0]) for row in found]

    def by_words(self, said: Query, recipe: Recipe) -> list[str]:
        """Files that say the prompt's words; names of files may be of any word but a stop word."""
        parts = [_quoted(_weighed(said)), f"path : ({_quoted(said.every[:TERMS])})"]
        return self._best(" OR ".join(filter(None, parts)), recipe) if said.every else []

    def by_symbols(self, said: Query, recipe: Recipe) -> list[str]:
        """Files that define names with the prompt's words."""
        return self._best(f"symbols : ({_quoted(said.telling[:TERMS])})", recipe) if said.telling else []

    def by_history(self, said: Query, recipe: Recipe) -> list[tuple[str, float, str]]:
        """Files that commits with similar messages changed."""
        match = _quoted(_weighed(said) or said.every[:TERMS])
        if not match:
            return []
        return history.similar(self.index, match, self.names, most=recipe.past, before=recipe.before)

    def _target(self, path: str) -> Target:
        if path not in self.targets:
            self.targets[path] = target(path)
        return self.targets[path]

    def _with_module(self, module: str) -> list[Target]:
        if module not in self.known:
            found = self.index.execute("SELECT path FROM file WHERE module = ? ORDER BY path", (module,))
            self.known[module] = [self._target(name(row[0])) for row in found]
        return self.known[module]

    def imported(self, path: str) -> list[str]:
        """Files of the tree that a file imports."""
        found: set[str] = set()
        listed = self.index.execute("SELECT spec, module FROM import WHERE blob = ?", (self.files[path].blob,))
        for spec, module in listed.fetchall():
            near = self._with_module(module)
            if near:
                one = asked(spec, path)
                found.update(other.path for other in near if means(one, other))
        return sorted(found)

    def importers(self, path: str) -> list[str]:
        """Files of the tree that import a file, the first by path where there are many."""
        listed = self.index.execute(
            "SELECT file.path, import.spec FROM import JOIN file ON file.blob = import.blob WHERE import.module = ? "
            "ORDER BY file.path, import.spec LIMIT ?",
            (plain(module_of(path)), IMPORTERS),
        )
        other = self._target(path)
        found: dict[str, None] = {}
        for stored, spec in listed.fetchall():
            importer = name(stored)
            if importer not in found and means(asked(spec, importer), other):
                found[importer] = None
        return [*found]

    def by_imports(self, seeds: Sequence[str]) -> dict[str, tuple[float, str]]:
        """Neighbours of the seeds, each with its score and the seed that gives it most."""
        scores: dict[str, float] = defaultdict(float)
        best: dict[str, tuple[float, str]] = {}
        for rank, seed in enumerate(seeds, 1):
            for near in (self.imported(seed), self.importers(seed)):
                for path in near:
                    gain = 1 / rank**0.5 / len(near) ** 0.5
                    scores[path] += gain
                    best[path] = max(best.get(path, (0.0, "")), (gain, seed))
        return {path: (score, best[path][1]) for path, score in scores.items()}

    def by_tests(self, seeds: Sequence[str]) -> dict[str, tuple[float, str]]:
        """Tests of the seeds and what seeds test, with score and seed."""
        found: dict[str, tuple[float, str]] = {}
        for rank, seed in enumerate(seeds, 1):
            twin = plain(pairs.key_of(seed))
            rows = self.index.execute("SELECT path FROM file WHERE twin = ?", (twin,)) if twin else ()
            for path, close in pairs.partners(seed, [name(row[0]) for row in rows]):
                found[path] = max(found.get(path, (0.0, "")), (close / rank**0.5, seed))
        return found

    def find(
        self,
        prompt: str,
        *,
        most: int = 100,
        recipe: Recipe = Recipe(),  # noqa: B008
        first: Sequence[str] = (),
    ) -> list[Candidate]:
        """The files that a prompt is about, best first; ties by path. At most `most`. `first`: files that lead them."""
        said = query(prompt)
        weights = {rule: getattr(recipe, rule) for rule in RULES}
        past = self.by_history(said, recipe) if recipe.history else []
        lists = {
            "words": self.by_words(said, recipe) if recipe.words else [],
            "symbols": self.by_symbols(said, recipe) if recipe.symbols else [],
            "history": [path for path, _, _ in past],
        }
        details = {("history", path): commit[:12] for path, _, commit in past}
        seeds = fusion.ordered(fusion.fuse(lists, weights, recipe.k))[: recipe.seeds]
        for rule, ask in (("imports", self.by_imports), ("tests", self.by_tests)):
            near = ask(seeds) if weights[rule] else {}
            lists[rule] = fusion.ordered({path: score for path, (score, _) in near.items()})
            details |= {(rule, path): seed for path, (_, seed) in near.items()}
        scores = fusion.fuse(lists, weights, recipe.k)
        called = named(calls(prompt, self.files)) if recipe.named else {}
        added = _leading(first, self.files)
        order = [*called, *(one for one in fusion.ordered(scores) if one not in called and not is_news(one))]
        order = [*added, *(one for one in order if one not in added)]
        ranks = {rule: {path: rank for rank, path in enumerate(found, 1)} for rule, found in lists.items()}
        ranks["added"] = {path: rank for rank, path in enumerate(added, 1)}
        return [_candidate(path, scores, called, ranks, details) for path in order[:most]]


def _candidate(
    path: str,
    scores: Mapping[str, float],
    called: Mapping[str, str],
    ranks: Mapping[str, Mapping[str, int]],
    details: Mapping[tuple[str, str], str],
) -> Candidate:
    rules = [Rule("named", [*called].index(path) + 1, called[path])] if path in called else []
    listed = ("added", *RULES)
    rules += [Rule(rule, ranks[rule][path], details.get((rule, path), "")) for rule in listed if path in ranks[rule]]
    return Candidate(path, scores.get(path, 0.0), tuple(rules))
