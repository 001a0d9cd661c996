"""What agents wish to be let into: requests to widen a scope, kept in the store until a person decides.

One file each, so that nobody has to wait for anybody: `<store>/intents/asked~<slot>/<id>`.
"""

from __future__ import annotations

from jackline import system
from jackline.intents import FOLDER
from jackline.jsonio import dumps, loads
from jackline.store.ids import digest, slot
from jackline.store.secrets import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

MOST = 100
"""Open requests of one project; further ones are not kept."""
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")


class Wish(NamedTuple):
    """A request: globs for an intent, why, from which session, when (milliseconds since 1970)."""

    intent: str
    globs: tuple[str, ...]
    reason: str = ""
    session: str = ""
    since: int = 0
    id: str = ""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def widening(intent: str, globs: Sequence[str]) -> str:
    """The command by which a person lets globs in, fit for a shell: its words come from files and from agents."""
    name = intent if intent and intent[0] != "-" and PLAIN.issuperset(intent) else _quoted(intent)
    return " ".join(["jackline intents expand", name, *map(_quoted, globs)])


def _folder(store: str, root: str) -> str:
    return f"{store}/{FOLDER}/asked~{slot(root)}"


def wish(store: str, root: str, said: Wish) -> str:
    """Keep a request; the same one is kept once. Its id, "" when there are too many."""
    folder = _folder(store, root)
    name = digest(f"{said.intent} {said.session} {' '.join(said.globs)}", 4)
    if len(system.names(folder)) >= MOST:
        return ""
    system.make_dirs(folder)
    told = {**said._asdict(), "id": name, "reason": mask(said.reason[:400])}
    system.claim(f"{folder}/{name}", dumps(told).encode("ascii") + b"\n")
    return name


def wishes(store: str, root: str) -> list[Wish]:
    """Every open request of a project, oldest first."""
    folder = _folder(store, root)
    found = []
    for name in system.names(folder):
        try:
            told = loads(system.read(f"{folder}/{name}", limit=1 << 16).decode())
            made = Wish(
                str(told["intent"]),
                tuple([str(one) for one in told["globs"]]),
                str(told["reason"]),
                str(told["session"]),
                int(told["since"]),
                name,
            )
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
        found.append(made)
    return sorted(found, key=lambda one: (one.since, one.id))


def settle(store: str, root: str, intent: str, globs: tuple[str, ...] = ()) -> None:
    """A person decided: requests for these globs (of all, when none are named) are done with."""
    for one in wishes(store, root):
        if one.intent == intent and (not globs or set(one.globs) <= set(globs)):
            system.unlink(f"{_folder(store, root)}/{one.id}")
