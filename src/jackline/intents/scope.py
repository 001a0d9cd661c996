"""What a scope holds: globs relative to the root with exclusions, asked about resolved paths.

- A path is in scope when an inclusion holds it and no exclusion does, in whatever order they stand.
- A glob that ends in a name holds what lies below, too: `src/auth` is `src/auth/**`. One that ends in a wildcard means
  the paths it matches: `src/*.py` is no folder's inside.
- Inclusions heed case, exclusions do not, since file systems may not.
"""

from __future__ import annotations

from jackline import globs
from jackline.globs import MAGIC, base, covers, expand, match, reaches, with_slashes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

DEEP = "\x01"
"""A name that no file has: what holds it anywhere below a folder holds everything there."""


class Scope(NamedTuple):
    """Globs without braces, relative to the root (or absolute, for places outside it)."""

    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


def plain(pattern: str, root: str = "") -> str:
    """A glob as it is compared: blanks and `./` at its ends gone, relative where it lies in the root."""
    pattern = with_slashes(pattern.strip())
    if root and (pattern == root or pattern.startswith(root + "/")):
        pattern = pattern[len(root) + 1 :]
    while pattern.startswith("./"):
        pattern = pattern[2:]
    return pattern if pattern not in ("", ".", "/") else "**"


def fault(pattern: str) -> str:
    """Why a glob can never mean a path of the project, "" when it can."""
    bare = with_slashes(pattern.strip().removeprefix("!").strip())
    if not bare:
        return "a glob relative to the project"
    if "\n" in bare or "\0" in bare:
        return "a glob on one line"
    if ".." in bare.split("/"):
        return "a glob without `..`"
    if bare.startswith("~"):
        return "a glob relative to the project, or an absolute one"
    return ""


def scope(patterns: Iterable[str], root: str = "") -> Scope:
    """Globs as a project writes them, `!` before exclusions; those that mean nothing are left out."""
    sides: tuple[list[str], list[str]] = ([], [])
    for pattern in patterns:
        if fault(pattern):
            continue
        pattern = pattern.strip()
        out = pattern[0] == "!"
        sides[out].extend([one for one in expand(plain(pattern[1:] if out else pattern, root)) if one])
    return Scope(tuple(sides[0]), tuple([one.lower() for one in sides[1]]))


def _ends_in_name(pattern: str) -> bool:
    last = pattern.rstrip("/").rpartition("/")[2]
    return not any(char in last for char in MAGIC)


def _included(pattern: str, path: str) -> bool:
    return covers(pattern, path) if _ends_in_name(pattern) else match(pattern, path)


def excluded(known: Scope, path: str) -> bool:
    """Whether an exclusion holds the path or a folder above it."""
    low = path.lower()
    return any(covers(one, low) or match(one, low) for one in known.outside)


def shut(known: Scope, pattern: str) -> bool:
    """Whether an exclusion holds all that a glob may mean, so that adding it would open nothing."""
    places = [f"{base(one)}/{DEEP}" if any(char in one for char in MAGIC) else one for one in expand(plain(pattern))]
    return all(excluded(known, place.lstrip("/")) for place in places)


def holds(known: Scope, path: str) -> bool:
    """Whether one path is in scope."""
    return any(_included(one, path) for one in known.inside) and not excluded(known, path)


def holds_below(known: Scope, path: str) -> bool:
    """Whether a path and everything that may ever lie below it is in scope."""
    near, far = f"{path}/{DEEP}", f"{path}/{DEEP}/{DEEP}/{DEEP}"
    if path == ".":
        near, far = near[2:], far[2:]
    if not any(_included(one, near) and _included(one, far) for one in known.inside):
        return False
    low = path.lower()
    return holds(known, path) and not any(reaches(one, low) for one in known.outside)


def leads_to(known: Scope, path: str) -> bool:
    """Whether something in scope may lie below a path: a folder that has to be there."""
    return path == "." or any(reaches(one, path) for one in known.inside)


def ignored(text: str) -> tuple[str, ...]:
    """The globs of an `.intentignore` that can be read, as `.gitignore` writes them."""
    return tuple([one for one in globs.ignore_globs(text) if not fault(one.removeprefix("!"))])
