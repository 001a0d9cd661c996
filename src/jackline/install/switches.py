"""What a person's `enable` wrote into files of configuration: put there, changed again, and taken back to the byte.

The store's book has, by file, the bytes that were there before (`base`) and what was asked for since. Whoever edits
such a file meanwhile keeps what they wrote: what is ours is taken out of their text, and the rest is the new base.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jackline import system
from jackline.install import files, jsontext
from jackline.install.fault import InstallError
from jackline.install.jsontext import Document, Node

BOOK = "switches.json"
FORMAT = 1
WAIT_MS = 5_000

Values = Mapping[str, Any]
"""Objects within objects, as they are to stand in a file."""
Strip = Callable[[bytes, Any, bytes | None], bytes]
"""A file that somebody edited, what we put there, and what was there before: the file without what is ours."""


class File(NamedTuple):
    """A file that we wrote into: in which project ("" for a person's own), the bytes before (None: there was none), a
    digest of what we left, the folders made for it, what was asked for, and what that put there.
    """

    root: str
    base: bytes | None
    digest: str
    folders: tuple[str, ...] = ()
    asked: Mapping[str, Any] = {}
    put: Any = None


# --- the book ------------------------------------------------------------------------------------------------------


def _read(one: Mapping[str, Any]) -> File:
    base = None if one["base"] is None else base64.b64decode(one["base"])
    return File(one["root"], base, one["digest"], tuple(one["folders"]), one["asked"], one["put"])


def load(store: Path) -> dict[str, File]:
    """Every file by its path. InstallError when the book cannot be read: without it nothing can be given back."""
    path = store / BOOK
    try:
        raw: Any = json.loads(system.read(str(path)))
        if raw["v"] > FORMAT:
            raise InstallError(str(path), "written by a newer Jackline", "update this Jackline")
        return {name: _read(one) for name, one in raw["files"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InstallError(
            str(path),
            "cannot be read",
            f"move it away; then `enable` begins anew from the files as they are: mv {path} /tmp",
        ) from None


def _row(one: File) -> dict[str, Any]:
    base = None if one.base is None else base64.b64encode(one.base).decode()
    return {**one._asdict(), "base": base}


def save(store: Path, book: Mapping[str, File]) -> None:
    path = store / BOOK
    if not book:
        system.unlink(str(path))
        return
    rows = {name: _row(book[name]) for name in sorted(book)}
    system.make_dirs(str(store))
    system.replace(str(path), json.dumps({"v": FORMAT, "files": rows}, indent=1).encode() + b"\n")


@contextmanager
def writing(store: Path) -> Iterator[dict[str, File]]:
    """The book under its lock; what stands in it at the end is kept, also when something went wrong on the way."""
    system.make_dirs(str(store))
    place = str(store / "switches.lock")
    held = system.lock(place, WAIT_MS)
    if held < 0:
        raise InstallError(place, "another process writes it", "wait, then run again")
    try:
        book = load(store)
        try:
            yield book
        finally:
            save(store, book)
    finally:
        system.close(held)


# --- members of a JSON object ----------------------------------------------------------------------------------------


def _at(document: Document, path: tuple[str, ...]) -> Node:
    node = document.root
    for key in path:
        node = node.get(key) if node is not None else None
    if node is None or node.kind != "object":
        where = ".".join(path) or "the file"
        raise InstallError(document.where, f"{where}: expected an object", "mend the file (it was left as it is)")
    return node


def _merged(document: Document, path: tuple[str, ...], values: Values) -> Document:
    for key, value in values.items():
        node = _at(document, path)
        below = node.get(key)
        if below is None:
            document = jsontext.apply(document, jsontext.append(document, node, key, value))[0]
        elif isinstance(value, Mapping) and below.kind == "object":
            document = _merged(document, (*path, key), value)
        elif below.value() != value:
            document = jsontext.apply(document, jsontext.replace(document, below, value))[0]
    return document


def _empty(where: str) -> Document:
    return jsontext.parse('{\n  "version": 1\n}\n', where)


def merge(data: bytes | None, values: Values, where: str) -> bytes:
    """The file with these members; every other byte stays. A file that is not there is begun."""
    document = jsontext.decode(data or b"", where)
    if document.root is None:
        document = _empty(where)
    return jsontext.encode(_merged(document, (), values))


def _without(document: Document, path: tuple[str, ...], values: Values, old: Values) -> Document:
    """`old`: what stood there before; what it has comes back."""
    for key, value in values.items():
        node = _at(document, path)
        below = node.get(key)
        if below is None:
            continue
        was = old.get(key)
        if isinstance(value, Mapping) and below.kind == "object":
            document = _without(document, (*path, key), value, was if isinstance(was, Mapping) else {})
            if key not in old and not _at(document, (*path, key)).members:
                document = _taken(document, path, key)
        elif below.value() == value:
            if key in old:
                document = jsontext.apply(document, jsontext.replace(document, below, was))[0]
            else:
                document = _taken(document, path, key)
    return document


def _taken(document: Document, path: tuple[str, ...], key: str) -> Document:
    node = _at(document, path)
    at = max(at for at, member in enumerate(node.members) if member.key == key)
    return jsontext.apply(document, jsontext.remove(document, node, at))[0]


def strip(data: bytes, values: Values, base: bytes | None, where: str = "") -> bytes:
    """The file without those of these members that still are as we wrote them; what `base` had there comes back."""
    document = jsontext.decode(data, where)
    if document.root is None or document.root.kind != "object":
        return data
    before = jsontext.decode(base or b"", where).root
    old = before.value() if before is not None and before.kind == "object" else {}
    return jsontext.encode(_without(document, (), values, old))


# --- files ---------------------------------------------------------------------------------------------------------


def plain(path: Path, root: str) -> Path:
    """The path, when no link stands on the way to it from the project (or, of a person's own, at its end)."""
    real = Path(os.path.realpath(path))
    if (real != Path(os.path.realpath(root)) / path.relative_to(root)) if root else path.is_symlink():
        raise InstallError(str(path), "is reached through a link", "put a file there, in a folder of its own project")
    return path


def base_of(known: File | None, now: bytes | None, strip: Strip) -> bytes | None:
    """What a file holds beside what is ours."""
    if known is None or now is None:
        return now
    return known.base if files.digest(now) == known.digest else strip(now, known.put, known.base)


def put(store: Path, book: dict[str, File], path: Path, new: File, data: bytes | None, mode: int) -> bool:
    """Write a file, or take away one that we made; whether it is another now. The book knows of it before it is done,
    and no more once nothing is asked for.
    """
    now, name = files.read(path), str(path)
    if new.asked or data != now:
        book[name] = new
        save(store, book)
    if data is None and now is not None:
        files.delete(path, [Path(one) for one in new.folders])
    elif data is not None and data != now:
        made = files.make_folders(path.parent)
        files.write(path, data, mode)
        book[name] = new._replace(folders=new.folders or tuple(map(str, made)))
    if not new.asked:
        book.pop(name, None)
    return data != now
