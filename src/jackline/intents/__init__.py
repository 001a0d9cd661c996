"""Intents: what a session works for, and the paths that belong to it (the engine, scope enforcement).

Here is what the store knows of a session: its active intent, one small file `<store>/intents/<sid>`. What projects
write stands in `document`, what a scope holds in `scope`.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

FOLDER = "intents"
FORMAT = 1
PARENT = ".orchestration"
FILE = "active_intents.yaml"
"""Where a project says which intents there are."""
OPEN = ("PENDING", "IN_PROGRESS", "ACTIVE")
CLOSED = ("COMPLETED", "COMPLETE", "BLOCKED", "ARCHIVED")
"""Only an open intent can be worked for."""


class Active(NamedTuple):
    """The intent a session works for.

    `scope`: globs as they stood in the file when it was selected, exclusions with `!`; `given`: what a person added for
    this session; `ignored`: globs outside enforcement. `since` is milliseconds since 1970, `by` who selected it
    (`agent`, or a person's name), `root` the project it belongs to.
    """

    id: str
    name: str
    scope: tuple[str, ...]
    since: int = 0
    by: str = ""
    root: str = ""
    given: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


def _texts(value: Any) -> tuple[str, ...]:
    return tuple([one for one in value if type(one) is str]) if type(value) is list else ()


def active(store: str, sid: str) -> Active | None:
    """The active intent of a session, None when it has none. What cannot be read is none: nothing is in its scope."""
    try:
        told = loads(system.read(f"{store}/{FOLDER}/{sid}", limit=1 << 20).decode())
    except (OSError, ValueError, RecursionError):
        return None
    if type(told) is not dict or told.get("v") != FORMAT or type(told.get("id")) is not str:
        return None
    since = told.get("since")
    return Active(
        told["id"],
        str(told.get("name") or ""),
        _texts(told.get("scope")),
        since if type(since) is int else 0,
        str(told.get("by") or ""),
        str(told.get("root") or ""),
        _texts(told.get("given")),
        _texts(told.get("ignored")),
    )


def keep(store: str, sid: str, chosen: Active) -> None:
    """Make `chosen` the active intent of a session."""
    path = f"{store}/{FOLDER}/{sid}"
    data = dumps({"v": FORMAT, **chosen._asdict()}).encode("ascii") + b"\n"
    try:
        system.replace(path, data)
    except FileNotFoundError:
        system.make_dirs(f"{store}/{FOLDER}")
        system.replace(path, data)


def drop(store: str, sid: str) -> None:
    """Leave a session without an active intent."""
    system.unlink(f"{store}/{FOLDER}/{sid}")
