"""Scopes as they were when first selected: what the file says later may narrow them; to widen them is a person's word.

`<store>/intents/known~<slot>` holds, by intent, the scope that a selection by an agent may bring into force.
"""

from __future__ import annotations

from jackline import system
from jackline.intents import FOLDER
from jackline.store.ids import slot
from jackline.wire import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Scopes = dict[str, tuple[str, ...]]

WAIT_MS = 2000


def _path(store: str, root: str) -> str:
    return f"{store}/{FOLDER}/known~{slot(root)}"


def known(store: str, root: str) -> Scopes:
    try:
        told = loads(system.read(_path(store, root), limit=1 << 24).decode())
    except (OSError, ValueError, RecursionError):
        return {}
    if type(told) is not dict:
        return {}
    return {name: tuple(globs) for name, globs in told.items() if type(globs) is list}


def learn(store: str, root: str, scopes: Mapping[str, tuple[str, ...]]) -> None:
    """These scopes are in force from now on."""
    path = _path(store, root)
    system.make_dirs(path.rpartition("/")[0])
    held = system.lock(path + ".lock", WAIT_MS)
    if held < 0:
        raise OSError(11, "another process holds the lock", path)
    try:
        system.replace(path, dumps({**known(store, root), **scopes}).encode("ascii") + b"\n")
    finally:
        system.close(held)


def in_force(store: str, root: str, name: str, now: tuple[str, ...]) -> tuple[str, ...]:
    """The scope that an agent's selection brings: the one first selected; the file's own when there was none."""
    return known(store, root).get(name, now)
