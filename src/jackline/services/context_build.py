"""Make the context pack of a task by `retrieval`, keep it beside the task, and see what changed since."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from jackline import system
from jackline.places import task_parts
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
from jackline.services.retrieval.pack import Pack
from jackline.services.retrieval.tree import content_id
from jackline.store import tasks
from jackline.store.ids import digest
from jackline.wire import dumps


class Made(NamedTuple):
    """What became of a pack. `lacks`: why it is not enough, a line each; `took`: milliseconds."""

    pack: Pack
    status: str
    lacks: tuple[str, ...]
    took: int


def lacks(root: str, pack: Pack, required: Sequence[str] = (), more: Sequence[str] = ()) -> tuple[str, ...]:
    """Why a pack is not enough: an anchor that is missing, a name that means several files, nothing found.

    `more`: paths that somebody added, which say what a name means.
    """
    found = [f"{one} is required and is not there" for one in required if not system.exists(f"{root}/{one}")]
    for name, paths in pack.ambiguous.items():
        if not set(paths).intersection(more):
            found.append(f"{name} means {len(paths)} files: {', '.join(paths[:4])} · name the path")
    if not pack.items:
        found.append("nothing in the project says anything of the prompt · name a file, or a word that stands in one")
    return tuple(found)


def build(
    where: Where, prompt: str, *, required: Sequence[str] = (), more: Sequence[str] = (), without: Sequence[str] = ()
) -> Made:
    """Make the pack of a prompt. `more` paths come first, those `without` are left out.

    OSError when the index cannot be written; GitError when git refuses.
    """
    begun = time.monotonic()
    system.make_dirs(index_folder(where.store))
    asked = " ".join([*more, prompt])
    with Repository(where.root, index_folder(where.store)) as opened:
        pack = opened.pack(asked)
    left = tuple(item for item in pack.items if item.path not in without)
    pack = pack._replace(items=left, tokens=sum(item.tokens for item in left))
    took = int((time.monotonic() - begun) * 1000)
    system.replace(took_file(where.store, where.root), str(took).encode())
    lack = lacks(where.root, pack, required, more)
    return Made(pack, INSUFFICIENT if lack else SUFFICIENT, lack, took)


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
    known = {"hash": made.pack.hash, "status": made.status, "lacks": list(made.lacks), "prompt": digest(prompt),
             "files": len(made.pack.items), "told": False}  # fmt: skip
    tasks.change(where.store, where.sid, where.work, lambda task: {**task, "context": {**choices(task), **known}})


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
