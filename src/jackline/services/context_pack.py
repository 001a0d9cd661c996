"""The context pack of a task: where it lies, which one the task stands on, and how it is told in a few lines.

`context_build` makes it.

What is made lies in the task's folder (`pack/contextPack.json`, `pack/hash`, or `pack/insufficiency.json`); which pack
the task stands on is the store's to know.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import loads
from jackline.session_paths import task_parts, task_place
from jackline.store import tasks
from jackline.store.ids import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

FOLDER = "pack"
FILE, HASH, LACK = "contextPack.json", "hash", "insufficiency.json"
TOLD = "told.json"
"""The pack as the agent was told of it last."""
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


def required(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The files that every pack of a project needs, as the knobs of the feature say."""
    return tuple([str(one) for one in config.get("require") or ()])


def is_warm(store: str, root: str) -> bool:
    """Whether the last pack of this project was made so fast that the next may be waited for."""
    try:
        took = int(system.read(took_file(store, root), limit=32))
    except (OSError, ValueError):
        return False
    return took <= WARM_MS


def choices(task: tasks.Task) -> dict[str, Any]:
    """What a person or an agent added to a task's pack and took out, and the words that they made it for."""
    known = task.get("context") or {}
    kinds = {"more": list, "without": list, "words": str}
    return {key: known[key] for key, kind in kinds.items() if isinstance(known.get(key), kind)}


def known(where: Where) -> dict[str, Any]:
    """What the store knows of the task's pack; empty before there is one."""
    found = tasks.head(where.store, where.sid, where.work).get("context")
    return found if isinstance(found, dict) else {}


def _read(where: Where, name: str, mark: str) -> tuple[bytes, dict[str, Any]]:
    """A pack beside its task, its bytes and what they say, where its hash is `mark`; empty otherwise."""
    import hashlib

    path = task_place(where.folder, where.work, FOLDER, name)
    try:
        data = system.read(path, limit=1 << 22, follow=False)
        found = loads(data.decode())
    except (OSError, ValueError, RecursionError):
        return b"", {}
    same = hashlib.blake2b(data, digest_size=16).hexdigest() == mark
    return (data, found) if same and isinstance(found, dict) else (b"", {})


def document(where: Where) -> dict[str, Any]:
    """The pack as it lies beside its task, where it is the one that the store knows; empty otherwise."""
    return _read(where, FILE, str(known(where).get("hash")))[1]


def told_before(where: Where, mark: str) -> dict[str, Any]:
    """The pack that the agent was told of last, where its hash is `mark`; empty otherwise."""
    return _read(where, TOLD, mark)[1] if mark else {}


def keep_told(where: Where) -> None:
    """Keep the present pack as the one that the agent was told of; where that cannot be, the next is told whole."""
    data, _ = _read(where, FILE, str(known(where).get("hash")))
    try:
        at = system.descend(where.folder, task_parts(where.work, FOLDER), create=True)
    except OSError:
        return
    try:
        system.replace(TOLD, data, at=at)
    except OSError:
        pass
    finally:
        system.close(at)


class Difference(NamedTuple):
    """Items of a pack that another one has not, or has with another content, and paths that only the other one has."""

    new: tuple[dict[str, Any], ...]
    gone: tuple[str, ...]


def difference(before: dict[str, Any], now: dict[str, Any]) -> Difference:
    """What of a pack is another since the one before it."""
    had = {item["path"]: item["content"] for item in before.get("items", ())}
    items = now.get("items", ())
    paths = {item["path"] for item in items}
    new = tuple([item for item in items if had.get(item["path"]) != item["content"]])
    return Difference(new, tuple([path for path in had if path not in paths]))


def why(item: dict[str, Any]) -> str:
    """Why a file is in a pack, in a few words: the rules that found it, best first."""
    told = [one for one in item.get("why", ()) if isinstance(one, dict)]
    return ", ".join(f"{one['rule']} {one['detail']}".strip() for one in sorted(told, key=lambda one: one["rank"])[:2])


HEAD = "files that belong to this prompt, best first; `jackline pack show PATH` has what they say:"
NEWS = "the context pack changed; `jackline pack show PATH` has what they say:"


def _within(lines: list[str], most: int) -> str:
    """The first of some lines that fit into so many tokens, one at least; secrets masked."""
    from jackline.store.secrets import mask
    from jackline.unicode_escape import escape_line

    made = lines[:1]
    room = most * 4 - len(lines[0].encode())
    for one in lines[1:]:
        line = escape_line(mask(one))[:LINE]
        room -= len(line.encode("utf-8", "replace")) + 1
        if room < 0:
            break
        made.append(line)
    return "\n".join(made)


def told(found: dict[str, Any], most: int, notes: Sequence[str] = (), before: dict[str, Any] | None = None) -> str:
    """A pack for a model: names and reasons, a line each, within so many tokens (four bytes each).

    `before`: the one that it was told of, so that only what is another now is said; "" where nothing is.
    """
    if not before:
        return _within([HEAD, *notes, *[f"{item['path']} · {why(item)}" for item in found.get("items", ())]], most)
    new, gone = difference(before, found)
    lines = [*notes, *[f"+ {item['path']} · {why(item)}" for item in new], *[f"- {path}" for path in gone]]
    return _within([NEWS, *lines], most) if lines else ""
