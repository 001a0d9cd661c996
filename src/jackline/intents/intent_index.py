"""What a project's intents say now: read once per content, kept in the store, so that an event parses nothing.

`<store>/intents/read~<slot>` holds the last reading with the digest of what was read. A file that can no longer be
parsed leaves the last reading in force: somebody is in the middle of an edit.
"""

from __future__ import annotations

import marshal

from jackline import file_stat, system
from jackline.intents import FILE, FOLDER, OPEN, PARENT
from jackline.store.ids import digest, slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.intents.document import Document
else:
    from jackline._record import NamedTuple

FORMAT = 1
IGNORE = ".intentignore"
LIMIT = (1 << 17) + 1


class Said(NamedTuple):
    """One intent as far as events need it. `open`: it may be worked for."""

    id: str
    name: str
    status: str
    scope: tuple[str, ...]
    open: bool
    parent: str = ""
    depends: tuple[str, ...] = ()


class Reading(NamedTuple):
    """The intents of a project, globs outside enforcement as they stand, and what is wrong with the file."""

    intents: tuple[Said, ...] = ()
    ignored: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    there: bool = True

    def find(self, name: str) -> Said | None:
        for one in self.intents:
            if one.id == name:
                return one
        return None


def raw(root: str) -> tuple[bytes | None, bytes]:
    """The bytes of both files, None where there is no file of intents. Follows no link: it stands in the tree."""
    try:
        at = system.descend(root, (PARENT,))
    except (OSError, ValueError):
        return None, b""
    try:
        return _bytes(at, FILE), _bytes(at, IGNORE) or b""
    finally:
        system.close(at)


def _bytes(at: int, name: str) -> bytes | None:
    try:
        return system.read(name, at=at, limit=LIMIT, follow=False)
    except OSError:
        return None


def _path(store: str, root: str) -> str:
    return f"{store}/{FOLDER}/read~{slot(root)}"


def _kept(path: str) -> tuple[str, Reading] | None:
    """The last reading and the digest of its bytes."""
    try:
        version, mark, intents, ignored, faults = marshal.loads(system.read(path, limit=1 << 24))
        if version != FORMAT:
            return None
        return mark, Reading(tuple([Said(*one) for one in intents]), ignored, faults)
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _keep(path: str, mark: str, made: Reading) -> None:
    data = marshal.dumps((FORMAT, mark, tuple([tuple(one) for one in made.intents]), made.ignored, made.faults))
    try:
        system.make_dirs(path.rpartition("/")[0])
        system.replace(path, data)
    except OSError:  # a full disk costs the next event another reading
        pass


def said(found: Document) -> tuple[Said, ...]:
    return tuple(
        [
            Said(one.id, one.name, one.status, one.scope, one.sound and one.status in OPEN, one.parent, one.depends)
            for one in found.intents
        ]
    )


def _commits(root: str) -> str:
    """A mark that changes when the checked out commit does: the size and time of its log."""
    folder = f"{root}/.git"
    try:
        told = system.read(folder, limit=4096).decode("utf-8", "surrogateescape")  # a linked worktree
        folder = told.removeprefix("gitdir:").strip()
    except OSError:
        pass
    return str(file_stat.of(f"{folder}/logs/HEAD"))


def _ignored(root: str, ignore: bytes) -> tuple[str, ...]:
    """The globs that stand in the file and in the last commit, too: what nobody committed does not count yet."""
    from jackline.intents.scope import ignored

    globs = ignored(ignore.decode("utf-8", "replace"))
    if not globs or not system.exists(root + "/.git"):
        return globs
    from jackline import git

    name = f"{PARENT}/{IGNORE}"
    try:
        committed = set(ignored(git.blobs(root, "HEAD", [name]).get(name, b"").decode("utf-8", "replace")))
    except (git.GitError, OSError):
        return ()
    if any(one[0] == "!" for one in committed - set(globs)):
        return ()  # what is enforced again was taken away: until that is committed, nothing is ignored
    return tuple([one for one in globs if one in committed or one[0] == "!"])


def _parsed(root: str, data: bytes, ignore: bytes, before: Reading | None) -> Reading:
    from jackline.intents.document import document

    found = document(data)
    faults = tuple([one.told() for one in found.faults])
    globs = _ignored(root, ignore)
    if faults and not found.intents and before is not None:
        return Reading(before.intents, globs, faults)
    return Reading(said(found), globs, faults)


def reading(store: str, root: str, *, keep: bool = True) -> Reading:
    """What the intents of a project say now. `keep`: remember it, where the store may be written."""
    data, ignore = raw(root)
    if data is None:
        return Reading(there=False)
    mark = digest(f"{data.hex()}:{ignore.hex()}:{_commits(root) if ignore else ''}")
    path = _path(store, root)
    known = _kept(path)
    if known is not None and known[0] == mark:
        return known[1]
    made = _parsed(root, data, ignore, known[1] if known is not None else None)
    if keep:
        _keep(path, mark, made)
    return made
