"""How well a context pack finds what a commit changes: recall of its files, given its parent and its message.

    python -m bench.pack REPOSITORY …         each a folder with history, bare or not
    python -m bench.pack … --count 80 --seed 7   questions of each repository, and which
    python -m bench.pack … --parts            and what each part of the recipe carries
    python -m bench.pack … --map              and a repository map beside it (slow)
    python -m bench.pack … --keep FILE        every question's figures as JSON lines
    python -m bench.pack … --speed            what it costs in place of how good it is

Nothing of a repository is run or changed: it is cloned, sharing objects, into a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from bench import pack_rivals, pack_speed
from bench.pack_commits import Question, git, questions
from jackline.services.retrieval import FLAT, Candidate, Recipe, Repository, Tiers
from jackline.services.retrieval.pack import Texts, assemble
from jackline.services.retrieval.repository import MOST
from jackline.services.retrieval.tree import at_commit

DRAWS = 2000
MONTH_S = 30 * 86400
TIERED = Tiers()
FULL, PLAIN = "pack", "BM25"

VARIANTS: Mapping[str, Callable[[Question], Recipe]] = {
    FULL: lambda _: Recipe(),
    "30 days hidden": lambda one: Recipe(before=one.time - MONTH_S),
    "without history": lambda _: Recipe(history=0.0),
}
PARTS: Mapping[str, Callable[[Question], Recipe]] = {
    "words alone": lambda _: Recipe(symbols=0.0, history=0.0, imports=0.0, tests=0.0),
    "history alone": lambda _: Recipe(words=0.0, symbols=0.0, imports=0.0, tests=0.0),
    "without words": lambda _: Recipe(words=0.0, symbols=0.0),
    "without symbols": lambda _: Recipe(symbols=0.0),
    "without imports": lambda _: Recipe(imports=0.0),
    "without tests": lambda _: Recipe(tests=0.0),
    "fields weighed alike": lambda _: Recipe(fields=(1.0, 1.0, 1.0, 1.0)),
    "without named files": lambda _: Recipe(named=False),
}


class Score(NamedTuple):
    """One question and method: shares of the answer in a flat and in a tiered pack, among the first ten, 1 / rank."""

    flat: float
    tiered: float
    ten: float
    reciprocal: float


class Result(NamedTuple):
    """One question with the scores of every method."""

    repository: str
    question: Question
    scores: Mapping[str, Score]


def _recall(answer: Sequence[str], found: Sequence[str]) -> float:
    return len({*answer} & {*found}) / len(answer)


def scored(texts: Texts, one: Question, found: Sequence[Candidate]) -> Score:
    """The figures of one order of files."""
    order = [each.path for each in found]
    flat, tiered = ([item.path for item in assemble(texts, found, tiers)] for tiers in (FLAT, TIERED))
    first = next((rank for rank, path in enumerate(order, 1) if path in one.answer), 0)
    recalls = [_recall(one.answer, paths) for paths in (flat, tiered, order[:10])]
    return Score(recalls[0], recalls[1], recalls[2], 1 / first if first else 0.0)


def _asked(
    root: str,
    folder: str,
    one: Question,
    variants: Mapping[str, Callable[[Question], Recipe]],
    known: Any,
    mapped: bool,
) -> dict[str, Score]:
    """Every method's answer to one question, from nothing but the parent's files and past."""
    with Repository(root, folder, commit=one.parent) as opened:
        opened.update()
        tree = at_commit(root, one.parent)
        known.learn(tree.files)
        text = {path: tree.files[path] for path in opened.reader.files}
        lists = {name: opened.find(one.prompt, most=MOST, recipe=make(one)) for name, make in variants.items()}
        rivals = {PLAIN: pack_rivals.bm25(known, text, one.prompt)}
        if mapped:
            rivals["repository map"] = pack_rivals.repository_map(known, text, one.prompt)
        lists |= {name: [Candidate(path, 0.0, ()) for path in found[:MOST]] for name, found in rivals.items()}
        texts = Texts(root, tree, opened.reader, one.prompt)
        return {name: scored(texts, one, found) for name, found in lists.items()}


def measure(source: str, given: argparse.Namespace) -> Iterator[Result]:
    """Ask every question of one repository, oldest first, so that the index grows as the repository did."""
    variants = {**VARIANTS, **(PARTS if given.parts else {})}
    name = Path(source).name if Path(source).name not in ("repo", ".git") else Path(source).parent.name
    with tempfile.TemporaryDirectory(prefix="pack-") as folder:
        root = f"{folder}/tree"
        git(folder, "clone", "-q", "--shared", "--no-checkout", source, root)
        known = pack_rivals.Contents(root)
        groups = questions(root, given.count, given.seed)
        order = sorted([*groups[0], *groups[1]], key=lambda one: one.time)
        for at, one in enumerate(order):
            print(f"\r{name} {at + 1}/{len(order)} ", end="", file=sys.stderr, flush=True)
            yield Result(name, one, _asked(root, f"{folder}/index", one, variants, known, given.map))
        print(file=sys.stderr)


# --- tables --------------------------------------------------------------------------------------------------------


def _means(results: Sequence[Result], method: str, figure: str) -> dict[str, float]:
    """Mean of a figure by repository."""
    names = dict.fromkeys(one.repository for one in results)
    return {
        name: fmean(getattr(one.scores[method], figure) for one in results if one.repository == name) for name in names
    }


def interval(results: Sequence[Result], method: str, other: str, figure: str, seed: int) -> tuple[float, float, float]:
    """By how much a method is above another: mean over repositories, and 95 % by paired bootstrap within each."""
    by: dict[str, list[float]] = {}
    for one in results:
        gain = getattr(one.scores[method], figure) - getattr(one.scores[other], figure)
        by.setdefault(one.repository, []).append(gain)
    draw = random.Random(seed)
    drawn = sorted(fmean(fmean(draw.choices(gains, k=len(gains))) for gains in by.values()) for _ in range(DRAWS))
    return fmean(fmean(gains) for gains in by.values()), drawn[int(DRAWS * 0.025)], drawn[int(DRAWS * 0.975)]


def table(results: Sequence[Result], seed: int) -> str:
    """Markdown: a row a method, a column a repository, recall flat and tiered."""
    names = [*dict.fromkeys(one.repository for one in results)]
    lines = []
    for figure in ("flat", "tiered"):
        lines += [f"| {figure} | {' | '.join(names)} | mean | above BM25 |", "| --- |" + " --- |" * (len(names) + 2)]
        for method in results[0].scores:
            means = _means(results, method, figure)
            gain = (
                ""
                if method == PLAIN
                else "{:+.3f} [{:.3f}, {:.3f}]".format(*interval(results, method, PLAIN, figure, seed))
            )
            cells = [f"{means[name]:.3f}" for name in names]
            lines.append(f"| {method} | {' | '.join(cells)} | {fmean(means.values()):.3f} | {gain} |")
        lines.append("")
    for method in results[0].scores:
        ten, first = (fmean(_means(results, method, figure).values()) for figure in ("ten", "reciprocal"))
        lines.append(f"- {method}: among the first ten {ten:.3f}, mean reciprocal rank {first:.3f}")
    return "\n".join(lines) + "\n"


def report(results: Sequence[Result], seed: int) -> str:
    """Both groups of questions: those that name no file, and those that name one."""
    plain, naming = ([one for one in results if one.question.named == named] for named in (False, True))
    texts = []
    for title, group in (("prompts that name no file", plain), ("prompts that name a file", naming)):
        if group:
            texts.append(f"### {len(group)} {title}\n\n{table(group, seed)}")
    return "\n".join(texts)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="bench.pack", description="How well a context pack finds what commits change."
    )
    parser.add_argument("repository", nargs="+", help="a folder with history, bare or not")
    parser.add_argument("--count", type=int, default=80, help="questions of each repository (default 80)")
    parser.add_argument("--seed", type=int, default=1, help="which questions (default 1)")
    parser.add_argument("--parts", action="store_true", help="leave out each part of the recipe")
    parser.add_argument("--map", action="store_true", help="measure a repository map beside it")
    parser.add_argument("--keep", help="write every question's figures into this file")
    parser.add_argument("--speed", action="store_true", help="measure what it costs")
    given = parser.parse_args(words)
    if given.speed:
        print(pack_speed.table(given.repository, given.count, given.seed))
        return 0
    results = [one for source in given.repository for one in measure(source, given)]
    if given.keep:
        rows = [
            {
                "repository": one.repository,
                **one.question._asdict(),
                "scores": {k: v._asdict() for k, v in one.scores.items()},
            }
            for one in results
        ]
        Path(given.keep).write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(report(results, given.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
