"""What a context pack costs: an index, bringing it up to date, asking it, and a warm pack beside `git grep`."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.pack_commits import git, questions
from jackline.services.retrieval import Repository, make_pack, update

FILES = 10_000
ROUNDS = 7


def _timed(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def _used() -> float:
    """Seconds of processor time that this process and the children it waited for have used."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _spent(act: Callable[[], object]) -> float:
    """Processor time of one call and its children: what a busy machine does not change much."""
    begun = _used()
    act()
    return _used() - begun


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[min(int(len(times) * 0.95), len(times) - 1)]


def measure(source: str, count: int, seed: int) -> list[str]:
    """One repository's row: files, commits, build, update after a commit, questions, size of the index."""
    name = Path(source).name if Path(source).name not in ("repo", ".git") else Path(source).parent.name
    with tempfile.TemporaryDirectory(prefix="pack-") as folder:
        root, index = f"{folder}/tree", f"{folder}/index"
        git(folder, "clone", "-q", "--shared", "--no-checkout", source, root)
        hashes = git(root, "rev-list", "--no-merges", "--max-count=12", "HEAD").decode().split()
        build = _timed(lambda: update(root, index, commit=hashes[-1]))
        updates = [_timed(lambda one=one: update(root, index, commit=one)) for one in hashes[-2::-1]]  # type: ignore[misc]
        prompts = [one.prompt for group in questions(root, count, seed) for one in group]
        with Repository(root, index) as opened:
            files, commits = (
                opened.reader.index.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("file", "past")
            )
            opened.find("warm")
            times = [_spent(lambda one=one: opened.find(one)) for one in prompts]  # type: ignore[misc]
        size = sum(path.stat().st_size for path in Path(index).iterdir()) / 1e6
    cells = [name, f"{files:,}", f"{commits:,}", f"{build:.1f} s", f"{median(updates):.2f} s", f"{max(updates):.2f} s"]
    return [*cells, f"{median(times) * 1000:.0f} ms", f"{_p95(times) * 1000:.0f} ms", f"{size:.0f} MB"]


def _copies(source: str, root: str) -> None:
    """A work tree of `FILES` files: those of the newest commit that can be read, as often as it takes."""
    listed = git(source, "ls-tree", "-r", "-z", "HEAD").decode("utf-8", "surrogateescape").split("\0")
    blobs = [(row.split()[2], row.partition("\t")[2]) for row in listed if row[:3] == "100"]
    out = subprocess.run(
        ["git", "-C", source, "cat-file", "--batch"],
        input="".join(f"{one}\n" for one, _ in blobs).encode(), capture_output=True, check=True,
    ).stdout  # fmt: skip
    texts: list[tuple[str, bytes]] = []
    at = 0
    for _, path in blobs:
        end = out.index(b"\n", at)
        head = out[at:end].split()
        at = end + 1
        if head[1:2] == [b"blob"]:
            texts.append((path, out[at : at + int(head[2])]))
            at += int(head[2]) + 1
    for number in range(FILES):
        path, data = texts[number % len(texts)]
        place = Path(root, f"copy{number // len(texts)}", path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data + b"\n" * (number // len(texts)))


@contextmanager
def _large(source: str) -> Iterator[tuple[str, str]]:
    folder = tempfile.mkdtemp(prefix="pack-")
    root = f"{folder}/tree"
    os.mkdir(root)
    try:
        git(root, "init", "-q")
        _copies(source, root)
        git(root, "add", "-A")
        git(root, "-c", "user.name=n", "-c", "user.email=e@example.invalid", "commit", "-q", "-m", "all")
        yield root, f"{folder}/index"
    finally:
        shutil.rmtree(folder)


def warm(source: str) -> str:
    """A warm pack over many files, each in its own opening of the index, beside one `git grep` over them, in turn."""
    prompt = "resolve the configuration of optional dependencies"
    with _large(source) as (root, index):
        build = _timed(lambda: update(root, index))

        def pack() -> None:
            make_pack(root, index, prompt)

        def grep() -> None:
            subprocess.run(["git", "grep", "-c", "-i", "configuration of"], cwd=root, capture_output=True, check=False)

        pack()
        wall = [(_timed(pack), _timed(grep)) for _ in range(ROUNDS)]
        used = [(_spent(pack), _spent(grep)) for _ in range(ROUNDS)]
    lines = [f"{FILES:,} files: built in {build:.1f} s."]
    for kind, times in (("by the clock", wall), ("of processor time", used)):
        packs, greps = (median(each) for each in zip(*times, strict=True))
        ratio = packs / greps
        lines.append(
            f"A warm pack takes {packs * 1000:.0f} ms {kind}, one `git grep` {greps * 1000:.0f} ms: {ratio:.2f}."
        )
    return "\n".join(lines)


def table(sources: Sequence[str], count: int, seed: int) -> str:
    """Markdown: a row a repository, then the warm pack; with the machine's load, which is part of every figure."""
    heads = "repository|files|commits|build|update after a commit|the longest|question, processor time|p95|index"
    rows = [measure(source, count, seed) for source in sources]
    lines = [f"| {' | '.join(heads.split('|'))} |", "| --- |" + " --- |" * heads.count("|")]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    load = os.getloadavg()[0]
    return "\n".join(
        [*lines, "", warm(sources[0]), f"The machine's load was {load:.1f} on {os.cpu_count()} processors."]
    )
