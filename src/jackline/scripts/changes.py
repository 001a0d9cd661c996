"""What changed in a tree, told by content: git and digests, or a bounded walk where there is no git. Cold.

`look` gives every file that differs from the last commit, with its digest; `seen.json` keeps the last look of a
session, so that a file that still looks the same is not read again. Links are never followed.
"""

from __future__ import annotations

import posix
from functools import partial
from typing import NamedTuple

from jackline import file_stat, folders, git, globs, host, jsonio, paths, system
from jackline.repository import git_root
from jackline.scripts.status import FOLDER
from jackline.sensitive import NameList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Stamp = tuple[int, int, int, int]
    Files = dict[str, "Entry"]

try:  # seven times as quick as the interpreter's own
    from _hashlib import openssl_sha1

    sha1 = partial(openssl_sha1, usedforsecurity=False)
except ImportError:  # an interpreter without OpenSSL
    from _sha1 import sha1  # type: ignore[import-not-found,no-redef,unused-ignore]  # typeshed knows `hashlib` only

SEEN = "seen.json"
FORMAT = 1
LARGE = 64 << 20
"""Bytes above which a file is told by its stamp: reading it would take as long as a script."""
RACY = 20_000_000
"""Nanoseconds: who changes a file twice within one tick of its clock leaves the same stamp."""
MOST = 50_000
"""Files of a tree without git; more are no project that could be walked at the end of every turn."""
DEPTH = 40
GONE, UNREAD = "-", "?"
"""Digests of what is not there, and of what was there and was not read."""

IGNORED = frozenset(
    (".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".nox", ".mypy_cache",
     ".pytest_cache", ".ruff_cache", ".cache", ".gradle", ".idea", "target", "dist", "build", ".next", ".nuxt",
     "coverage", ".DS_Store")
)  # fmt: skip
"""Names that are walked past where there is no git to say what is ignored."""


OUR = ".ai/tmp"
"""Where sessions have their files; git ignores it by itself."""


class ChangesError(Exception):
    """Nobody can tell what changed; the text says why."""


class Entry(NamedTuple):
    """One file: its size, times and inode, () when they vouch for nothing, and its digest (git's id of the content)."""

    stamp: tuple[int, ...]
    digest: str


class Look(NamedTuple):
    """A tree at one moment: HEAD's commit ("" without), files that differ from it (`GONE` ones included)."""

    head: str
    files: Files
    git: bool = True


class Changes(NamedTuple):
    """What changed: names, and all files that scripts may be given. `committed`: those that commits brought."""

    names: tuple[str, ...]
    files: Files
    committed: tuple[str, ...] = ()


class TreeState(NamedTuple):
    """What a session knows of its tree. `base`: as the session began; `files`: at the last evaluation.

    `committed`: files of commits that scripts were not content with yet.
    """

    at: int = 0  # wall milliseconds of the last look
    head: str = ""
    evaluated: bool = False
    based: bool = False  # `base` was taken
    files: Mapping[str, Entry] = {}
    base: Mapping[str, Entry] = {}
    committed: tuple[str, ...] = ()


# --- one file ------------------------------------------------------------------------------------------------------


def _entry(path: str, stamp: Stamp) -> Entry:
    """A file, read now."""
    if stamp[0] > LARGE:
        return Entry(stamp, "stamp:" + "-".join([str(part) for part in stamp]))
    before = host.now() - RACY
    try:
        data = system.content(path, LARGE)
        if data is None:
            return Entry((), UNREAD)
        digest = sha1(b"blob %d\0%b" % (len(data), data)).hexdigest()
    except (OSError, ValueError):  # gone or closed to us in between
        return Entry((), UNREAD)
    return Entry(stamp if max(stamp[1], stamp[2]) < before else (), digest)


def entries(root: str, names: Iterable[str], known: Mapping[str, Entry], late: Callable[[], bool]) -> Files:
    """The files among `names` with their digests; those that are not there are `GONE`. Read only if they moved."""
    found: Files = {}
    folders: dict[str, bool] = {}
    for name in names:
        folder = name.rpartition("/")[0]
        if folder not in folders:  # a link on the way would lead out of the tree
            folders[folder] = not folder or paths.resolve(root, folder) == f"{root}/{folder}"
        path = f"{root}/{name}"
        stamp = file_stat.regular(path) if folders[folder] else None
        if stamp is None:
            if not folders[folder] or not system.exists(path):
                found[name] = Entry((), GONE)
            continue
        before = known.get(name)
        if before is not None and before.stamp == stamp:
            found[name] = before
        elif late():
            raise ChangesError("the changed files could not be read in the time there is")
        else:
            found[name] = _entry(path, stamp)
    return found


# --- a tree without git ----------------------------------------------------------------------------------------------


def _named(patterns: Iterable[str]) -> tuple[NameList, list[str]]:
    """Globs that are a name at any depth, which a walk asks for quickly; the others."""
    names: list[str] = []
    others: list[str] = []
    for one in patterns:
        name = one[3:].rstrip("/")
        plain = one[:3] == "**/" and "/" not in name and name.count("*") < 2 and not set(name) & set("?[{\\ ")
        (names if plain else others).append(name if plain else one)
    return NameList(" ".join(names)), others


def _ignoring(root: str) -> Callable[[str], bool]:
    """Whether the tree's `.gitignore` names a path; a folder, with `/` behind it, is asked for before what is in it."""
    try:
        found = globs.ignore_globs(system.read(f"{root}/.gitignore", limit=1 << 16).decode("utf-8", "replace"))
    except OSError:
        found = ()
    into = [one for one in found if one[0] != "!"]
    of_folders, of_files = _named(into), _named([one for one in into if one[-1] != "/"])
    out = [one[1:] for one in found if one[0] == "!"]

    def is_ignored(path: str) -> bool:
        names, others = of_folders if path[-1] == "/" else of_files
        held = path.rstrip("/").rpartition("/")[2] in names or any(globs.match(one, path) for one in others)
        return held and not any(globs.match(one, path) for one in out)

    return is_ignored


def walk(root: str, late: Callable[[], bool] = lambda: False) -> list[str]:
    """All files below `root` but for what is commonly ignored, sorted. ChangesError when there are too many."""
    is_ignored = _ignoring(root)
    found: list[str] = []
    todo = [("", 0)]
    while todo:
        at, depth = todo.pop()
        try:
            inner, files = folders.contents(root + "/" + at)
        except OSError:
            continue
        if depth < DEPTH:
            below = [at + name for name in inner if name not in IGNORED and at + name != OUR]
            todo += [(name + "/", depth + 1) for name in below if not is_ignored(name + "/")]
        found += [at + name for name in files if name not in IGNORED and not is_ignored(at + name)]
        if len(found) > MOST:
            raise ChangesError(f"more than {MOST} files and no git to tell which of them changed")
        if late():
            raise ChangesError("the tree could not be walked in the time there is")
    return sorted(found)


# --- looking -------------------------------------------------------------------------------------------------------


def look(root: str, known: Mapping[str, Entry], *, env: Mapping[str, str] | None = None, limit_s: float = 60.0) -> Look:
    """The tree as it is now. ChangesError when that cannot be told, or not within `limit_s`."""
    until = host.clock() + int(limit_s * 1e9)

    def late() -> bool:
        return host.clock() > until

    if not git_root(root, posix.getuid()):
        names = walk(root, late)
        gone = [name for name in known if not system.exists(f"{root}/{name}")]
        return Look("", entries(root, [*names, *gone], known, late), git=False)
    try:
        head = git.head(root, env)
        loose, others = git.touched_files(root, env, since=head, deadline=max(limit_s, 1.0))
    except git.GitError as fault:
        raise ChangesError(f"git cannot tell what changed: {fault}") from None
    sure = {name for name in others if name[-1:] != "/"}
    found = entries(root, sorted({*loose, *sure}), known, late)
    differ = {name: one for name, one in found.items() if name in sure or one.digest != loose[name]}
    return Look(head, differ)


def committed_files(root: str, seen: TreeState, now: Look, env: Mapping[str, str] | None = None) -> list[str]:
    """Files of commits made since `seen`: who commits what he changed does not slip away."""
    if not now.git or not now.head or now.head == seen.head or not (seen.based or seen.evaluated):
        return []
    try:
        return git.committed_files(root, seen.head, now.head, seen.at // 1000 - 1, env)
    except git.GitError:
        return []


def differing(before: Mapping[str, Entry], now: Mapping[str, Entry]) -> list[str]:
    """Names whose content is not what it was; `now` holds whatever may have changed."""
    return [name for name, entry in now.items() if name not in before or before[name].digest != entry.digest]


def changes(root: str, seen: TreeState, now: Look, env: Mapping[str, str] | None = None) -> Changes:
    """What changed since `seen`; at a session's first evaluation all that differs from the last commit."""
    brought = committed_files(root, seen, now, env)
    before = seen.files if seen.evaluated else {} if now.git else seen.base
    others = {*brought, *seen.committed, *before} - now.files.keys()
    clean = entries(root, sorted(others), {**seen.base, **seen.files}, lambda: False)
    names = {*differing(before, now.files)}
    for name, entry in clean.items():
        if name in before:
            if before[name].digest != entry.digest:
                names.add(name)
        elif name in brought:
            names.add(name)
    kept = tuple(sorted([name for name in {*brought, *seen.committed} if name in clean]))
    return Changes(tuple(sorted(names)), {**now.files, **{name: clean[name] for name in kept}}, kept)


# --- what a session remembers ----------------------------------------------------------------------------------------


def _packed(files: Mapping[str, Entry]) -> dict[str, str]:
    """One text a file: many small lists are slow to read again."""
    return {
        name: "%d %d %d %d " % stamp + digest if stamp else digest  # noqa: UP031 - a tuple, and the quickest form
        for name, (stamp, digest) in files.items()
    }


def _unpacked(found: Mapping[str, str]) -> Files:
    made: Files = {}
    for name, text in found.items():
        *stamp, digest = text.split(" ")
        made[name] = Entry(tuple(map(int, stamp)) if len(stamp) == 4 else (), digest)
    return made


def read(place: str) -> TreeState:
    """What the session at `place` knows; nothing where it knows nothing, or what cannot be read."""
    try:
        at = system.descend(place, (FOLDER,))
    except OSError:
        return TreeState()
    try:
        found = jsonio.loads(system.read(SEEN, at=at, follow=False).decode())
        if found["v"] != FORMAT:
            return TreeState()
        return TreeState(
            int(found["at"]), str(found["head"]), found["evaluated"] is True, found["based"] is True,
            _unpacked(found["files"]), _unpacked(found["base"]), tuple([str(one) for one in found["committed"]]),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return TreeState()
    finally:
        system.close(at)


def write(place: str, seen: TreeState) -> None:
    """Remember, in one piece. OSError when the disk refuses."""
    document = {
        "v": FORMAT,
        "at": seen.at,
        "head": seen.head,
        "evaluated": seen.evaluated,
        "based": seen.based,
        "committed": list(seen.committed),
        "base": _packed(seen.base),
        "files": _packed(seen.files),
    }
    at = system.descend(place, (FOLDER,), create=True)
    try:
        system.replace(SEEN, jsonio.dumps(document).encode("ascii"), at=at)
    finally:
        system.close(at)


def _stamped(root: str, names: Iterable[str]) -> Files:
    """Files as they are, unread: enough to see later that they moved."""
    found: Files = {}
    for name in names:
        stamp = file_stat.regular(f"{root}/{name}")
        if stamp is not None:
            recent = max(stamp[1], stamp[2]) >= host.now() - RACY
            found[name] = _entry(f"{root}/{name}", stamp) if recent else Entry(stamp, UNREAD)
    return found


def snapshot(place: str, root: str, *, env: Mapping[str, str] | None = None, limit_s: float = 5.0) -> bool:
    """Take the tree as the session began, once: what `baseline: session` compares with. False when it is there."""
    seen = read(place)
    if seen.based or seen.evaluated:
        return False
    at = host.now() // 1_000_000
    if git_root(root, posix.getuid()):
        now = look(root, {}, env=env, limit_s=limit_s)
        base, head = now.files, now.head
    else:
        base, head = _stamped(root, walk(root)), ""
    write(place, TreeState(at, head, based=True, base=base))
    return True
