"""What validators judge: one digest over the files that their globs name, as they are in the work tree now.

The same content has the same digest, committed or not: files have the ids that git gives their content, and only those
that differ from git's index are read.
"""

from __future__ import annotations

import hashlib
import posix

from jackline import git, system
from jackline.globs import match
from jackline.repository import git_root
from jackline.store.ids import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jackline.script import Script
    from jackline.services.validators.listing import Validator

OURS = ".ai/tmp/"
"""Where sessions have their files."""
LARGE = 1 << 26
"""Bytes from which on a file is known by its size and time alone."""
SECONDS = 20.0
"""How long git may look."""


class Unknown(Exception):
    """The tree cannot be told; the message says why."""


def _link(path: str) -> bytes | None:
    try:
        return posix.readlink(path.encode("utf-8", "surrogateescape"))
    except OSError:
        return None


def _mark(path: str, sha: str) -> str:
    """What stands for a file's content: git's id of it; "" where there is no file."""
    data = _link(path)
    if data is None:
        try:
            found = posix.stat(path)
            if found.st_size >= LARGE:
                return f"{found.st_size}.{found.st_mtime_ns}"
            data = system.read(path, limit=LARGE)
        except (OSError, ValueError):
            return "?" if system.is_dir(path) else ""
    made = hashlib.new(sha, usedforsecurity=False)
    made.update(b"blob %d\0" % len(data))
    made.update(data)
    return made.hexdigest()


def _indexed(root: str, env: Mapping[str, str] | None) -> dict[str, str]:
    """By path: the id of what git's index has."""
    out = git.run(root, "ls-files", "-z", "-s", env=env, deadline=SECONDS)
    found = {}
    for row in out.split(b"\0"):
        about, _, name = row.partition(b"\t")
        if name:
            found[name.decode("utf-8", "surrogateescape")] = about.split(b" ")[1].decode()
    return found


def _tracked(root: str, env: Mapping[str, str] | None) -> dict[str, str]:
    found = _indexed(root, env)
    loose, others = git.touched_files(root, env, since=git.head(root, env), deadline=SECONDS)
    sha = "sha256" if any(len(one) == 64 for one in found.values()) else "sha1"
    for name in {*loose, *others}:
        found[name] = _mark(f"{root}/{name}", sha)
    return found


def _walked(root: str) -> dict[str, str]:
    from jackline.scripts.changes import ChangesError, walk

    try:
        return {name: _mark(f"{root}/{name}", "sha1") for name in walk(root)}
    except ChangesError as fault:
        raise Unknown(str(fault)) from None


def look(root: str, env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Every file of the project that git does not ignore, with what stands for its content. Raises Unknown."""
    try:
        found = _tracked(root, env) if git_root(root) else _walked(root)
    except (git.GitError, OSError) as fault:
        raise Unknown(f"git · {fault}") from None
    return {name: mark for name, mark in found.items() if mark and not name.startswith(OURS)}


def of_script(one: Script, names: Iterable[str]) -> list[str]:
    """The files that a script's pattern names."""
    from jackline.site_paths import open_roots

    open_roots()  # the entry point's interpreter sees no site-packages
    from jackline.scripts.patterns import Index, PatternError

    try:
        return Index(names).select(one.pattern, one.exclude)
    except PatternError as fault:
        raise Unknown(f"{one.key} · {fault}") from None


def judged(paths: Sequence[str], names: Iterable[str]) -> list[str]:
    """Of files those that globs name; a glob with `!` before it takes files out again."""
    wanted = [one for one in paths if one[:1] != "!"] or ["**"]
    but = [one[1:] for one in paths if one[:1] == "!"]
    return [
        name
        for name in names
        if (wanted == ["**"] or any(match(one, name) for one in wanted)) and not any(match(one, name) for one in but)
    ]


def of(one: Validator, tree: Mapping[str, str]) -> str:
    """16 hex for the content that a validator judges. Raises Unknown where nobody can read a script's pattern."""
    names = judged(one.paths, tree) if one.script is None else of_script(one.script, tree)
    return digest("".join([f"{tree[name]} {name}\n" for name in sorted(names)]), 8)
