"""The index of a repository, kept as the repository stands: only contents that it has never seen are read.

Files are known by their content, so that a switch of branches and back parses nothing; the past is that of the commit
at hand, exactly. An index that was brought up to date many times says the same as one made at once.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from jackline.services.retrieval import database, history, words
from jackline.services.retrieval.content import text_of
from jackline.services.retrieval.database import Broken, Row, key, name, plain, rows
from jackline.services.retrieval.fields import Fields, fields, kind_of
from jackline.services.retrieval.imports import module_of, modules
from jackline.services.retrieval.pairs import key_of
from jackline.services.retrieval.tree import Last, Stamp, Tree, at_commit, contents, of_folder

SPARE = 4
"""Contents that are kept though no file has them now: so many times as there are files, and a thousand."""


class Update(NamedTuple):
    """What an update came to: files and commits whose rows changed, contents that were read."""

    current: bool
    """False when another process is at it, and the index is what it was."""
    files: int
    commits: int
    read: int


class State(NamedTuple):
    """An index that was brought up to date: open, with the files it stands for."""

    opened: sqlite3.Connection
    done: Update
    tree: Tree
    rows: Mapping[str, Row]


def _last(index: sqlite3.Connection, had: Mapping[str, Row]) -> Last:
    listed = index.execute("SELECT path, size, changed_ns, node, content FROM loose")
    loose = {name(row[0]): Stamp(*row[1:]) for row in listed}
    staged = index.execute("SELECT value FROM meta WHERE key = 'staged'").fetchone()
    return Last({path: row.content for path, row in had.items()}, loose, staged[0] if staged else "")


def _store_blob(index: sqlite3.Connection, content: str, kind: str, found: Fields | None) -> None:
    packed = names = summary = None
    if found:
        packed = zlib.compress("\0".join(found[:3]).encode(), 1)
        names, summary = json.dumps(found.names), found.summary
    row = index.execute(
        "INSERT INTO blob(content, kind, fields, names, summary) VALUES(?, ?, ?, ?, ?)",
        (content, kind, packed, names, summary),
    )
    if found:
        asked = [(row.lastrowid, module, spec) for spec in found.imports for module in modules(spec, kind)]
        index.executemany("INSERT OR IGNORE INTO import VALUES(?, ?, ?)", asked)


def _texts(index: sqlite3.Connection, blob: int) -> list[str] | None:
    """The words of a content by field, None for what is no text."""
    packed = index.execute("SELECT fields FROM blob WHERE id = ?", (blob,)).fetchone()[0]
    return None if packed is None else zlib.decompress(packed).decode().split("\0")


def _parse(index: sqlite3.Connection, root: str, tree: Tree, paths: Iterable[str]) -> int:
    """Read and keep the contents that nobody has read yet. Those that git does not have now are asked for next time."""
    wanted: dict[tuple[str, str], str] = {}
    for path in paths:
        wanted.setdefault((tree.files[path], kind_of(path)), path)
    known = {*index.execute("SELECT content, kind FROM blob")} if wanted else set()
    asked = [path for one, path in wanted.items() if one not in known]
    splitter = words.Splitter()
    for path, data in contents(root, tree, asked):
        text = text_of(data) if data is not None else None
        found = None if text is None else fields(path, text, splitter)
        _store_blob(index, tree.files[path], kind_of(path), found)
    return len(asked)


def _remove(index: sqlite3.Connection, file: int) -> None:
    blob, said = index.execute("SELECT blob, words FROM file WHERE id = ?", (file,)).fetchone()
    texts = _texts(index, blob)
    if texts is not None:
        index.execute(
            "INSERT INTO fulltext(fulltext, rowid, path, symbols, comments, body) VALUES('delete', ?, ?, ?, ?, ?)",
            (file, said, *texts),
        )
    index.execute("DELETE FROM file WHERE id = ?", (file,))


def _add(index: sqlite3.Connection, path: str, content: str) -> None:
    blob = index.execute("SELECT id FROM blob WHERE content = ? AND kind = ?", (content, kind_of(path))).fetchone()
    if blob is None:
        return
    texts = _texts(index, blob[0])
    if texts is None:
        return
    said = words.text(path)
    row = index.execute(
        "INSERT INTO file(path, content, blob, words, twin, module) VALUES(?, ?, ?, ?, ?, ?)",
        (key(path), content, blob[0], said, plain(key_of(path)), plain(module_of(path))),
    )
    index.execute(
        "INSERT INTO fulltext(rowid, path, symbols, comments, body) VALUES(?, ?, ?, ?, ?)",
        (row.lastrowid, said, *texts),
    )


def _sync_files(index: sqlite3.Connection, root: str, tree: Tree, had: Mapping[str, Row]) -> tuple[int, int]:
    gone = [row.file for path, row in had.items() if tree.files.get(path) != row.content]
    unfit = {*index.execute("SELECT content, kind FROM blob WHERE fields IS NULL")}
    new = [path for path, content in tree.files.items() if path not in had or had[path].content != content]
    come = [path for path in new if (tree.files[path], kind_of(path)) not in unfit]
    read = _parse(index, root, tree, come)
    for file in gone:
        _remove(index, file)
    for path in come:
        _add(index, path, tree.files[path])
    return len(gone) + len(come), read


def _sync_loose(index: sqlite3.Connection, tree: Tree) -> None:
    index.execute("DELETE FROM loose")
    index.executemany(
        "INSERT INTO loose VALUES(?, ?, ?, ?, ?)", [(key(path), *one) for path, one in tree.loose.items()]
    )


def _tidy(index: sqlite3.Connection) -> None:
    """Forget contents that no file has any more, the oldest first, when there are many."""
    blobs, files = index.execute("SELECT (SELECT count(*) FROM blob), (SELECT count(*) FROM file)").fetchone()
    over = blobs - SPARE * files - 1000
    if over <= 0:
        return
    unused = "SELECT id FROM blob WHERE id NOT IN (SELECT blob FROM file) ORDER BY id LIMIT ?"
    for (blob,) in index.execute(unused, (over,)).fetchall():
        index.execute("DELETE FROM import WHERE blob = ?", (blob,))
        index.execute("DELETE FROM blob WHERE id = ?", (blob,))


def _sync(index: sqlite3.Connection, root: str, tree: Tree, last: Last, had: Mapping[str, Row]) -> Update:
    files, read = _sync_files(index, root, tree, had)
    if tree.loose != last.loose:
        _sync_loose(index, tree)
    facts = {"commit": tree.commit, "staged": tree.staged}
    known = dict(index.execute("SELECT key, value FROM meta"))
    commits = 0 if known.get("commit") == tree.commit else history.update(index, root, tree.commit)
    if facts.items() - known.items():
        index.executemany("INSERT OR REPLACE INTO meta VALUES(?, ?)", [*facts.items()])
    if files:
        _tidy(index)
    return Update(True, files, commits, read)


def _bring(index: sqlite3.Connection, root: str, commit: str) -> State:
    had = rows(index)
    last = _last(index, had)
    tree = at_commit(root, commit, had) if commit else of_folder(root, last)
    index.execute("BEGIN IMMEDIATE")
    try:
        done = _sync(index, root, tree, last, had)
        index.execute("COMMIT")
    except BaseException:
        index.execute("ROLLBACK")
        raise
    return State(index, done, tree, rows(index) if done.files else had)


def _opened(path: str, root: str, commit: str) -> State:
    try:
        index = database.open_index(path)
    except Broken:
        index = database.create(path)
    try:
        return _bring(index, root, commit)
    except sqlite3.OperationalError:
        index.close()
        raise
    except (sqlite3.DatabaseError, zlib.error):  # damaged within
        index.close()
        index = database.create(path)
        return _bring(index, root, commit)
    except BaseException:
        index.close()
        raise


def bring(root: str, folder: str, commit: str, wait_ms: int) -> State | None:
    """As `update`, with what the index stands for then, open for reading just that; None when another one is at it."""
    path = database.place(folder, root)
    with database.writing(path, wait_ms) as ours:
        if not ours:
            return None
        state = _opened(path, root, commit)
        database.freeze(state.opened)
        return state


def update(root: str, folder: str, *, commit: str = "", wait_ms: int = database.WAIT_MS) -> Update:
    """Bring the index of `root` in `folder` to the state of the work tree, or of a commit; make it where there is none.

    Waits at most `wait_ms` for another process that writes it; then nothing is changed and `current` is False.
    GitError when git refuses or takes too long, OSError when the folder cannot be written.
    """
    state = bring(root, folder, commit, wait_ms)
    if state is None:
        return Update(False, 0, 0, 0)
    state.opened.close()
    return state.done
