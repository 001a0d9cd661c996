"""What past commits say: their messages, and the files that each changed, by the names these have today.

A prompt that sounds like an old message probably concerns the same files. Merges say nothing, commits over thirty files
say nothing about one of them.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from jackline import git
from jackline.services.retrieval import words
from jackline.services.retrieval.database import key, name
from jackline.services.retrieval.tree import DEADLINE_S

COMMITS = 20_000
"""Commits that are known, the newest."""
BATCH = 500
FILES = 30
"""Files of a commit that still speaks for each of them."""
HOPS = 20
"""Renames that are followed from an old name."""

TRAILER = re.compile(
    r"^(?:[A-Z][\w]*(?:-[\w]+)+|Cc|Link|Closes|Refs|Fixes|PiperOrigin-RevId|Bug|Change-Id|cc|ref): .*$", re.MULTILINE
)
LINK = re.compile(r"(?:https?|git)://\S+")
NUMBER = re.compile(r"\(?(?:\b[\w.\-]+/[\w.\-]+|\bGH|\bgh-)?#\d+\)?|\b(?:GH|gh)-\d+\b")
PERSON = re.compile(r"<[^<>\s]+@[^<>\s]+>")


class Commit(NamedTuple):
    """One commit as git tells it: seconds of its time, the files it changed below the root by their new names."""

    hash: str
    time: int
    message: str
    files: tuple[str, ...]
    renames: tuple[tuple[str, str], ...]


def plain(message: str) -> str:
    """A message without trailers, links, addresses and numbers of issues: what it says of the code."""
    for pattern in (TRAILER, LINK, PERSON, NUMBER):
        message = pattern.sub(" ", message)
    return message.strip()


def listed(root: str, commit: str) -> list[str]:
    """Commits of a commit's past without merges, itself first; none for ""."""
    if not commit:
        return []
    asked = ("rev-list", "--no-merges", f"--max-count={COMMITS}", commit, "--")
    return git.run(root, *asked, deadline=DEADLINE_S).decode().split()


def _rows(parts: Sequence[str], at: int) -> tuple[list[str], list[tuple[str, str]], int]:
    """The files of one commit from `at` on, what it renamed, and where the next commit begins."""
    files: list[str] = []
    renames: list[tuple[str, str]] = []
    while at < len(parts):
        status = parts[at].lstrip("\n")
        if len(status) >= 40:
            break
        at += 1
        if not status:
            break
        if status[0] == "R":
            renames.append((parts[at], parts[at + 1]))
            at += 1
        files.append(parts[at])
        at += 1
    return files, renames, at


def _parsed(out: bytes) -> Iterator[Commit]:
    parts = out.decode("utf-8", "surrogateescape").split("\0")
    at = 0
    while at + 2 < len(parts):
        hash_, time, message = parts[at].lstrip("\n"), parts[at + 1], parts[at + 2]
        files, renames, at = _rows(parts, at + 3)
        yield Commit(hash_, int(time), message, tuple(files), tuple(renames))


def _told(root: str, hashes: Sequence[str], renames: str) -> bytes:
    asked = "".join(f"{one}\n" for one in hashes).encode()
    return git.run(
        root, "diff-tree", "--stdin", "-r", "-z", renames, "--name-status", "--root", "--relative",
        "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--encoding=UTF-8",
        "--pretty=format:%H%x00%ct%x00%B%x00", stdin=asked, deadline=DEADLINE_S,
    )  # fmt: skip


def read(root: str, hashes: Sequence[str]) -> Iterator[Commit]:
    """The commits of these hashes, those that changed something below the root.

    A file that was renamed and changed at once is told by its content. Where that is not here, as in a partial clone,
    only files that were renamed as they were are followed.
    """
    for start in range(0, len(hashes), BATCH):
        batch = hashes[start : start + BATCH]
        try:
            out = _told(root, batch, "-M")
        except git.GitError:
            out = _told(root, batch, "-M100%")
        yield from _parsed(out)


def shallow(root: str) -> frozenset[str]:
    """Commits whose parents are cut off: against nothing they seem to add every file."""
    path = git.run(root, "rev-parse", "--git-path", "shallow").decode("utf-8", "surrogateescape").removesuffix("\n")
    try:
        return frozenset((Path(root) / path).read_text().split())
    except OSError:
        return frozenset()


def update(open_index: sqlite3.Connection, root: str, commit: str) -> int:
    """Make the known commits those of a commit's past, exactly; how many came and went."""
    known = {row[0] for row in open_index.execute("SELECT hash FROM past")}
    now = listed(root, commit)
    gone, come = known.difference(now), [one for one in now if one not in known]
    _forget(open_index, gone)
    cut = shallow(root) if come else frozenset()
    splitter = words.Splitter()
    seen = set()
    for one in read(root, come):
        seen.add(one.hash)
        _learn(open_index, one, splitter, one.hash in cut)
    for one_hash in come:
        if one_hash not in seen:  # nothing below the root
            _learn(open_index, Commit(one_hash, 0, "", (), ()), splitter, True)
    return len(gone) + len(come)


def _forget(open_index: sqlite3.Connection, hashes: Iterable[str]) -> None:
    for one in hashes:
        row = open_index.execute("SELECT id, words FROM past WHERE hash = ?", (one,)).fetchone()
        if row[1]:
            open_index.execute("INSERT INTO message(message, rowid, words) VALUES('delete', ?, ?)", row)
        open_index.execute("DELETE FROM past WHERE id = ?", row[:1])
        open_index.execute("DELETE FROM rename WHERE hash = ?", (one,))


def _learn(open_index: sqlite3.Connection, one: Commit, splitter: words.Splitter, silent: bool) -> None:
    """`silent`: its files say nothing."""
    telling = not silent and 0 < len(one.files) <= FILES
    said = words.text(plain(one.message), splitter) if telling else ""
    files = b"\0".join(map(key, one.files)) if telling else b""
    row = open_index.execute(
        "INSERT INTO past(hash, time, words, files) VALUES(?, ?, ?, ?)", (one.hash, one.time, said, files)
    )
    if said:
        open_index.execute("INSERT INTO message(rowid, words) VALUES(?, ?)", (row.lastrowid, said))
    open_index.executemany(
        "INSERT OR IGNORE INTO rename VALUES(?, ?, ?, ?)",
        [(key(old), one.time, one.hash, key(new)) for old, new in one.renames],
    )


class Names:
    """Today's names of old paths: those of the tree are their own, others are followed along renames."""

    def __init__(self, open_index: sqlite3.Connection, present: Mapping[str, object]) -> None:
        self.open_index, self.present = open_index, present
        self.known: dict[str, str] = {}

    def today(self, path: str) -> str:
        """The name a file has now, "" when it is gone."""
        if path not in self.known:
            self.known[path] = self._followed(path)
        return self.known[path]

    def _followed(self, path: str) -> str:
        asked = "SELECT new FROM rename WHERE old = ? ORDER BY time DESC, hash DESC, new LIMIT 1"
        for _ in range(HOPS):
            if path in self.present:
                return path
            row = self.open_index.execute(asked, (key(path),)).fetchone()
            if row is None:
                return ""
            path = name(row[0])
        return ""


def similar(
    open_index: sqlite3.Connection, match: str, names: Names, *, most: int, before: int | None
) -> list[tuple[str, float, str]]:
    """Files of past commits with similar messages, best first: path, score, the commit that says most for it.

    A commit's score s, against the best one's, gives each of its n files (s/s₁)²·s/√n. `before`: seconds since the
    epoch that commits must be older than.
    """
    rows = open_index.execute(
        "SELECT past.hash, past.files, -bm25(message) AS score FROM message JOIN past ON past.id = message.rowid "
        "WHERE message MATCH ? AND past.time < ? ORDER BY score DESC, past.hash LIMIT ?",
        (match, before if before is not None else 1 << 62, most),
    ).fetchall()
    scores: dict[str, float] = defaultdict(float)
    best: dict[str, tuple[float, str]] = {}
    for hash_, files, score in rows:
        paths = [names.today(name(one)) for one in files.split(b"\0")]
        gain = (score / rows[0][2]) ** 2 * score / len(paths) ** 0.5 if rows[0][2] > 0 else 0.0
        for path in filter(None, paths):
            scores[path] += gain
            best[path] = max(best.get(path, (0.0, "")), (gain, hash_))
    ranked = sorted(scores.items(), key=lambda one: (-round(one[1], 9), one[0]))
    return [(path, score, best[path][1]) for path, score in ranked]
