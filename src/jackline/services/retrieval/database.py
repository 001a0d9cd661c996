"""The index's file: SQLite with full-text search, one for a folder, readable by its owner only.

One process writes at a time, readers go on meanwhile. A file that is broken, or of another version, is made anew: all
in it can be read again from the repository.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from jackline import system

VERSION = "2"
WAIT_MS = 20_000
"""How long a writer waits for another one."""
PAUSE_S = 0.005
BUSY_S = 2.0
"""How long a reader waits for a writer, at most."""

SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE blob(
  id INTEGER PRIMARY KEY, content TEXT NOT NULL, kind TEXT NOT NULL, fields BLOB, names TEXT, summary TEXT,
  UNIQUE(content, kind));
CREATE TABLE file(
  id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, content TEXT NOT NULL, blob INTEGER, words TEXT, twin TEXT,
  module TEXT);
CREATE INDEX file_twin ON file(twin);
CREATE INDEX file_module ON file(module);
CREATE INDEX file_blob ON file(blob);
CREATE TABLE import(
  blob INTEGER NOT NULL, module TEXT NOT NULL, spec TEXT NOT NULL, PRIMARY KEY(module, blob, spec)) WITHOUT ROWID;
CREATE INDEX import_blob ON import(blob);
CREATE TABLE loose(
  path BLOB PRIMARY KEY, size INTEGER, changed_ns INTEGER, node INTEGER, content TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE past(
  id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, time INTEGER NOT NULL, words TEXT NOT NULL, files BLOB NOT NULL);
CREATE TABLE rename(old BLOB NOT NULL, time INTEGER NOT NULL, hash TEXT NOT NULL, new BLOB NOT NULL,
  PRIMARY KEY(old, time, hash, new)) WITHOUT ROWID;
CREATE INDEX rename_hash ON rename(hash);
CREATE VIRTUAL TABLE fulltext USING fts5(path, symbols, comments, body, content='', tokenize='ascii');
CREATE VIRTUAL TABLE message USING fts5(words, content='', tokenize='ascii');
"""


class Row(NamedTuple):
    """A file's row, its content's id, and that one's row."""

    file: int
    content: str
    blob: int


class Broken(Exception):
    """The file is no index of this version."""


def place(folder: str, root: str) -> str:
    """Where the index of a folder lies: in `folder`, by the real path of `root`."""
    real = os.path.realpath(root).encode("utf-8", "surrogateescape")
    return os.path.join(folder, f"{hashlib.blake2b(real, digest_size=8).hexdigest()}.db")


def _connect(path: str) -> sqlite3.Connection:
    made = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    made.execute("PRAGMA journal_mode=WAL")
    made.execute("PRAGMA synchronous=NORMAL")
    made.execute("PRAGMA cache_size=-65536")
    made.execute("PRAGMA temp_store=MEMORY")
    return made


def _check(found: sqlite3.Connection) -> None:
    row = found.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    if row != (VERSION,):
        raise Broken("another version")


def open_index(path: str) -> sqlite3.Connection:
    """A connection to an index that is there. Broken when it is absent, damaged or of another version."""
    if not os.path.isfile(path):
        raise Broken("absent")
    found = None
    try:
        found = _connect(path)
        _check(found)
    except (sqlite3.DatabaseError, Broken) as fault:
        if found:
            found.close()
        if isinstance(fault, sqlite3.OperationalError) and "locked" in str(fault):
            raise
        raise Broken(str(fault)) from None
    return found


def remove(path: str) -> None:
    """Take an index away; whoever has it open goes on with what it was."""
    for ending in ("-wal", "-shm", ""):
        system.unlink(path + ending)


def create(path: str) -> sqlite3.Connection:
    """A new, empty index in the place of whatever lies there. The caller holds the lock."""
    remove(path)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    made = _connect(path)
    made.execute("BEGIN IMMEDIATE")
    for statement in SCHEMA.split(";"):
        if statement.strip():
            made.execute(statement)
    made.execute("INSERT INTO meta VALUES('version', ?)", (VERSION,))
    made.execute("COMMIT")
    return made


def _taken(fd: int, wait_ms: int) -> bool:
    """Lock an open file, or wait for it. The lock is the opening's: two threads of one process exclude each other."""
    until = time.monotonic() + wait_ms / 1000
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            if time.monotonic() >= until:
                return False
            time.sleep(PAUSE_S)


@contextmanager
def writing(path: str, wait_ms: int = WAIT_MS) -> Iterator[bool]:
    """Hold the right to write an index; False when somebody else kept it for longer than `wait_ms`."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    fd = os.open(path.removesuffix(".db") + ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield _taken(fd, wait_ms)
    finally:
        os.close(fd)


def key(path: str) -> bytes:
    """A path as it stands in a table: names need not be text."""
    return path.encode("utf-8", "surrogateescape")


def rows(index: sqlite3.Connection) -> dict[str, Row]:
    """The files that an index has, by path."""
    return {name(row[0]): Row(*row[1:]) for row in index.execute("SELECT path, id, content, blob FROM file")}


def freeze(index: sqlite3.Connection) -> None:
    """From here on a connection reads one state, whatever others write."""
    index.execute("BEGIN")
    index.execute("SELECT count(*) FROM meta").fetchone()


def plain(text: str) -> str:
    """A text as a table takes it: half letters become question marks."""
    return text.encode("utf-8", "replace").decode()


def name(stored: bytes) -> str:
    """A path of a table."""
    return stored.decode("utf-8", "surrogateescape")
