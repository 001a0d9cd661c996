"""What one agent knows of files, and its calls under way: small files in the session's folder, each written whole.

A file of ours that can no longer be read is no ignorance: what it told of counts as changed, until it is read anew.
"""

from __future__ import annotations

from jackline import file_stat, system
from jackline.affected_paths import below
from jackline.features.stale_file.file_version import CHANGING, LOST, Look
from jackline.jsonio import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.features.stale_file.file_version import Stamp
else:
    from jackline._record import NamedTuple

FOLDER = "stale-file"
CALLS = "calls"
MOST = 4_000
"""Files that one agent's memory holds at most; the oldest go first."""
MOST_CALLS = 200
SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


class Known(NamedTuple):
    """What an agent last knew of a file: `how` it came to know (`read`, `wrote`), and when (milliseconds)."""

    path: str
    sha: str
    blob: str = ""
    stamp: Stamp = ()
    at: int = 0
    how: str = "read"


class Seen(NamedTuple):
    """A file that a call under way reads. `shown`: its text comes before the agent's eyes, not only a part of it."""

    path: str
    shown: bool
    sha: str = ""
    stamp: Stamp = ()


class Change(NamedTuple):
    """A file that a call under way changes: digests before it, and after it as far as that is known.

    `deep`: all that is known below it may change, too; `pattern` says which of that.
    """

    path: str
    before: str = ""
    after: str = ""
    loose: str = ""
    deep: bool = False
    pattern: str = ""


class Begun(NamedTuple):
    """A call under way."""

    at: int
    seen: tuple[Seen, ...] = ()
    changes: tuple[Change, ...] = ()


def key_of(path: str) -> str:
    """The name of a path's file."""
    from _blake2 import blake2b

    return str(blake2b(path.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest())


def call_of(use: str, tool: str, given: object) -> str:
    """The name of a call's file: the client's id for it, else a digest of what it asks."""
    if use and len(use) <= 100 and SAFE.issuperset(use):
        return use
    return "~" + key_of(dumps([tool, given]))


def _tuples(value: object) -> tuple[object, ...]:
    return tuple([tuple(one) if isinstance(one, list) else one for one in value]) if isinstance(value, list) else ()


class Memory:
    """One agent's memory in a session's folder. Nothing is made before something is to be remembered."""

    def __init__(self, session: str, agent: str) -> None:
        self.session = session
        self.agent = agent

    def _at(self, *below: str, create: bool = False) -> int:
        return system.descend(self.session, (FOLDER, self.agent, *below), create=create)

    def _read(self, name: str, *below: str) -> list[object] | None:
        """What a file of ours holds, None when there is none; empty when nobody can tell any more."""
        try:
            at = self._at(*below)
        except FileNotFoundError:
            return None
        try:
            found = loads(system.read(name, at=at, follow=False).decode())
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            return []
        finally:
            system.close(at)
        return found if isinstance(found, list) else []

    def _write(self, name: str, value: object, *below: str) -> None:
        at = self._at(*below, create=True)
        try:
            system.replace(name, dumps(value).encode("ascii"), at=at)
        finally:
            system.close(at)

    # --- files ---

    def known(self, path: str) -> Known | None:
        """What the agent knows of a file, None when it never saw it."""
        return self._known(key_of(path), path)

    def _known(self, name: str, path: str = "") -> Known | None:
        found = self._read(name)
        if found is None:
            return None
        try:
            told, sha, blob, stamp, at, how = found
            known = Known(str(told), str(sha), str(blob), tuple(stamp), int(str(at)), str(how))  # type: ignore[arg-type]
        except (ValueError, TypeError):
            return Known(path, LOST)
        return known if path in ("", known.path) else None

    def learn(self, path: str, now: Look, at: int, how: str) -> None:
        """Remember a file as it is now."""
        name = key_of(path)
        self._write(name, [path, now.sha, now.blob, list(now.stamp), at, how])
        if name[:2] == "00":
            self._prune()

    def doubt(self, path: str, at: int) -> None:
        """Remember that a file changed while it was read."""
        self.learn(path, Look(CHANGING), at, "read")

    def all(self) -> list[Known]:
        """Every file that is known; one without a path for each of which nobody can tell any more which it is."""
        try:
            at = self._at()
        except FileNotFoundError:
            return []
        try:
            names = [name for name in system.names(at) if name != CALLS and name[0] != "."]
        finally:
            system.close(at)
        found = [self._known(name) for name in names]
        return [one for one in found if one is not None]

    def below(self, folder: str) -> list[Known]:
        """What is known, with every file below a folder that a memory which cannot be read any more tells of."""
        found = self.all()
        known = [one for one in found if one.path]
        if len(known) < len(found):
            for count, path in enumerate(below(folder)):
                one = self.known(path) if count < MOST else Known(path, LOST)
                if one is not None and one.sha == LOST:
                    known.append(one)
                if count >= MOST:
                    break
        return known

    def _prune(self) -> None:
        at = self._at()
        try:
            file_stat.thin(at, MOST, CALLS)
        finally:
            system.close(at)

    # --- calls under way ---

    def begin(self, call: str, begun: Begun) -> None:
        seen = [[one.path, one.shown, one.sha, list(one.stamp)] for one in begun.seen]
        changes = [list(one) for one in begun.changes]
        self._write(call, [begun.at, seen, changes], CALLS)

    def begun(self, call: str) -> Begun | None:
        """A call under way, None when nothing is remembered of it."""
        found = self._read(call, CALLS)
        if found is None or len(found) != 3:
            return None
        try:
            seen = [Seen(*one) for one in _tuples(found[1])]  # type: ignore[misc]
            changes = [Change(*one) for one in _tuples(found[2])]  # type: ignore[misc]
            stamped = [one._replace(stamp=tuple(one.stamp)) for one in seen]
            return Begun(int(str(found[0])), tuple(stamped), tuple(changes))
        except (ValueError, TypeError):
            return None

    def end(self, call: str) -> None:
        try:
            at = self._at(CALLS)
        except OSError:
            return
        system.unlink(call, at=at)
        system.close(at)

    def calls(self) -> list[str]:
        """The calls that nobody ended, the oldest first; too old ones are forgotten."""
        try:
            at = self._at(CALLS)
        except OSError:
            return []
        try:
            names = [name for name in system.names(at) if name[0] != "."]
            names.sort(key=lambda name: file_stat.modified_ns(at, name))
            for name in names[:-MOST_CALLS]:
                system.unlink(name, at=at)
            return names[-MOST_CALLS:]
        finally:
            system.close(at)
