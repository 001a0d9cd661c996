"""Find the files a prompt is about: words in files, words in past messages, imports and tests of both, made one order.

The order depends on the repository and the prompt alone: not on when or where the index was made.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from jackline.services.retrieval import fusion, history, pairs, words
from jackline.services.retrieval.content import is_news
from jackline.services.retrieval.database import name, plain
from jackline.services.retrieval.imports import means, module_of, modules
from jackline.services.retrieval.named import Paths, named
from jackline.services.retrieval.tree import Stamp

TERMS = 64
"""Words of a prompt that are looked for, the first."""
IMPORTERS = 200
"""Files that import one and the same, above which they are cut."""


class Recipe(NamedTuple):
    """How the lists are made and weighed; the defaults are what `docs/pack.md` measures."""

    fields: tuple[float, float, float, float] = (10.0, 6.0, 2.0, 1.0)
    """What a word counts in a path, in defined names, in comments, in the body."""
    depth: int = 150
    past: int = 40
    seeds: int = 12
    k: float = 10.0
    words: float = 1.0
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


class Reader:
    """An index that is open for reading: one state of a repository, asked many times."""

    def __init__(self, index: sqlite3.Connection) -> None:
        self.index = index

    @cached_property
    def files(self) -> Mapping[str, tuple[int, int]]:
        """Every file of the tree that is text: path → its row and its content's."""
        return {name(row[0]): (row[1], row[2]) for row in self.index.execute("SELECT path, id, blob FROM file")}

    @cached_property
    def paths(self) -> Paths:
        """The same files by their last name."""
        return Paths(self.files)

    @cached_property
    def stamps(self) -> Mapping[str, Stamp]:
        """The loose files' states on disk when they were read."""
        rows = self.index.execute("SELECT path, size, changed_ns, node, content FROM loose")
        return {name(row[0]): Stamp(*row[1:]) for row in rows}

    @cached_property
    def names(self) -> history.Names:
        return history.Names(self.index, self.files)

    def details(self, path: str) -> Details:
        """Content id, defined names and summary of a file of the tree."""
        asked = "SELECT content, names, summary FROM blob WHERE id = ?"
        content, names, summary = self.index.execute(asked, (self.files[path][1],)).fetchone()
        return Details(content, tuple(json.loads(names)), summary)

    def by_words(self, prompt: str, recipe: Recipe) -> list[str]:
        """Files that say the prompt's words, by BM25 over their fields."""
        telling, every = words.query(prompt)
        match = " OR ".join(
            [part for part in (_quoted(telling[:TERMS]), f"path : ({_quoted(every[:TERMS])})") if part] if every else []
        )
        if not match:
            return []
        rows = self.index.execute(
            "SELECT file.path, bm25(fulltext, ?, ?, ?, ?) AS score FROM fulltext JOIN file ON file.id = fulltext.rowid "
            "WHERE fulltext MATCH ? ORDER BY score, file.path LIMIT ?",
            (*recipe.fields, match, recipe.depth),
        )
        return [name(row[0]) for row in rows]

    def by_history(self, prompt: str, recipe: Recipe) -> list[tuple[str, float, str]]:
        """Files that commits with similar messages changed."""
        telling, every = words.query(prompt)
        terms = telling or every
        if not terms:
            return []
        match = _quoted(terms[:TERMS])
        return history.similar(self.index, match, self.names, most=recipe.past, before=recipe.before)

    def _specs(self, blob: int) -> list[str]:
        found: list[str] = json.loads(
            self.index.execute("SELECT imports FROM blob WHERE id = ?", (blob,)).fetchone()[0]
        )
        return found

    def _with_module(self, module: str) -> list[str]:
        rows = self.index.execute("SELECT path FROM file WHERE module = ? ORDER BY path", (module,))
        return [name(row[0]) for row in rows]

    def imported(self, path: str) -> list[str]:
        """Files of the tree that a file imports."""
        found: set[str] = set()
        for spec in self._specs(self.files[path][1]):
            for module in modules(spec, path):
                found.update(one for one in self._with_module(module) if means(spec, path, one))
        return sorted(found)

    def importers(self, path: str) -> list[str]:
        """Files of the tree that import a file."""
        module = plain(module_of(path))
        rows = self.index.execute(
            "SELECT file.path, file.blob FROM import JOIN file ON file.blob = import.blob WHERE import.module = ? "
            "ORDER BY file.path LIMIT ?",
            (module, IMPORTERS),
        ).fetchall()
        found = []
        for stored, blob in rows:
            importer = name(stored)
            if any(module in modules(spec, importer) and means(spec, importer, path) for spec in self._specs(blob)):
                found.append(importer)
        return found

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

    def find(self, prompt: str, *, most: int = 100, recipe: Recipe = Recipe()) -> list[Candidate]:  # noqa: B008
        """The files that a prompt is about, best first; ties by path. At most `most`."""
        lists: dict[str, list[str]] = {"words": self.by_words(prompt, recipe) if recipe.words else []}
        details: dict[tuple[str, str], str] = {}
        past = self.by_history(prompt, recipe) if recipe.history else []
        lists["history"] = [path for path, _, _ in past]
        details |= {("history", path): commit[:12] for path, _, commit in past}
        weights = {"words": recipe.words, "history": recipe.history, "imports": recipe.imports, "tests": recipe.tests}
        seeds = fusion.ordered(fusion.fuse(lists, weights, recipe.k))[: recipe.seeds]
        for rule, ask in (("imports", self.by_imports), ("tests", self.by_tests)):
            near = ask(seeds) if weights[rule] else {}
            lists[rule] = fusion.ordered({path: score for path, (score, _) in near.items()})
            details |= {(rule, path): seed for path, (_, seed) in near.items()}
        scores = fusion.fuse(lists, weights, recipe.k)
        calls = dict(named(prompt, self.paths)) if recipe.named else {}
        order = [*calls, *(one for one in fusion.ordered(scores) if one not in calls and not is_news(one))]
        ranks = {rule: {path: rank for rank, path in enumerate(found, 1)} for rule, found in lists.items()}
        return [_candidate(path, scores, calls, ranks, details) for path in order[:most]]


def _candidate(
    path: str,
    scores: Mapping[str, float],
    calls: Mapping[str, str],
    ranks: Mapping[str, Mapping[str, int]],
    details: Mapping[tuple[str, str], str],
) -> Candidate:
    rules = [Rule("named", [*calls].index(path) + 1, calls[path])] if path in calls else []
    rules += [
        Rule(rule, ranks[rule][path], details.get((rule, path), ""))
        for rule in ("words", "history", "imports", "tests")
        if path in ranks[rule]
    ]
    return Candidate(path, scores.get(path, 0.0), tuple(rules))
