"""Which units a person has said yes to: per repository, with copies of what was read (design section 5a).

A repository is its git common directory, so that trust holds in all its worktrees and branches.
"""

from __future__ import annotations

from _blake2 import blake2b
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from jackline import host, jsonio, paths, system
from jackline.repository import git_root
from jackline.store import authority
from jackline.store.ids import digest as text_digest

FORMAT = 2
NAME = "trust.json"
COPIES = "trusted"
"""Folder of the store with what was trusted, by digest: `trust --diff` shows what changed since."""
WAIT_MS = 2000
VERSIONS = 20
"""Earlier contents of a unit that stay known."""


def file_digest(data: bytes) -> str:
    return str(blake2b(data, digest_size=16).hexdigest())


def digest_of(files: Mapping[str, bytes], executable: Collection[str] = ()) -> str:
    """Digest over names, contents and which of the files may be executed, in whatever order; "" for no files."""
    if not files:
        return ""
    rows = [f"{file_digest(data)} {'*' if name in executable else ' '}{name}\n" for name, data in sorted(files.items())]
    return file_digest("".join(rows).encode("utf-8", "surrogateescape"))


def digests_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """The digest of each file, by name."""
    return {name: file_digest(data) for name, data in sorted(files.items())}


Kind = Literal["feature", "script", "configuration", "text", "validator", "rule"]
COUNTING = frozenset(("configuration", "rule"))
"""Kinds that do not run but count: what they tighten counts whoever wrote it, and no branch gives one up."""
Key = tuple[str, str]
"""Kind and place of a unit."""


class Unit(NamedTuple):
    """What a person reads and says yes to (design section 5a): its own files, and those it works with (`inputs`).

    `place` is its folder, its program or note, or its file, as shown. `fault`: why it cannot be used, whoever trusts
    it. `more`: what the book keeps to run its copy (a feature's name). `executable`: of a script's files those that
    may be executed: what runs when it runs depends on it, so it is content, as it is to git.
    """

    kind: Kind
    place: str
    own: Mapping[str, bytes]
    inputs: Mapping[str, bytes] = {}
    fault: str = ""
    more: Mapping[str, Any] = {}
    executable: frozenset[str] = frozenset()

    @property
    def key(self) -> Key:
        return self.kind, self.place

    @property
    def files(self) -> dict[str, bytes]:
        return {**self.inputs, **self.own}

    @property
    def digest(self) -> str:
        return digest_of(self.files, self.executable)


def _first_line(path: str) -> str:
    try:
        return system.read(path, limit=8192).decode("utf-8", "surrogateescape").split("\n")[0].strip()
    except OSError:
        return ""


def top_of(root: str) -> str:
    """The top of the work tree that a root is, or is a sub-folder of; the root itself where there is no git."""
    return git_root(root) or root


def in_tree(root: str) -> tuple[str, str]:
    """The top of a root's work tree, where git is asked (a sub-folder may be gone itself), and what stands there before
    the root's own paths.
    """
    top = top_of(root)
    return top, root[len(top) + 1 :] + "/" if root != top else ""


def _common(top: str) -> str:
    """The git common directory that a folder's `.git` stands for, "" where it has none."""
    git = top + "/.git"
    if not system.is_dir(git):
        said = _first_line(git)
        if not said.startswith("gitdir:"):
            return ""
        git = paths.resolve(top, said[7:].strip())
    common = _first_line(git + "/commondir")
    found = paths.resolve(git, common) if common else paths.resolve("/", git)
    return found if system.is_dir(found) else ""


def common_dir(root: str) -> str:
    """The git common directory of a folder's worktree, found in files alone; the folder itself where there is none."""
    return _common(top_of(root)) or root


def _named(common: str, inner: str) -> str:
    return text_digest(f"{common}\0{inner}" if inner else common, 8)


def key_of(root: str) -> str:
    """How `trust.json` calls the repository of a root; a sub-folder with hooks of its own is a part by itself."""
    root = paths.resolve("/", root)
    return _named(common_dir(root), root[len(top_of(root)) + 1 :])


def _keys(root: str) -> list[str]:
    """How a root's repository is called, then how it was before `git init` in it, or before its `.git` was taken away,
    be it in a folder above.
    """
    root = paths.resolve("/", root)
    found = [key_of(root), text_digest(root, 8)]
    above = root
    while above:
        found.append(_named(_common(above) or f"{above}/.git", root[len(above) + 1 :]))
        above = above.rpartition("/")[0]
    return found


class Version(NamedTuple):
    """A unit's content as a person said yes to it: digests of its files by name, `own` and `inputs` apart.

    `inputs` None: of an older version of Jackline, which did not look at them. `more`: what else it takes to run it,
    and which files may be executed.
    """

    digest: str
    ts: int
    by: str
    own: Mapping[str, str]
    inputs: Mapping[str, str] | None
    more: Mapping[str, Any]

    @property
    def executable(self) -> frozenset[str] | None:
        """The files that may be executed; None where an older version of Jackline did not look at it."""
        return frozenset(self.more[EXECUTABLE]) if EXECUTABLE in self.more else None

    def fits(self, unit: Unit) -> bool:
        """Whether the unit is what was trusted then, as far as it was looked at."""
        return (
            self.own == digests_of(unit.own)
            and (self.inputs is None or self.inputs == digests_of(unit.inputs))
            and (self.executable is None or self.executable == unit.executable)
        )


EXECUTABLE = "executable"
FOLLOWED = "followed"
"""In what is remembered of a unit: the ref by which it was trusted."""


def version_of(unit: Unit, ts: int, by: str, ref: str = "") -> Version:
    """A unit as it is to be remembered; `ref`: the one that it was trusted by."""
    more = {**unit.more, EXECUTABLE: sorted(unit.executable), **({FOLLOWED: ref} if ref else {})}
    return Version(unit.digest, ts, by, digests_of(unit.own), digests_of(unit.inputs), more)


class Book:
    """`trust.json` as it is now. Broken or missing: nothing is trusted. Of a newer version: it is not written."""

    def __init__(self, store: str) -> None:
        self.path = f"{store}/{NAME}"
        self.store = store
        self.newer = False
        self.data: dict[str, Any] = {"v": FORMAT, "repos": {}, "packages": {}}
        try:
            found = jsonio.loads(system.read(self.path).decode())
        except (OSError, ValueError):
            return
        version = found.get("v") if isinstance(found, dict) else None
        self.newer = isinstance(version, int) and version > FORMAT
        if version in (1, FORMAT):
            self.data |= {key: found[key] for key in ("repos", "packages") if isinstance(found.get(key), dict)}

    def repo(self, root: str) -> dict[str, Any]:
        for key in _keys(root):
            found = self.data["repos"].get(key)
            if isinstance(found, dict):
                return found
        return {}

    def units(self, root: str) -> dict[Key, list[Version]]:
        """What was trusted of each unit of the repository, the last last; with the ref that is followed, what stood
        there too.
        """
        following = self.follows(root)
        repo = self.repo(root)
        units = repo.get("units", {})
        if repo.get("digests"):
            from jackline.compiler.trust_upgrade import units_of

            units = units_of(repo, lambda digest: copy_of(self.store, digest))
        found: dict[Key, list[Version]] = {}
        for name, versions in units.items():
            kind, _, place = name.partition(" ")
            held = [Version(**one) for one in versions]
            found[kind, place] = [one for one in held if one.more.get(FOLLOWED, following) == following]
        return found

    def dropped(self, root: str, slot: str) -> frozenset[str]:
        """The units that a person gave up in a worktree."""
        found = self.repo(root).get("dropped", {})
        return frozenset(found.get(slot, ())) if isinstance(found, dict) else frozenset()

    def follows(self, root: str) -> str:
        """The ref whose content is trusted as it moves, "" when none is."""
        return str(self.repo(root).get("follow") or "")

    def below(self, root: str) -> tuple[str, ...]:
        """Folders below a root whose hooks a person trusted: sub-folders, in whichever worktree that was, and other
        repositories.
        """
        common, found = common_dir(root), set()
        for repo in self.data["repos"].values():
            if not isinstance(repo, dict) or not repo.get("units"):
                continue
            inner = str(repo.get("inner", ""))
            at = f"{top_of(root)}/{inner}" if inner and repo.get("common") == common else str(repo.get("at", ""))
            at = at or str(repo.get("common", ""))  # of an older version
            if at.startswith(f"{root}/"):
                found.add(at)
        return tuple(sorted(found))

    def followed(self, root: str) -> tuple[str, str]:
        """The commit of that ref that counts, and the one that an agent may have moved it to; "" where none is."""
        repo = self.repo(root)
        return str(repo.get("followed") or ""), str(repo.get("withheld") or "")

    def has_package(self, package: str) -> bool:
        return package in self.data["packages"]

    def save(self) -> None:
        system.replace(self.path, jsonio.dumps(self.data).encode("ascii") + b"\n")


def change(store: str, root: str, kind: str, by: str, data: Mapping[str, Any], edit: Any) -> None:
    """Change `trust.json` under its lock, after the authority log has the record."""
    system.make_dirs(store)
    held = system.lock(f"{store}/{NAME}.lock", WAIT_MS)
    if held < 0:
        raise OSError(11, "another process holds the lock", f"{store}/{NAME}")
    try:
        book = Book(store)
        if book.newer:
            raise OSError(22, "written by a newer version of Jackline: it is not changed", book.path)
        authority.append(store, kind, by, {"repo": key_of(root) if root else "", **data})
        edit(book)
        book.save()
    finally:
        system.close(held)


def entry(book: Book, root: str) -> dict[str, Any]:
    """The repository's part of the book, in today's form."""
    old = book.repo(root)
    units = {f"{kind} {place}": [one._asdict() for one in held] for (kind, place), held in book.units(root).items()}
    root = paths.resolve("/", root)
    made: dict[str, Any] = {"common": common_dir(root), "at": root, "units": units}
    if root != top_of(root):
        made["inner"] = root[len(top_of(root)) + 1 :]
    made |= {name: old[name] for name in ("follow", "followed", "withheld", "dropped") if old.get(name)}
    book.data["repos"][key_of(root)] = made
    return made


def keep_copies(store: str, files: Iterable[bytes]) -> None:
    """Keep contents by their digests."""
    folder = f"{store}/{COPIES}"
    system.make_dirs(folder)
    for data in files:
        path = f"{folder}/{file_digest(data)}"
        if system.size_of(path) != len(data):
            system.replace(path, data)


def copy_of(store: str, digest: str) -> bytes:
    """A content that was trusted. OSError when it is not there, or damaged."""
    data = system.read(f"{store}/{COPIES}/{digest}")
    if file_digest(data) != digest:
        raise OSError(5, "the copy is damaged", f"{store}/{COPIES}/{digest}")
    return data


def remember(here: dict[str, Any], made: Mapping[str, Any]) -> None:
    """Note versions of units in a repository's part of the book, each as the last one."""
    for name, version in made.items():
        before = [one for one in here["units"].get(name, []) if one["digest"] != version["digest"]]
        here["units"][name] = [*before[-VERSIONS:], version]


def trust(store: str, root: str, units: Iterable[Unit], by: str, gone: Iterable[Key] = (), slot: str = "") -> None:
    """Trust these units of the repository as they are, with copies; worktree `slot` gives up what is `gone`."""
    units, gone = [*units], [*gone]
    if not units and not gone:
        return
    keep_copies(store, [data for unit in units for data in unit.files.values()])
    now = host.now() // 1_000_000
    made = {f"{unit.kind} {unit.place}": version_of(unit, now, by)._asdict() for unit in units}

    def edit(book: Book) -> None:
        here = entry(book, root)
        dropped = {*here.get("dropped", {}).get(slot, ())} | {f"{kind} {place}" for kind, place in gone}
        here["dropped"] = {**here.get("dropped", {}), slot: sorted(dropped - made.keys())}
        remember(here, made)

    data: dict[str, Any] = {"units": {name: one["digest"] for name, one in made.items()}}
    if gone:
        data["gone"] = [f"{kind} {place}" for kind, place in gone]
    change(store, root, "TRUST", by, data, edit)


def distrust(store: str, root: str, by: str, key: Key | None = None) -> None:
    """Take trust back: of one unit, or of all of the repository and what it follows."""

    def edit(book: Book) -> None:
        if key:
            entry(book, root)["units"].pop(f"{key[0]} {key[1]}", None)
        else:
            for one in _keys(root):
                book.data["repos"].pop(one, None)

    change(store, root, "DISTRUST", by, {"unit": f"{key[0]} {key[1]}" if key else ""}, edit)


def trust_package(store: str, package: str, by: str) -> None:
    """Trust the features an installed distribution offers, by `name==version`."""

    def edit(book: Book) -> None:
        book.data["packages"][package] = {"ts": host.now() // 1_000_000, "by": by}

    change(store, "", "TRUST_PACKAGE", by, {"package": package}, edit)


def is_at(root: str, commit: str, unit: Unit) -> bool:
    """Whether every file of a unit is at a commit what it is here."""
    from jackline import git
    from jackline.compiler.commit_files import contents

    top, inner = in_tree(root)
    names = [inner + name for name in unit.files]
    try:
        there = contents(top, commit, names)
        if any(there.get(inner + name) != data for name, data in unit.files.items()):
            return False
        return not is_run(unit) or git.executables(top, commit, names) == {inner + name for name in unit.executable}
    except git.GitError:
        return False


def is_run(unit: Unit) -> bool:
    """Whether it matters which of a unit's files may be executed: features are loaded, the others are read."""
    return unit.kind == "script"


def upgrade(store: str, root: str, units: Iterable[Unit]) -> None:
    """Write the repository's part of an older book in today's form; what fits gets the inputs it has now."""

    def edit(book: Book) -> None:
        held = book.units(root)
        here = entry(book, root)
        for unit in units:
            versions = held.get(unit.key, [])
            if versions and versions[-1].inputs is None and versions[-1].fits(unit):
                keep_copies(store, unit.inputs.values())
                last = version_of(unit, versions[-1].ts, versions[-1].by)
                here["units"][f"{unit.kind} {unit.place}"][-1] = last._asdict()

    if Book(store).repo(root).get("digests"):
        change(store, root, "TRUST_UPGRADE", "kernel", {}, edit)
