"""What an accepted plan says of a call: a forbidden node, a narrower search, or nothing."""

from __future__ import annotations

from jackline.affected_paths import READING, UNSURE, touches
from jackline.globs import base, covers, expand, reaches
from jackline.services.plans.narrowing import GLOBS, PLACES, allowed, is_at_root, rewritten, scopes_of
from jackline.services.plans.scopes import common, narrowed_glob, relative
from jackline.services.plans.tools import WRITING, kind_of, means

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple

    from jackline.affected_paths import Touch
    from jackline.model import Event
    from jackline.services.plans.document import Node
else:
    from jackline._record import NamedTuple

FREE = (".ai/tmp", ".ai/inbox")
"""Places that belong to the runtime and its artifacts: no plan speaks of them."""


def _concerns(node: Node, event: Event, touch: Touch) -> bool:
    """Whether a node's tools mean what a call does to one path."""
    if means(node.tools, event.tool, event.kind):
        return True
    if event.kind != "shell" and event.kind not in UNSURE:
        return False
    kinds = {kind_of(name) for name in node.tools}
    return bool((touch.changes and kinds & WRITING) or (touch.reads and not touch.changes and kinds & READING))


class Hit(NamedTuple):
    """A forbidden node that a call touches: at which path ("" is the tool as such); `held`: what the path contains."""

    node: Node
    path: str = ""
    held: str = ""


def _met(node: Node, scopes: Sequence[str], touch: Touch) -> Hit | None:
    if not scopes or any(covers(scope, touch.path) for scope in scopes):
        return Hit(node, touch.path)
    held = next((scope for scope in scopes if touch.deep and reaches(scope, touch.path)), "")
    return Hit(node, touch.path, held) if held else None


def forbidden(nodes: Sequence[Node], event: Event) -> Hit | None:
    """The first forbidden node that a call touches."""
    found: tuple[Touch, ...] | None = None
    for node in nodes:
        if not node.forbidden:
            continue
        scopes = scopes_of(node, event.root)
        if not scopes and means(node.tools, event.tool, event.kind):
            return Hit(node)
        if found is None:
            found = touches(event)
        for touch in found:
            hit = _met(node, scopes, touch) if _concerns(node, event, touch) else None
            if hit is not None:
                return hit
    return None


def frees(nodes: Sequence[Node], event: Event, changes: Mapping[str, Any] | None) -> bool:
    """Whether these changes lead a search past every forbidden node."""
    return bool(changes) and forbidden(nodes, rewritten(event, changes or {})) is None


def proposed(nodes: Sequence[Node], event: Event) -> tuple[str, list[str], dict[str, Any]]:
    """For a search outside every scope: where it looks, the scopes, and the changes that lead it into them."""
    root, scopes = event.root, allowed(nodes, event) or []
    key = GLOBS.get(event.tool.lower(), "")
    pattern = event.input.get(key) if key else None
    if isinstance(pattern, str):
        name = relative(pattern, root).rpartition("/")[2]
        narrow = (narrowed_glob(f"**/{name}", scopes) if name else "") or narrowed_glob("**", scopes)
        changes: dict[str, Any] = {key: narrow}
        if key == "pattern" and (event.input.get("path") or not is_at_root(event)):
            changes["path"] = root
        return next(iter(event.paths), "") or pattern, scopes, changes
    key = next((name for name in PLACES if event.input.get(name)), PLACES[-1])
    starts = list(dict.fromkeys([base(one) or "." for scope in scopes for one in expand(scope)]))
    shared = common(starts)
    folder = starts[0] if shared == "." else shared  # the root is no narrower than what was asked for
    given = isinstance(event.input.get(key), list)
    return (
        next(iter(event.paths), "."),
        scopes,
        {key: [f"{root}/{one}" for one in starts] if given else f"{root}/{folder}"},
    )


def outside(nodes: Sequence[Node], event: Event) -> str:
    """The first path that a call changes outside the scopes of all open nodes, "" when there is none."""
    opening = [node for node in nodes if not node.forbidden]
    if not opening or not all(node.scopes for node in opening):
        return ""
    if event.kind == "shell":
        from jackline.shell.screen import screen

        if screen(event.command):
            return ""
    scopes = [scope for node in opening for scope in scopes_of(node, event.root)]
    for touch in touches(event):
        path = touch.path
        if not touch.changes or any(covers(free, path) for free in FREE):
            continue
        if event.kind == "shell" and path.startswith("/"):
            continue  # scratch files beside the project
        if not any(covers(scope, path) for scope in scopes):
            return path
    return ""
