"""`state.json`: by definition the fold of the log's STATE_PATCH records, kept as a file so that no event reads the log.

Reading and the plain commit (rows only). What a patch means stands in `fold`, how it is committed in `commit`.
"""

from __future__ import annotations

from jackline import system
from jackline.store import journal
from jackline.wire import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    State = dict[str, Any]

NAME = "state.json"
FORMAT = 1


def load(at: int) -> State | None:
    """The stored snapshot; None when it is missing, torn, of a newer format, or no object of objects."""
    try:
        value = loads(system.read(NAME, at=at, limit=1 << 24, follow=False).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if type(value) is not dict or value.get("v") != FORMAT or "core" not in value:
        return None
    for part in value:
        if part != "v" and type(value[part]) is not dict:
            return None
    return value


def read(at: int, folder: str) -> State:
    """The session's state: the snapshot, or the fold of the log where there is none that can be read."""
    found = load(at)
    if found is not None:
        return found
    from jackline.store.fold import fold_patches, patches

    return fold_patches(patches(journal.content(folder)))


def append(at: int, name: str, records: list[dict[str, Any]]) -> str:
    """Append rows; returns what went wrong, "" when nothing did."""
    try:
        journal.append(at, name, records)
    except OSError as error:
        return f"{name}: {error.strerror}"
    return ""


def commit(
    at: int,
    events: list[dict[str, Any]],
    artifacts: list[dict[str, Any]],
    patch: State,
    record: Callable[..., dict[str, Any]],
) -> str:
    """Write what an event leaves: events, bus, one STATE_PATCH record, then the snapshot (design section 4).

    `record` makes a row of the log. Returns what went wrong ("" when nothing did); what could be written is written.
    """
    if not patch and not artifacts:
        return append(at, journal.EVENTS, events)
    from jackline.store import commit as patched

    return patched.commit(at, events, artifacts, patch, record)
