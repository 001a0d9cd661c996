"""Make the context pack of a task by `retrieval`, keep it beside the task, and see what changed since."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Sequence
from typing import NamedTuple

from jackline import system
from jackline.jsonio import dumps
from jackline.services.context_pack import (
    FILE,
    FOLDER,
    HASH,
    INSUFFICIENT,
    LACK,
    SUFFICIENT,
    Where,
    choices,
    document,
    index_folder,
    took_file,
)
from jackline.services.retrieval import Repository
from jackline.services.retrieval.database import Broken
from jackline.services.retrieval.pack import Pack
from jackline.services.retrieval.tree import content_id
from jackline.session_paths import task_parts
from jackline.store import tasks
from jackline.store.ids import digest
from jackline.store.secrets import mask
from jackline.unicode_escape import escape_line

ATTACHED = "artifacts/attachments"
"""Where the task's attachments lie."""
LONGEST = 300
"""Characters of a reason why there is no pack."""
TEXTS, TEXT = 8, 16_000
"""How many texts that a person attached say what the prompt is about, and how many bytes of each."""


MAKE = "make it, or take it out of `require` of context-pack"


class Made(NamedTuple):
    """What became of a pack. `lacks`: why it is not enough, a line each; `notes`: what else is to be told, a line each;
    `took`: milliseconds.
    """

    pack: Pack
    status: str
    lacks: tuple[str, ...]
    took: int
    notes: tuple[str, ...] = ()


def attached(where: Where) -> str:
    """The beginnings of the texts that a person handed over for this task, in the order of their digests."""
    try:
        at = system.descend(where.folder, task_parts(where.work, *ATTACHED.split("/")))
    except OSError:
        return ""
    try:
        texts = [_beginning(at, name) for name in sorted(system.names(at)) if name.endswith(".txt")]
    finally:
        system.close(at)
    return "\n".join([one for one in texts if one][:TEXTS])


def _beginning(at: int, name: str) -> str:
    try:
        return system.read(name, at=at, limit=1 << 24, follow=False)[:TEXT].decode("utf-8", "ignore")
    except (OSError, ValueError):  # a link, or larger than what is taken in
        return ""


def is_there(root: str, path: str) -> bool:
    """Whether a file or folder lies below the root, led to by no link."""
    plain = os.path.join(os.path.realpath(root), os.path.normpath(path))
    return path[:1] != "/" and plain == os.path.realpath(plain) and os.path.exists(plain)


def _notes(root: str, pack: Pack, first: Sequence[str]) -> tuple[str, ...]:
    """What is worth a word and no reason to wait: named files that are not there, wanted ones that no pack can hold."""
    held = {item.path for item in pack.items}
    found = [f"{one} is named and not there yet" for one in pack.absent]
    for one in first:
        if is_there(root, one) and not any(path == one or path.startswith(f"{one}/") for path in held):
            found.append(f"{one} cannot be shown: ignored by git, no text, too large, or a credential")
    return tuple(found)


def lacks(
    root: str, pack: Pack, required: Sequence[str] = (), more: Sequence[str] = (), *, empty: bool = False
) -> tuple[str, ...]:
    """Why a pack is not enough: an anchor that is missing, a name that means several files, nothing found.

    `more`: paths that somebody added, which say what a name means. `empty`: there is nothing yet that could be found;
    so it is where the prompt names the file that is to be made.
    """
    found = [f"{one} is required and is not there · {MAKE}" for one in required if not is_there(root, one)]
    for name, paths in pack.ambiguous.items():
        if not set(paths).intersection(more):
            found.append(f"{name} means {len(paths)} files: {', '.join(paths[:4])} · name the path")
    if not (pack.items or pack.absent or empty):
        found.append("nothing in the project says anything of the prompt · name a file, or a word that stands in one")
    return tuple(found)


def build(
    where: Where, prompt: str, *, required: Sequence[str] = (), more: Sequence[str] = (), without: Sequence[str] = ()
) -> Made:
    """Make the pack of a prompt. `more` and `required` paths come first, those `without` are left out.

    OSError when the index cannot be written, or another process is making it all the while; GitError when git refuses.
    """
    begun = time.monotonic()
    system.make_dirs(index_folder(where.store))
    first = [*more, *[one for one in required if one not in without]]
    place = index_folder(where.store)
    try:
        with Repository(where.root, place) as opened:
            pack = opened.pack(prompt, first=first, without=frozenset(without), beside=attached(where))
            empty = not opened.reader.files
    except Broken:
        raise OSError(errno.EAGAIN, "another process makes the index of this repository; try again", place) from None
    except sqlite3.OperationalError as fault:  # most often a full disk
        raise OSError(errno.ENOSPC, f"the index of this repository: {fault}", place) from None
    took = int((time.monotonic() - begun) * 1000)
    system.replace(took_file(where.store, where.root), str(took).encode())
    lack = lacks(where.root, pack, required, first, empty=empty)
    return Made(pack, INSUFFICIENT if lack else SUFFICIENT, lack, took, _notes(where.root, pack, first))


def keep(where: Where, prompt: str, made: Made) -> None:
    """Write a pack beside its task, and which one it is into the store."""
    at = system.descend(where.folder, task_parts(where.work, FOLDER), create=True)
    try:
        system.replace(FILE, made.pack.canonical(), at=at)
        system.replace(HASH, made.pack.hash.encode() + b"\n", at=at)
        if made.lacks:
            system.replace(LACK, dumps({"lacks": list(made.lacks)}).encode("ascii") + b"\n", at=at)
        else:
            system.unlink(LACK, at=at)
    finally:
        system.close(at)
    known = {"hash": made.pack.hash, "status": made.status, "lacks": list(made.lacks), "notes": list(made.notes),
             "prompt": digest(prompt), "files": len(made.pack.items)}  # fmt: skip
    tasks.change(where.store, where.sid, where.work, lambda task: {**task, "context": {**choices(task), **known}})


def fail(where: Where, why: str) -> None:
    """Note that no pack of a task could be made: it is not tried again with each call. OSError as for `keep`."""
    first = escape_line(mask(why.strip().partition("\n")[0]))[:LONGEST]
    lack = f"no pack could be made: {first} · try it by hand: jackline pack make"
    known = {"hash": digest(lack), "status": INSUFFICIENT, "lacks": [lack], "notes": [], "files": 0}
    tasks.change(where.store, where.sid, where.work, lambda task: {**task, "context": {**choices(task), **known}})


def begun(where: Where) -> int:
    """Note that a pack is begun; how often none came of it before. OSError when the store cannot be written."""
    before = 0

    def count(task: tasks.Task) -> tasks.Task:
        nonlocal before
        known = task.get("context") or {}
        before = int(known.get("begun") or 0)
        return {**task, "context": {**known, "begun": before + 1}}

    tasks.change(where.store, where.sid, where.work, count)
    return before


def stale(where: Where) -> list[str]:
    """Files of the task's pack whose content is another by now, or gone."""
    now = {}
    items = document(where).get("items", ())
    for item in items:
        try:
            data = system.read(f"{where.root}/{item['path']}", limit=1 << 24, follow=False)
        except OSError:
            continue
        now[item["path"]] = content_id(data, item["content"])
    return [item["path"] for item in items if now.get(item["path"]) != item["content"]]
