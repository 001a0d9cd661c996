"""Narrow a call that looks through folders to what a plan opens: the same search, led into the scopes.

One owner for planGraph-exec, which narrows to the nodes of a plan, and tool-gate, which narrows to leases.
"""

from __future__ import annotations

from jackline.paths import resolve, within
from jackline.services.plans.document import Node
from jackline.services.plans.scopes import narrowed_folder, narrowed_glob, relative
from jackline.services.plans.tools import means

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from jackline.model import Event

KEY = "plan-scope"
"""The key under which the model reads that a search was narrowed."""
FIRST = ("find", "gfind", "ls", "tree", "du", "exa", "eza", "lsd")
"""Programs whose first words are places; of the others that search, the last word may be one."""
SEARCHES = (*FIRST, "grep", "egrep", "fgrep", "rgrep", "rg", "ag", "ack", "ack-grep", "fd", "fdfind")


def told(changes: Mapping[str, Any]) -> tuple[str, str]:
    """What the model reads, so that it takes no narrowed result for a complete one."""
    return KEY, "the plan narrows this search to " + ", ".join(f"{key}: {value}" for key, value in changes.items())


def scopes_of(node: Node, root: str) -> list[str]:
    """A node's globs, relative to the root."""
    return [relative(scope, root) for scope in node.scopes]


def allowed(nodes: Sequence[Node], event: Event) -> list[str] | None:
    """Scopes of the nodes that open this tool; None when one of them has no scope, or none speaks of the tool."""
    opening = [node for node in nodes if not node.forbidden and means(node.tools, event.tool, event.kind)]
    if not opening or not all(node.scopes for node in opening):
        return None
    return [scope for node in opening for scope in scopes_of(node, event.root)]


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
    return {key: narrow} if folder == "." and (key != "pattern" or is_at_root(event)) else {"path": root, key: narrow}


def is_at_root(event: Event) -> bool:
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


def _placed(words: Sequence[str]) -> list[int]:
    """Indexes of those words of a command that may say where it looks."""
    if words[0].rpartition("/")[2] not in FIRST:
        return [len(words) - 1]
    flags = [at for at, word in enumerate(words) if word[:1] == "-"]
    if words[0].endswith("find"):
        return [*range(1, flags[0] if flags else len(words))]
    return [at for at in range(1, len(words)) if at not in flags]


def _clamped_command(event: Event, scopes: Sequence[str]) -> dict[str, Any] | None:
    """Changes that narrow one plain command that looks through folders; whoever uses them has to see what they do."""
    words, cwd = event.command.split(" "), event.cwd or event.root
    if words[0].rpartition("/")[2] not in SEARCHES or len(event.effects.commands) != 1:
        return {}
    for at in _placed(words):
        folder = within(event.root, resolve(cwd, words[at], event.home))
        narrow = "" if folder[:1] == "/" else narrowed_folder(folder, scopes)
        if narrow and narrow != folder:
            inner = narrow if folder == "." else narrow[len(folder) + 1 :]
            start = words[at].rstrip("/")
            words[at] = inner if start in ("", ".") else f"{start}/{inner}"
            return {"command": " ".join(words)}
    return {}


def to_scopes(event: Event, scopes: Sequence[str]) -> dict[str, Any] | None:
    """Changes that narrow a call that looks through folders: {} for none known, None when it looks outside of them."""
    if event.kind == "shell":
        return _clamped_command(event, scopes)
    name = event.tool.lower()
    key = GLOBS.get(name, "")
    if key and (name != "grep_search" or "query" in event.input):
        return _clamped_glob(event, key, scopes)
    if name in FOLDERS:
        return _clamped_folders(event, scopes)
    return {}


def clamp(nodes: Sequence[Node], event: Event) -> dict[str, Any] | None:
    """Changes that narrow a search to the plan: {} for none needed, None when it looks outside every scope."""
    scopes = allowed(nodes, event) if event.kind == "search" else None
    return {} if scopes is None else to_scopes(event, scopes)


def to_leases(event: Event, leases: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The same to what leases open."""
    return clamp([Node("lease", scopes=tuple(one["paths"])) for one in leases], event)


def rewritten(event: Event, changes: Mapping[str, Any]) -> Event:
    """A call as its changes make it."""
    given = {**event.input, **changes}
    made = event.underived()
    made.input = given
    if event.kind == "shell":
        made.command = str(given["command"])
        return made
    named = [one for name in PLACES for one in (given.get(name), *_several(given.get(name))) if isinstance(one, str)]
    made.targets = tuple(named)
    return made


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
