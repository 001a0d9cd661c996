"""Narrow a search to the scopes of a plan: folders and globs relative to the root, never wider than they were."""

from __future__ import annotations

from jackline.globs import base, covers, expand, match, with_slashes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WHOLE = frozenset(("", ".", "**", "**/*", "*", "**/**"))
DEEP = frozenset(("", "**", "**/*"))


def relative(scope: str, root: str) -> str:
    """A scope as a plan writes it, relative to the root: `./src`, `.\\src`, `src` and its absolute path are one."""
    scope = with_slashes(scope)
    if root and (scope == root or scope.startswith(root + "/")):
        scope = scope[len(root) :].lstrip("/")
    while scope.startswith("./"):
        scope = scope[2:]
    return scope or "."


def common(folders: Sequence[str]) -> str:
    """The deepest folder that holds all `folders`, `.` when it is the root."""
    shared: list[str] = []
    for level in zip(*[folder.split("/") for folder in folders], strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/".join(shared) or "."


def narrowed_folder(folder: str, scopes: Sequence[str]) -> str:
    """The folder to search instead of `folder`: the deepest that holds every scope below it.

    `folder` itself where it lies in a scope or one begins at the root; "" where no scope lies below or above it.
    """
    starts = []
    for scope in scopes:
        for one in expand(scope):
            start = base(one) or "."
            if start == "." or covers(start, folder):
                return folder
            if folder == "." or covers(folder, start):
                starts.append(start)
    return common(starts) if starts else ""


def _inner(own: str, rest: str, start: str, tail: str, pattern: str, scope: str) -> str:
    """The part of `own/rest` in `start/tail`, where `own` lies at or below `start`."""
    if tail in DEEP or pattern == scope or (not rest and match(scope, pattern)):
        return pattern
    if rest in DEEP and own == start:
        return scope
    if rest in DEEP and rest and tail.startswith("**/"):
        return f"{own}/{tail}"
    return ""


def _outer(own: str, rest: str, start: str, tail: str, scope: str) -> str:
    """The part of `own/rest` in `start/tail`, where `start` lies below `own` ("" is the root)."""
    if rest in DEEP or (not own and rest in WHOLE):
        return scope if tail else f"{start}/**"
    if tail not in DEEP:
        return ""
    if rest.startswith("**/"):
        return f"{start}/{rest}"
    # Clients look for a name without a folder at every depth.
    return f"{start}/**/{rest}" if not own and "/" not in rest else ""


def _part(pattern: str, scope: str) -> str:
    """The part of one glob that lies in one scope (both without braces); "" when it is none or cannot be written."""
    start, own = base(scope), base(pattern)
    tail, rest = scope[len(start) :].strip("/"), pattern[len(own) :].strip("/")
    if not start:
        if tail in WHOLE or pattern == scope:
            return pattern
        if pattern in WHOLE:
            return scope
        if tail.startswith("**/") and ((rest in DEEP and rest) or not rest):
            return f"{own}/{tail}" if rest else (pattern if match(scope, pattern) else "")
        return ""
    if own and covers(start, own):
        return _inner(own, rest, start, tail, pattern, scope)
    if not own or covers(own, start):
        return _outer(own, rest, start, tail, scope)
    return ""


def _plain(glob: str) -> str:
    """The same glob with one `**` for several in a row."""
    while "**/**" in glob:
        glob = glob.replace("**/**", "**")
    return glob


def narrowed_glob(pattern: str, scopes: Sequence[str]) -> str:
    """The glob to search instead of `pattern` ("" = all): what of it lies in the scopes, its depth kept.

    `pattern` itself where all of it already does; "" where none of it does, or no glob could say which.
    """
    whole = True
    found: list[str] = []
    for one in expand(pattern):
        plain = _plain(one)
        parts = [_part(plain, _plain(alternative)) for scope in scopes for alternative in expand(scope)]
        if plain in parts:
            parts = [one]
        else:
            whole = False
        found.extend(part for part in parts if part)
    if whole:
        return pattern
    found = list(dict.fromkeys(found))
    return found[0] if len(found) == 1 else "{" + ",".join(found) + "}" if found else ""
