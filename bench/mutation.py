"""How well the class of a change is told, on labelled changes of public projects (docs/classification.md).

    python -m bench.mutation --repos DIR            precision and recall of both classes, by part and by language
    python -m bench.mutation --repos DIR --misses   with every change that was told otherwise

`bench/mutation.jsonl` holds references only: repository, commit, path, label, and why in a few words. `DIR` holds the
repositories as `owner+name/repo`, `owner+name` or `owner/name`, bare or not. What is absent is skipped and said.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from jackline.model import Event
from jackline.mutation import EVOLUTION, REFACTOR, UNKNOWN, Mutation
from jackline.mutation.changes import of_event, of_texts

ROWS = Path(__file__).with_name("mutation.jsonl")
LEAST = {REFACTOR: (0.98, 0.45), EVOLUTION: (0.75, 0.8)}
"""Precision and recall that the figures may not fall below."""
CLASSES = (REFACTOR, EVOLUTION, UNKNOWN)
PARTS = (
    ("made with", False, 1),
    ("held out", True, 1),
    ("second draw", False, 2),
    ("third draw", False, 3),
    ("fourth draw", False, 4),
)
"""How each part of the rows is called, whether it was held out, and with which draw it came."""


class Row(NamedTuple):
    """One labelled change; `held` rows were not looked at while the first classifier was made."""

    repo: str
    commit: str
    path: str
    label: str
    held: bool
    reason: str
    first: str = ""
    draw: int = 1


class Told(NamedTuple):
    row: Row
    mutation: Mutation


def rows() -> list[Row]:
    return [Row(**json.loads(line)) for line in ROWS.read_text().splitlines()]


def place(repos: Path, repo: str) -> Path | None:
    """The git directory of a repository."""
    flat = repo.replace("/", "+")
    for found in (repos / flat / "repo", repos / flat, repos / repo, repos / f"{repo}.git"):
        for one in (found / ".git", found):
            if (one / "HEAD").is_file():
                return one
    return None


def text(git_dir: Path, commit: str, path: str) -> str | None:
    done = subprocess.run(["git", "--git-dir", str(git_dir), "show", f"{commit}:{path}"], capture_output=True)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None


def diff(git_dir: Path, commit: str, path: str) -> str:
    done = subprocess.run(
        ["git", "--git-dir", str(git_dir), "show", "--format=", commit, "--", path], capture_output=True
    )
    return done.stdout.decode(errors="replace")


def told(row: Row, git_dir: Path, form: str) -> Mutation | None:
    """What the classifier says of a row, from whole texts or from the diff alone."""
    before, after = text(git_dir, row.commit + "^", row.path), text(git_dir, row.commit, row.path)
    if before is None and after is None:
        return None
    if form == "texts":
        return of_texts([(row.path, before, after)])
    event = Event("PreToolUse", tool="apply_diff", kind="edit", input={"diff": diff(git_dir, row.commit, row.path)})
    event.root = event.cwd = "/nonexistent"
    return of_event(event)


def table(found: list[Told]) -> dict[str, tuple[float, float]]:
    """Precision and recall by class."""
    counts = Counter((one.row.label, one.mutation.kind) for one in found)
    made: dict[str, tuple[float, float]] = {}
    for kind in (REFACTOR, EVOLUTION):
        right = counts[kind, kind]
        said = sum(counts[label, kind] for label in CLASSES)
        meant = sum(counts[kind, other] for other in CLASSES)
        made[kind] = (right / said if said else 1.0, right / meant if meant else 1.0)
    return made


def show(name: str, found: list[Told]) -> bool:
    """Print a part's figures; whether they are good enough."""
    counts = Counter((one.row.label, one.mutation.kind) for one in found)
    figures = table(found)
    shown = "  ".join(f"{kind} precision {p:.3f} recall {r:.3f}" for kind, (p, r) in figures.items())
    print(f"{name:<24} {len(found):>4}  {shown}")
    print(f"{'':<24}       as told: " + ", ".join(f"{a[:3]}→{b[:3]} {n}" for (a, b), n in sorted(counts.items())))
    return all(figures[kind][0] >= least[0] and figures[kind][1] >= least[1] for kind, least in LEAST.items())


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.mutation")
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--form", choices=("texts", "diff"), default="texts")
    parser.add_argument("--part", choices=("all", "made", "held"), default="all")
    given = parser.parse_args()
    found: list[Told] = []
    absent: Counter[str] = Counter()
    for row in rows():
        if given.part != "all" and row.held != (given.part == "held"):
            continue
        git_dir = place(given.repos, row.repo)
        mutation = told(row, git_dir, given.form) if git_dir else None
        if mutation is None:
            absent[row.repo] += 1
        else:
            found.append(Told(row, mutation))
    for repo, count in sorted(absent.items()):
        print(f"skipped  {repo}: {count} changes, no such repository below {given.repos}")
    if not found:
        return 0
    good = show("all", found)
    for name, held, draw in PARTS:
        part = [one for one in found if (one.row.held, one.row.draw) == (held, draw)]
        if part:
            show(name, part)
    for language in sorted({one.row.path.rpartition(".")[2] for one in found}):
        part = [one for one in found if one.row.path.rpartition(".")[2] == language]
        right = sum(one.row.label == one.mutation.kind for one in part)
        print(f"  .{language:<8} {right} of {len(part)}")
    for one in found if given.misses else ():
        if one.row.label != one.mutation.kind:
            row, mutation = one
            print(f"{row.label:<16} told {mutation.kind} {mutation.confidence} {mutation.signals}")
            print(f"    {row.repo} {row.commit[:12]} {row.path}: {row.reason}")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
