"""Scopes as they were when first selected: what the file says later may narrow them; to widen them is a person's word.

`<store>/intents/known~<slot>` holds, by intent, the scope that a selection by an agent may bring into force.
"""

from __future__ import annotations

from jackline import system
from jackline.intents import FOLDER
from jackline.jsonio import dumps, loads
from jackline.store.ids import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Scopes = dict[str, tuple[str, ...]]

WAIT_MS = 2000


def _path(store: str, root: str) -> str:
    return f"{store}/{FOLDER}/known~{slot(root)}"


def _recorded(store: str, root: str) -> Scopes:
    """The same from the records of who selected and widened what."""
    from jackline.store import authority

    found: Scopes = {}
    for one in authority.read(store, "INTENT_SELECT", "INTENT_EXPAND"):
        kind, data = one.get("kind"), one.get("data")
        if kind not in ("INTENT_SELECT", "INTENT_EXPAND") or type(data) is not dict or data.get("root") != root:
            continue
        intent = str(data.get("intent"))
        if kind == "INTENT_SELECT":
            found[intent] = tuple(data.get("scope") or ())
        elif not data.get("session"):  # for whoever works for it
            found[intent] = tuple(dict.fromkeys((*found.get(intent, ()), *(data.get("globs") or ()))))
    return found


def known(store: str, root: str) -> Scopes:
    """Scopes by intent. A file that can no longer be read is no licence: the records tell what stood there."""
    told: object = None
    try:
        told = loads(system.read(_path(store, root), limit=1 << 24).decode())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        pass
    if type(told) is not dict:
        return _recorded(store, root)
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
