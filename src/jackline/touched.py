"""What a call touches: paths relative to the root, each with what is done to it."""

from __future__ import annotations

from jackline.globs import base
from jackline.system import resolve, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.model import Event
else:
    from jackline._record import NamedTuple

READING = frozenset(("read", "search", "list"))
CHANGING = frozenset(("write", "edit", "notebook"))
UNSURE = frozenset(("mcp", "other", "browser"))
"""Tools that may do anything with a path they name."""


class Touch(NamedTuple):
    """`deep`: everything below the path, too."""

    path: str
    changes: bool
    reads: bool
    deep: bool = False


def _relative(root: str, path: str) -> str:
    """A resolved path relative to the root; a folder above the root reaches it, so it counts as the root."""
    inner = within(root, path)
    return "." if inner.startswith("/") and (root + "/").startswith(inner.rstrip("/") + "/") else inner


def _globs(event: Event) -> list[str]:
    """The folders that globs of a client's search start in."""
    found = []
    for key in ("includePattern", "include_pattern", "query", "pattern", "glob", "include"):
        value = event.input.get(key)
        if isinstance(value, str) and "/" in value and (key not in ("query", "pattern") or event.kind == "search"):
            found.append(base(value))
    return [one for one in found if one]


def native(event: Event) -> list[Touch]:
    """What a tool other than a shell touches."""
    kind = event.kind
    changes = kind in CHANGING or kind in UNSURE
    reads = kind in READING or kind in UNSURE
    paths = list(event.paths)
    folders = kind in ("search", "list")
    if folders and not paths:
        cwd = event.cwd or event.root
        paths = [within(event.root, resolve(cwd, one)) for one in _globs(event)] or [
            within(event.root, resolve(cwd, "."))
        ]
    return [Touch(_relative(event.root, path), changes, reads, folders) for path in paths]


def shell(event: Event) -> list[Touch]:
    """What a command touches, as far as it is understood."""
    found = event.effects
    touches = []
    for effect in () if found is None else found.effects:
        changes = effect.kind in ("write", "delete")
        if not changes and effect.kind != "read":
            continue
        path, deep = effect.path, effect.deep or effect.kind == "delete"
        if effect.pattern:
            path, deep = base(path) or "/", True
        if path:
            touches.append(Touch(_relative(event.root, path), changes, not changes, deep))
    return touches
