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
from jackline.services.retrieval.database import Broken, key, name, plain
from jackline.services.retrieval.fields import Fields, fields, kind_of
from jackline.services.retrieval.imports import module_of, modules
from jackline.services.retrieval.pairs import key_of
from jackline.services.retrieval.tree import Stamp, Tree, at_commit, contents, of_folder

SPARE = 4
"""Contents that are kept though no file has them now: so many times as there are files, and a thousand."""


class Update(NamedTuple):
    """What an update came to: files and commits whose rows changed, contents that were read."""

    current: bool
    """False when another process is at it, and the index is what it was."""
    files: int
    commits: int
    read: int


def _stamps(index: sqlite3.Connection) -> dict[str, Stamp]:
    rows = index.execute("SELECT path, size, changed_ns, node, content FROM loose")
    return {name(row[0]): Stamp(*row[1:]) for row in rows}


def _store_blob(index: sqlite3.Connection, content: str, kind: str, path: str, found: Fields | None) -> int:
    packed = names = summary = imports = None
    if found:
        packed = zlib.compress("\0".join(found[:3]).encode(), 1)
        names, summary, imports = json.dumps(found.names), found.summary, json.dumps(found.imports)
    row = index.execute(
        "INSERT INTO blob(content, kind, fields, names, summary, imports) VALUES(?, ?, ?, ?, ?, ?)",
        (content, kind, packed, names, summary, imports),
    )
    assert row.lastrowid is not None
    if found:
        asked = {one for spec in found.imports for one in modules(spec, path)}
        index.executemany("INSERT INTO import VALUES(?, ?)", [(row.lastrowid, one) for one in sorted(asked)])
    return row.lastrowid


def _texts(index: sqlite3.Connection, blob: int) -> list[str] | None:
    """The words of a content by field, None for what is no text."""
    packed = index.execute("SELECT fields FROM blob WHERE id = ?", (blob,)).fetchone()[0]
    return None if packed is None else zlib.decompress(packed).decode().split("\0")


def _parse(index: sqlite3.Connection, root: str, tree: Tree, paths: Iterable[str]) -> int:
    """Read and keep the contents that nobody has read yet."""
    known = {(row[0], row[1]) for row in index.execute("SELECT content, kind FROM blob")}
    wanted: dict[tuple[str, str], str] = {}
    for path in paths:
        wanted.setdefault((tree.files[path], kind_of(path)), path)
    asked = [path for one, path in wanted.items() if one not in known]
    splitter = words.Splitter()
    missing = set(asked)
    for path, data in contents(root, tree, asked):
        text = text_of(data)
        found = None if text is None else fields(path, text, splitter)
        _store_blob(index, tree.files[path], kind_of(path), path, found)
        missing.discard(path)
    for path in sorted(missing):  # too large, or gone meanwhile
        if path not in tree.loose:
            _store_blob(index, tree.files[path], kind_of(path), path, None)
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


def _rows(index: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """The files that the index has: path → row, content."""
    return {name(path): (file, content) for file, path, content in index.execute("SELECT id, path, content FROM file")}


def _sync_files(
    index: sqlite3.Connection, root: str, tree: Tree, had: Mapping[str, tuple[int, str]]
) -> tuple[int, int]:
    gone = [file for path, (file, content) in had.items() if tree.files.get(path) != content]
    unfit = {*index.execute("SELECT content, kind FROM blob WHERE fields IS NULL")}
    come = [
        path
        for path, content in tree.files.items()
        if had.get(path, (0, ""))[1] != content and (content, kind_of(path)) not in unfit
    ]
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


def _bring(index: sqlite3.Connection, root: str, commit: str) -> tuple[Update, Tree]:
    had = _rows(index)
    tree = at_commit(root, commit, had) if commit else of_folder(root, _stamps(index), had)
    index.execute("BEGIN IMMEDIATE")
    try:
        files, read = _sync_files(index, root, tree, had)
        _sync_loose(index, tree)
        last = index.execute("SELECT value FROM meta WHERE key = 'commit'").fetchone()
        commits = 0 if last == (tree.commit,) else history.update(index, root, tree.commit)
        index.execute("INSERT OR REPLACE INTO meta VALUES('commit', ?)", (tree.commit,))
        if files:
            _tidy(index)
        index.execute("COMMIT")
    except BaseException:
        index.execute("ROLLBACK")
        raise
    return Update(True, files, commits, read), tree


def bring(root: str, folder: str, commit: str, wait_ms: int) -> tuple[Update, Tree | None]:
    """As `update`, with the files that the index stands for now; None when it was not brought there."""
    path = database.place(folder, root)
    with database.writing(path, wait_ms) as ours:
        if not ours:
            return Update(False, 0, 0, 0), None
        try:
            index = database.open_index(path)
        except Broken:
            index = database.create(path)
        try:
            return _bring(index, root, commit)
        except sqlite3.DatabaseError as fault:
            if isinstance(fault, sqlite3.OperationalError):
                raise
        finally:
            index.close()
        index = database.create(path)  # damaged within
        try:
            return _bring(index, root, commit)
        finally:
            index.close()


def update(root: str, folder: str, *, commit: str = "", wait_ms: int = database.WAIT_MS) -> Update:
    """Bring the index of `root` in `folder` to the state of the work tree, or of a commit; make it where there is none.

    Waits at most `wait_ms` for another process that writes it; then nothing is changed and `current` is False.
    GitError when git refuses or takes too long, OSError when the folder cannot be written.
    """
    return bring(root, folder, commit, wait_ms)[0]
