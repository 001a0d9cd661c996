"""The files of a folder by content: each path with the id that git gives its content, so that nothing is read twice.

A work tree counts as it stands: what is staged, changed and new but not ignored is in, what is deleted is out. A commit
can be asked for in its place. A folder without git is walked. Links and submodules have no content here.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jackline import git
from jackline.services.retrieval.content import LIMIT, admits

DEADLINE_S = 60.0
"""Seconds that git may take for one answer about a whole repository."""
CHUNK = 16 << 20
"""Bytes of content that are asked of git at once."""
FILES = 50_000
"""Files of a folder that are looked at, the first by path."""
COMMIT = re.compile(r"[0-9a-f]{40,64}")
REGULAR = ("100644", "100755")
GENERATED_WORDS = "node_modules __pycache__ venv target dist build vendor"
GENERATED = frozenset(GENERATED_WORDS.split())
"""Folders that are left out where no git says what is ignored; hidden ones are, too."""


class Stamp(NamedTuple):
    """What a file's state on disk was when its content was read, and the id of that content."""

    size: int
    changed_ns: int
    node: int
    content: str


ABSENT = Stamp(-1, 0, 0, "")
"""Of a file that git knows and the folder does not have, or not as a file that may be read."""


class Tree(NamedTuple):
    """Files of one state: path relative to the root → id of its content."""

    files: Mapping[str, str]
    commit: str
    """The commit whose history counts, "" where there is none."""
    loose: Mapping[str, Stamp]
    """Those whose content git does not have: it lies in the folder."""
    staged: str = ""
    """The state of git's index."""


class Last(NamedTuple):
    """What an index knows of the state before: `files` that are text, path → content id."""

    files: Mapping[str, str]
    loose: Mapping[str, Stamp]
    staged: str


NOTHING = Last({}, {}, "")


def content_id(data: bytes, like: str) -> str:
    """The id that git gives a content; `like`: another id of that repository, whose length tells the algorithm."""
    head = b"blob %d\0" % len(data)
    if len(like) == 64:
        return hashlib.sha256(head + data).hexdigest()
    return hashlib.sha1(head + data, usedforsecurity=False).hexdigest()


def read_loose(root: str, path: str) -> tuple[bytes, os.stat_result] | None:
    """The content of a regular file below `root` and its state; None when it is none, too large or led to by a link."""
    whole = os.path.join(root, path)
    folder = os.path.realpath(os.path.dirname(whole))
    if folder != os.path.normpath(os.path.join(os.path.realpath(root), os.path.dirname(path))):
        return None
    try:
        fd = os.open(whole, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with open(fd, "rb") as file:
        state = os.fstat(fd)
        if not stat.S_ISREG(state.st_mode) or state.st_size > LIMIT:
            return None
        return file.read(LIMIT + 1), state


def _stamp(root: str, path: str, known: Stamp | None, like: str) -> Stamp | None:
    """The state of a loose file: as it is known where its size and times say so, else read."""
    try:
        state = os.lstat(os.path.join(root, path))
    except (OSError, ValueError):
        return None
    if known and known[:3] == (state.st_size, state.st_mtime_ns, state.st_ino):
        return known
    read = read_loose(root, path)
    if read is None:
        return None
    data, state = read
    return Stamp(state.st_size, state.st_mtime_ns, state.st_ino, content_id(data, like))


def _listed(rows: bytes) -> dict[str, str]:
    """Regular files of a commit, whose rows are `mode type id<tab>path`: path → id."""
    found: dict[str, str] = {}
    for row in rows.decode("utf-8", "surrogateescape").split("\0"):
        about, tab, path = row.partition("\t")
        if tab and about[:6] in REGULAR:
            found[path] = about.rpartition(" ")[2]
    return found


def _walked(root: str) -> list[str]:
    """Files below a folder that no git knows, sorted."""
    found: list[str] = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if one[0] != "." and one not in GENERATED)
        inner = os.path.relpath(folder, root)
        found += [name if inner == "." else f"{inner}/{name}" for name in sorted(names)]
        if len(found) > FILES:
            break
    return found


def _is_git(root: str) -> bool:
    """Whether a folder looks like one of git's, whatever git says of it: there, ignored files cannot be told."""
    folder = os.path.realpath(root)
    if all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs")):
        return True
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, last = os.path.dirname(folder), folder
        if folder == last:
            return False
    return True


def _head(root: str) -> tuple[str, str] | None:
    """The commit of HEAD, "" before the first, and the state of git's index; None where no git is.

    GitError where git is, and has no work tree here or refuses to tell.
    """
    asked = ("rev-parse", "--is-inside-work-tree", "--git-path", "index", "--revs-only", "HEAD")
    try:
        told = git.run(root, *asked).decode("utf-8", "surrogateescape").removesuffix("\n")
    except git.GitError:
        if _is_git(root):
            raise
        return None
    inside, _, rest = told.partition("\n")
    if inside != "true":
        raise git.GitError(f"{root} is no work tree")
    path, _, commit = rest.rpartition("\n")  # a path may have lines of its own
    if not COMMIT.fullmatch(commit):
        path, commit = rest, ""
    try:
        state = os.stat(os.path.join(root, path))
    except OSError:  # nothing was ever staged
        return commit, ""
    return commit, f"{state.st_size} {state.st_mtime_ns} {state.st_ino}"


def _different(root: str) -> set[str]:
    """Paths of the work tree whose content is not the one in git's index: changed, deleted, new and not ignored."""
    out = git.run(root, "ls-files", "-m", "-d", "-o", "-z", "--exclude-standard", deadline=DEADLINE_S, filters=True)
    return {*out.decode("utf-8", "surrogateescape").split("\0")} - {""}


def _work_tree(root: str) -> tuple[dict[str, str], set[str]]:
    """What the index of git holds, path → id, and the paths that differ from it: asked with one question."""
    asked = ("ls-files", "-t", "-s", "-c", "-m", "-d", "-o", "-z", "--exclude-standard")
    files: dict[str, str] = {}
    loose: set[str] = set()
    for row in git.run(root, *asked, deadline=DEADLINE_S, filters=True).decode("utf-8", "surrogateescape").split("\0"):
        tag, about, path = row[:2], *row[2:].partition("\t")[::2]
        if tag == "? ":
            loose.add(row[2:])
        elif tag in ("C ", "R ", "M "):  # changed, deleted, in conflict
            loose.add(path)
        if tag[:1] in "HSM" and about[:6] in REGULAR:
            files.setdefault(path, about[7:].partition(" ")[0])
    return files, loose


def at_commit(root: str, commit: str, fit: Container[str] = ()) -> Tree:
    """The files of a commit below `root`. `fit`: paths that were admitted before. GitError when there is none such."""
    found = git.commit_of(root, commit)
    rows = git.run(root, "ls-tree", "-r", "-z", found, deadline=DEADLINE_S)
    return Tree({path: one for path, one in _listed(rows).items() if path in fit or admits(path)}, found, {})


def of_folder(root: str, last: Last = NOTHING) -> Tree:
    """The files of a work tree, or of a folder without git, as they stand. `last`: what they were the last time.

    While git's index is the same, only what differs from it is asked for.
    """
    head = _head(root)
    if head is None:
        return _with_loose(root, {}, _walked(root), last, "", "")
    if head[1] and head[1] == last.staged:
        loose = _different(root)
        if loose.issuperset(last.loose):
            kept = {path: one for path, one in last.files.items() if path not in loose}
            return _with_loose(root, kept, loose, last, *head)
    files, loose = _work_tree(root)
    kept = {path: one for path, one in files.items() if path not in loose and (path in last.files or admits(path))}
    return _with_loose(root, kept, loose, last, *head)


def _with_loose(
    root: str, files: Mapping[str, str], loose: Iterable[str], last: Last, commit: str, staged: str
) -> Tree:
    like = next(iter(files.values()), "")
    read: dict[str, Stamp] = {}
    for path in sorted(loose)[:FILES]:
        if admits(path):
            read[path] = _stamp(root, path, last.loose.get(path), like) or ABSENT
    found = {path: one.content for path, one in read.items() if one != ABSENT}
    return Tree({**files, **found}, commit, read, staged)


def _sizes(root: str, ids: Sequence[str]) -> dict[str, int]:
    rows = git.run(
        root, "cat-file", "--batch-check", stdin="".join(f"{one}\n" for one in ids).encode(), deadline=DEADLINE_S
    )
    parts = [row.split() for row in rows.decode("utf-8", "replace").splitlines()]
    return {row[0]: int(row[2]) for row in parts if len(row) == 3 and row[1] == "blob"}


def _chunks(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for one, bytes_ in sizes.items():
        if bytes_ > LIMIT:
            continue
        if chunk and size + bytes_ > CHUNK:
            yield chunk
            chunk, size = [], 0
        chunk.append(one)
        size += bytes_
    if chunk:
        yield chunk


def _asked(root: str, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    out = git.run(root, "cat-file", "--batch", stdin="".join(f"{one}\n" for one in ids).encode(), deadline=DEADLINE_S)
    at = 0
    for one in ids:
        end = out.index(b"\n", at)
        head = out[at:end].split()
        if len(head) != 3 or head[1] != b"blob":  # missing
            at = end + 1
            continue
        size = int(head[2])
        yield one, out[end + 1 : end + 1 + size]
        at = end + size + 2


def blobs(root: str, ids: Sequence[str], *, fit: bool = False) -> Iterator[tuple[str, bytes | None]]:
    """Contents that git has, by id; None for those that are too large. `fit`: none of them is."""
    sizes = dict.fromkeys(ids, LIMIT) if fit or not ids else _sizes(root, ids)
    yield from ((one, None) for one, size in sizes.items() if size > LIMIT)
    for chunk in _chunks(sizes):
        yield from _asked(root, chunk)


def contents(root: str, tree: Tree, paths: Iterable[str], *, fit: bool = False) -> Iterator[tuple[str, bytes | None]]:
    """The contents of files of a tree by path, those that can still be read; None for what is too large.

    `fit`: none of them is.
    """
    wanted: dict[str, list[str]] = {}
    for path in paths:
        if path in tree.loose:
            read = read_loose(root, path)
            if read and content_id(read[0], tree.files[path]) == tree.files[path]:
                yield path, read[0]
        else:
            wanted.setdefault(tree.files[path], []).append(path)
    for one, data in blobs(root, [*wanted], fit=fit):
        for path in wanted[one]:
            yield path, data
