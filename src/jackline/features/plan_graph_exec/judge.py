"""What an accepted plan says of a call: a forbidden node, a narrower search, or nothing."""

from __future__ import annotations

from jackline.features.plan_graph_exec.scope import common, narrowed_folder, narrowed_glob, relative
from jackline.globs import base, covers, expand, reaches
from jackline.model import Event
from jackline.paths import resolve, within
from jackline.services.plans.tools import WRITING, kind_of, means
from jackline.touched import READING, UNSURE, touches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple

    from jackline.services.plans.document import Node
    from jackline.touched import Touch
else:
    from jackline._record import NamedTuple

FREE = (".ai/tmp", ".ai/inbox")
"""Places that belong to the runtime and its artifacts: no plan speaks of them."""


def _scopes(node: Node, root: str) -> list[str]:
    return [relative(scope, root) for scope in node.scopes]


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
        scopes = _scopes(node, event.root)
        if not scopes and means(node.tools, event.tool, event.kind):
            return Hit(node)
        if found is None:
            found = touches(event)
        for touch in found:
            hit = _met(node, scopes, touch) if _concerns(node, event, touch) else None
            if hit is not None:
                return hit
    return None


def _allowed(nodes: Sequence[Node], event: Event) -> list[str] | None:
    """Scopes of the nodes that open this tool; None when one of them has no scope, or none speaks of the tool."""
    opening = [node for node in nodes if not node.forbidden and means(node.tools, event.tool, event.kind)]
    if not opening or not all(node.scopes for node in opening):
        return None
    return [scope for node in opening for scope in _scopes(node, event.root)]


GLOBS = {"grep_search": "includePattern", "file_search": "query", "glob": "pattern"}
PLACES = ("paths", "dir_path", "path")
"""Where a search of folders says where it looks."""
FOLDERS = ("grep", "rg", "grep_files", "grep_search", "search_file_content", "search_files")


def _clamped_glob(event: Event, key: str, scopes: Sequence[str]) -> dict[str, Any] | None:
    """Changes that narrow a tool whose glob says where it looks; {} when it is inside, None when it is outside."""
    root = event.root
    start = event.input.get("path") or event.input.get("dir_path")
    folder = within(root, resolve(event.cwd or root, start if isinstance(start, str) else ".", event.home))
    if key != "pattern":
        folder = "."  # VS Code counts from the workspace folder
    pattern = event.input.get(key)
    pattern = relative(pattern, root) if isinstance(pattern, str) and pattern else ""
    if folder.startswith("/"):
        return None if not (root + "/").startswith(folder.rstrip("/") + "/") else {"path": root}
    whole = pattern if folder == "." else f"{folder}/{pattern or '**'}"
    if folder != "." and pattern and "/" not in pattern:
        whole = f"{folder}/**/{pattern}"  # a name without a folder is looked for at every depth
    narrow = narrowed_glob(whole, scopes)
    if narrow == whole:
        return {}
    if not narrow:
        return None
    return {key: narrow} if folder == "." and (key != "pattern" or _at_root(event)) else {"path": root, key: narrow}


def _at_root(event: Event) -> bool:
    return within(event.root, resolve(event.cwd or event.root, ".")) == "."


def _clamped_folders(event: Event, scopes: Sequence[str]) -> dict[str, Any] | None:
    root = event.root
    key = next((name for name in PLACES if event.input.get(name)), "path")
    given = event.input.get(key) or "."
    wanted = []
    changed = False
    for one in given if isinstance(given, list) else [given]:
        path = resolve(event.cwd or root, str(one), event.home)
        folder = within(root, path)
        if folder.startswith("/") and (root + "/").startswith(folder.rstrip("/") + "/"):
            folder = "."
        narrow = "" if folder.startswith("/") else narrowed_folder(folder, scopes)
        changed = changed or narrow != within(root, path)
        if narrow:
            wanted.append(root if narrow == "." else f"{root}/{narrow}")
    if not wanted:
        return None
    if not changed:
        return {}
    return {key: wanted if isinstance(given, list) else wanted[0]}


def clamp(nodes: Sequence[Node], event: Event) -> dict[str, Any] | None:
    """Changes that narrow a search to the plan: {} for none needed, None when it looks outside every scope."""
    if event.kind != "search":
        return {}
    scopes = _allowed(nodes, event)
    if scopes is None:
        return {}
    name = event.tool.lower()
    key = GLOBS.get(name, "")
    if key and (name != "grep_search" or "query" in event.input):
        return _clamped_glob(event, key, scopes)
    if name in FOLDERS:
        return _clamped_folders(event, scopes)
    return {}


def _narrowed(event: Event, changes: Mapping[str, Any]) -> Event:
    """A search as its changes make it."""
    given = {**event.input, **changes}
    named = [one for name in PLACES for one in (given.get(name), *_several(given.get(name))) if isinstance(one, str)]
    made = Event(event.name)
    vars(made).update(vars(event), input=given, targets=tuple(named), _paths=None)
    return made


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def frees(nodes: Sequence[Node], event: Event, changes: Mapping[str, Any] | None) -> bool:
    """Whether these changes lead a search past every forbidden node."""
    return bool(changes) and forbidden(nodes, _narrowed(event, changes or {})) is None


def proposed(nodes: Sequence[Node], event: Event) -> tuple[str, list[str], dict[str, Any]]:
    """For a search outside every scope: where it looks, the scopes, and the changes that lead it into them."""
    root, scopes = event.root, _allowed(nodes, event) or []
    key = GLOBS.get(event.tool.lower(), "")
    pattern = event.input.get(key) if key else None
    if isinstance(pattern, str):
        name = relative(pattern, root).rpartition("/")[2]
        narrow = (narrowed_glob(f"**/{name}", scopes) if name else "") or narrowed_glob("**", scopes)
        changes: dict[str, Any] = {key: narrow}
        if key == "pattern" and (event.input.get("path") or not _at_root(event)):
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
    scopes = [scope for node in opening for scope in _scopes(node, event.root)]
    for touch in touches(event):
        path = touch.path
        if not touch.changes or any(covers(free, path) for free in FREE):
            continue
        if event.kind == "shell" and path.startswith("/"):
            continue  # scratch files beside the project
        if not any(covers(scope, path) for scope in scopes):
            return path
    return ""
