"""Which contents a person has said yes to: digests per repository, with copies of what was read (design section 5).

A repository is its git common directory, so that trust holds in all its worktrees and branches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from jackline import host, paths, system, wire
from jackline.store import authority
from jackline.store.ids import digest as text_digest

FORMAT = 1
NAME = "trust.json"
COPIES = "trusted"
"""Folder of the store with what was trusted, by digest: `trust --diff` shows what changed since."""
WAIT_MS = 2000


def file_digest(data: bytes) -> str:
    from _blake2 import blake2b

    return str(blake2b(data, digest_size=16).hexdigest())


def digest_of(files: Mapping[str, bytes]) -> str:
    """Digest over names and contents, in whatever order they come; "" for no files."""
    if not files:
        return ""
    rows = [f"{file_digest(data)}  {name}\n" for name, data in sorted(files.items())]
    return file_digest("".join(rows).encode("utf-8", "surrogateescape"))


def _first_line(path: str) -> str:
    try:
        return system.read(path, limit=8192).decode("utf-8", "surrogateescape").split("\n")[0].strip()
    except OSError:
        return ""


def common_dir(root: str) -> str:
    """The git common directory of a worktree, found in files alone; the root itself where there is no git."""
    git = root + "/.git"
    if not system.is_dir(git):
        said = _first_line(git)
        if not said.startswith("gitdir:"):
            return root
        git = paths.resolve(root, said[7:].strip())
    common = _first_line(git + "/commondir")
    found = paths.resolve(git, common) if common else paths.resolve("/", git)
    return found if system.is_dir(found) else root


def key_of(root: str) -> str:
    """How `trust.json` calls the repository of a root."""
    return text_digest(common_dir(paths.resolve("/", root)), 8)


class Book:
    """`trust.json` as it is now. Broken or missing: nothing is trusted."""

    def __init__(self, store: str) -> None:
        self.path = f"{store}/{NAME}"
        self.data: dict[str, Any] = {"v": FORMAT, "repos": {}, "packages": {}}
        try:
            found = wire.loads(system.read(self.path).decode())
        except (OSError, ValueError):
            return
        if isinstance(found, dict) and found.get("v") == FORMAT:
            self.data |= {key: found[key] for key in ("repos", "packages") if isinstance(found.get(key), dict)}

    def repo(self, root: str) -> dict[str, Any]:
        found = self.data["repos"].get(key_of(root))
        return found if isinstance(found, dict) else {}

    def trusts(self, root: str, digest: str) -> bool:
        return digest in self.repo(root).get("digests", {})

    def follows(self, root: str) -> str:
        """The ref whose content is trusted as it moves, "" when none is."""
        return str(self.repo(root).get("follow") or "")

    def has_package(self, package: str) -> bool:
        return package in self.data["packages"]

    def save(self) -> None:
        system.replace(self.path, wire.dumps(self.data).encode("ascii") + b"\n")


def is_trusted(store: str, root: str, digest: str) -> bool:
    """Whether a person has trusted this content in this repository; no content needs no trust."""
    return not digest or Book(store).trusts(root, digest)


def _change(store: str, root: str, kind: str, by: str, data: Mapping[str, Any], edit: Any) -> None:
    """Change `trust.json` under its lock, after the authority log has the record."""
    system.make_dirs(store)
    held = system.lock(f"{store}/{NAME}.lock", WAIT_MS)
    if held < 0:
        raise OSError(11, "another process holds the lock", f"{store}/{NAME}")
    try:
        book = Book(store)
        authority.append(store, kind, by, {"repo": key_of(root) if root else "", **data})
        edit(book)
        book.save()
    finally:
        system.close(held)


def _entry(book: Book, root: str) -> dict[str, Any]:
    made: dict[str, Any] = {"digests": {}, **book.repo(root), "common": common_dir(paths.resolve("/", root))}
    book.data["repos"][key_of(root)] = made
    return made


def trust(store: str, root: str, files: Mapping[str, bytes], by: str) -> str:
    """Trust this content of the repository from now on; keep a copy for the next diff. Returns its digest."""
    digest = digest_of(files)
    if not digest:
        return ""
    folder = f"{store}/{COPIES}"
    system.make_dirs(folder)
    for data in files.values():
        path = f"{folder}/{file_digest(data)}"
        if system.size_of(path) != len(data):
            system.replace(path, data)
    listed = {name: file_digest(data) for name, data in sorted(files.items())}

    def edit(book: Book) -> None:
        entry = _entry(book, root)
        entry["digests"][digest] = {"ts": host.now() // 1_000_000, "by": by, "files": listed}
        entry["last"] = digest

    _change(store, root, "TRUST", by, {"digest": digest, "files": listed}, edit)
    return digest


def distrust(store: str, root: str, by: str, digest: str = "") -> None:
    """Take trust back: of one content, or of all of the repository and what it follows."""

    def edit(book: Book) -> None:
        if digest:
            _entry(book, root)["digests"].pop(digest, None)
        else:
            book.data["repos"].pop(key_of(root), None)

    _change(store, root, "DISTRUST", by, {"digest": digest}, edit)


def trust_package(store: str, package: str, by: str) -> None:
    """Trust the features an installed distribution offers, by `name==version`."""

    def edit(book: Book) -> None:
        book.data["packages"][package] = {"ts": host.now() // 1_000_000, "by": by}

    _change(store, "", "TRUST_PACKAGE", by, {"package": package}, edit)


def follow(store: str, root: str, ref: str, by: str) -> None:
    """Trust whatever content stands at `ref`, as it moves; "" ends that."""

    def edit(book: Book) -> None:
        _entry(book, root)["follow"] = ref

    _change(store, root, "FOLLOW", by, {"ref": ref}, edit)


def ref_files(root: str, ref: str) -> list[str]:
    """The files a ref may stand in: when they move, what is followed may have."""
    common = common_dir(paths.resolve("/", root))
    places = [ref] if ref.startswith("refs/") else [f"refs/heads/{ref}", f"refs/remotes/{ref}", f"refs/tags/{ref}"]
    return [f"{common}/{place}" for place in (*places, "packed-refs") if ".." not in place]


def followed(root: str, ref: str, files: Mapping[str, bytes]) -> bool:
    """Whether every one of these files is at `ref` what it is here."""
    from jackline import git

    try:
        there = git.blobs(root, ref, list(files))
    except git.GitError:
        return False
    return all(there.get(name) == data for name, data in files.items())


class Change(NamedTuple):
    """One file that is not as it was trusted last; None = it was or is not there."""

    name: str
    before: bytes | None
    after: bytes | None


def diff(store: str, root: str, files: Mapping[str, bytes]) -> list[Change]:
    """What changed since the content that was trusted last; everything, when nothing was."""
    repo = Book(store).repo(root)
    last = repo.get("digests", {}).get(repo.get("last"), {}).get("files", {})
    changes = []
    for name in sorted({*files, *last}):
        after = files.get(name)
        before = None
        if name in last:
            try:
                before = system.read(f"{store}/{COPIES}/{last[name]}")
            except OSError:
                before = b""
        if before != after or (name in last and after is not None and file_digest(after) != last[name]):
            changes.append(Change(name, before, after))
    return changes
