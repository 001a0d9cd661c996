"""`agent_trace.jsonl`: a row per call that changed something for an intent, with digests of the files it named.

Digests from before a call wait in the session's folder until it ran; nothing here raises, and no link is followed.
"""

from __future__ import annotations

from jackline import system
from jackline.intents import PARENT
from jackline.jsonio import dumps, loads
from jackline.store import journal
from jackline.store.ids import digest
from jackline.store.sessions import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jackline.model import Event

FORMAT = 1
NAME = "agent_trace.jsonl"
LARGE = 1 << 24
"""Bytes of a file that is digested at most."""
FILES = 50
WAITING = ("intent-scope", "before")
"""Below the session's folder."""
TEXT = 1 << 17
"""Bytes of a text that is kept until the call ran."""


def sha256(root: str, path: str) -> str | None:
    """SHA-256 of a file as hex; "" when there is none, None when it is too large or no file."""
    full = path if path[:1] == "/" else f"{root}/{path}"
    size = system.size_of(full)
    if size < 0:
        return None if system.exists(full) else ""
    if size > LARGE:
        return None
    try:
        data = system.read(full, limit=LARGE + 1)
    except OSError:
        return None
    try:
        from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]  # typeshed knows `hashlib` only
    except ImportError:  # Python 3.11: 3.12 put `_sha256` and `_sha512` into one
        from _sha256 import sha256  # type: ignore[import-not-found,no-redef,unused-ignore]

    return str(sha256(data).hexdigest())


def name_of(event: Event) -> str:
    """What a call is called between its two events: its id, or what it is made of."""
    return safe_name(event.tool_use_id or "~" + digest(dumps([event.agent_id, event.tool, event.input])))


def _text(root: str, path: str) -> str | None:
    """What a file holds before it is written as a whole; None when there is none, or it cannot be kept."""
    try:
        return system.read(path if path[:1] == "/" else f"{root}/{path}", limit=TEXT).decode("utf-8")
    except (OSError, ValueError):
        return None


def wait(session: str, event: Event, paths: Iterable[str]) -> None:
    """Keep the digests of these files until the call ran; of a file that is written as a whole, the text as well."""
    found = {path: sha256(event.root, path) for path in list(paths)[:FILES]}
    texts = {path: _text(event.root, path) for path in found} if event.kind == "write" and len(found) == 1 else {}
    try:
        at = system.descend(session, WAITING, create=True)
    except OSError:
        return
    try:
        told = {"tool": event.tool, "kind": event.kind, "files": found, "texts": texts}
        system.replace(name_of(event), dumps(told).encode("ascii"), at=at)
    except OSError:
        pass
    finally:
        system.close(at)


def _taken(at: int, name: str) -> dict[str, Any] | None:
    try:
        told = loads(system.read(name, at=at, limit=1 << 20, follow=False).decode())
    except OSError:
        return None
    except (ValueError, RecursionError):
        told = None
    system.unlink(name, at=at)
    if type(told) is not dict or type(told.get("files")) is not dict:
        return None
    return told


def take(session: str, event: Event) -> dict[str, Any] | None:
    """What was kept before a call, None when nothing was."""
    try:
        at = system.descend(session, WAITING)
    except OSError:
        return None
    try:
        return _taken(at, name_of(event))
    finally:
        system.close(at)


def left(session: str) -> list[dict[str, Any]]:
    """What was kept for calls that nobody told the end of, oldest name first; it is gone afterwards."""
    try:
        at = system.descend(session, WAITING)
    except OSError:
        return []
    try:
        found = [_taken(at, name) for name in system.names(at) if name[:1] != "."]
    finally:
        system.close(at)
    return [one for one in found if one is not None]


def files(root: str, before: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each file with its digest before and now."""
    return [{"path": path, "before": was, "after": sha256(root, path)} for path, was in before.items()]


def write(root: str, rows: list[dict[str, Any]]) -> bool:
    """Append rows with one write, through the writer that masks secrets. False where it cannot be done."""
    if not rows:
        return True
    try:
        at = system.descend(root, (PARENT,))
    except OSError:
        return False
    try:
        journal.append(at, NAME, rows)
    except OSError:
        return False
    finally:
        system.close(at)
    return True


def read(root: str, limit: int = 1 << 24) -> list[dict[str, Any]]:
    """The rows of the trace; of a very long one the last part."""
    try:
        at = system.descend(root, (PARENT,))
    except OSError:
        return []
    try:
        size = system.size_at(at, NAME)
        data = system.read_range(at, NAME, max(size - limit, 0), size)
    finally:
        system.close(at)
    if size > limit:
        data = data[data.find(b"\n") + 1 :]
    return journal.parse(data)[0]
