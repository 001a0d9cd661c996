"""The sessions a store knows, as data: which there are, where their folders stand, which live; and to forget one.

Cold, but for a commit's entry point, which asks whose session commits and loads nothing of the interpreter's library
for it. The records are `sessions`'; a session whose client gave no id has a folder but no record.
"""

from __future__ import annotations

import marshal
import posix

from jackline import file_stat, processes, system
from jackline.store import ids, journal, state
from jackline.store.reducer import fold
from jackline.store.sessions import FORMAT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Any, Literal, NamedTuple
else:
    from jackline._record import NamedTuple


class SessionEntry(NamedTuple):
    """One session. Times are milliseconds since 1970; `records`: the files that lead to it (sub-agents' too)."""

    sid: str
    client: str
    root: str
    folder: str
    born: int = 0
    last: int = 0
    size: int = 0
    pid: int = 0
    start: int = 0
    key: str = ""
    mode: str = "tree"
    repo: str = ""
    host: str = ""
    records: tuple[str, ...] = ()
    chain: Literal["", "born", "later"] = ""  # whether its log had a chain from the beginning

    @property
    def live(self) -> bool:
        """Whether the client's process that opened it still runs."""
        return self.pid > 0 and processes.alive(self.pid, self.start)

    def state(self) -> dict[str, Any]:
        try:
            at = system.descend(self.folder, ())
        except OSError:
            return fold(())
        try:
            return state.read(at, self.folder)
        finally:
            system.close(at)

    def events(self) -> list[dict[str, Any]]:
        return journal.read(self.folder)[0]


def _record(path: str) -> dict[str, Any] | None:
    try:
        found = marshal.loads(system.read(path, limit=1 << 16))
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return found if isinstance(found, dict) and found.get("v") == FORMAT else None


def records(store: Path | str) -> Iterable[tuple[str, dict[str, Any]]]:
    """Every session record of the store with its path; what is not readable is left out."""
    folder = f"{store}/{ids.SESSIONS}"
    for name in system.names(folder):
        found = None if name.startswith(".") else _record(f"{folder}/{name}")
        if found is not None:
            yield f"{folder}/{name}", found


def _folder(store: Path | str, record: dict[str, Any]) -> str:
    if record["mode"] == "tree":
        return f"{record['root']}/.ai/tmp/{record['sid']}"
    return f"{store}/repos/{record['slot']}/tmp/{record['sid']}"


def _seen(folder: str) -> tuple[int, int]:
    """When the log was last written, in milliseconds, and its size."""
    size, changed, _, _ = file_stat.of(f"{folder}/{journal.EVENTS}")
    return changed // 1_000_000, max(size, 0)


def _recorded(store: Path) -> dict[str, SessionEntry]:
    found: dict[str, SessionEntry] = {}
    for path, record in records(store):
        folder = _folder(store, record)
        if folder in found:  # a sub-agent's own session, joined to this one
            found[folder] = found[folder]._replace(records=(*found[folder].records, path))
            continue
        last, size = _seen(folder)
        found[folder] = SessionEntry(
            sid=record["sid"],
            client=record["client"],
            root=record["root"],
            folder=folder,
            born=record["born"] // 1_000_000,
            last=last,
            size=size,
            pid=record["pid"],
            start=record["start"],
            key=record["key"],
            mode=record["mode"],
            repo=record["repo"],
            host=record["host"],
            records=(path,),
            chain=("later" if "older" in record else "born") if "chain" in record else "",
        )
    return found


def _unrecorded(store: Path, root: Path | None, known: Iterable[str]) -> Iterable[SessionEntry]:
    """Folders without a record: calls whose session nobody could name, or sessions whose record was lost."""
    places = [(f"{store}/repos/{name}/tmp", "", "store") for name in system.names(f"{store}/repos")]
    if root is not None:
        places.append((f"{root}/.ai/tmp", str(root), "tree"))
    seen = set(known)
    for place, at, mode in places:
        for sid in system.names(place):
            folder = f"{place}/{sid}"
            if ids.is_sid(sid) and folder not in seen:
                if mode == "store" and root is not None:
                    at = str(root) if place == f"{store}/repos/{ids.slot(str(root))}/tmp" else ""
                last, size = _seen(folder)
                yield SessionEntry(sid, "", at, folder, last=last, size=size, mode=mode)


def sessions(store: Path, root: Path | None = None) -> list[SessionEntry]:
    """The sessions the store knows, newest first; with `root` only those of that project."""
    recorded = _recorded(store)
    found = [*recorded.values(), *_unrecorded(store, root, recorded)]
    if root is not None:
        found = [one for one in found if one.root == str(root)]
    return sorted(found, key=lambda one: (one.last or one.born, one.sid), reverse=True)


def living(store: Path | str) -> list[SessionEntry]:
    """Sessions whose client still runs, one for each process that has it open. Asks once for each process."""
    answered: dict[tuple[int, int], bool] = {}
    found = []
    for path, record in records(store):
        for pid, start in ((record["pid"], record["start"]), *record.get("before", ())):
            if (pid, start) not in answered:
                answered[pid, start] = pid > 0 and processes.alive(pid, start)
            if answered[pid, start]:
                folder = _folder(store, record)
                one = SessionEntry(record["sid"], record["client"], record["root"], folder, records=(path,))
                found.append(one._replace(pid=pid, start=start, repo=record["repo"], host=record["host"]))
    return found


def newest(found: Iterable[SessionEntry]) -> SessionEntry | None:
    """The session that was heard last."""
    return max(found, key=lambda one: (file_stat.of(f"{one.folder}/{journal.EVENTS}")[1], one.sid), default=None)


def forget(session: SessionEntry, uid: int | None = None) -> None:
    """Remove a session's folder and its records. Follows no link: the folder stands where an agent may write."""
    import shutil

    from jackline.store import tasks

    base, _, _ = session.folder.rpartition("/")
    if session.mode == "tree":
        at = system.descend(session.root, (".ai", "tmp"), uid=posix.getuid() if uid is None else uid)
    else:
        at = system.descend(base, ())
    try:
        shutil.rmtree(session.sid, dir_fd=at)
    finally:
        system.close(at)
    for path in session.records:
        system.unlink(path)
        store = path.rpartition(f"/{ids.SESSIONS}/")[0]
        system.unlink(f"{store}/intents/{session.sid}")
        tasks.forget(store, session.sid)
