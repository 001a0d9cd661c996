"""The context pack of a task: where it lies, which one the task stands on, and how it is told in a few lines.

`context_build` makes it.

What is made lies in the task's folder (`pack/contextPack.json`, `pack/hash`, or `pack/insufficiency.json`); which pack
the task stands on is the store's to know.
"""

from __future__ import annotations

from jackline import system
from jackline.places import task_place
from jackline.store import tasks
from jackline.store.ids import slot
from jackline.wire import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

FOLDER = "pack"
FILE, HASH, LACK = "contextPack.json", "hash", "insufficiency.json"
SUFFICIENT, INSUFFICIENT = "SUFFICIENT", "INSUFFICIENT"
WARM_MS = 400
"""A pack that took less than this the last time is made while the prompt waits."""
LINE = 110
"""Characters of one line that is told."""


class Where(NamedTuple):
    """The task: the store, the project's root, the session and its folder, the unit of work."""

    store: str
    root: str
    sid: str
    work: str
    folder: str


def index_folder(store: str) -> str:
    """Where the indexes of all repositories lie, in the person's own store."""
    return f"{store}/retrieval"


def took_file(store: str, root: str) -> str:
    """Where it stands how long the last pack of a project took, in milliseconds."""
    return f"{index_folder(store)}/{slot(root)}.took"


def is_warm(store: str, root: str) -> bool:
    """Whether the last pack of this project was made so fast that the next may be waited for."""
    try:
        took = int(system.read(took_file(store, root), limit=32))
    except (OSError, ValueError):
        return False
    return took <= WARM_MS


def choices(task: tasks.Task) -> dict[str, Any]:
    """What a person or an agent added to a task's pack, and took out."""
    known = task.get("context") or {}
    return {key: known[key] for key in ("more", "without") if isinstance(known.get(key), list)}


def known(where: Where) -> dict[str, Any]:
    """What the store knows of the task's pack; empty before there is one."""
    found = tasks.head(where.store, where.sid, where.work).get("context")
    return found if isinstance(found, dict) else {}


def document(where: Where) -> dict[str, Any]:
    """The pack as it lies beside its task, where it is the one that the store knows; empty otherwise."""
    path = task_place(where.folder, where.work, FOLDER, FILE)
    try:
        data = system.read(path, limit=1 << 22, follow=False)
        found = loads(data.decode())
    except (OSError, ValueError, RecursionError):
        return {}
    import hashlib

    same = hashlib.blake2b(data, digest_size=16).hexdigest() == known(where).get("hash")
    return found if same and isinstance(found, dict) else {}


def why(item: dict[str, Any]) -> str:
    """Why a file is in a pack, in a few words: the rules that found it, best first."""
    told = [one for one in item.get("why", ()) if isinstance(one, dict)]
    return ", ".join(f"{one['rule']} {one['detail']}".strip() for one in sorted(told, key=lambda one: one["rank"])[:2])


def told(found: dict[str, Any], most: int) -> str:
    """A pack for a model: names and reasons, a line each, within so many tokens (four bytes each)."""
    from jackline.store.secrets import mask

    lines = ["files that belong to this prompt, best first; `jackline pack show PATH` has what they say:"]
    room = most * 4 - len(lines[0])
    for item in found.get("items", ()):
        line = mask(f"{item['path']} · {why(item)}")[:LINE]
        room -= len(line.encode()) + 1
        if room < 0:
            break
        lines.append(line)
    return "\n".join(lines)
